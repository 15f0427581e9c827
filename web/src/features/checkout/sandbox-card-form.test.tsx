import { call } from '@sought/contract/call'
import { listOffers } from '@sought/contract/offers'
import { createEscrowPayment, createPaymentIntent, listPayments } from '@sought/contract/payments'
import { getConfig } from '@sought/contract/platform'
import { getWantedItem } from '@sought/contract/requests'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { type Answer, answer } from '../../testing/fake-server.ts'
import { openScreen } from '../../testing/open-screen.tsx'
import {
  aConfig,
  aListedPayment,
  anAcceptedOffer,
  aRequest,
  aStartedPayment,
  aUser,
} from '../../testing/samples.ts'

/** The sandbox's own call, which is not part of the contract. */
const confirmIntent = call({
  method: 'POST',
  path: '/api/sandbox/v1/payment_intents/:id/confirm',
  access: 'public',
  summary: 'Confirms a payment',
  params: z.object({ id: z.string() }),
  reply: z.object({ id: z.string(), status: z.string() }),
})

const started = aStartedPayment({ clientSecret: 'pi_1_secret_x' })

const openCheckout = (path: string, ...answers: Answer[]) =>
  openScreen(path, {
    user: aUser(),
    answers: [
      answer(
        getConfig,
        aConfig({ publishableKey: 'pk_test', sandboxUrl: `${window.location.origin}/api/sandbox` }),
      ),
      answer(getWantedItem, aRequest()),
      answer(listOffers, [anAcceptedOffer()]),
      answer(createEscrowPayment, started),
      answer(createPaymentIntent, started),
      answer(listPayments, [aListedPayment({ amount: 4_000 })]),
      ...answers,
    ],
  })

const ESCROW_CHECKOUT = '/escrow-checkout?itemId=3&offerId=5&amount=4000'
const succeed = answer(confirmIntent, { id: 'pi_1', status: 'succeeded' })
const refuseCard = (error: object): Answer => ({
  call: confirmIntent,
  respond: () => Response.json({ error }, { status: 402 }),
})

const findPayButton = () => screen.findByRole('button', { name: 'Pay $40.00 into escrow' })
const chooseCard = async (number: string) =>
  userEvent.click(await screen.findByRole('button', { name: new RegExp(number) }))
const enter = (label: string, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } })

test.each([
  [ESCROW_CHECKOUT, '?escrow=true&payment_intent=pi_1'],
  ['/checkout?itemId=3&amount=4000', '?payment_intent=pi_1'],
])('%s pays the accepted offer', async (path, search) => {
  openCheckout(path, succeed)
  await chooseCard('4242 4242')
  expect(screen.getByRole('region', { name: 'Order summary' })).toHaveTextContent('From Bob Tester')
  await userEvent.click(await findPayButton())
  expect(await screen.findByRole('heading', { name: 'Payment Successful' })).toBeVisible()
  expect(window.location.search).toBe(search)
})

test('pressing Pay twice sends one request', async () => {
  const server = openCheckout(ESCROW_CHECKOUT, succeed)
  await chooseCard('4242 4242')
  const pay = await findPayButton()
  fireEvent.click(pay)
  fireEvent.click(pay)
  fireEvent.submit(screen.getByRole('form', { name: 'Card payment' }))
  await waitFor(() => expect(pay).toHaveAttribute('aria-disabled', 'true'))
  expect(await screen.findByRole('heading', { name: 'Payment Successful' })).toBeVisible()
  expect(server.requestsTo(confirmIntent)).toHaveLength(1)
})

test('invalid card data is not sent, and each field shows its error', async () => {
  const server = openCheckout(ESCROW_CHECKOUT)
  const pay = await findPayButton()
  await userEvent.type(screen.getByLabelText('Card number'), '4242424242424241')
  expect(screen.getByLabelText('Card number')).toHaveValue('4242 4242 4242 4241')
  enter('Expiry', '120')
  await userEvent.click(pay)
  expect(screen.getByText('This card number is not valid.')).toBeVisible()
  expect(screen.getByLabelText('Card number')).toHaveFocus()
  expect(screen.getByText('Enter the date as MM / YY.')).toBeVisible()
  expect(screen.getByText('Enter the 3-digit code.')).toBeVisible()
  enter('Card number', '4242424242424242')
  expect(screen.queryByText('This card number is not valid.')).not.toBeInTheDocument()
  expect(server.requestsTo(confirmIntent)).toEqual([])
})

test('an error that only the provider can detect is shown at its field', async () => {
  openCheckout(
    ESCROW_CHECKOUT,
    refuseCard({ type: 'card_error', code: 'incorrect_cvc', message: 'The security code is incorrect.' }),
  )
  await chooseCard('4242 4242')
  await userEvent.click(await findPayButton())
  expect(await screen.findByText('Payment Failed')).toBeVisible()
  await waitFor(() => expect(screen.getByLabelText('CVC')).toHaveAttribute('aria-invalid', 'true'))
  expect(screen.getByLabelText('CVC')).toHaveFocus()
  expect(screen.getByLabelText('CVC')).toHaveValue('')
})

test('a provider error without a message shows a generic one', async () => {
  openCheckout(ESCROW_CHECKOUT, refuseCard({ type: 'card_error', code: 'card_declined' }))
  await chooseCard('4242 4242')
  await userEvent.click(await findPayButton())
  expect(await screen.findByText('Payment processing failed')).toBeVisible()
})

test('a declined card and the reason stay in the form until the next attempt', async () => {
  const server = openCheckout(
    ESCROW_CHECKOUT,
    refuseCard({ type: 'card_error', code: 'card_declined', message: 'Your card was declined.' }),
  )
  await chooseCard('4242 4242')
  await userEvent.click(await findPayButton())
  expect(await screen.findByText('Payment Failed')).toBeVisible()
  const form = within(screen.getByRole('form', { name: 'Card payment' }))
  expect(form.getByRole('alert')).toHaveTextContent(
    'Your card was declined.You were not charged. Check the details or use another card. The CVC has to be entered again.',
  )
  expect(screen.getByLabelText('Card number')).toHaveValue('4242 4242 4242 4242')
  expect(screen.getByLabelText('CVC')).toHaveValue('')
  expect(screen.getByLabelText('CVC')).toHaveFocus()
  server.add({ call: confirmIntent, respond: () => Promise.reject(new TypeError('Failed to fetch')) })
  enter('CVC', '123')
  await userEvent.click(await findPayButton())
  expect(await form.findByText('We do not know whether the payment went through')).toBeVisible()
  expect(form.getAllByRole('alert')).toHaveLength(1)
  server.add(succeed)
  enter('CVC', '123')
  await userEvent.click(await findPayButton())
  await waitFor(() => expect(form.queryByRole('alert')).not.toBeInTheDocument())
})
