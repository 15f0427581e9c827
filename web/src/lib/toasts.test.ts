import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { currentToasts, dismiss, subscribe, toast } from './toasts.ts'

beforeEach(() => {
  vi.useFakeTimers()
})

afterEach(() => {
  dismiss()
  vi.runAllTimers()
  vi.useRealTimers()
})

test('a new toast takes the place of the one that was there', () => {
  toast({ title: 'Message sent!' })
  toast({
    title: 'Login Required',
    description: 'Please log in to post wanted items',
    variant: 'destructive',
  })
  expect(currentToasts().map(({ title, variant, open }) => ({ title, variant, open }))).toEqual([
    { title: 'Login Required', variant: 'destructive', open: true },
  ])
})

test('a dismissed toast closes at once and is forgotten after 1,000,000 ms', () => {
  const id = toast({ title: 'Offer Sent!' })
  dismiss(id)
  expect(currentToasts().map((it) => it.open)).toEqual([false])
  vi.advanceTimersByTime(999_999)
  expect(currentToasts()).toHaveLength(1)
  vi.advanceTimersByTime(1)
  expect(currentToasts()).toHaveLength(0)
})

test('dismissing a toast that was replaced leaves its successor alone', () => {
  const first = toast({ title: 'Offer Accepted!' })
  toast({ title: 'Offer Rejected' })
  dismiss(first)
  expect(currentToasts().map((it) => [it.title, it.open])).toEqual([['Offer Rejected', true]])
})

test('replacing a dismissed toast drops its timer', () => {
  dismiss(toast({ title: 'Success!' }))
  toast({ title: 'Message sent!' })
  expect(vi.getTimerCount()).toBe(0)
})

test('listeners hear of every change until they leave', () => {
  const heard = vi.fn()
  const leave = subscribe(heard)
  const id = toast({ title: 'Success!' })
  dismiss(id)
  leave()
  toast({ title: 'Message sent!' })
  expect(heard).toHaveBeenCalledTimes(2)
})
