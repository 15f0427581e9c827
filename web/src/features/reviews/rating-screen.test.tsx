import { listPayments, submitRating } from '@sought/contract/payments'
import { screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { enterText } from '../../testing/enter-text.ts'
import { answer, refuse } from '../../testing/fake-server.ts'
import { openScreen } from '../../testing/open-screen.tsx'
import { aUser } from '../../testing/samples.ts'

const user = aUser()
const submit = () => userEvent.click(screen.getByRole('button', { name: 'Submit Rating' }))
const choose = async (stars: string) => userEvent.click(await screen.findByRole('radio', { name: stars }))

test('each star has a label, and a rating needs at least one star', async () => {
  openScreen('/rating?paymentId=1&sellerName=Bob%20Tester&itemTitle=A%20lamp&amount=12000', { user })
  expect(await screen.findByRole('heading', { name: 'Rate Bob Tester' })).toBeVisible()
  expect(screen.getByText('A lamp')).toBeVisible()
  expect(screen.getByText('$120.00')).toBeVisible()
  for (const name of [
    '1 star, Poor',
    '2 stars, Fair',
    '3 stars, Good',
    '4 stars, Very Good',
    '5 stars, Excellent',
  ]) {
    expect(screen.getByRole('radio', { name })).not.toBeChecked()
  }
  await submit()
  expect(screen.getByText('Please select a star rating before submitting.')).toBeVisible()
  expect(screen.getByRole('radio', { name: '1 star, Poor' })).toHaveFocus()
  await choose('4 stars, Very Good')
  expect(screen.queryByText('Please select a star rating before submitting.')).not.toBeInTheDocument()
})

test('a double click sends one rating', async () => {
  const server = openScreen('/rating?paymentId=1&sellerName=Bob', {
    user,
    answers: [answer(submitRating, { ok: true }), answer(listPayments, [])],
  })
  await choose('4 stars, Very Good')
  await enterText(screen.getByLabelText(/Feedback/), 'A day late.')
  await userEvent.dblClick(screen.getByRole('button', { name: 'Submit Rating' }))
  expect(await screen.findByText('Your rating has been submitted.')).toBeVisible()
  expect(server.requestsTo(submitRating)).toEqual([
    { params: { id: '1' }, body: { rating: 4, feedback: 'A day late.' } },
  ])
})

test('two seconds after the rating the screen goes to the transactions', { tags: ['proof'] }, async () => {
  openScreen('/rating?paymentId=1&sellerName=Bob', {
    user,
    answers: [answer(submitRating, { ok: true }), answer(listPayments, [])],
  })
  await choose('5 stars, Excellent')
  const setTimeout = vi.spyOn(window, 'setTimeout')
  await submit()
  expect(await screen.findByText('Thank you!')).toBeVisible()
  await waitFor(() => expect(setTimeout.mock.calls.map(([, delay]) => delay)).toContain(2000))
  await waitFor(() => expect(window.location.pathname).toBe('/payments'))
})

test('a failed rating can be sent again', async () => {
  openScreen('/rating?paymentId=1&sellerName=Bob', { user, answers: [refuse(submitRating, 'too_many')] })
  await choose('5 stars, Excellent')
  await submit()
  expect(await screen.findByText('Failed to submit rating. Please try again.')).toBeVisible()
  await waitFor(() => expect(screen.getByRole('button', { name: 'Submit Rating' })).toBeEnabled())
})

test('a URL without a payment id is invalid', async () => {
  openScreen('/rating?sellerName=Bob', { user })
  expect(await screen.findByText('Invalid payment information.')).toBeVisible()
  expect(screen.getByRole('link', { name: 'My Transactions' })).toHaveAttribute('href', '/payments')
})

test('a final refusal shows the server’s message', async () => {
  openScreen('/rating?paymentId=1', { user, answers: [refuse(submitRating, 'already_rated')] })
  await choose('5 stars, Excellent')
  await submit()
  expect(await screen.findByText('You have already rated this payment.')).toBeVisible()
})
