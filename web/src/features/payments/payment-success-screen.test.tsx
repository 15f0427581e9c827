import { listPayments, type PaymentStatus } from '@sought/contract/payments'
import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { answer } from '../../testing/fake-server.ts'
import { openScreen } from '../../testing/open-screen.tsx'
import { aPayment, aUser } from '../../testing/samples.ts'

function openPaymentSuccess(status: PaymentStatus, query = '') {
  const { wantedItem, ...payments } = aPayment({ status })
  openScreen(`/payment-success?payment_intent=pi_1${query}`, {
    user: aUser(),
    answers: [answer(listPayments, [{ payments, wantedItem, wanted_items: wantedItem }])],
  })
}

test('a pending payment says that the page updates automatically', async () => {
  openPaymentSuccess('pending')
  expect(await screen.findByRole('heading', { name: 'Processing your payment' })).toBeVisible()
  expect(screen.getByRole('status')).toHaveTextContent(
    'Your bank is processing the payment. This page updates automatically when the money is in escrow.',
  )
})

test('a payment in escrow names the seller and the release date', async () => {
  openPaymentSuccess('held_in_escrow')
  expect(await screen.findByRole('heading', { name: 'Payment Successful' })).toBeVisible()
  expect(screen.getByRole('status')).toHaveTextContent('Bob Tester can now send the item.')
  expect(screen.getByText(/Released to the seller on November 2\d, 2026/)).toBeVisible()
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

test('the client secret is removed from the URL', async () => {
  openPaymentSuccess('held_in_escrow', '&payment_intent_client_secret=pi_1_secret_x')
  expect(await screen.findByRole('heading', { name: 'Payment Successful' })).toBeVisible()
  expect(window.location.search).toBe('?payment_intent=pi_1')
})
