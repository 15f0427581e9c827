import { getDeliveryAddress } from '@sought/contract/addresses'
import { listConversations } from '@sought/contract/messages'
import { listOffers } from '@sought/contract/offers'
import { createEscrowPayment, createPaymentIntent, listPayments } from '@sought/contract/payments'
import { getConfig } from '@sought/contract/platform'
import { refusals } from '@sought/contract/refusals'
import { getWantedItem, listCategories, listOwnWantedItems, listWantedItems } from '@sought/contract/requests'
import { resendVerification } from '@sought/contract/security'
import { act, cleanup, configure, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, onTestFinished, test, vi } from 'vitest'
import { type Answer, answer, answerLater, neverAnswer, refuse } from '../../testing/fake-server.ts'
import { openScreen } from '../../testing/open-screen.tsx'
import {
  aConfig,
  aListedPayment,
  anAcceptedOffer,
  aRequest,
  aStartedPayment,
  aUser,
} from '../../testing/samples.ts'

const user = aUser()
const home = [neverAnswer(listWantedItems), neverAnswer(listOwnWantedItems), neverAnswer(listCategories)]
const sandbox = { publishableKey: 'pk_test', sandboxUrl: `${window.location.origin}/api/sandbox` }
/** With a card form. */
const provider = answer(getConfig, aConfig(sandbox))
const order = [answer(getWantedItem, aRequest()), answer(listOffers, [])]

const started = aStartedPayment()

const openCheckout = (amount: number, ...answers: Answer[]) =>
  openScreen(`/escrow-checkout?itemId=3&offerId=5&amount=${amount}`, {
    user,
    answers: [...order, ...home, ...answers],
  })

test('a placeholder is shown instead of the card form until the payment is started', async () => {
  openCheckout(12_000, neverAnswer(createEscrowPayment))
  expect(await screen.findByRole('status', { name: 'Loading the payment form' })).toBeVisible()
  expect(screen.getByRole('region', { name: 'Order summary' })).toHaveTextContent('You pay$120.00')
})

test('the summary shows the seller’s fees and the steps of the payment', async () => {
  openCheckout(12_000, neverAnswer(createEscrowPayment))
  const summary = await screen.findByRole('region', { name: 'Order summary' })
  expect(summary).toHaveTextContent('Fees paid by the seller from the price')
  expect(summary).toHaveTextContent('Platform fee3%$3.60')
  expect(summary).toHaveTextContent('Card processing, at most3.4% + $1.50$5.58')
  for (const name of ['Payment secured', 'Seller delivers', 'You confirm', 'Auto-release after 7 days'])
    expect(screen.getByRole('heading', { name })).toBeVisible()
})

test.each([
  [49_999, 'Auto-release after 7 days'],
  [50_000, 'Auto-release after 14 days'],
])('for a payment of %i cents the checkout shows: %s', async (amount, heading) => {
  openCheckout(amount, neverAnswer(createEscrowPayment))
  expect(await screen.findByRole('heading', { name: heading })).toBeVisible()
})

test('the payment starts 500 ms after the amount last changed', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  const server = openCheckout(1, neverAnswer(createEscrowPayment))
  await screen.findByRole('status', { name: 'Loading the payment form' })
  vi.useFakeTimers()
  for (const amount of [12, 120, 1_200, 12_000]) {
    act(() => window.history.pushState(null, '', `/escrow-checkout?itemId=3&offerId=5&amount=${amount}`))
    await act(() => vi.advanceTimersByTimeAsync(499))
  }
  expect(server.requestsTo(createEscrowPayment)).toEqual([])
  await act(() => vi.advanceTimersByTimeAsync(1))
  expect(server.requestsTo(createEscrowPayment)).toEqual([
    { body: { itemId: 3, offerId: 5, amount: 12_000 } },
  ])
})

test('a payment is started once, even if other data is loaded again', async () => {
  configure({ reactStrictMode: true })
  onTestFinished(() => configure({ reactStrictMode: false }))
  const server = openCheckout(12_000, provider, answer(createEscrowPayment, started))
  expect(await screen.findByRole('button', { name: 'Pay $120.00 into escrow' })).toBeVisible()
  await act(() => server.cache.invalidateQueries())
  await act(() => server.cache.resetQueries())
  expect(await screen.findByRole('button', { name: 'Pay $120.00 into escrow' })).toBeVisible()
  expect(server.requestsTo(createEscrowPayment)).toHaveLength(1)
  cleanup()
  // Nothing of the address and the secret is kept.
  await waitFor(() => expect(server.cache.getMutationCache().getAll()).toEqual([]))
})

test('a payment of an earlier amount is neither shown nor reported', async () => {
  const former = [
    answerLater(answer(createEscrowPayment, { ...started, currency: 'myr' })),
    answerLater(refuse(createEscrowPayment, 'amount_mismatch')),
  ]
  const server = openCheckout(1, provider)
  for (const [index, later] of former.entries()) {
    server.add(later)
    act(() => window.history.pushState(null, '', `/escrow-checkout?itemId=3&offerId=5&amount=${index + 2}`))
    await waitFor(() => expect(server.requestsTo(createEscrowPayment)).toHaveLength(index + 1))
  }
  server.add(answer(createEscrowPayment, started))
  act(() => window.history.pushState(null, '', '/escrow-checkout?itemId=3&offerId=5&amount=12000'))
  for (const { release } of former) release()
  expect(await screen.findByRole('button', { name: 'Pay $120.00 into escrow' })).toBeVisible()
  expect(server.requestsTo(createEscrowPayment).map(({ body }) => body.amount)).toEqual([2, 3, 12_000])
  expect(screen.queryByText('Escrow Payment Error')).not.toBeInTheDocument()
})

test('returning to the checkout starts the payment again, because it may have been paid', async () => {
  const server = openCheckout(12_000, provider, answer(createEscrowPayment, started))
  expect(await screen.findByRole('button', { name: 'Pay $120.00 into escrow' })).toBeVisible()
  const checkout = window.location.href
  act(() => window.history.pushState(null, '', '/'))
  await waitFor(() => expect(screen.queryByRole('button', { name: /^Pay/ })).not.toBeInTheDocument())
  server.add(refuse(createEscrowPayment, 'offer_already_paid'), answer(listPayments, [aListedPayment()]))
  act(() => window.history.pushState(null, '', checkout))
  expect(await screen.findByRole('heading', { name: 'Already paid' })).toBeVisible()
  expect(server.requestsTo(createEscrowPayment)).toHaveLength(2)
})

test('an offer that is already paid shows Already paid', async () => {
  openCheckout(
    12_000,
    refuse(createEscrowPayment, 'offer_already_paid'),
    answer(listPayments, [aListedPayment()]),
  )
  expect(await screen.findByRole('heading', { name: 'Already paid' })).toBeVisible()
  expect(screen.getByText(/You were not charged again\./)).toBeVisible()
  expect(await screen.findByRole('link', { name: 'View Transaction' })).toHaveAttribute('href', '/deal/1')
})

test('a buyer without a verified email gets the link again, and then continues', async () => {
  const server = openCheckout(
    12_000,
    refuse(createEscrowPayment, 'verify_email_first'),
    answer(resendVerification, { ok: true }),
  )
  expect(await screen.findByText('Verify your email first')).toBeVisible()
  expect(window.location.pathname).toBe('/escrow-checkout')
  await userEvent.click(screen.getByRole('button', { name: 'Send Link Again' }))
  expect(await screen.findByText('Link sent')).toBeVisible()
  server.add(neverAnswer(createEscrowPayment))
  await userEvent.click(screen.getByRole('button', { name: 'Continue to Payment' }))
  expect(await screen.findByRole('status', { name: 'Loading the payment form' })).toBeVisible()
  await waitFor(() => expect(server.requestsTo(createEscrowPayment)).toHaveLength(2))
})

test('before paying, the buyer sees when the seller is paid at the earliest', async () => {
  const { market, ...config } = aConfig()
  openCheckout(
    12_000,
    neverAnswer(createEscrowPayment),
    answer(getConfig, { ...config, market: { ...market, payoutDelayHours: 24 } }),
  )
  expect(
    await screen.findByText(/If your account or card is new here, the seller is paid on .* at the earliest/),
  ).toBeVisible()
})

test('without working keys of the card provider, the checkout asks for nothing', async () => {
  openCheckout(12_000, answer(getConfig, aConfig({ publishableKey: null })))
  expect(
    await screen.findByRole('heading', { name: 'Payments are not available at the moment' }),
  ).toBeVisible()
  expect(screen.getByText('Nothing is charged now. Please try again later.')).toBeVisible()
})

test('an escrow checkout with an incomplete URL is invalid', async () => {
  openScreen('/escrow-checkout?itemId=1&amount=100', { user })
  expect(await screen.findByRole('heading', { name: 'Invalid Request' })).toBeVisible()
  expect(screen.getByText('Missing item, offer, or amount information')).toBeVisible()
})

test('a short checkout with an incomplete URL is invalid', async () => {
  openScreen('/checkout?itemId=1', { user, answers: [answer(listConversations, [])] })
  expect(await screen.findByRole('heading', { name: 'Invalid Payment' })).toBeVisible()
  expect(screen.getByText('Missing payment information. Please try again.')).toBeVisible()
  expect(screen.getByRole('link', { name: 'Back to Messages' })).toHaveAttribute('href', '/messages')
})

test('a refused escrow payment shows the reason and leads home', async () => {
  openCheckout(100, refuse(createEscrowPayment, 'amount_mismatch'))
  expect(await screen.findByText('Escrow Payment Error')).toBeVisible()
  expect(screen.getByText(refusals.amount_mismatch.message)).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Try Again' })).not.toBeInTheDocument()
  await waitFor(() => expect(window.location.pathname).toBe('/'))
})

test('after a temporary failure, the toast leads back to the checkout', async () => {
  const server = openCheckout(12_000, {
    call: createEscrowPayment,
    respond: () => new Response('', { status: 429 }),
  })
  expect(await screen.findByText('Failed to initialize payment')).toBeVisible()
  await waitFor(() => expect(window.location.pathname).toBe('/'))
  server.add(neverAnswer(createEscrowPayment))
  await userEvent.click(screen.getByRole('button', { name: 'Try Again' }))
  expect(await screen.findByRole('status', { name: 'Loading the payment form' })).toBeVisible()
  await waitFor(() => expect(server.requestsTo(createEscrowPayment)).toHaveLength(2))
})

test('a refused payment in the short checkout shows the reason and can be retried', async () => {
  const server = openScreen('/checkout?itemId=3&amount=11999', {
    user,
    answers: [...order, provider, refuse(createPaymentIntent, 'amount_mismatch')],
  })
  expect(await screen.findByText('Failed to initialize payment. Please try again.')).toBeVisible()
  expect(screen.getByText(refusals.amount_mismatch.message)).toBeVisible()
  server.add(answer(createPaymentIntent, started))
  await userEvent.click(screen.getByRole('button', { name: 'Try Again' }))
  expect(await screen.findByRole('button', { name: 'Pay $119.99 into escrow' })).toBeVisible()
  expect(server.requestsTo(createPaymentIntent)).toHaveLength(2)
})

const address = {
  name: 'Ada Buyer',
  line1: 'Rosenweg 7',
  line2: '',
  city: 'Berlin',
  region: '',
  postalCode: '10115',
  country: 'DE',
}
const shippedOffer = { ...anAcceptedOffer(), delivery: 'shipping' as const, shipWithinDays: 3 }

test('a shipped item needs an address, which is saved for next time', async () => {
  const server = openCheckout(4_000, answer(listOffers, [shippedOffer]), answer(createEscrowPayment, started))
  expect(await screen.findByRole('heading', { name: 'Where should it be sent?' })).toBeVisible()
  expect(screen.getByRole('region', { name: 'Order summary' })).toHaveTextContent(
    'Ships within 3 days of payment',
  )
  await userEvent.selectOptions(screen.getByLabelText('Country'), 'Germany')
  await userEvent.click(screen.getByRole('button', { name: 'Continue to Payment' }))
  expect(screen.getAllByText(/is required/)).not.toHaveLength(0)
  expect(server.requestsTo(createEscrowPayment)).toEqual([])
  for (const [label, text] of [
    ['Full name', address.name],
    ['Address', address.line1],
    ['Postal code', address.postalCode],
    ['City', address.city],
  ] as const) {
    await userEvent.type(screen.getByLabelText(label), text)
  }
  expect(screen.getByLabelText('Save this address for next time')).toBeChecked()
  await userEvent.click(screen.getByRole('button', { name: 'Continue to Payment' }))
  await waitFor(() => expect(server.requestsTo(createEscrowPayment)).toHaveLength(1))
  expect(server.requestsTo(createEscrowPayment)).toEqual([
    { body: { itemId: 3, offerId: 5, amount: 4_000, deliveryAddress: address, saveAddress: true } },
  ])
  expect(await screen.findByText('10115 Berlin')).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: 'Change' }))
  expect(await screen.findByLabelText('City')).toHaveValue('Berlin')
})

test('the saved address is filled in, and errors of the server are shown at their fields', async () => {
  const issues = [{ path: 'deliveryAddress.postalCode', message: 'This postal code does not exist' }]
  const server = openCheckout(
    4_000,
    provider,
    answer(listOffers, [shippedOffer]),
    answer(getDeliveryAddress, { deliveryAddress: address }),
    refuse(createEscrowPayment, 'invalid', issues),
  )
  expect(await screen.findByDisplayValue('Rosenweg 7')).toBeVisible()
  expect(screen.getByLabelText(/^Save this address for next time/)).not.toBeChecked()
  await userEvent.click(screen.getByRole('button', { name: 'Continue to Payment' }))
  expect(await screen.findByText('This postal code does not exist')).toBeVisible()
  expect(screen.getByRole('alert')).toHaveTextContent('The address was not accepted')
  expect(window.location.pathname).toBe('/escrow-checkout')
  // The address is not changed: the server may accept it now.
  server.add(answer(createEscrowPayment, started))
  await userEvent.click(screen.getByRole('button', { name: 'Continue to Payment' }))
  expect(await screen.findByText('10115 Berlin')).toBeVisible()
  expect(await screen.findByRole('button', { name: 'Pay $40.00 into escrow' })).toBeVisible()
  cleanup()

  // The offer is not among the loaded ones, so only the server knows that it is shipped.
  openCheckout(
    4_000,
    refuse(createEscrowPayment, 'invalid', [{ path: 'deliveryAddress', message: 'Required' }]),
  )
  expect(await screen.findByRole('heading', { name: 'Where should it be sent?' })).toBeVisible()
})
