import { getIsAdmin } from '@sought/contract/accounts'
import { approveGoodwill, listGoodwill, markGoodwillPaid } from '@sought/contract/goodwill'
import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import type * as z from 'zod/mini'
import { type Answer, answer, dropConnection, refuse } from '../../../testing/fake-server.ts'
import { openScreen } from '../../../testing/open-screen.tsx'
import { aSeller, aUser } from '../../../testing/samples.ts'

type Goodwill = z.input<typeof approveGoodwill.reply>

const aGoodwill = (changes: Partial<Goodwill> = {}): Goodwill => ({
  id: 3,
  rank: 3,
  paymentId: 7,
  transactionNumber: '4F7K-Q2MX-9TB3',
  itemTitle: 'A green lamp',
  to: 'buyer',
  recipient: { ...aSeller, name: 'Cy Buyer' },
  recipientEmail: 'cy@example.com',
  amount: 15_000,
  currency: 'usd',
  reason: 'The parcel was late',
  status: 'waiting',
  requestedBy: { ...aSeller, id: 'rita', name: 'Rita Root' },
  decidedBy: null,
  decidedAt: null,
  note: null,
  paidAt: null,
  paidReference: null,
  createdAt: '2026-11-16T09:00:00.000Z',
  ...changes,
})

const openGoodwill = (path: string, ...answers: Answer[]) =>
  openScreen(path, {
    user: aUser(),
    answers: [answer(getIsAdmin, { isAdmin: true, role: 'admin' }), ...answers],
  })

test('another admin’s goodwill payment is approved after a confirmation', async () => {
  const server = openGoodwill('/admin/goodwill', answer(listGoodwill, [aGoodwill()]))
  const card = await screen.findByRole('article', { name: 'Goodwill for Cy Buyer' })
  await userEvent.click(within(card).getByRole('button', { name: 'Approve' }))
  expect(server.requestsTo(approveGoodwill)).toEqual([])
  server.add(answer(approveGoodwill, aGoodwill({ status: 'done' })), answer(listGoodwill, []))
  await userEvent.click(await screen.findByRole('button', { name: 'Approve $150.00' }))
  expect(await screen.findByText('$150.00 is owed to Cy Buyer.')).toBeVisible()
  expect(await screen.findByRole('heading', { name: 'No goodwill waits for approval' })).toBeVisible()
})

test('an admin cannot approve their own goodwill payment', async () => {
  const own = aGoodwill({ requestedBy: { ...aSeller, id: aUser().id } })
  openGoodwill('/admin/goodwill', answer(listGoodwill, [own]))
  expect(await screen.findByText(/another admin must approve it/)).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Approve' })).toBeNull()
})

test('who granted a goodwill payment cannot mark it as paid', async () => {
  const own = aGoodwill({ status: 'done', requestedBy: { ...aSeller, id: aUser().id } })
  openGoodwill('/admin/goodwill?status=unpaid', answer(listGoodwill, [own]))
  expect(await screen.findByText(/another person must pay it/)).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Mark Paid' })).toBeNull()
})

test('a goodwill payment is marked as paid with a reference, and a refusal is explained', async () => {
  const done = aGoodwill({ status: 'done' })
  const server = openGoodwill('/admin/goodwill?status=unpaid', answer(listGoodwill, [done]))
  await userEvent.click(await screen.findByRole('button', { name: 'Mark Paid' }))
  server.add(refuse(markGoodwillPaid, 'goodwill_not_owed'), answer(listGoodwill, []))
  await userEvent.type(await screen.findByLabelText('Reference'), 'wire 7')
  await userEvent.click(screen.getByRole('button', { name: 'Mark $150.00 Paid' }))
  expect(await screen.findByText(/it was already paid/)).toBeVisible()
  expect(server.requestsTo(markGoodwillPaid)).toMatchObject([{ body: { reference: 'wire 7' } }])
})

test('a list that failed to load can be loaded again', async () => {
  const server = openGoodwill('/admin/goodwill?status=closed', dropConnection(listGoodwill))
  const retry = await screen.findByRole('button', { name: 'Try Again' })
  server.add(answer(listGoodwill, []))
  await userEvent.click(retry)
  expect(await screen.findByRole('heading', { name: 'No closed goodwill yet' })).toBeVisible()
})
