import { getSharingSettings } from '@sought/contract/messages'
import { getEmailSettings } from '@sought/contract/notifications'
import { getPublicProfile, listUserWantedItems } from '@sought/contract/people'
import { listReviews, replyToReview } from '@sought/contract/reviews'
import { screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { type Answer, answer, refuse } from '../../testing/fake-server.ts'
import { openScreen } from '../../testing/open-screen.tsx'
import { aRequest, aSeller, aUser } from '../../testing/samples.ts'

const { id, name, rating, profileImageUrl } = aUser()
const by = { id, name, rating, profileImageUrl }

const review = (id: number) => ({
  id,
  paymentId: 1,
  as: 'seller' as const,
  rating: 4,
  tags: ['as_described' as const, 'shipped_late' as const],
  text: 'A day late, but as described.',
  itemTitle: 'A green lamp',
  by,
  reply: null as { text: string; createdAt: string } | null,
  createdAt: '2026-01-02T03:04:05.000Z',
})

const profile = {
  ...aSeller,
  rating: 4,
  ratingCount: 1,
  cancelledDeals: 0,
  asSeller: { rating: 4, count: 1 },
  asBuyer: { rating: 0, count: 0 },
  deals: { completed: 3, cancelled: 1, lost: 0 },
  responseMinutes: 90,
  badges: ['email' as const, 'second_factor' as const],
  bio: 'I sell lamps.',
  selling: { keywords: ['brass lamp'], categories: ['Home & Garden'] },
  memberSince: '2026-01-05T09:00:00.000Z',
}

const bob = [
  answer(getPublicProfile, profile),
  answer(listReviews, [review(30)]),
  answer(listUserWantedItems, [aRequest({ title: 'A brass telescope' })]),
]

const openBob = (user = aUser(), ...answers: Answer[]) =>
  openScreen(`/user/${aSeller.id}`, { user, answers: [...bob, ...answers] })

const region = (label: string) => within(screen.getByRole('region', { name: label }))

test('a public profile shows ratings, reviews and open requests', async () => {
  openBob()
  expect(await screen.findByRole('heading', { level: 1, name: 'Bob Tester' })).toBeVisible()
  await waitFor(() => expect(document.title).toBe('Bob Tester · Sought'))
  expect(screen.getAllByRole('img', { name: 'Rated 4.0 out of 5' })[0]).toBeVisible()
  expect(screen.getByText('Member since January 5, 2026')).toBeVisible()
  expect(screen.queryByText(/deals? as a seller/)).not.toBeInTheDocument()
  const roles = within(screen.getByRole('navigation', { name: 'Reviews by role' }))
  expect(roles.getByRole('link', { name: 'As a seller Rated 4.0 out of 5 (1)' })).toHaveAttribute(
    'aria-current',
  )
  expect(roles.getByRole('link', { name: 'As a buyer No ratings yet' })).not.toHaveAttribute('aria-current')
  expect(screen.getByText('Completed deals').nextSibling).toHaveTextContent('3')
  expect(screen.getByText('Cancelled deals').nextSibling).toHaveTextContent('1')
  expect(screen.getByText('Lost disputes').nextSibling).toHaveTextContent('0')
  expect(screen.getByText('Usually replies').nextSibling).toHaveTextContent('within 2 hours')
  expect(screen.getByRole('list', { name: 'Verified' })).toHaveTextContent('Email verifiedSecond factor')
  expect(screen.getByText('I sell lamps.')).toBeVisible()
  expect(screen.getByRole('list', { name: 'Sells' })).toHaveTextContent('Home & Gardenbrass lamp')
  expect(await region('Open requests').findByRole('article')).toHaveTextContent('A brass telescope')
  const entry = await region('Reviews').findByRole('article')
  expect(entry).toHaveTextContent('A day late, but as described.')
  expect(within(entry).getByRole('list', { name: 'What stood out' })).toHaveTextContent(
    'As describedShipped late',
  )
  expect(within(entry).queryByRole('button', { name: 'Reply' })).not.toBeInTheDocument()
  expect(entry).toHaveTextContent('A green lamp')
  expect(within(entry).getByRole('link', { name: 'Ada Buyer' })).toHaveAttribute('href', `/user/${id}`)
  expect(screen.queryByRole('link', { name: 'Edit Profile' })).not.toBeInTheDocument()
})

test('an empty profile shows that there are no ratings, reviews and requests', async () => {
  openBob(
    aUser(),
    answer(getPublicProfile, {
      ...profile,
      rating: 0,
      ratingCount: 0,
      cancelledDeals: 2,
      asSeller: { rating: 0, count: 0 },
      responseMinutes: null,
      badges: [],
    }),
    answer(listReviews, []),
    answer(listUserWantedItems, []),
  )
  for (const text of [
    'Not known yet',
    /Cancelled 2 deals as a seller/,
    'No reviews as a seller yet.',
    'No open requests right now.',
  ]) {
    expect(await screen.findByText(text)).toBeVisible()
  }
  expect(screen.getAllByText('No ratings yet')).toHaveLength(3)
  expect(screen.queryByRole('list', { name: 'Verified' })).not.toBeInTheDocument()
})

test('users can edit their own profile from its public page', async () => {
  const shown = { typing: true, presence: true, readReceipts: true }
  openBob(aUser({ id: aSeller.id }), answer(getEmailSettings, { off: [] }), answer(getSharingSettings, shown))
  await userEvent.click(await screen.findByRole('link', { name: 'Edit Profile' }))
  expect(window.location.pathname + window.location.search).toBe('/profile?tab=settings')
})

test('many reviews load page by page, in each role', async () => {
  const server = openBob(
    aUser(),
    answer(listReviews, ({ query: { as, cursor } }) => {
      if (as === 'buyer') return []
      return cursor ? [review(10)] : Array.from({ length: 12 }, (_, index) => review(30 - index))
    }),
  )
  await waitFor(() => expect(region('Reviews').getAllByRole('article')).toHaveLength(12))
  await userEvent.click(screen.getByRole('link', { name: 'Show more reviews' }))
  await waitFor(() => expect(region('Reviews').getAllByRole('article')).toHaveLength(13))
  await userEvent.click(screen.getByRole('link', { name: /^As a buyer/ }))
  expect(await screen.findByText('No reviews as a buyer yet.')).toBeVisible()
  expect(window.location.search).toBe('?as=buyer')
  expect(server.requestsTo(listReviews).map(({ query }) => [query.as, query.cursor])).toEqual([
    ['seller', undefined],
    ['seller', '19'],
    ['buyer', undefined],
  ])
})

test('the reviewed person replies once', async () => {
  const shown = { typing: true, presence: true, readReceipts: true }
  let reply: { text: string; createdAt: string } | null = null
  const server = openBob(
    aUser({ id: aSeller.id }),
    answer(getSharingSettings, shown),
    answer(listReviews, () => [{ ...review(30), reply }]),
    answer(replyToReview, ({ body: { text } }) => {
      reply = { text, createdAt: '2026-01-03T03:04:05.000Z' }
      return { ...review(30), reply }
    }),
  )
  await userEvent.click(await screen.findByRole('button', { name: 'Reply' }))
  expect(await screen.findByRole('button', { name: 'Publish Reply' })).toBeDisabled()
  await userEvent.type(screen.getByRole('textbox', { name: 'Your reply' }), 'Sorry for the delay.')
  await userEvent.click(screen.getByRole('button', { name: 'Publish Reply' }))
  expect(await screen.findByText('Sorry for the delay.')).toBeVisible()
  expect(screen.getByText(/Reply of Bob Tester/)).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Reply' })).not.toBeInTheDocument()
  expect(server.requestsTo(replyToReview)).toMatchObject([{ params: { id: '30' } }])
})

test('an unknown user is not found', async () => {
  openScreen('/user/nobody', { answers: [refuse(getPublicProfile, 'person_not_found')] })
  expect(await screen.findByRole('heading', { level: 1, name: 'User not found' })).toBeVisible()
})
