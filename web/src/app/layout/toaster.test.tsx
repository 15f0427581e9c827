import { act, render, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { toast } from '../../data/toasts.ts'
import { Toaster } from './toaster.tsx'

test('a toast stays for 5000 ms', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  render(<Toaster />)
  act(() => void toast({ title: 'Message sent!' }))
  await screen.findByText('Message sent!')
  vi.useFakeTimers()
  act(() => void toast({ title: 'Offer Sent!' }))
  act(() => void vi.advanceTimersByTime(4_999))
  expect(screen.getByText('Offer Sent!')).toBeVisible()
  act(() => void vi.advanceTimersByTime(1))
  expect(screen.queryByText('Offer Sent!')).not.toBeInTheDocument()
})
