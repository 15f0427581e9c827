import { dismissFirstSteps, getFirstSteps } from '@sought/contract/first-steps'
import { listOwnRequests, type OwnRequest } from '@sought/contract/own-requests'
import { closeWantedItem, renewWantedItem } from '@sought/contract/requests'
import { screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import type * as z from 'zod/mini'
import { answer, answerLater, refuse } from '../../testing/fake-server.ts'
import { openScreen } from '../../testing/open-screen.tsx'
import { aRequest, aSeller, aUser } from '../../testing/samples.ts'

const noSteps = { hasPosted: true, hasMadeOffer: false, hasPayoutMethod: false, dismissed: [] }
const withPicture = () => aUser({ profileImageUrl: '/files/ada.webp' })

function ownRequest(changes: Partial<z.input<typeof OwnRequest>> = {}): z.input<typeof OwnRequest> {
  return {
    ...aRequest(changes),
    rank: changes.id ?? 3,
    isWaiting: false,
    isHidden: false,
    nextStep: 'none',
    offerCount: 0,
    unreadCount: 0,
    views: 0,
    contacts: 0,
    renewableAt: '2126-11-23T12:00:00.000Z',
    deal: null,
    ...changes,
  }
}

const deal = {
  offerId: 5,
  amount: 4_000,
  seller: aSeller,
  paymentId: null,
  paymentStatus: null,
  isSubmitted: false,
  waitingUntil: null,
}
const paid = { ...deal, paymentId: 7 }

const requests = [
  ownRequest({
    id: 20,
    title: 'Camera',
    isWaiting: true,
    nextStep: 'answer_offers',
    offerCount: 3,
    views: 12,
    contacts: 1,
  }),
  ownRequest({ id: 19, title: 'Radio', isWaiting: true, nextStep: 'pay', deal }),
  ownRequest({ id: 18, title: 'Boots', isWaiting: true, nextStep: 'read_messages', unreadCount: 2 }),
  ownRequest({
    id: 17,
    title: 'Watch',
    status: 'reserved',
    isWaiting: true,
    nextStep: 'confirm_delivery',
    deal: { ...paid, paymentStatus: 'held_in_escrow' },
  }),
  ownRequest({
    id: 16,
    title: 'Cello',
    status: 'reserved',
    nextStep: 'view_dispute',
    deal: { ...paid, paymentStatus: 'disputed' },
  }),
  ownRequest({ id: 15, title: 'Hat', status: 'closed', nextStep: 'repost' }),
  ownRequest({
    id: 14,
    title: 'Map',
    status: 'fulfilled',
    nextStep: 'rate',
    deal: { ...paid, paymentStatus: 'completed' },
  }),
  ownRequest({ id: 13, title: 'Lamp', nextStep: 'renew', renewableAt: '2026-01-01T00:00:00.000Z' }),
  ownRequest({ id: 12, title: 'Chair' }),
]

const card = async (title: string) =>
  within((await screen.findByRole('heading', { name: title })).closest('article') as HTMLElement)

test('each request shows its state, its counts and its next step, and requests that need a step come first', async () => {
  openScreen('/my-requests', {
    user: withPicture(),
    answers: [answer(listOwnRequests, requests), answer(getFirstSteps, noSteps)],
  })
  const waiting = within(await screen.findByRole('region', { name: 'Waiting for you' }))
  expect(waiting.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent)).toEqual([
    'Camera',
    'Radio',
    'Boots',
    'Watch',
  ])
  expect((await card('Camera')).getByText('12 views, 1 contact')).toBeVisible()
  const expected = [
    ['Camera', 'Open', '3 offers', 'Compare Offers', '/item/20'],
    [
      'Radio',
      'Offer accepted, not paid yet',
      '$40.00 with Bob Tester',
      'Proceed to Payment',
      '/escrow-checkout',
    ],
    ['Boots', 'Open', '2 unread messages', 'Read Messages', '/messages?itemId=18'],
    ['Watch', 'Reserved, payment in escrow', '$40.00 with Bob Tester', 'Confirm Delivery', '/delivery/7'],
    ['Cello', 'Reserved, in dispute', '$40.00 with Bob Tester', 'View Dispute', '/dispute/7'],
    ['Hat', 'Closed', '$20 – $120', 'Post Again', '/post?repost=15'],
    ['Map', 'Fulfilled', '$40.00 with Bob Tester', 'Rate Seller', '/rating?paymentId=7'],
    ['Chair', 'Open', '$20 – $120', 'View Request', '/item/12'],
  ] as const
  for (const [title, state, detail, action, href] of expected) {
    const row = await card(title)
    expect(row.getByText(state)).toBeVisible()
    expect(row.getByRole('heading').closest('article')).toHaveTextContent(detail)
    expect(row.getByRole('link', { name: action }).getAttribute('href')).toContain(href)
  }
  expect((await card('Lamp')).getByRole('button', { name: 'Renew' })).toBeVisible()
})

test('a request can be renewed and closed, and shows when it can next be moved to the top', async () => {
  const lamp = requests.filter(({ title }) => title === 'Lamp')
  const closing = answerLater(answer(closeWantedItem, aRequest({ status: 'closed' })))
  const server = openScreen('/my-requests', {
    user: withPicture(),
    answers: [
      answer(listOwnRequests, lamp),
      answer(getFirstSteps, noSteps),
      refuse(renewWantedItem, 'item_reserved'),
      closing,
    ],
  })
  await userEvent.click(await screen.findByRole('button', { name: 'Renew' }))
  expect(await screen.findByText(/payment is in escrow/)).toBeVisible()
  server.add(
    answer(renewWantedItem, aRequest({ expiresAt: '2027-01-15T12:00:00.000Z' })),
    answer(listOwnRequests, [ownRequest({ id: 13, title: 'Lamp' })]),
  )
  await userEvent.click(screen.getByRole('button', { name: 'Renew' }))
  expect(await screen.findByText('It is open until January 15, 2027.')).toBeVisible()
  await userEvent.click(await screen.findByRole('button', { name: 'More actions for Lamp' }))
  expect(await screen.findByRole('menuitem', { name: 'Renew from November 23, 2126' })).toHaveAttribute(
    'aria-disabled',
    'true',
  )
  await userEvent.click(screen.getByRole('menuitem', { name: 'Close Request' }))
  const dialog = within(await screen.findByRole('alertdialog'))
  await userEvent.click(dialog.getByRole('button', { name: 'Close Request' }))
  await waitFor(async () => expect((await card('Lamp')).getByText('Closed')).toBeVisible())
  expect(screen.queryByText('Request closed')).not.toBeInTheDocument()
  closing.release()
  expect(await screen.findByText('Request closed')).toBeVisible()
  expect(server.requestsTo(closeWantedItem)).toEqual([{ params: { id: '13' } }])
})

test('a request whose payment is in escrow cannot be edited or closed', async () => {
  openScreen('/my-requests', {
    user: withPicture(),
    answers: [answer(listOwnRequests, requests.slice(3, 4)), answer(getFirstSteps, noSteps)],
  })
  await userEvent.click(await screen.findByRole('button', { name: 'More actions for Watch' }))
  const items = await screen.findAllByRole('menuitem')
  expect(items.map(({ textContent }) => textContent)).toEqual(['View Request'])
})

test('the empty list links to posting a request, and the checklist can be dismissed', async () => {
  const server = openScreen('/my-requests', {
    user: aUser({ emailVerified: false }),
    answers: [
      answer(listOwnRequests, []),
      answer(getFirstSteps, { ...noSteps, hasPosted: false }),
      answer(dismissFirstSteps, { ...noSteps, dismissed: ['buyer'] }),
    ],
  })
  expect(await screen.findByRole('heading', { name: 'You have no requests yet' })).toBeVisible()
  expect(screen.getByRole('link', { name: 'Post a Request' })).toHaveAttribute('href', '/post')
  const steps = within(await screen.findByRole('region', { name: 'First steps as a buyer' }))
  expect(steps.getAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
    ['Verify your email', '/profile'],
    ['Post a request', '/post'],
    ['Add a picture of yourself', '/profile?tab=settings'],
  ])
  server.add(answer(getFirstSteps, { ...noSteps, dismissed: ['buyer'] }))
  await userEvent.click(steps.getByRole('button', { name: 'Hide this list' }))
  await waitFor(() =>
    expect(screen.queryByRole('region', { name: 'First steps as a buyer' })).not.toBeInTheDocument(),
  )
  expect(server.requestsTo(dismissFirstSteps)).toEqual([{ body: { list: 'buyer' } }])
})

test('the link in the renewal reminder renews the request once', async () => {
  const renewed = aRequest({ renewedAt: '2026-11-16T12:00:00.000Z' })
  const server = openScreen('/my-requests?renew=13', {
    user: withPicture(),
    answers: [
      answer(listOwnRequests, [ownRequest({ id: 13, title: 'Lamp', status: 'expired', nextStep: 'renew' })]),
      answer(getFirstSteps, noSteps),
      answer(renewWantedItem, renewed),
    ],
  })
  expect(await screen.findByText('Request renewed')).toBeVisible()
  expect((await card('Lamp')).getByText('Expired')).toBeVisible()
  expect(server.requestsTo(renewWantedItem)).toEqual([{ params: { id: '13' } }])
  expect(window.location.search).toBe('')
})
