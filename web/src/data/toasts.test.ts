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

test('a new toast replaces the current one', () => {
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

test('a dismissed toast closes at once and is removed after 1,000,000 ms', () => {
  const id = toast({ title: 'Offer Sent!' })
  dismiss(id)
  expect(currentToasts().map((it) => it.open)).toEqual([false])
  vi.advanceTimersByTime(999_999)
  expect(currentToasts()).toHaveLength(1)
  vi.advanceTimersByTime(1)
  expect(currentToasts()).toHaveLength(0)
})

test('dismissing a replaced toast does not close the new one', () => {
  const first = toast({ title: 'Offer Accepted!' })
  toast({ title: 'Offer Rejected' })
  dismiss(first)
  expect(currentToasts().map((it) => [it.title, it.open])).toEqual([['Offer Rejected', true]])
})

test('replacing a dismissed toast clears its timer', () => {
  dismiss(toast({ title: 'Success!' }))
  toast({ title: 'Message sent!' })
  expect(vi.getTimerCount()).toBe(0)
})

test('listeners are called on every change until they unsubscribe', () => {
  const listener = vi.fn()
  const unsubscribe = subscribe(listener)
  const id = toast({ title: 'Success!' })
  dismiss(id)
  unsubscribe()
  toast({ title: 'Message sent!' })
  expect(listener).toHaveBeenCalledTimes(2)
})
