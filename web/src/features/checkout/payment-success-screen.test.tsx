import { listPayments, type PaymentStatus, submitPayment } from '@sought/contract/payments'
import { act, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { answer } from '../../testing/fake-server.ts'
import { openScreen } from '../../testing/open-screen.tsx'
import { aListedPayment, aPayment, aUser } from '../../testing/samples.ts'

const openPaymentSuccess = (status: PaymentStatus, query = '') =>
  openScreen(`/payment-success?payment_intent=pi_1${query}`, {
    user: aUser(),
    answers: [answer(listPayments, [aListedPayment({ status })])],
  })

test('a pending payment shows that the page updates automatically', async () => {
  openPaymentSuccess('pending')
  expect(await screen.findByRole('heading', { name: 'Processing your payment' })).toBeVisible()
  expect(screen.getByRole('status')).toHaveTextContent(
    'Your bank is processing the payment. This page updates automatically when the money is in escrow.',
  )
})

test('a payment in escrow shows the seller and the release date', async () => {
  openPaymentSuccess('held_in_escrow')
  expect(await screen.findByRole('heading', { name: 'Payment Successful' })).toBeVisible()
  expect(screen.getByRole('status')).toHaveTextContent('Bob Tester can now send the item.')
  expect(screen.getByText(/Released to the seller on November 22, 2026/)).toBeVisible()
  expect(screen.getByRole('link', { name: 'Confirm Delivery' })).toHaveAttribute('href', '/delivery/1')
})

test('a failed authentication leads back to the checkout', async () => {
  openPaymentSuccess('pending', '&redirect_status=failed')
  expect(await screen.findByRole('heading', { name: 'Payment Failed' })).toBeVisible()
  expect(screen.getByRole('status')).toHaveTextContent('You were not charged.')
  expect(screen.getByRole('link', { name: 'Try Again' })).toHaveAttribute(
    'href',
    '/escrow-checkout?itemId=3&offerId=5&amount=12000',
  )
})

test('if a submission is not known yet, the screen asks the provider about the payment', async () => {
  let payment = aListedPayment({ status: 'pending', submittedAt: null })
  const server = openScreen('/payment-success?payment_intent=pi_1', {
    user: aUser(),
    answers: [
      answer(listPayments, () => [payment]),
      answer(submitPayment, () => {
        payment = aListedPayment()
        return aPayment()
      }),
    ],
  })
  expect(await screen.findByRole('heading', { name: 'Payment Successful' })).toBeVisible()
  expect(server.requestsTo(submitPayment)).toMatchObject([{ params: { id: '1' } }])
})

test('a card that was not submitted leads back to the checkout', async () => {
  const draft = { status: 'pending' as const, submittedAt: null }
  openScreen('/payment-success?payment_intent=pi_1', {
    user: aUser(),
    answers: [answer(listPayments, [aListedPayment(draft)]), answer(submitPayment, aPayment(draft))],
  })
  expect(await screen.findByRole('heading', { name: 'Not paid yet' })).toBeVisible()
  expect(screen.getByRole('link', { name: 'Continue to Payment' })).toHaveAttribute(
    'href',
    '/escrow-checkout?itemId=3&offerId=5&amount=12000',
  )
})

test('the client secret is removed from the URL', async () => {
  openPaymentSuccess('held_in_escrow', '&payment_intent_client_secret=pi_1_secret_x')
  expect(await screen.findByRole('heading', { name: 'Payment Successful' })).toBeVisible()
  expect(window.location.search).toBe('?payment_intent=pi_1')
})

test('a pending payment is polled every three seconds until it is in escrow', async () => {
  // Time stands still while the screen is checked, however long that takes.
  vi.useFakeTimers()
  const server = openPaymentSuccess('pending')
  const wait = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
  await wait(1_000)
  expect(screen.getByRole('heading', { name: 'Processing your payment' })).toBeVisible()
  expect(server.requestsTo(listPayments)).toHaveLength(1)
  await wait(3_000)
  expect(server.requestsTo(listPayments)).toHaveLength(2)
  server.add(answer(listPayments, [aListedPayment()]))
  await wait(3_000)
  expect(screen.getByRole('heading', { name: 'Payment Successful' })).toBeVisible()
  await wait(60_000)
  expect(server.requestsTo(listPayments)).toHaveLength(3)
})

test.each([
  ['completed', 'Payment Released'],
  ['disputed', 'Payment in dispute'],
  ['resolved_buyer', 'Payment refunded'],
  ['resolved_partial', 'Payment split'],
] as const)('a payment that is %s in the meantime shows: %s', async (status, heading) => {
  openPaymentSuccess(status)
  expect(await screen.findByRole('heading', { name: heading })).toBeVisible()
})

test.each(['/payment-success', '/payment-success?escrow=true', '/payment-success?payment_intent=pi_2'])(
  '%s does not claim success without a payment, and links to the transactions',
  async (path) => {
    openScreen(path, { user: aUser(), answers: [answer(listPayments, [])] })
    expect(await screen.findByRole('heading', { name: 'No payment to show' })).toBeVisible()
    expect(screen.queryByText(/Successful|in escrow/)).not.toBeInTheDocument()
    expect(screen.getByRole('link', { name: 'My Transactions' })).toHaveAttribute('href', '/payments')
    expect(screen.getByRole('link', { name: 'Go to Messages' })).toHaveAttribute('href', '/messages')
    expect(screen.getByRole('link', { name: 'Back to Home' })).toHaveAttribute('href', '/')
  },
)
