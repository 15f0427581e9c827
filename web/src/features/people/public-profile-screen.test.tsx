import { getSharingSettings } from '@sought/contract/messages'
import { getEmailSettings } from '@sought/contract/notifications'
import { getPublicProfile, listFeedback, listUserWantedItems } from '@sought/contract/people'
import { screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { type Answer, answer, refuse } from '../../testing/fake-server.ts'
import { openScreen } from '../../testing/open-screen.tsx'
import { aRequest, aSeller, aUser } from '../../testing/samples.ts'

const { id, name, rating, profileImageUrl } = aUser()
const by = { id, name, rating, profileImageUrl }

const feedback = (paymentId: number) => ({
  paymentId,
  rating: 4,
  feedback: 'A day late, but as described.',
  itemTitle: 'A green lamp',
  by,
  createdAt: '2026-01-02T03:04:05.000Z',
})

const profile = {
  ...aSeller,
  rating: 4,
  ratingCount: 1,
  cancelledDeals: 0,
  bio: 'I sell lamps.',
  selling: { keywords: ['brass lamp'], categories: ['Home & Garden'] },
  memberSince: '2026-01-05T09:00:00.000Z',
}

const bob = [
  answer(getPublicProfile, profile),
  answer(listFeedback, [feedback(30)]),
  answer(listUserWantedItems, [aRequest({ title: 'A brass telescope' })]),
]

const openBob = (user = aUser(), ...answers: Answer[]) =>
  openScreen(`/user/${aSeller.id}`, { user, answers: [...bob, ...answers] })

const region = (label: string) => within(screen.getByRole('region', { name: label }))

test('a public profile shows the rating, feedback and open requests', async () => {
  openBob()
  expect(await screen.findByRole('heading', { level: 1, name: 'Bob Tester' })).toBeVisible()
  await waitFor(() => expect(document.title).toBe('Bob Tester · Sought'))
  expect(screen.getAllByRole('img', { name: 'Rated 4.0 out of 5' })[0]).toBeVisible()
  expect(screen.getByText('(1)')).toBeVisible()
  expect(screen.getByText('Member since January 5, 2026')).toBeVisible()
  expect(screen.queryByText(/as a seller/)).not.toBeInTheDocument()
  expect(screen.getByText('I sell lamps.')).toBeVisible()
  expect(screen.getByRole('list', { name: 'Sells' })).toHaveTextContent('Home & Gardenbrass lamp')
  expect(await region('Open requests').findByRole('article')).toHaveTextContent('A brass telescope')
  const entry = await region('Feedback').findByRole('listitem')
  expect(entry).toHaveTextContent('A day late, but as described.')
  expect(entry).toHaveTextContent('A green lamp')
  expect(within(entry).getByRole('link', { name: 'Ada Buyer' })).toHaveAttribute('href', `/user/${id}`)
  expect(screen.queryByRole('link', { name: 'Edit Profile' })).not.toBeInTheDocument()
})

test('a user without ratings, feedback and requests', async () => {
  openBob(
    aUser(),
    answer(getPublicProfile, { ...profile, rating: 0, ratingCount: 0, cancelledDeals: 2 }),
    answer(listFeedback, []),
    answer(listUserWantedItems, []),
  )
  for (const text of [
    'No ratings yet',
    /Cancelled 2 deals as a seller/,
    'No feedback yet.',
    'No open requests right now.',
  ]) {
    expect(await screen.findByText(text)).toBeVisible()
  }
})

test('users can edit their own profile from its public page', async () => {
  const shown = { typing: true, presence: true, readReceipts: true }
  openBob(aUser({ id: aSeller.id }), answer(getEmailSettings, { off: [] }), answer(getSharingSettings, shown))
  await userEvent.click(await screen.findByRole('link', { name: 'Edit Profile' }))
  expect(window.location.pathname + window.location.search).toBe('/profile?tab=settings')
})

test('long feedback loads page by page', async () => {
  const server = openBob(
    aUser(),
    answer(listFeedback, ({ query: { cursor } }) =>
      cursor ? [feedback(10)] : Array.from({ length: 12 }, (_, index) => feedback(30 - index)),
    ),
  )
  await waitFor(() => expect(region('Feedback').getAllByRole('listitem')).toHaveLength(12))
  await userEvent.click(screen.getByRole('link', { name: 'Show more feedback' }))
  await waitFor(() => expect(region('Feedback').getAllByRole('listitem')).toHaveLength(13))
  expect(server.requestsTo(listFeedback).map(({ query }) => query.cursor)).toEqual([undefined, '19'])
})

test('an unknown user is not found', async () => {
  openScreen('/user/nobody', { answers: [refuse(getPublicProfile, 'person_not_found')] })
  expect(await screen.findByRole('heading', { level: 1, name: 'User not found' })).toBeVisible()
})
