import { getIsAdmin } from '@sought/contract/accounts'
import { listStuckRefunds, markRefundPaid, retryRefund } from '@sought/contract/refunds'
import { screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import type * as z from 'zod/mini'
import { type Answer, answer, dropConnection, refuse } from '../../../testing/fake-server.ts'
import { openScreen } from '../../../testing/open-screen.tsx'
import { aSeller, aUser } from '../../../testing/samples.ts'

type Refund = z.input<typeof retryRefund.reply>

const aRefund = (changes: Partial<Refund> = {}): Refund => ({
  paymentId: 7,
  transactionNumber: '4F7K-Q2MX-9TB3',
  itemTitle: 'A green lamp',
  buyer: { ...aSeller, name: 'Cy Buyer' },
  buyerEmail: 'cy@example.com',
  amount: 12_000,
  currency: 'usd',
  status: 'failed',
  failedAt: '2026-11-16T09:00:00.000Z',
  attempts: 1,
  reason: 'expired_or_canceled_card',
  nextTryAt: null,
  paidAt: null,
  bankDecides: false,
  steps: [],
  ...changes,
})

const openRefunds = (...answers: Answer[]) =>
  openScreen('/admin/refunds', {
    user: aUser(),
    answers: [answer(getIsAdmin, { isAdmin: true, role: 'admin' }), ...answers],
  })

test('empty lists of refunds show a message', async () => {
  openRefunds(answer(listStuckRefunds, []))
  expect(await screen.findByRole('heading', { name: 'No refunds to handle' })).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: 'Paid' }))
  expect(await screen.findByRole('heading', { name: 'No refunds paid manually yet' })).toBeVisible()
  expect(window.location.search).toBe('?status=paid')
  expect(screen.getByRole('link', { name: 'Refunds' })).toHaveAttribute('aria-current', 'page')
})

test('a failed refund is sent again after a confirmation', async () => {
  const server = openRefunds(answer(listStuckRefunds, [aRefund()]))
  const card = await screen.findByRole('article', { name: 'Refund to Cy Buyer' })
  expect(within(card).getByText('The card has expired or was cancelled.')).toBeVisible()
  expect(within(card).getByRole('link', { name: 'cy@example.com' })).toBeVisible()
  expect(within(card).getByRole('link', { name: 'Cy Buyer' })).toHaveAttribute(
    'href',
    `/admin/people/${aSeller.id}`,
  )
  expect(within(card).getByRole('link', { name: 'A green lamp' })).toHaveAttribute('href', '/admin/deals/7')
  await userEvent.click(within(card).getByRole('button', { name: 'Try Again' }))
  expect(server.requestsTo(retryRefund)).toEqual([])
  const retrying = aRefund({ status: 'retrying', failedAt: null, nextTryAt: '2026-11-16T10:00:00.000Z' })
  server.add(answer(retryRefund, retrying), answer(listStuckRefunds, [retrying]))
  await userEvent.click(await screen.findByRole('button', { name: 'Refund $120.00' }))
  expect(await screen.findByText('We are sending $120.00 to Cy Buyer again.')).toBeVisible()
  expect(await screen.findByText(/^Next try/)).toBeVisible()
  expect(server.requestsTo(retryRefund)).toMatchObject([{ params: { paymentId: '7' } }])
})

test('a refund is marked as paid with a reference, and a refusal is explained', async () => {
  const server = openRefunds(answer(listStuckRefunds, [aRefund()]))
  await userEvent.click(await screen.findByRole('button', { name: 'Paid Manually' }))
  const confirm = await screen.findByRole('button', { name: 'Mark $120.00 Paid' })
  await userEvent.click(confirm)
  await waitFor(() =>
    expect(screen.getByLabelText('Reference')).toHaveAccessibleDescription(
      /Please enter the reference of the transfer/,
    ),
  )
  expect(server.requestsTo(markRefundPaid)).toEqual([])
  server.add(refuse(markRefundPaid, 'refund_not_failed'), answer(listStuckRefunds, []))
  await userEvent.type(screen.getByLabelText('Reference'), ' wire 7 ')
  await userEvent.click(confirm)
  expect(await screen.findByText(/the buyer already has the money/)).toBeVisible()
  expect(server.requestsTo(markRefundPaid)).toMatchObject([{ body: { reference: 'wire 7' } }])
  expect(await screen.findByRole('heading', { name: 'No refunds to handle' })).toBeVisible()
})

test('while the bank decides, a refund cannot be sent', async () => {
  openRefunds(answer(listStuckRefunds, [aRefund({ bankDecides: true, reason: null })]))
  expect(await screen.findByText(/The buyer’s bank is reviewing this payment/)).toBeVisible()
  expect(screen.getByText('The card provider gave no reason.')).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Try Again' })).toBeNull()
})

test('a list that failed to load can be loaded again', async () => {
  const server = openRefunds(dropConnection(listStuckRefunds))
  const retry = await screen.findByRole('button', { name: 'Try Again' })
  server.add(answer(listStuckRefunds, [aRefund()]))
  await userEvent.click(retry)
  expect(await screen.findByRole('article', { name: 'Refund to Cy Buyer' })).toBeVisible()
})

test('only admins can see refunds', async () => {
  openScreen('/admin/refunds', { user: aUser() })
  expect(await screen.findByRole('heading', { name: 'Access Denied' })).toBeVisible()
})
