import { getSharingSettings, listConversations, listMessages, sendMessage } from '@sought/contract/messages'
import { getEmailSettings } from '@sought/contract/notifications'
import { listOffers, listReceivedOffers } from '@sought/contract/offers'
import { listPayments } from '@sought/contract/payments'
import { getPublicProfile, listUserWantedItems } from '@sought/contract/people'
import { block, listBlocks, report, unblock } from '@sought/contract/reports'
import { getWantedItem } from '@sought/contract/requests'
import { listReviews } from '@sought/contract/reviews'
import { screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { type Answer, answer, refuse } from '../../testing/fake-server.ts'
import { openScreen } from '../../testing/open-screen.tsx'
import {
  aConversation,
  aMessage,
  anAcceptedOffer,
  anOffer,
  aRequest,
  aSeller,
  aUser,
} from '../../testing/samples.ts'

const user = aUser()
const DONE = { ok: true } as const
const reported = answer(report, DONE)

const profile = {
  ...aSeller,
  ratingCount: 0,
  cancelledDeals: 0,
  asSeller: { rating: 0, count: 0 },
  asBuyer: { rating: 0, count: 0 },
  deals: { completed: 0, cancelled: 0, lost: 0 },
  responseMinutes: null,
  badges: [],
  bio: null,
  selling: { keywords: [], categories: [] },
  memberSince: '2026-01-05T09:00:00.000Z',
}

const bob = [answer(getPublicProfile, profile), answer(listReviews, []), answer(listUserWantedItems, [])]
const openProfile = (...answers: Answer[]) =>
  openScreen(`/user/${aSeller.id}`, { user, answers: [...bob, ...answers] })

const openThread = (...answers: Answer[]) =>
  openScreen(`/messages?itemId=3&userId=${aSeller.id}`, {
    user,
    answers: [
      answer(listConversations, [aConversation()]),
      answer(getWantedItem, aRequest()),
      answer(listOffers, []),
      ...answers,
    ],
  })

const findDialog = async (name: string) => within(await screen.findByRole('dialog', { name }))
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }))

/** Blocks of the fake server, which the calls change. */
function blocksOfBob(isBlocked = false): Answer[] {
  let blocked = isBlocked
  const set = (to: boolean) => () => {
    blocked = to
    return DONE
  }
  return [
    answer(listBlocks, () => (blocked ? [{ user: aSeller, createdAt: '2026-02-01T09:00:00.000Z' }] : [])),
    answer(block, set(true)),
    answer(unblock, set(false)),
  ]
}

test('a request is reported with a reason and details', async () => {
  const request = aRequest({ userId: aSeller.id, user: aSeller })
  const server = openScreen(`/item/${request.id}`, {
    user,
    answers: [answer(getWantedItem, request), reported],
  })
  await press('Report')
  const dialog = await findDialog('Report this request')
  await userEvent.click(dialog.getByRole('button', { name: 'Send report' }))
  expect(dialog.getByText('Please choose a reason')).toBeVisible()
  await userEvent.click(dialog.getByRole('radio', { name: 'Scam or fraud' }))
  await userEvent.type(dialog.getByRole('textbox', { name: /Details/ }), 'Asks for a bank transfer')
  await userEvent.click(dialog.getByRole('button', { name: 'Send report' }))
  expect(await screen.findByText('Thank you for your report')).toBeVisible()
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
  expect(server.requestsTo(report)).toMatchObject([
    { body: { kind: 'request', id: request.id, reason: 'scam', note: 'Asks for a bank transfer' } },
  ])
})

test('the owner of a request cannot report it', async () => {
  const request = aRequest({ userId: user.id, user })
  openScreen(`/item/${request.id}`, {
    user,
    answers: [answer(getWantedItem, request), answer(listReceivedOffers, [])],
  })
  expect(await screen.findByRole('heading', { level: 1, name: request.title })).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Report' })).not.toBeInTheDocument()
})

test('visitors who want to report or block have to sign in, and then return', async () => {
  for (const name of ['Report', 'Block']) {
    openScreen(`/user/${aSeller.id}`, { answers: bob })
    await userEvent.click((await screen.findAllByRole('button', { name })).at(-1) ?? expect.fail())
    await waitFor(() => expect(window.location.pathname).toBe('/auth'))
    expect(new URLSearchParams(window.location.search).get('returnTo')).toBe(`/user/${aSeller.id}`)
  }
})

test('a failed report shows the reason and keeps the form', async () => {
  openProfile(refuse(report, 'too_many'))
  await press('Report')
  const dialog = await findDialog('Report this person')
  await userEvent.click(dialog.getByRole('radio', { name: 'Spam' }))
  await userEvent.click(dialog.getByRole('button', { name: 'Send report' }))
  expect(await screen.findByText('The report was not sent')).toBeVisible()
  expect(dialog.getByRole('radio', { name: 'Spam' })).toBeChecked()
})

test('users can report messages of the other person, but not their own', async () => {
  const own = aMessage({ id: 2, senderId: user.id, receiverId: aSeller.id, content: 'From me' })
  const received = aMessage({ id: 1, senderId: aSeller.id, receiverId: user.id, content: 'From Bob' })
  const server = openThread(answer(listMessages, [own, received]), reported)
  const thread = await screen.findByRole('log', { name: 'Messages' })
  await waitFor(() => expect(thread).toHaveTextContent('From Bob'))
  const [button, ...others] = within(thread).getAllByRole('button', { name: 'Report' })
  expect(others).toEqual([])
  await userEvent.click(button ?? expect.fail())
  const dialog = await findDialog('Report this message')
  await userEvent.click(dialog.getByRole('radio', { name: 'Spam' }))
  await userEvent.click(dialog.getByRole('button', { name: 'Send report' }))
  await waitFor(() =>
    expect(server.requestsTo(report)).toMatchObject([{ body: { kind: 'message', id: 1, reason: 'spam' } }]),
  )
})

test('a picture is reported from the lightbox', async () => {
  const url = '/files/lamp.webp'
  const request = aRequest({
    userId: aSeller.id,
    user: aSeller,
    images: [{ url, alt: '' }],
    pictures: [{ url, alt: '', width: 90, height: 60 }],
  })
  const server = openScreen(`/item/${request.id}`, {
    user,
    answers: [answer(getWantedItem, request), reported],
  })
  await press('Open picture 1 of 1')
  const lightbox = await findDialog('Photo 1 of 1')
  await userEvent.click(lightbox.getByRole('button', { name: 'Report' }))
  const dialog = await findDialog('Report this picture')
  await userEvent.click(dialog.getByRole('radio', { name: 'Prohibited item' }))
  await userEvent.click(dialog.getByRole('button', { name: 'Send report' }))
  await waitFor(() =>
    expect(server.requestsTo(report)).toMatchObject([{ body: { kind: 'picture', id: url } }]),
  )
})

test('a profile is blocked after a confirmation, and unblocked', async () => {
  const server = openProfile(...blocksOfBob())
  await press('Block')
  const dialog = within(await screen.findByRole('alertdialog', { name: 'Block Bob Tester?' }))
  expect(dialog.getByText(/Open deals continue/)).toBeVisible()
  await userEvent.click(dialog.getByRole('button', { name: 'Block' }))
  expect(await screen.findByText('You have blocked Bob Tester')).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Block' })).not.toBeInTheDocument()
  expect(server.requestsTo(block)).toMatchObject([{ params: { userId: aSeller.id } }])
  await press('Unblock')
  expect(await screen.findByRole('button', { name: 'Block' })).toBeVisible()
  expect(screen.queryByText('You have blocked Bob Tester')).not.toBeInTheDocument()
})

test('a person is blocked in their conversation', async () => {
  const server = openThread(answer(listMessages, []), ...blocksOfBob())
  await press('Block')
  await userEvent.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Block' }))
  expect(await screen.findByText('You have blocked Bob Tester')).toBeVisible()
  expect(server.requestsTo(block)).toMatchObject([{ params: { userId: aSeller.id } }])
})

test('a message to a person who has blocked the sender is refused with the reason', async () => {
  openThread(answer(listMessages, []), refuse(sendMessage, 'blocked'))
  await userEvent.type(await screen.findByRole('textbox', { name: 'Message to Bob Tester' }), 'Hello?{Enter}')
  expect(await screen.findByText('You and this person cannot contact each other.')).toBeVisible()
})

test('a conversation with a blocked person has no composer and no offer form', async () => {
  openThread(answer(listMessages, []), ...blocksOfBob(true))
  expect(await screen.findByText('You have blocked Bob Tester')).toBeVisible()
  expect(screen.queryByRole('textbox', { name: 'Message to Bob Tester' })).not.toBeInTheDocument()
  expect(screen.queryByRole('button', { name: /Send offer|Make offer/i })).not.toBeInTheDocument()
  await press('Unblock')
  expect(await screen.findByRole('textbox', { name: 'Message to Bob Tester' })).toBeVisible()
})

test('accepted offers of a blocked person can be paid, other offers only rejected', async () => {
  const accepted = anAcceptedOffer()
  openThread(
    answer(listMessages, []),
    answer(listOffers, [{ ...anOffer(), id: accepted.id + 1 }, accepted]),
    answer(listPayments, []),
    ...blocksOfBob(true),
  )
  expect(await screen.findByText('You have blocked Bob Tester')).toBeVisible()
  expect(await screen.findByRole('link', { name: 'Proceed to Payment' })).toBeInTheDocument()
  expect(screen.getByRole('button', { name: 'Reject' })).toBeInTheDocument()
  expect(screen.queryByRole('button', { name: /Accept|Counter/ })).not.toBeInTheDocument()
})

test('the settings list the blocked people', async () => {
  const settings = [
    answer(getSharingSettings, { typing: true, presence: true, readReceipts: true }),
    answer(getEmailSettings, { off: [] }),
  ]
  openScreen('/profile?tab=settings', { user, answers: [...settings, ...blocksOfBob(true)] })
  const section = await screen.findByRole('region', { name: 'Blocked people' })
  expect(await within(section).findByRole('link', { name: 'Bob Tester' })).toHaveAttribute(
    'href',
    `/user/${aSeller.id}`,
  )
  await userEvent.click(within(section).getByRole('button', { name: 'Unblock' }))
  expect(await within(section).findByText("You haven't blocked anyone.")).toBeVisible()
})
