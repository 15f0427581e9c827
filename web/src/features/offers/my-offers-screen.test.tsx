import { getFirstSteps } from '@sought/contract/first-steps'
import { listOwnOffers, type OwnOffer } from '@sought/contract/offers'
import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type * as z from 'zod/mini'
import { answer } from '../../testing/fake-server.ts'
import { openScreen } from '../../testing/open-screen.tsx'
import { anOffer, aRequest, aSellerUser } from '../../testing/samples.ts'

const steps = { hasPosted: false, hasMadeOffer: true, hasPayoutMethod: false, dismissed: [] }

let nextId = 50

function ownOffer(
  title: string,
  state: z.input<typeof OwnOffer>['state'],
  changes: Partial<z.input<typeof OwnOffer>> = {},
): z.input<typeof OwnOffer> {
  nextId -= 1
  return {
    ...anOffer({ id: nextId }),
    wantedItem: aRequest({ title }),
    rank: nextId,
    isWaiting: false,
    state,
    nextStep: 'none',
    paymentId: null,
    waitingUntil: null,
    unreadCount: 0,
    ...changes,
  }
}

test('each offer shows its state and next step, and offers that need a step come first', async () => {
  openScreen('/my-offers', {
    user: aSellerUser(),
    answers: [
      answer(getFirstSteps, steps),
      answer(listOwnOffers, [
        ownOffer('Camera', 'paid', { isWaiting: true, nextStep: 'ship', paymentId: 7 }),
        ownOffer('Radio', 'countered', { isWaiting: true, nextStep: 'answer_counter' }),
        ownOffer('Boots', 'pending', { isWaiting: true, nextStep: 'read_messages', unreadCount: 1 }),
        ownOffer('Watch', 'awaiting_payment'),
        ownOffer('Cello', 'disputed', { nextStep: 'view_dispute', paymentId: 8 }),
        ownOffer('Hat', 'expired', { nextStep: 'offer_again' }),
        ownOffer('Map', 'replaced'),
      ]),
    ],
  })
  const waiting = within(await screen.findByRole('region', { name: 'Waiting for you' }))
  expect(waiting.getAllByRole('article')).toHaveLength(3)
  const thread = `/messages?itemId=3&userId=${aRequest().userId}`
  const expected = [
    ['Camera', 'Paid into escrow: deliver now', 'Open Deal', '/deal/7'],
    ['Radio', 'Counter-offer from the buyer', 'Answer Counter-Offer', thread],
    ['Boots', '1 unread message', 'Read Messages', thread],
    ['Watch', 'Accepted, waiting for payment', 'Open Conversation', thread],
    ['Cello', 'In dispute', 'View Dispute', '/dispute/8'],
    ['Hat', 'Expired', 'Make Another Offer', thread],
    ['Map', 'Replaced', 'Open Conversation', thread],
  ] as const
  for (const [title, state, action, href] of expected) {
    const row = within(screen.getByRole('heading', { name: title }).closest('article') as HTMLElement)
    expect(row.getByText(state)).toBeVisible()
    expect(row.getByRole('link', { name: action })).toHaveAttribute('href', href)
  }
  const checklist = within(await screen.findByRole('region', { name: 'First steps as a seller' }))
  expect(checklist.getByRole('link', { name: 'Say what you sell' })).toHaveAttribute(
    'href',
    '/profile?tab=settings#selling',
  )
  expect(checklist.getByRole('link', { name: 'Set up payouts' })).toHaveAttribute('href', '/seller-setup')
})

test('the empty list links to the requests, and completed steps are not listed', async () => {
  openScreen('/my-offers', {
    user: { ...aSellerUser(), selling: { keywords: ['lamp'], categories: [] } },
    answers: [answer(getFirstSteps, { ...steps, hasPayoutMethod: true }), answer(listOwnOffers, [])],
  })
  expect(await screen.findByRole('heading', { name: 'You have made no offers yet' })).toBeVisible()
  expect(screen.getByRole('link', { name: 'Browse Requests' })).toHaveAttribute('href', '/')
  expect(screen.queryByRole('region', { name: /First steps/ })).not.toBeInTheDocument()
})
