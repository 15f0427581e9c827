import { getIsAdmin } from '@sought/contract/accounts'
import {
  listManualPayouts,
  type ManualPayout,
  markPayoutPaid,
  sendPayoutAgain,
} from '@sought/contract/payouts'
import { cleanup, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import type * as z from 'zod/mini'
import { type Answer, answer } from '../../../testing/fake-server.ts'
import { openScreen } from '../../../testing/open-screen.tsx'
import { aSeller, aUser } from '../../../testing/samples.ts'

const openPayouts = (...answers: Answer[]) =>
  openScreen('/admin/payouts', {
    user: aUser(),
    answers: [answer(getIsAdmin, { isAdmin: true, role: 'admin' }), ...answers],
  })

const aPayout = (changes: Partial<z.input<typeof ManualPayout>> = {}): z.input<typeof ManualPayout> => ({
  id: 4,
  paymentId: 1,
  transactionNumber: '4F7K-Q2MX-9TB3',
  itemTitle: 'A green lamp',
  seller: aSeller,
  amount: 11_262,
  currency: 'usd',
  status: 'owed',
  accountHolderName: 'Bob B. Tester',
  accountLast4: '6789',
  bankName: null,
  country: 'US',
  createdAt: '2026-11-16T09:00:00.000Z',
  paidAt: null,
  steps: [],
  ...changes,
})

test('empty lists of payouts show a message', async () => {
  openPayouts(answer(listManualPayouts, []))
  expect(await screen.findByRole('heading', { name: 'No payouts owed' })).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: 'Paid' }))
  expect(await screen.findByRole('heading', { name: 'No paid payouts yet' })).toBeVisible()
  expect(window.location.search).toBe('?status=paid')
})

test('a payout links to the seller and the deal if the role can open them', async () => {
  openPayouts(answer(listManualPayouts, [aPayout()]))
  expect(await screen.findByRole('link', { name: aSeller.name })).toHaveAttribute(
    'href',
    `/admin/people/${aSeller.id}`,
  )
  expect(screen.getByRole('link', { name: 'A green lamp' })).toHaveAttribute('href', '/admin/deals/1')
  cleanup()
  openPayouts(answer(getIsAdmin, { isAdmin: false, role: 'finance' }), answer(listManualPayouts, [aPayout()]))
  expect(await screen.findByRole('link', { name: aSeller.name })).toHaveAttribute(
    'href',
    `/user/${aSeller.id}`,
  )
  expect(screen.queryByRole('link', { name: 'A green lamp' })).not.toBeInTheDocument()
})

test('a delayed payout shows its date, and cannot be paid before', async () => {
  openPayouts(answer(listManualPayouts, [aPayout({ waitsUntil: '2026-11-18T14:30:00.000Z' })]))
  expect(await screen.findByText(/^Do not pay before .*18/)).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Mark Paid' })).toBeNull()
})

test('a payout cannot be marked as paid without a reference', async () => {
  const server = openPayouts(answer(listManualPayouts, [aPayout()]))
  await userEvent.click(await screen.findByRole('button', { name: 'Mark Paid' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Mark $112.62 Paid' }))
  await waitFor(() =>
    expect(screen.getByLabelText('Reference')).toHaveAccessibleDescription(
      /Please enter the reference of the transfer/,
    ),
  )
  expect(server.requestsTo(markPayoutPaid)).toEqual([])
})

test('a payout whose transfer was reversed is sent again after a confirmation', async () => {
  const reversed = aPayout({ status: 'reversed', accountHolderName: null, paidAt: new Date().toISOString() })
  const server = openPayouts(
    answer(listManualPayouts, ({ query }) => (query?.status === 'reversed' ? [reversed] : [])),
  )
  await userEvent.click(await screen.findByRole('button', { name: 'Reversed' }))
  expect(await screen.findByText(/It is not sent again automatically/)).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Send Again' }))
  expect(server.requestsTo(sendPayoutAgain)).toEqual([])
  server.add(answer(sendPayoutAgain, aPayout()), answer(listManualPayouts, []))
  await userEvent.click(await screen.findByRole('button', { name: 'Send $112.62' }))
  expect(await screen.findByText('We are sending $112.62 to Bob Tester again.')).toBeVisible()
  expect(await screen.findByRole('heading', { name: 'No reversed payouts' })).toBeVisible()
})

test('only admins can see payouts', async () => {
  openScreen('/admin/payouts', { user: aUser() })
  expect(await screen.findByRole('heading', { name: 'Access Denied' })).toBeVisible()
  expect(screen.getByText("You don't have permission to access the admin dashboard.")).toBeVisible()
  expect(screen.getByRole('link', { name: 'Back to Home' })).toHaveAttribute('href', '/')
})

test('admins who lack a required second factor are asked to add one', async () => {
  openPayouts(answer(getIsAdmin, { isAdmin: true, role: 'admin', needsSecondFactor: true }))
  expect(await screen.findByRole('heading', { name: 'You need a second factor' })).toBeVisible()
  expect(screen.getByRole('link', { name: 'Open Security Settings' })).toHaveAttribute(
    'href',
    '/profile?tab=security',
  )
})
