import { initiateDispute } from '@sought/contract/disputes'
import { getPaymentSummary, listPayments, type PaymentStatus } from '@sought/contract/payments'
import { screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { type Answer, answer, refuse } from '../../testing/fake-server.ts'
import { openScreen } from '../../testing/open-screen.tsx'
import { aPayment, aUser } from '../../testing/samples.ts'

const summary = (status: PaymentStatus) => {
  const { id, buyerId, amount, createdAt, wantedItem } = aPayment()
  return { id, buyerId, amount, status, createdAt, wantedItems: wantedItem }
}

const { wantedItem, ...payment } = aPayment({ status: 'disputed' })
const dispute = {
  ...payment,
  wantedItems: wantedItem,
  disputedAt: payment.updatedAt,
  refundCents: null,
  refundedAt: null,
  settlement: null,
}

const openForm = (...answers: Answer[]) =>
  openScreen('/dispute-report?paymentId=1', {
    user: aUser(),
    answers: [answer(getPaymentSummary, summary('held_in_escrow')), answer(listPayments, []), ...answers],
  })

async function fillAndSubmit() {
  await userEvent.selectOptions(await screen.findByLabelText('Dispute type'), 'item_damaged')
  await userEvent.type(screen.getByLabelText('Reason'), 'Cracked')
  await userEvent.type(screen.getByLabelText('Description'), 'The shade is cracked.')
  await userEvent.selectOptions(screen.getByLabelText('Desired outcome'), 'partial_refund')
  await userEvent.click(screen.getByRole('button', { name: 'Submit Dispute' }))
}

test('a submitted dispute sends one composed text and goes to the transactions', async () => {
  const server = openForm(answer(initiateDispute, dispute))
  await fillAndSubmit()
  await waitFor(() => expect(window.location.pathname).toBe('/payments'))
  expect(screen.getByText('Dispute Submitted Successfully')).toBeVisible()
  expect(server.requestsTo(initiateDispute)).toEqual([
    {
      body: {
        paymentId: 1,
        reason: [
          'Dispute type: Item arrived damaged',
          'Reason: Cracked',
          'Description: The shade is cracked.',
          'Desired outcome: Partial refund',
        ].join('\n\n'),
      },
    },
  ])
})

test('after a failure the form keeps its content and can be sent again', async () => {
  const server = openForm(refuse(initiateDispute, 'too_many'))
  await fillAndSubmit()
  expect(await screen.findByText('Failed to submit dispute. Please try again.')).toBeVisible()
  expect(screen.getByLabelText('Reason')).toHaveValue('Cracked')
  server.add(answer(initiateDispute, dispute))
  await waitFor(() => expect(screen.getByRole('button', { name: 'Submit Dispute' })).toBeEnabled())
  await userEvent.click(screen.getByRole('button', { name: 'Submit Dispute' }))
  await waitFor(() => expect(window.location.pathname).toBe('/payments'))
})

test('if the payment has been disputed meanwhile, the screen leads to the dispute', async () => {
  const server = openForm(refuse(initiateDispute, 'payment_wrong_state'))
  await screen.findByLabelText('Dispute type')
  server.add(answer(getPaymentSummary, summary('disputed')))
  await fillAndSubmit()
  expect(await screen.findByRole('heading', { name: 'Already in dispute' })).toBeVisible()
  expect(screen.getByRole('link', { name: 'View Dispute' })).toHaveAttribute('href', '/dispute/1')
})
