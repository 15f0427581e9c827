import { listConversations, listMessages, markMessagesRead } from '@sought/contract/messages'
import { countUnreadNotifications } from '@sought/contract/notifications'
import {
  acceptOffer,
  counterOffer,
  listOffers,
  makeOffer,
  rejectOffer,
  withdrawOffer,
} from '@sought/contract/offers'
import { listPayments, type PaymentStatus } from '@sought/contract/payments'
import { getConfig } from '@sought/contract/platform'
import { getWantedItem } from '@sought/contract/requests'
import { resendVerification } from '@sought/contract/security'
import { STANDARD_FEES } from '@sought/escrow/fees'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { type Answer, answer, answerLater, refuse } from '../../../testing/fake-server.ts'
import { openScreen } from '../../../testing/open-screen.tsx'
import {
  aConfig,
  aConversation,
  aListedPayment,
  aMarket,
  anAcceptedOffer,
  anOffer,
  aRequest,
  aSeller,
  aSellerUser,
  aUser,
  theCurrencies,
} from '../../../testing/samples.ts'

const buyer = aUser()
const seller = aSellerUser()
const asOthersSee = ({ id, name, rating, profileImageUrl }: typeof buyer) => ({
  id,
  name,
  rating,
  profileImageUrl,
})

const thread = [answer(listMessages, []), answer(getWantedItem, aRequest())]

const openAsBuyer = (...answers: Answer[]) =>
  openScreen(`/messages?itemId=3&userId=${aSeller.id}`, {
    user: buyer,
    answers: [...thread, answer(listConversations, [aConversation()]), ...answers],
  })

const openAsSeller = (...answers: Answer[]) =>
  openScreen(`/messages?itemId=3&userId=${buyer.id}`, {
    user: seller,
    answers: [
      ...thread,
      answer(listConversations, [aConversation({ user: asOthersSee(buyer) })]),
      ...answers,
    ],
  })

const findOffers = () => screen.findByRole('region', { name: 'Offers' })
const findUpdate = () => screen.findByRole('article', { name: 'Transaction update' })
const paidWith = (status: PaymentStatus) => [
  answer(listOffers, [anAcceptedOffer()]),
  answer(listPayments, [aListedPayment({ status, amount: 4_000 })]),
]
const checkout = '/escrow-checkout?itemId=3&offerId=5&amount=4000'
const pressButton = async (name: string) => userEvent.click(await screen.findByRole('button', { name }))
const past = '2026-11-15T12:00:00.000Z'
const future = '2126-11-15T12:00:00.000Z'
const tooManyRequests = () => new Response('', { status: 429 })

test('an open budget allows any amount from $1.00', async () => {
  const server = openAsSeller(
    answer(getWantedItem, aRequest({ minBudget: 0, maxBudget: 0 })),
    answer(listOffers, []),
    answer(makeOffer, ({ body }) => anOffer({ amount: body.amount })),
  )
  const amount = await screen.findByLabelText('Your offer')
  expect(screen.queryByRole('slider')).not.toBeInTheDocument()
  await userEvent.clear(amount)
  await userEvent.type(amount, '0.99')
  expect(screen.getByText('Enter at least $1.00')).toBeVisible()
  expect(screen.getByRole('button', { name: 'Send Offer' })).toBeDisabled()
  await userEvent.clear(amount)
  await userEvent.type(amount, '1200')
  server.add(answer(listOffers, [anOffer({ amount: 120_000 })]))
  await pressButton('Offer $1,200.00')
  expect(await screen.findByText('Offer Sent!')).toBeVisible()
  expect(server.requestsTo(makeOffer)).toMatchObject([{ body: { amount: 120_000 } }])
  await waitFor(async () => expect(await findOffers()).toHaveTextContent('Waiting for buyer response...'))
})

test('an offer that was not answered in time is shown as expired', async () => {
  openAsBuyer(answer(listOffers, [anOffer({ amount: 8_500, expiresAt: '2026-11-15T13:00:00.000Z' })]))
  expect(await screen.findByText('Offer expired')).toBeVisible()
  expect(screen.getByRole('log', { name: 'Messages' })).toHaveTextContent('Bob Tester offered $85.00')
  expect(screen.queryByRole('button', { name: /Accept|Reject|Counter/ })).not.toBeInTheDocument()
})

test('an accepted offer leads the buyer to the checkout', async () => {
  openAsBuyer(answer(listOffers, [anAcceptedOffer()]), answer(listPayments, []))
  expect(await screen.findByRole('link', { name: 'Proceed to Payment' })).toHaveAttribute('href', checkout)
  expect(screen.queryByRole('article', { name: 'Transaction update' })).not.toBeInTheDocument()
})

test('the seller of an accepted offer waits for the payment', async () => {
  openAsSeller(answer(listOffers, [anAcceptedOffer()]), answer(listPayments, []))
  expect(await screen.findByText('Accepted. Waiting for the buyer’s payment.')).toBeVisible()
  expect(screen.queryByRole('link', { name: 'Proceed to Payment' })).not.toBeInTheDocument()
  expect(screen.queryByRole('article', { name: 'Transaction update' })).not.toBeInTheDocument()
})

test('a checkout that was only opened counts as unpaid, for buyer and seller', async () => {
  const draft = [
    answer(listOffers, [anAcceptedOffer()]),
    answer(listPayments, [aListedPayment({ status: 'pending', submittedAt: null })]),
  ]
  const server = openAsBuyer(...draft)
  await waitFor(() => expect(server.requestsTo(listPayments)).toHaveLength(1))
  expect(await screen.findByRole('link', { name: 'Proceed to Payment' })).toHaveAttribute('href', checkout)
  expect(screen.queryByText('Payment Complete')).not.toBeInTheDocument()
  expect(screen.queryByRole('article', { name: 'Transaction update' })).not.toBeInTheDocument()
  cleanup()
  const ofSeller = openAsSeller(...draft)
  await waitFor(() => expect(ofSeller.requestsTo(listPayments)).toHaveLength(1))
  expect(await screen.findByText('Accepted. Waiting for the buyer’s payment.')).toBeVisible()
  expect(screen.queryByText('Payment Received')).not.toBeInTheDocument()
  expect(screen.queryByRole('article', { name: 'Transaction update' })).not.toBeInTheDocument()
})

test('a reserved request explains why offers wait, and an accepted offer cannot be paid', async () => {
  const reserved = answer(getWantedItem, aRequest({ status: 'reserved' }))
  openAsSeller(reserved, answer(listOffers, [anOffer()]))
  expect(await screen.findByText(/The buyer has paid another seller. Your open offer stays/)).toBeVisible()
  expect(screen.getByRole('button', { name: 'Withdraw' })).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Make Another Offer' })).not.toBeInTheDocument()
  cleanup()
  openAsBuyer(reserved, answer(listOffers, [anAcceptedOffer()]), answer(listPayments, []))
  expect(await screen.findByText(/You have paid another seller/)).toBeVisible()
  expect(screen.getByText('Accepted, but not paid. The request is no longer open.')).toBeVisible()
  expect(screen.queryByRole('link', { name: 'Proceed to Payment' })).not.toBeInTheDocument()
  cleanup()
  openAsBuyer(reserved, ...paidWith('held_in_escrow'))
  expect(await screen.findByText('Waiting for delivery')).toBeVisible()
  expect(screen.queryByText('Reserved')).not.toBeInTheDocument()
})

test('a replaced offer is shown as Replaced, and a pending one shows when it expires', async () => {
  openAsBuyer(
    answer(listOffers, [
      anOffer({ id: 6, expiresAt: new Date(2026, 10, 22, 14, 5).toISOString() }),
      anOffer({ status: 'withdrawn', withdrawnAt: '2026-11-15T12:10:00.000Z', replacedBy: 6, amount: 5_000 }),
      anOffer({ id: 4, status: 'withdrawn', withdrawnAt: '2026-11-15T11:00:00.000Z', amount: 6_000 }),
    ]),
  )
  const offers = await findOffers()
  await waitFor(() => expect(offers).toHaveTextContent(/Expires Nov 22, 2026, 2:05\sPM/))
  expect(offers).toHaveTextContent('$50.00Replaced')
  expect(offers).toHaveTextContent('$60.00Offer withdrawn')
})

test('the seller who accepts a counter-offer sees the payout after fees', async () => {
  openAsSeller(answer(listOffers, [anOffer({ id: 6, proposedBy: 'buyer', counterOf: 5, amount: 12_000 })]))
  await pressButton('Accept')
  expect(await screen.findByRole('alertdialog')).toHaveTextContent('You receive $112.62 after fees')
})

test('a counter-offer needs a different amount than the offer', async () => {
  const server = openAsBuyer(
    answer(listOffers, [anOffer()]),
    answer(counterOffer, ({ body }) => anOffer({ id: 6, amount: body.amount })),
  )
  await pressButton('Counter')
  await pressButton('Send Counter-Offer')
  expect(screen.getByText('Choose another amount than the one offered.')).toBeVisible()
  expect(server.requestsTo(counterOffer)).toEqual([])
  const amount = screen.getByLabelText('Or type an amount')
  await userEvent.clear(amount)
  await userEvent.type(amount, '35')
  await pressButton('Send Counter-Offer')
  expect(await screen.findByText('Counter-Offer Sent!')).toBeVisible()
  expect(server.requestsTo(counterOffer)).toMatchObject([{ body: { amount: 3_500 } }])
})

test('opening a conversation marks notifications about its offers as read', async () => {
  let unread = 1
  const server = openScreen(`/messages?itemId=3&userId=${aSeller.id}`, {
    user: buyer,
    withShell: true,
    answers: [
      ...thread,
      answer(listConversations, [aConversation()]),
      answer(listOffers, [anOffer()]),
      answer(countUnreadNotifications, () => ({ unread })),
      answer(markMessagesRead, () => {
        unread = 0
        return { read: 0 }
      }),
    ],
  })
  const read = { body: { wantedItemId: 3, senderId: aSeller.id } }
  await waitFor(() => expect(server.requestsTo(markMessagesRead)).toMatchObject([read]))
  expect(await screen.findByRole('button', { name: 'Notifications, 1 unread' })).toBeVisible()
  await server.announce('notifications')
  expect(await screen.findByRole('button', { name: 'Notifications' })).toBeVisible()
})

test.each([
  ['pending', 'Processing', 'Payment Complete', 'Your payment is being processed.'],
  ['held_in_escrow', 'In Escrow', 'Payment Complete', 'Waiting for delivery'],
  ['completed', 'Payment Released', 'Payment Complete', 'Delivery confirmed'],
  ['disputed', 'In Dispute', '', 'In dispute'],
  ['under_review', 'Under Review', '', 'In dispute'],
  ['refunded', 'Refunded to you', '', 'The request was already paid, so we refunded this payment to you.'],
] as const)('status and links for the buyer of a %s payment', async (status, label, paid, text) => {
  openAsBuyer(...paidWith(status))
  const update = await findUpdate()
  expect(update).toHaveTextContent(`$40.00${label}`)
  expect(await findOffers()).toHaveTextContent(paid + text)
  expect(screen.queryByRole('link', { name: 'Proceed to Payment' })).not.toBeInTheDocument()
  const confirm = within(update).queryByRole('link', { name: 'Confirm Delivery' })
  expect(confirm?.getAttribute('href')).toBe(status === 'held_in_escrow' ? '/delivery/1' : undefined)
  // A buyer who left the checkout before paying can return to it.
  const back = screen.queryByRole('link', { name: 'Back to checkout' })
  expect(back?.getAttribute('href')).toBe(status === 'pending' ? checkout : undefined)
})

test.each([
  [
    'pending',
    'Processing',
    'Payment Received',
    'The payment is being processed. Don’t ship until it is in escrow.',
  ],
  [
    'held_in_escrow',
    'In Escrow',
    'Payment Received',
    'In escrow. Released to you once delivery is confirmed.',
  ],
  ['completed', 'Payment Released', 'Payment Received', 'Released to you'],
  ['disputed', 'In Dispute', '', 'In dispute'],
  ['resolved_seller', 'Released to you', '', 'Dispute resolved'],
] as const)('status and links for the seller of a %s payment', async (status, label, paid, text) => {
  openAsSeller(...paidWith(status))
  const update = await findUpdate()
  expect(update).toHaveTextContent(`$40.00${label}`)
  expect(await findOffers()).toHaveTextContent(paid + text)
  expect(within(await findOffers()).queryByRole('link')).not.toBeInTheDocument()
  const deal = within(update).queryByRole('link', { name: 'View Deal' })
  expect(deal?.getAttribute('href')).toBe(status === 'pending' ? undefined : '/deal/1')
})

test.each([
  ['buyer', { delivery: 'shipping', shipBy: future }, 'View Deal', '/deal/1'],
  ['buyer', { delivery: 'shipping', shipBy: future, shippedAt: past }, 'Confirm Delivery', '/delivery/1'],
  ['buyer', { delivery: 'in_person' }, 'Show Handover Code', '/deal/1'],
  ['seller', { delivery: 'shipping', shipBy: future }, 'Ship Item', '/deal/1'],
  ['seller', { delivery: 'shipping', shipBy: future, shippedAt: past }, 'View Deal', '/deal/1'],
  ['seller', { delivery: 'shipping', cancelRequestedAt: past }, 'Answer Cancellation Request', '/deal/1'],
  ['seller', { delivery: 'in_person' }, 'Enter Handover Code', '/deal/1'],
] as const)('the next step for the %s of a deal with %o is %s', async (party, terms, label, href) => {
  const open = party === 'buyer' ? openAsBuyer : openAsSeller
  open(answer(listOffers, [anAcceptedOffer()]), answer(listPayments, [aListedPayment(terms)]))
  expect(within(await findUpdate()).getByRole('link', { name: label })).toHaveAttribute('href', href)
})

test('an offer shows its delivery terms, and a counter-offer keeps them', async () => {
  const server = openAsSeller(
    answer(listOffers, []),
    answer(makeOffer, ({ body }) => anOffer({ amount: body.amount })),
  )
  const method = await screen.findByLabelText('Delivery')
  expect(method).toHaveDisplayValue('We arrange it in messages')
  expect(screen.queryByLabelText('Ship within')).not.toBeInTheDocument()
  await userEvent.selectOptions(method, 'I ship it')
  expect(screen.getByLabelText('Ship within')).toHaveDisplayValue('3 days after payment')
  await userEvent.selectOptions(screen.getByLabelText('Ship within'), '5 days after payment')
  await pressButton('Offer $120.00')
  await waitFor(() => expect(server.requestsTo(makeOffer)).toHaveLength(1))
  expect(server.requestsTo(makeOffer)).toMatchObject([{ body: { delivery: 'shipping', shipWithinDays: 5 } }])
  cleanup()

  openAsBuyer(answer(listOffers, [anOffer({ delivery: 'shipping', shipWithinDays: 1 })]))
  await waitFor(async () => expect(await findOffers()).toHaveTextContent('Ships within 1 day of payment'))
  await pressButton('Counter')
  expect(await screen.findByText('Ships within 1 day of payment, as in the offer.')).toBeVisible()
})

test('on a closed request, offers can be neither made nor accepted', async () => {
  const closed = answer(getWantedItem, aRequest({ status: 'closed' }))
  openAsBuyer(closed, answer(listOffers, [anOffer()]))
  expect(await screen.findByText('This request is no longer open.')).toBeVisible()
  expect(screen.getByRole('button', { name: 'Reject' })).toBeVisible()
  expect(screen.queryByRole('button', { name: /Accept|Counter/ })).not.toBeInTheDocument()
})

test.each([
  ['closed', answer(getWantedItem, aRequest({ status: 'closed' }))],
  ['removed', refuse(getWantedItem, 'item_removed')],
])('on a %s request the seller cannot make another offer', async (_, closed) => {
  openAsSeller(closed, answer(listOffers, [anOffer()]))
  expect(await screen.findByText('This request is no longer open.')).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Make Another Offer' })).not.toBeInTheDocument()
})

test('a failed offer shows an error', async () => {
  openAsSeller(answer(listOffers, [anOffer()]), { call: makeOffer, respond: tooManyRequests })
  await pressButton('Make Another Offer')
  await pressButton('Offer $120.00')
  expect(await screen.findByText('Failed to send offer. Please try again.')).toBeVisible()
})

test('an offer that needs a verified email keeps its text and sends the link', async () => {
  const { market, ...config } = aConfig()
  const waits = { ...market, payoutDelayHours: 24, newSellerPayoutDelayDays: 7 }
  const server = openAsSeller(
    answer(listOffers, [anOffer()]),
    answer(getConfig, { ...config, market: waits }),
    refuse(makeOffer, 'verify_email_first'),
    answer(resendVerification, { ok: true }),
  )
  await pressButton('Make Another Offer')
  expect(
    await screen.findByText(
      /you are paid 24 hours after the payment at the earliest\. Your first payouts wait 7 days/,
    ),
  ).toBeVisible()
  const form = within(screen.getByRole('form', { name: 'Make an offer' }))
  await userEvent.type(form.getByLabelText(/^Message/), 'With a shade')
  await pressButton('Offer $120.00')
  expect(await screen.findByText('Verify your email first')).toBeVisible()
  expect(form.getByLabelText(/^Message/)).toHaveValue('With a shade')
  await pressButton('Send Link')
  expect(await screen.findByText('Link sent')).toBeVisible()
  expect(server.requestsTo(resendVerification)).toHaveLength(1)
})

test('a seller who has reached the limit of cancellations sees until when', async () => {
  const until = { path: 'until', message: 'You can make new offers from December 12, 2026 at 9:00 AM UTC.' }
  openAsSeller(answer(listOffers, [anOffer()]), refuse(makeOffer, 'cancellation_limit', [until]))
  await pressButton('Make Another Offer')
  await pressButton('Offer $120.00')
  expect(await screen.findByText(until.message)).toBeVisible()
})

test('a failed acceptance shows an error, and is not shown before the answer', async () => {
  const failure = answerLater({ call: acceptOffer, respond: tooManyRequests })
  const server = openAsBuyer(answer(listOffers, [anOffer()]), failure)
  await pressButton('Accept')
  await pressButton('Accept $40.00')
  await waitFor(() => expect(server.requestsTo(acceptOffer)).toHaveLength(1))
  expect(screen.getByRole('button', { name: 'Accept' })).toBeVisible()
  failure.release()
  expect(await screen.findByText('Failed to accept offer. Please try again.')).toBeVisible()
})

test('a rejection is shown before the answer, and undone by a failure', async () => {
  const failure = answerLater({ call: rejectOffer, respond: tooManyRequests })
  openAsBuyer(answer(listOffers, [anOffer()]), failure)
  await pressButton('Reject')
  expect(await screen.findByText('Offer rejected')).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Reject' })).not.toBeInTheDocument()
  failure.release()
  expect(await screen.findByText('Failed to reject offer. Please try again.')).toBeVisible()
  expect(screen.getByRole('button', { name: 'Reject' })).toBeEnabled()
})

test('a withdrawal is shown before the answer, and undone by a refusal', async () => {
  const refusal = answerLater(refuse(withdrawOffer, 'offer_not_pending'))
  openAsSeller(answer(listOffers, [anOffer()]), refusal)
  await pressButton('Withdraw')
  expect(await screen.findByText('Offer withdrawn')).toBeVisible()
  refusal.release()
  expect(await screen.findByText('This offer has already been answered.')).toBeVisible()
  expect(screen.getByRole('button', { name: 'Withdraw' })).toBeEnabled()
})

test('an offer is made in the currency of the request, with its decimals', async () => {
  const inDinars = { fees: STANDARD_FEES, maxOfferCents: null, highValueCents: 160_000 }
  const server = openAsSeller(
    answer(getConfig, {
      ...aConfig({ currencies: theCurrencies('usd', 'kwd') }),
      market: aMarket({ byCurrency: { kwd: inDinars } }),
    }),
    answer(getWantedItem, aRequest({ currency: 'kwd', minBudget: 10, maxBudget: 45.5 })),
    answer(listOffers, []),
    answer(makeOffer, anOffer({ currency: 'kwd', amount: 12_500 })),
  )
  const amount = await screen.findByLabelText('Or type an amount')
  expect(amount).toHaveValue('45.500')
  await userEvent.clear(amount)
  await userEvent.type(amount, '12,5')
  await pressButton('Offer 12.500 KWD')
  await waitFor(() => expect(server.requestsTo(makeOffer)).toHaveLength(1))
  expect(server.requestsTo(makeOffer)[0]).toMatchObject({ body: { amount: 12_500 } })
})
