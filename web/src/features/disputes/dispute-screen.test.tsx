import { getDispute, withdrawDispute } from '@sought/contract/disputes'
import { listPayments } from '@sought/contract/payments'
import { screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { answer, refuse } from '../../testing/fake-server.ts'
import { openScreen } from '../../testing/open-screen.tsx'
import { aPayment, aSeller, aUser } from '../../testing/samples.ts'

const { wantedItem: _, ...payment } = aPayment({ status: 'disputed', disputeReason: 'It is blue' })
const { id, name, rating, profileImageUrl } = aUser()
const dispute = {
  ...payment,
  wantedItems: { title: 'A green lamp', category: 'Home & Garden' },
  buyer: { id, name, rating, profileImageUrl },
  seller: aSeller,
  disputedAt: '2026-11-16T09:00:00.000Z',
  refundCents: null,
  refundedAt: null,
  settlement: null,
}

test('a withdrawal leads to the payments, even if a live update removes the dispute first', async () => {
  const opened = openScreen('/dispute/1', {
    user: aUser(),
    answers: [
      answer(getDispute, { dispute, evidence: [], timeline: [] }),
      answer(listPayments, []),
      {
        call: withdrawDispute,
        respond: async () => {
          opened.add(refuse(getDispute, 'dispute_not_found'))
          await opened.cache.invalidateQueries()
          await screen.findByRole('heading', { name: 'Dispute not found', hidden: true })
          return Response.json({ ok: true })
        },
      },
    ],
  })
  await userEvent.click(await screen.findByRole('button', { name: 'Withdraw Dispute' }))
  const dialog = await screen.findByRole('alertdialog')
  await userEvent.click(screen.getAllByRole('button', { name: 'Withdraw Dispute' }).at(-1) ?? dialog)
  await waitFor(() => expect(window.location.pathname).toBe('/payments'))
  expect(opened.requestsTo(withdrawDispute)).toHaveLength(1)
})
