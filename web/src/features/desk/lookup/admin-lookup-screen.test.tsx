import { getIsAdmin } from '@sought/contract/accounts'
import { createGoodwill } from '@sought/contract/goodwill'
import { getDeal, getPerson, listPersonEvents, lookUp } from '@sought/contract/lookup'
import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import type * as z from 'zod/mini'
import { type Answer, answer, refuse } from '../../../testing/fake-server.ts'
import { openScreen } from '../../../testing/open-screen.tsx'
import { aPayment, aSeller, aUser } from '../../../testing/samples.ts'

const AT = '2026-11-16T09:00:00.000Z'

const aFoundDeal = {
  id: 7,
  transactionNumber: '4F7K-Q2MX-9TB3',
  itemTitle: 'A green lamp',
  amount: 12_000,
  currency: 'usd' as const,
  status: 'disputed' as const,
  method: 'card',
  waitingUntil: null,
  waitsFor: null,
  buyer: { ...aSeller, id: 'cy', name: 'Cy Buyer' },
  seller: aSeller,
  cardLast4: '4242',
  createdAt: AT,
}

const aDeal: z.input<typeof getDeal.reply> = {
  ...aFoundDeal,
  buyer: { ...aFoundDeal.buyer, email: 'cy@example.com' },
  seller: { ...aSeller, email: null },
  itemId: 3,
  wantedItem: aPayment().wantedItem,
  deskStatus: 'disputed',
  bankDecides: false,
  chargedAt: AT,
  escrowHoldUntil: AT,
  endedAt: null,
  refund: null,
  fees: {
    platformFeeBasisPoints: 300,
    processingFeeBasisPoints: 290,
    processingFeeCents: 30,
    minimumFeeCents: 0,
  },
  delivery: { method: 'in_person', carrier: null, trackingNumber: null, shippedAt: null, deliveredAt: null },
  messages: [],
  evidence: [],
  documents: [],
  debts: [],
  ledger: [{ id: 1, key: 'hold:7', account: 'escrow:7', amount: 12_000, currency: 'usd', createdAt: AT }],
  refundable: null,
  provider: { intentId: 'pi_1', payout: null, chargebacks: [], events: [], transactions: [] },
  goodwill: [],
  tickets: [],
  timeline: [{ key: 'payment:card_charged', kind: 'card_charged', at: AT, actor: null, detail: null }],
  actions: ['rule', 'give_goodwill'],
}

const aPerson: z.input<typeof getPerson.reply> = {
  ...aSeller,
  email: 'sam@example.com',
  createdAt: AT,
  deletedAt: null,
  location: null,
  role: null,
  restrictedUntil: null,
  suspendedUntil: null,
  profileHiddenAt: null,
  debts: [],
  payoutAccount: null,
  verification: { email: true, phone: false, secondFactor: false, payouts: 'manual', payoutsWaitUntil: null },
  figures: { requests: 1, offers: 2, bought: 3, sold: 4, disputes: 5, reviews: 6 },
  requests: [],
  deals: [],
  tickets: [],
  cases: [],
  decisions: [],
  relatedAccounts: [],
  timeline: [{ id: `${AT}/sold:7`, kind: 'sold', at: AT, refId: '7', detail: 'held_in_escrow' }],
}

const openAdmin = (path: string, ...answers: Answer[]) =>
  openScreen(path, {
    user: aUser(),
    answers: [answer(getIsAdmin, { isAdmin: true, role: 'admin' }), ...answers],
  })

test('a search lists people, deals and requests, and shows a message if there are none', async () => {
  const nothing = { people: [], requests: [], deals: [] }
  const server = openAdmin('/admin/lookup', answer(lookUp, { ...nothing, deals: [aFoundDeal] }))
  expect(await screen.findByRole('heading', { name: 'Find a person or a deal' })).toBeVisible()
  await userEvent.type(screen.getByRole('searchbox'), ' 4242 {Enter}')
  const deal = await screen.findByRole('link', { name: 'A green lamp, $120.00' })
  expect(deal).toHaveAttribute('href', '/admin/deals/7')
  expect(window.location.search).toBe('?q=4242')
  server.add(answer(lookUp, nothing))
  await userEvent.clear(screen.getByRole('searchbox'))
  await userEvent.type(screen.getByRole('searchbox'), 'nobody{Enter}')
  expect(await screen.findByRole('heading', { name: 'Nothing found' })).toBeVisible()
})

test('the page of a person has figures and a timeline that links to deals', async () => {
  openAdmin(
    `/admin/people/${aSeller.id}`,
    answer(getPerson, aPerson),
    answer(listPersonEvents, aPerson.timeline),
  )
  expect(await screen.findByText('To a bank account')).toBeVisible()
  await userEvent.click(screen.getByRole('tab', { name: 'Timeline' }))
  expect(await screen.findByRole('link', { name: 'Sold' })).toHaveAttribute('href', '/admin/deals/7')
})

test('the page of a person shows what the provider needs and the last payout to the bank', async () => {
  const payoutAccount: typeof aPerson.payoutAccount = {
    canReceivePayments: false,
    requirements: [{ field: 'individual.id_number', what: 'Enter your tax number.', deadline: AT }],
    disabledReason: 'requirements.past_due',
    lastPayout: {
      status: 'failed',
      failure: 'account_closed',
      amount: 11_262,
      currency: 'usd',
      arrivalDate: AT,
    },
    readAt: AT,
    closedAt: null,
  }
  openAdmin(`/admin/people/${aSeller.id}`, answer(getPerson, { ...aPerson, payoutAccount }))
  const section = (await screen.findByRole('heading', { name: 'Payout account' })).closest('section')
  expect(section).toHaveTextContent('Can be paidNo')
  expect(section).toHaveTextContent('requirements.past_due')
  expect(section).toHaveTextContent('Enter your tax number. Until November 16, 2026.')
  expect(section).toHaveTextContent(
    '$112.62, failed at the bank on November 16, 2026. The bank account is closed.',
  )
})

test('the page of a deal lists what the seller owes for it, and what is settled and open', async () => {
  const debt = {
    id: 1,
    amount: 7_262,
    currency: 'usd',
    reason: 'chargeback',
    paymentId: 7,
    itemTitle: 'A green lamp',
    createdAt: AT,
    settledAmount: 2_000,
    settledAt: null,
    waivedAt: null,
    writtenOffAt: null,
  } as const
  const waived = { ...debt, id: 2, waivedAt: AT }
  openAdmin('/admin/deals/7', answer(getDeal, { ...aDeal, debts: [debt, waived] }))
  await userEvent.click(await screen.findByRole('tab', { name: 'Money' }))
  const table = await screen.findByRole('table', { name: 'Debts of the seller' })
  const [, first, second] = within(table).getAllByRole('row')
  expect(first).toHaveTextContent('Chargeback by the buyer’s bank$72.62$20.00$52.62')
  expect(second).toHaveTextContent('$72.62$20.00$0.00Waived on November 16, 2026.')
})

test('the page of a deal shows its ledger and lets an admin give goodwill after a confirmation', async () => {
  const server = openAdmin('/admin/deals/7', answer(getDeal, aDeal))
  expect(await screen.findByRole('link', { name: 'Rule on the Dispute' })).toBeVisible()
  await userEvent.click(screen.getByRole('tab', { name: 'Money' }))
  expect(await screen.findByRole('table', { name: 'Ledger entries' })).toHaveTextContent('escrow:7')
  await userEvent.click(screen.getByRole('button', { name: 'Goodwill Payment' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Give Goodwill' }))
  expect(await screen.findByText('A reason is required')).toBeVisible()
  expect(server.requestsTo(createGoodwill)).toEqual([])
  server.add(answer(createGoodwill, { id: 1, status: 'waiting' }))
  await userEvent.selectOptions(screen.getByLabelText('Recipient'), 'Cy Buyer, buyer')
  await userEvent.type(screen.getByLabelText('Amount'), '150')
  await userEvent.type(screen.getByLabelText('Reason'), 'It was late')
  await userEvent.click(screen.getByRole('button', { name: 'Give $150.00' }))
  expect(await screen.findByText(/another admin must approve it/)).toBeVisible()
  expect(server.requestsTo(createGoodwill)).toMatchObject([
    { body: { paymentId: 7, to: 'buyer', amount: 15_000, reason: 'It was late' } },
  ])
})

test('the timeline of a deal describes events in plain words, and keeps the provider’s own terms', async () => {
  const event = { at: AT, actor: null, detail: null }
  openAdmin(
    '/admin/deals/7',
    answer(getDeal, {
      ...aDeal,
      timeline: [
        { ...event, key: 'payment:ended', kind: 'ended', detail: 'resolved_partial' },
        { ...event, key: 'fact:refund_made:re_1', kind: 'refund_made', actor: 'provider', detail: 're_1' },
        {
          ...event,
          key: 'dispute:1',
          kind: 'split_difference',
          actor: 'Ada Admin',
          detail: 'Both were late',
        },
      ],
    }),
  )
  await userEvent.click(await screen.findByRole('tab', { name: 'Timeline' }))
  const entries = within(await screen.findByRole('list', { name: 'Timeline' })).getAllByRole('listitem')
  expect(entries[0]).toHaveTextContent('Deal endedResolved - Partial')
  expect(entries[1]).toHaveTextContent('Refund sent to the buyer’s cardrefund_made · re_1')
  expect(entries[2]).toHaveTextContent('Decided: difference split by Ada AdminBoth were late')
})

test('a missing deal leads back to the lookup', async () => {
  openAdmin('/admin/deals/8', refuse(getDeal, 'payment_not_found'))
  expect(await screen.findByRole('heading', { name: 'Deal not found' })).toBeVisible()
  expect(screen.getByRole('link', { name: 'Lookup' })).toHaveAttribute('href', '/admin/lookup')
})

test.each([
  ['deal', '/admin/deals/8', getDeal],
  ['person', '/admin/people/7', getPerson],
])('a %s that failed to load can be loaded again, and leads back to the lookup', async (_, path, call) => {
  openAdmin(path, refuse(call, 'unavailable'))
  expect(await screen.findByRole('button', { name: 'Try Again' })).toBeVisible()
  expect(screen.getByRole('link', { name: 'Lookup' })).toHaveAttribute('href', '/admin/lookup')
})
