import { listPayments } from '@sought/contract/payments'
import { listPayouts } from '@sought/contract/sellers'
import { screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { answer, refuse } from '../../testing/fake-server.ts'
import { openScreen } from '../../testing/open-screen.tsx'
import { aListedPayment, aPayment, aUser } from '../../testing/samples.ts'

const user = aUser()
const articlesIn = (region: string) =>
  within(screen.getByRole('region', { name: region })).getAllByRole('article')

test('without transactions the screen says what to do next', async () => {
  openScreen('/payments', { user, answers: [answer(listPayments, [])] })
  expect(await screen.findByRole('heading', { name: 'No transactions yet' })).toBeVisible()
  expect(screen.getByRole('heading', { name: 'My Transactions', level: 1 })).toBeVisible()
  expect(screen.getByRole('link', { name: 'Post a Request' })).toHaveAttribute('href', '/post')
})

test('the latest three payments come first, and the list continues after the last payment of a page', async () => {
  const server = openScreen('/payments', {
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

test('a list that could not be loaded can be loaded again', async () => {
  const server = openScreen('/payments', { user, answers: [refuse(listPayments, 'too_many')] })
  expect(await screen.findByRole('alert')).toHaveTextContent('could not be loaded')
  server.add(answer(listPayments, []))
  await userEvent.click(screen.getByRole('button', { name: 'Try Again' }))
  expect(await screen.findByRole('heading', { name: 'No transactions yet' })).toBeVisible()
})

test('a seller with bank details sees that the payout will be transferred to the bank', async () => {
  const { buyer, seller, buyerId, sellerId } = aPayment()
  const sale = {
    buyer: seller,
    seller: buyer,
    buyerId: sellerId,
    sellerId: buyerId,
    status: 'completed' as const,
  }
  openScreen('/payments', {
    user,
    answers: [
      answer(listPayments, [aListedPayment(sale)]),
      answer(listPayouts, [
        {
          id: 9,
          paymentId: 1,
          itemTitle: 'A green lamp',
          amount: 11_262,
          method: 'manual',
          status: 'owed',
          createdAt: '2026-11-16T09:00:00.000Z',
          paidAt: null,
        },
      ]),
    ],
  })
  const article = await screen.findByRole('article')
  await waitFor(() => expect(article).toHaveTextContent('Owed to you. We will transfer it to your bank.'))
  expect(screen.queryByRole('link', { name: 'Set up payouts' })).not.toBeInTheDocument()
})
