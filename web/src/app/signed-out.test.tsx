import { listCategories, listWantedItems } from '@sought/contract/requests'
import { screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { currentToasts } from '../data/toasts.ts'
import { neverAnswer } from '../testing/fake-server.ts'
import { openScreen } from '../testing/open-screen.tsx'
import { aUser } from '../testing/samples.ts'

const home = [neverAnswer(listWantedItems), neverAnswer(listCategories)]

test.each([
  ['/post', 'Login Required', 'Please log in to post wanted items'],
  ['/checkout?itemId=1&amount=100', 'Authentication Required', 'Please log in to make a purchase'],
  ['/escrow-checkout?itemId=1', 'Authentication Required', 'Please log in to make a purchase'],
])('%s sends visitors home with a toast', async (path, title, message) => {
  openScreen(path, { answers: home })
  expect(await screen.findByText(title)).toBeVisible()
  expect(screen.getByText(message)).toBeVisible()
  await waitFor(() => expect(window.location.pathname).toBe('/'))
})

test('/profile sends visitors home without a toast', async () => {
  openScreen('/profile', { answers: home })
  await waitFor(() => expect(window.location.pathname).toBe('/'))
  expect(currentToasts().filter(({ open }) => open)).toEqual([])
})

test.each(['/messages', '/delivery/1'])(
  '%s shows visitors a toast and sends them to the sign-in 500 ms later',
  async (path) => {
    const setTimeout = vi.spyOn(window, 'setTimeout')
    const assign = vi.spyOn(window.location, 'assign').mockImplementation(() => {})
    openScreen(path)
    expect(await screen.findByText('Unauthorized')).toBeVisible()
    expect(screen.getByText('You are logged out. Logging in again...')).toBeVisible()
    await waitFor(() => expect(assign).toHaveBeenCalledWith('/api/login'))
    expect(setTimeout.mock.calls.map(([, delay]) => delay)).toContain(500)
  },
)

test.each([
  ['/payments', 'Login Required', 'Please log in to view your transactions.'],
  ['/payments/1/receipt', 'Login Required', 'Please log in to view your receipt.'],
  ['/statements/2026-11', 'Login Required', 'Please log in to view your statement.'],
  ['/notifications', 'Login Required', 'Please log in to see your notifications.'],
  ['/seller-setup', 'Login Required', 'Please log in to set up your payouts.'],
  ['/rating?paymentId=1', 'Login Required', 'Please log in to rate a seller.'],
  ['/payment-success', 'Login Required', 'Please log in to see your payment.'],
  ['/deal/1', 'Login Required', 'Please log in to view this deal.'],
  ['/dispute/1', 'Login Required', 'Please log in to view this dispute.'],
  ['/dispute-report?paymentId=1', 'Authentication Required', 'Please log in to file a dispute.'],
])('%s asks visitors to sign in, and returns there', async (path, title, message) => {
  openScreen(path)
  expect(await screen.findByRole('heading', { name: title })).toBeVisible()
  expect(screen.getByText(message)).toBeVisible()
  const address = `/auth?returnTo=${encodeURIComponent(path)}`
  expect(screen.getByRole('link', { name: 'Sign In' })).toHaveAttribute('href', address)
})

test.each([
  ['visitors', undefined],
  ['users who are not admins', aUser()],
])('/admin/disputes denies access to %s', async (_, user) => {
  openScreen('/admin/disputes', { ...(user && { user }) })
  expect(await screen.findByRole('heading', { name: 'Access Denied' })).toBeVisible()
  expect(screen.getByText("You don't have permission to access the admin dashboard.")).toBeVisible()
  expect(screen.getByRole('link', { name: 'Back to Home' })).toHaveAttribute('href', '/')
})
