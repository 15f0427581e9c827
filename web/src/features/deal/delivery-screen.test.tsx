import { listConversations } from '@sought/contract/messages'
import {
  confirmDelivery,
  confirmDeliveryManually,
  disputePayment,
  getPayment,
  submitRating,
} from '@sought/contract/payments'
import { cleanup, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { enterText } from '../../testing/enter-text.ts'
import { type Answer, answer, dropConnection, refuse } from '../../testing/fake-server.ts'
import { openScreen } from '../../testing/open-screen.tsx'
import { aPayment, aSeller, aUser } from '../../testing/samples.ts'

const user = aUser()
const clickButton = async (name: string) => userEvent.click(await screen.findByRole('button', { name }))

/** The payment is completed once it was confirmed. */
function openConfirmable(...answers: Answer[]) {
  let payment = aPayment()
  const complete = () => {
    payment = aPayment({ status: 'completed' })
    return payment
  }
  return openScreen('/delivery/1', {
    user,
    answers: [answer(getPayment, () => payment), answer(confirmDelivery, complete), ...answers],
  })
}

async function confirm() {
  await clickButton('Confirm Delivery')
  await clickButton('Release $120.00')
  expect(await screen.findByText('$120.00 has been released to Bob Tester.')).toBeVisible()
}

const findRatingScreen = () => waitFor(() => expect(window.location.pathname).toBe('/rating'))

test('the buyer confirms delivery and is sent to the rating screen', async () => {
  openConfirmable()
  const seen: (string | null)[] = []
  const observer = new MutationObserver(() => seen.push(document.body.textContent))
  observer.observe(document.body, { childList: true, subtree: true, characterData: true })
  await screen.findByRole('button', { name: 'Confirm Delivery' })
  const setTimeout = vi.spyOn(window, 'setTimeout')
  await confirm()
  expect(await screen.findByRole('heading', { name: 'Thank you for confirming' })).toBeVisible()
  await findRatingScreen()
  observer.disconnect()
  expect(setTimeout.mock.calls.map(([, delay]) => delay)).toContain(1500)
  expect(seen.filter((text) => text?.includes('Delivery Already Confirmed'))).toEqual([])
  expect(await screen.findByRole('button', { name: 'Submit Rating' })).toBeVisible()
})

test('stars and feedback are sent with the confirmation', async () => {
  const server = openConfirmable(answer(submitRating, { ok: true }))
  await userEvent.click(await screen.findByRole('radio', { name: '4 stars, Very Good' }))
  await enterText(screen.getByLabelText(/Feedback/), 'Packed with care.')
  await confirm()
  await findRatingScreen()
  expect(await screen.findByText('Your rating of Bob Tester has been submitted.')).toBeVisible()
  expect(screen.getByText('Packed with care.')).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Submit Rating' })).not.toBeInTheDocument()
  expect(server.requestsTo(submitRating)).toEqual([
    { params: { id: '1' }, body: { rating: 4, feedback: 'Packed with care.' } },
  ])
  expect({ ...localStorage }).toEqual({})
})

test('a rating that failed to be sent is kept for the rating screen', { tags: ['proof'] }, async () => {
  openConfirmable(dropConnection(submitRating))
  await enterText(await screen.findByLabelText(/Feedback/), 'Packed with care.')
  await clickButton('Confirm Delivery')
  await clickButton('Release $120.00')
  expect(await screen.findByText('Your rating was not sent')).toBeVisible()
  await findRatingScreen()
  expect(await screen.findByRole('button', { name: 'Submit Rating' })).toBeVisible()
  expect(screen.getByLabelText(/Feedback/)).toHaveValue('Packed with care.')
})

test('typed text is restored after leaving the screen and coming back', async () => {
  openConfirmable()
  await userEvent.click(await screen.findByRole('radio', { name: '2 stars, Fair' }))
  await enterText(screen.getByLabelText(/Feedback/), 'A day late.')
  await clickButton('Report a Problem')
  await enterText(screen.getByLabelText(/What went wrong/), 'It is blue.')
  cleanup()
  openConfirmable()
  expect(await screen.findByRole('radio', { name: '2 stars, Fair' })).toBeChecked()
  expect(screen.getByLabelText(/Feedback/)).toHaveValue('A day late.')
  await clickButton('Report a Problem')
  expect(screen.getByLabelText(/What went wrong/)).toHaveValue('It is blue.')
})

test('a refused confirmation shows the reason', async () => {
  openScreen('/delivery/1', {
    user,
    answers: [answer(getPayment, aPayment()), refuse(confirmDelivery, 'payment_wrong_state')],
  })
  await clickButton('Confirm Delivery')
  await clickButton('Release $120.00')
  expect(await screen.findByText('Failed to confirm delivery')).toBeVisible()
  await waitFor(() => expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument())
})

test('the reason of a dispute has its own field', async () => {
  const server = openScreen('/delivery/1', {
    user,
    answers: [
      answer(getPayment, aPayment()),
      answer(disputePayment, aPayment({ status: 'disputed' })),
      answer(listConversations, []),
    ],
  })
  await enterText(await screen.findByLabelText(/Feedback/), 'Friendly seller')
  await clickButton('Report a Problem')
  await enterText(screen.getByLabelText(/What went wrong/), 'The shade is cracked')
  await clickButton('Submit Dispute')
  expect(await screen.findByText('Dispute submitted')).toBeVisible()
  await waitFor(() => expect(window.location.pathname).toBe('/messages'))
  expect(server.requestsTo(disputePayment)).toEqual([
    { params: { id: '1' }, body: { reason: 'The shade is cracked' } },
  ])
  expect(screen.getByText('The money stays in escrow until the dispute is resolved.')).toBeVisible()
})

test('only the buyer can confirm delivery', async () => {
  openScreen('/delivery/1', { user: aUser({ id: aSeller.id }), answers: [answer(getPayment, aPayment())] })
  expect(await screen.findByRole('heading', { name: 'Access Denied' })).toBeVisible()
  expect(await screen.findByText('Only the buyer can confirm delivery for this payment.')).toBeVisible()
  expect(screen.getByRole('link', { name: 'Back to Messages' })).toHaveAttribute('href', '/messages')
})

const openDelivery = (payment = aPayment(), ...answers: Answer[]) =>
  openScreen('/delivery/1', { user: aUser(), answers: [answer(getPayment, payment), ...answers] })

test('confirming a delivery asks for confirmation, and can be cancelled', async () => {
  const server = openDelivery()
  await clickButton('Confirm Delivery')
  await waitFor(() => expect(screen.getByRole('button', { name: 'Not Yet' })).toHaveFocus())
  await clickButton('Not Yet')
  await waitFor(() => expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument())
  expect(server.requestsTo(confirmDelivery)).toEqual([])
})

test('the code for a handover in person is shown', async () => {
  openDelivery(aPayment({ delivery: 'in_person', handoverCode: '042817' }))
  expect(await screen.findByText('042 817')).toBeVisible()
  expect(screen.getByRole('img', { name: 'QR code of the handover code' })).toBeVisible()
})

test('a confirmed delivery links to the rating and the home page', async () => {
  openDelivery(aPayment({ status: 'completed' }))
  expect(await screen.findByRole('heading', { name: 'Delivery Already Confirmed' })).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Confirm Delivery' })).not.toBeInTheDocument()
  expect(screen.getByRole('link', { name: 'Rate Seller' })).toBeVisible()
  expect(screen.getByRole('link', { name: 'Back to Home' })).toHaveAttribute('href', '/')
})

test('a delivery that was confirmed in another tab shows a toast and the new state', async () => {
  const server = openDelivery()
  await clickButton('Confirm Delivery')
  server.add(
    refuse(confirmDelivery, 'payment_wrong_state'),
    answer(getPayment, aPayment({ status: 'completed' })),
  )
  await clickButton('Release $120.00')
  expect(await screen.findByText('Failed to confirm delivery')).toBeVisible()
  expect(await screen.findByRole('heading', { name: 'Delivery Already Confirmed' })).toBeVisible()
})

test('a dispute without a reason gets the default reason, and a failure shows a toast', async () => {
  const server = openDelivery(aPayment(), refuse(disputePayment, 'too_many'))
  await clickButton('Report a Problem')
  expect(screen.getByRole('alertdialog')).toHaveTextContent('“Product not as described”')
  await clickButton('Submit Dispute')
  expect(await screen.findByText('Failed to submit dispute')).toBeVisible()
  expect(server.requestsTo(disputePayment)).toMatchObject([{ body: { reason: 'Product not as described' } }])
})

test.each(['/delivery/999999999', '/delivery/nonsense'])(
  '%s shows that the payment does not exist',
  async (path) => {
    openScreen(path, { user: aUser(), answers: [refuse(getPayment, 'payment_not_found')] })
    expect(await screen.findByRole('heading', { name: 'Payment Not Found' })).toBeVisible()
    expect(
      screen.getByText(
        "The payment you're looking for doesn't exist or you don't have permission to view it.",
      ),
    ).toBeVisible()
    expect(screen.getByRole('link', { name: 'Back to Messages' })).toHaveAttribute('href', '/messages')
  },
)

test('the buyer sees the amount in escrow and its release date', async () => {
  openDelivery()
  expect(await screen.findByText('A green lamp')).toBeVisible()
  for (const [label, value] of [
    ['Amount', '$120.00'],
    ['Status', 'In Escrow'],
    ['Auto-release', 'November 22, 2026'],
  ] as const) {
    expect(screen.getByText(label).parentElement).toHaveTextContent(label + value)
  }
  expect(screen.getByRole('list', { name: 'Payment progress' })).toHaveTextContent('In escrow')
})

test('a disputed payment cannot be confirmed, and links to its dispute', async () => {
  openDelivery(aPayment({ status: 'disputed', disputeReason: 'The shade is cracked.' }))
  expect(await screen.findByText('The shade is cracked.')).toBeVisible()
  expect(screen.getByText(/The money stays in escrow until the dispute is resolved\./)).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Confirm Delivery' })).not.toBeInTheDocument()
  expect(screen.getByRole('link', { name: 'View Dispute' })).toHaveAttribute('href', '/dispute/1')
})

test('a payment that our team is checking cannot be confirmed, only disputed', async () => {
  openDelivery(aPayment({ needsCheck: true }))
  expect(await screen.findByText('We are checking this payment')).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Confirm Delivery' })).not.toBeInTheDocument()
  expect(screen.getByRole('button', { name: 'Report a Problem' })).toBeVisible()
})

test.each(['disputed', 'completed'] as const)(
  'a %s payment shows that the bank reviews it',
  async (status) => {
    openDelivery(aPayment({ status, bankDecides: true }))
    expect(await screen.findByText(/Your bank is reviewing this payment/)).toBeVisible()
  },
)

test('a pending payment can be confirmed after asking the provider', async () => {
  const server = openDelivery(
    aPayment({ status: 'pending' }),
    refuse(confirmDeliveryManually, 'payment_not_paid'),
  )
  expect(await screen.findByRole('heading', { name: 'Already received it?' })).toBeVisible()
  expect(screen.getByText('Status').parentElement).toHaveTextContent('StatusProcessing')
  expect(screen.getByRole('link', { name: 'Not paid yet? Back to checkout' })).toHaveAttribute(
    'href',
    '/escrow-checkout?itemId=3&offerId=5&amount=12000',
  )
  await clickButton('Confirm Delivery Now')
  await clickButton('Release $120.00')
  expect(await screen.findByText('Failed to confirm delivery')).toBeVisible()
  await waitFor(() => expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument())

  const completed = aPayment({ status: 'completed' })
  server.add(answer(confirmDeliveryManually, completed), answer(getPayment, completed))
  await clickButton('Confirm Delivery Now')
  await clickButton('Release $120.00')
  expect(await screen.findByRole('heading', { name: 'Thank you for confirming' })).toBeVisible()
  expect(server.requestsTo(confirmDelivery)).toEqual([])
})

test('if the session has ended, the confirmation leads to the sign-in', async () => {
  const assign = vi.spyOn(window.location, 'assign').mockImplementation(() => {})
  openDelivery(aPayment(), refuse(confirmDelivery, 'signed_out'))
  await clickButton('Confirm Delivery')
  await clickButton('Release $120.00')
  await waitFor(() => expect(assign).toHaveBeenCalledWith('/api/login'))
})
