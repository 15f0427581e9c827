import { listStatements } from '@sought/contract/documents'
import { listPayments } from '@sought/contract/payments'
import { listPayouts } from '@sought/contract/sellers'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { type Answer, answer, refuse } from '../../testing/fake-server.ts'
import { openScreen } from '../../testing/open-screen.tsx'
import { aListedPayment, aSellerUser, aUser, type TestUser } from '../../testing/samples.ts'

const user = aUser()

/** Opens the screen. There are no statements unless an answer says so. */
const openPayments = ({ user, answers }: { user: TestUser; answers: Answer[] }) =>
  openScreen('/payments', { user, answers: [answer(listStatements, []), ...answers] })

const articlesIn = (region: string) =>
  within(screen.getByRole('region', { name: region })).getAllByRole('article')

test('the empty screen explains what to do next', async () => {
  openPayments({ user, answers: [answer(listPayments, [])] })
  expect(await screen.findByRole('heading', { name: 'No transactions yet' })).toBeVisible()
  expect(screen.getByRole('heading', { name: 'My Transactions', level: 1 })).toBeVisible()
  expect(screen.getByRole('link', { name: 'Post a Request' })).toHaveAttribute('href', '/post')
})

test('the latest three payments come first, and the next page continues after the last payment', async () => {
  const server = openPayments({
    user,
    answers: [
      answer(listPayments, ({ query }) => {
        const first = query.cursor ? Number(query.cursor) - 1 : 100
        return Array.from({ length: query.cursor ? 2 : 20 }, (_, index) =>
          aListedPayment({ id: first - index }),
        )
      }),
    ],
  })
  await screen.findByRole('region', { name: 'Recent' })
  expect(articlesIn('Recent')).toHaveLength(3)
  expect(articlesIn('Earlier')).toHaveLength(17)
  await userEvent.click(screen.getByRole('button', { name: 'Show more' }))
  await waitFor(() => expect(articlesIn('Earlier')).toHaveLength(19))
  expect(screen.queryByRole('button', { name: 'Show more' })).not.toBeInTheDocument()
  expect(server.requestsTo(listPayments).map(({ query }) => query.cursor)).toEqual([undefined, '81'])
})

test('a list that failed to load can be loaded again', async () => {
  const server = openPayments({ user, answers: [refuse(listPayments, 'too_many')] })
  expect(await screen.findByRole('alert')).toHaveTextContent('could not be loaded')
  server.add(answer(listPayments, []))
  await userEvent.click(screen.getByRole('button', { name: 'Try Again' }))
  expect(await screen.findByRole('heading', { name: 'No transactions yet' })).toBeVisible()
})

const hrefOf = (name: string) => screen.queryByRole('link', { name })?.getAttribute('href')

test.each([
  ['pending', 'Processing', { 'Complete Payment': '/escrow-checkout?itemId=3&offerId=5&amount=12000' }],
  [
    'held_in_escrow',
    'In Escrow',
    { 'Confirm Delivery': '/delivery/1', 'Report Issue': '/dispute-report?paymentId=1' },
  ],
  ['completed', 'Payment Released', { 'Rate Seller': expect.stringMatching(/^\/rating\?paymentId=1&/) }],
  ['disputed', 'In Dispute', { 'View Dispute': '/dispute/1' }],
] as const)('the buyer’s actions for a payment that is %s', async (status, label, links) => {
  openPayments({ user, answers: [answer(listPayments, [aListedPayment({ status })])] })
  const article = await screen.findByRole('article')
  for (const text of ['Buyer', 'Bought from Bob Tester', '$120.00', label]) {
    expect(article).toHaveTextContent(text)
  }
  const releases = status === 'held_in_escrow'
  expect(article.textContent?.includes('unless a problem is reported')).toBe(releases)
  const actions = ['Complete Payment', 'Confirm Delivery', 'Report Issue', 'Rate Seller', 'View Dispute']
  expect(Object.fromEntries(actions.map((name) => [name, hrefOf(name)]))).toEqual(links)
})

test('a checkout that was only opened can be continued by the buyer, and is hidden from the seller', async () => {
  const draft = aListedPayment({ status: 'pending', submittedAt: null })
  openPayments({ user, answers: [answer(listPayments, [draft])] })
  expect(await screen.findByRole('article')).toHaveTextContent('Not paid yet')
  expect(hrefOf('Complete Payment')).toBe('/escrow-checkout?itemId=3&offerId=5&amount=12000')
  expect(screen.queryByRole('link', { name: 'Already received it?' })).not.toBeInTheDocument()
  cleanup()
  openPayments({ user: aSellerUser(), answers: [answer(listPayments, [draft])] })
  expect(await screen.findByRole('heading', { name: 'No transactions yet' })).toBeVisible()
})

test.each([
  ['refunded', 'Refunded to you', 'Refunded to the buyer'],
  ['under_review', 'Under Review', 'Under Review'],
  ['resolved_buyer', 'Refunded to you', 'Refunded to the buyer'],
  ['resolved_seller', 'Released to the seller', 'Released to you'],
  ['resolved_partial', 'Partly refunded to you', 'Partly released to you'],
] as const)(
  'buyer and seller both see the outcome of a payment that is %s',
  async (status, ofBuyer, ofSeller) => {
    const payment = aListedPayment({ status })
    openPayments({ user, answers: [answer(listPayments, [payment])] })
    const bought = await screen.findByRole('article')
    expect(bought).toHaveTextContent(ofBuyer)
    expect(bought).not.toHaveTextContent(/_/)
    cleanup()
    openPayments({ user: aSellerUser(), answers: [answer(listPayments, [payment]), answer(listPayouts, [])] })
    const sold = await screen.findByRole('article')
    expect(sold).toHaveTextContent(ofSeller)
    expect(sold).not.toHaveTextContent(/Released to the seller|to you, unless/)
  },
)

test('transactions are found by number, and a mistyped number shows a message', async () => {
  const other = aListedPayment({ id: 2, transactionNumber: '0000-0000-0012' })
  const server = openPayments({
    user,
    answers: [
      answer(listPayments, ({ query: { search } }) =>
        search ? [other].filter(() => search === '0000-0000-0012') : [aListedPayment(), other],
      ),
    ],
  })
  const field = await screen.findByRole('searchbox', { name: 'Search your transactions' })
  await userEvent.type(field, '0000-0000-0012{Enter}')
  await waitFor(() => expect(screen.getAllByRole('article')).toHaveLength(1))
  expect(screen.getByRole('article')).toHaveTextContent('0000-0000-0012')
  await userEvent.type(field, '{Backspace}3{Enter}')
  expect(await screen.findByRole('heading', { name: 'This is not a valid transaction number' })).toBeVisible()
  await userEvent.clear(field)
  await userEvent.type(field, 'piano{Enter}')
  expect(await screen.findByText('Nothing matches “piano”.')).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: 'Show all transactions' }))
  await waitFor(() => expect(screen.getAllByRole('article')).toHaveLength(2))
  expect(server.requestsTo(listPayments).map(({ query }) => query.search)).toContain('0000-0000-0013')
})

test('buyer and seller see that a bank reviews the payment', async () => {
  const reviewed = aListedPayment({ status: 'completed', bankDecides: true })
  openPayments({ user, answers: [answer(listPayments, [reviewed])] })
  expect(await screen.findByText(/^Your bank is reviewing this payment/)).toBeVisible()
  cleanup()
  openPayments({ user: aSellerUser(), answers: [answer(listPayments, [reviewed]), answer(listPayouts, [])] })
  expect(await screen.findByText(/^The buyer’s bank is reviewing this payment/)).toBeVisible()
})

test('a rated seller cannot be rated again', async () => {
  const rated = aListedPayment({ status: 'completed', rated: true })
  openPayments({ user, answers: [answer(listPayments, [rated])] })
  expect(await screen.findByRole('article')).toHaveTextContent('Payment Released')
  expect(screen.queryByRole('link', { name: 'Rate Seller' })).not.toBeInTheDocument()
})

const owed = {
  id: 9,
  paymentId: 1,
  itemTitle: 'A green lamp',
  amount: 11_262,
  currency: 'usd' as const,
  method: null,
  status: 'owed' as const,
  createdAt: '2026-11-16T09:00:00.000Z',
  paidAt: null,
}

test.each([
  ['pending', 'Processing'],
  ['held_in_escrow', 'In Escrow'],
] as const)('the seller of a payment that is %s sees the payout and no action', async (status, label) => {
  const sale = aListedPayment({ status })
  openPayments({
    user: aSellerUser(),
    answers: [answer(listPayments, [sale]), answer(listPayouts, [])],
  })
  const article = await screen.findByRole('article')
  for (const text of ['Seller', 'Sold to Ada Buyer', label, 'Your payout$112.62']) {
    expect(article).toHaveTextContent(text)
  }
  expect(screen.queryByRole('link', { name: /Payment|Delivery|Issue/ })).not.toBeInTheDocument()
})

test('a seller without a payout method is asked to set one up', async () => {
  openPayments({
    user: aSellerUser(),
    answers: [answer(listPayments, [aListedPayment({ status: 'completed' })]), answer(listPayouts, [owed])],
  })
  const article = await screen.findByRole('article')
  await waitFor(() => expect(article).toHaveTextContent('Owed to you. Set up payouts to receive it.'))
  expect(hrefOf('Set up payouts')).toBe('/seller-setup')
})

test('every sale shows its payout, even an old one', { tags: ['proof'] }, async () => {
  const saleCount = 50
  const server = openPayments({
    user: aSellerUser(),
    answers: [
      answer(listPayments, ({ query }) => {
        const first = query.cursor ? Number(query.cursor) - 1 : saleCount
        return Array.from({ length: Math.min(20, first) }, (_, index) =>
          aListedPayment({ id: first - index, status: 'completed' }),
        )
      }),
      answer(listPayouts, ({ query: { paymentIds = '' } }) =>
        paymentIds
          .split(',')
          .filter(Boolean)
          .map((id) => ({ ...owed, id: Number(id), paymentId: Number(id) })),
      ),
    ],
  })
  await userEvent.click(await screen.findByRole('button', { name: 'Show more' }))
  await waitFor(() => expect(articlesIn('Earlier')).toHaveLength(37))
  await userEvent.click(screen.getByRole('button', { name: 'Show more' }))
  await waitFor(() => expect(articlesIn('Earlier')).toHaveLength(47))
  for (const article of screen.getAllByRole('article'))
    await waitFor(() => expect(article).toHaveTextContent('Owed to you.'))
  // No list is longer than a page of the screen.
  for (const { query } of server.requestsTo(listPayouts))
    expect(query.paymentIds?.split(',').length).toBeLessThanOrEqual(20)
})

test('a seller with bank details sees that the payout will be transferred to the bank', async () => {
  openPayments({
    user: aSellerUser(),
    answers: [
      answer(listPayments, [aListedPayment({ status: 'completed' })]),
      answer(listPayouts, [{ ...owed, method: 'manual' }]),
    ],
  })
  const article = await screen.findByRole('article')
  await waitFor(() => expect(article).toHaveTextContent('Owed to you. We will transfer it to your bank.'))
  expect(screen.queryByRole('link', { name: 'Set up payouts' })).not.toBeInTheDocument()
})

test('the buyer of a paid payment can open its receipt', async () => {
  openPayments({
    user,
    answers: [
      answer(listPayments, [
        aListedPayment({ id: 2, status: 'pending' }),
        aListedPayment({ id: 1, status: 'resolved_buyer' }),
      ]),
    ],
  })
  expect(await screen.findByRole('link', { name: 'Receipt' })).toHaveAttribute('href', '/payments/1/receipt')
})

test('the buyer sees that a refund did not reach their card', async () => {
  const failed = aListedPayment({ status: 'resolved_buyer', refundFailedAt: '2026-11-16T09:00:00.000Z' })
  openPayments({ user, answers: [answer(listPayments, [failed])] })
  expect(await screen.findByText('Your refund did not reach your card')).toBeVisible()
  expect(screen.getByText(/Our team will contact you or try again/)).toBeVisible()
})

test('a seller can open the statement of each month', async () => {
  openPayments({
    user: aSellerUser(),
    answers: [
      answer(listPayments, [aListedPayment({ status: 'completed' })]),
      answer(listPayouts, []),
      answer(listStatements, [
        { month: '2026-11', draft: true },
        { month: '2026-10', draft: false },
      ]),
    ],
  })
  const statements = within(await screen.findByRole('region', { name: 'Statements' }))
  expect(statements.getAllByRole('listitem').map((it) => it.textContent)).toEqual([
    'November 2026Draft',
    'October 2026',
  ])
  expect(statements.getByRole('link', { name: 'October 2026' })).toHaveAttribute(
    'href',
    '/statements/2026-10',
  )
  expect(screen.queryByRole('link', { name: 'Receipt' })).not.toBeInTheDocument()
})
