import { getIsAdmin } from '@sought/contract/accounts'
import { listConversations, listMessages } from '@sought/contract/messages'
import { countUnreadNotifications, listNotifications } from '@sought/contract/notifications'
import { listOffers } from '@sought/contract/offers'
import { listPayments } from '@sought/contract/payments'
import { getConfig } from '@sought/contract/platform'
import { acceptPolicy, listPoliciesToAccept } from '@sought/contract/policies'
import { getWantedItem } from '@sought/contract/requests'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { navigate } from 'wouter/use-browser-location'
import { type Answer, answer, refuse } from '../testing/fake-server.ts'
import { openScreen } from '../testing/open-screen.tsx'
import {
  aConfig,
  aConversation,
  aListedPayment,
  aMarket,
  aMessage,
  aRequest,
  aSeller,
  aUser,
  type TestUser,
} from '../testing/samples.ts'

const user = aUser()

const shellAnswers = [
  answer(listConversations, []),
  answer(countUnreadNotifications, { unread: 0 }),
  answer(listNotifications, []),
]

const open = (path: string, ...answers: Answer[]) =>
  openScreen(path, { user, withShell: true, answers: [...shellAnswers, ...answers] })

const unreadMessages = (unreadCount: number) => answer(listConversations, [aConversation({ unreadCount })])

test('the badge of unread messages shows 9+ above nine', async () => {
  const server = open('/terms-of-service', unreadMessages(9))
  expect(await screen.findByRole('link', { name: 'Messages, 9 unread' })).toHaveTextContent('9')
  server.add(unreadMessages(10))
  await server.announce('messages')
  expect(await screen.findByRole('link', { name: 'Messages, 9+ unread' })).toHaveTextContent('9+')
})

test('the bell shows 9+ above nine, and a list that failed to load can be loaded again', async () => {
  const server = open(
    '/terms-of-service',
    answer(countUnreadNotifications, { unread: 10 }),
    refuse(listNotifications, 'too_many'),
  )
  const bell = await screen.findByRole('button', { name: 'Notifications, 9+ unread' })
  expect(bell).toHaveTextContent('9+')
  await userEvent.click(bell)
  // Without a layout the panel counts as detached from its button, which hides it.
  const alert = await screen.findByRole('alert', { hidden: true })
  expect(alert).toHaveTextContent('Your notifications could not be loaded.')
  server.add(answer(listNotifications, []))
  fireEvent.click(within(alert).getByText('Try Again'))
  expect(await screen.findByText(/No notifications yet\./)).toBeInTheDocument()
})

test('the phone menu counts unread notifications and leads to them', async () => {
  open('/terms-of-service', answer(countUnreadNotifications, { unread: 10 }))
  await userEvent.click(await screen.findByRole('button', { name: 'Open menu, 9+ unread' }))
  const entry = within(screen.getByRole('navigation', { name: 'Menu' })).getByRole('link', {
    name: /^Notifications/,
  })
  expect(entry).toHaveTextContent('9+')
  await userEvent.click(entry)
  expect(await screen.findByRole('heading', { name: 'No notifications yet' })).toBeVisible()
  expect(window.location.pathname).toBe('/notifications')
})

test('a message appears when the server announces it, without polling', async () => {
  const server = open(
    `/messages?itemId=3&userId=${aSeller.id}`,
    answer(listConversations, [aConversation()]),
    answer(getWantedItem, aRequest()),
    answer(listOffers, []),
    answer(listMessages, [aMessage()]),
  )
  vi.useFakeTimers({ shouldAdvanceTime: true })
  expect(await screen.findByText('I have one.')).toBeVisible()
  server.add(answer(listMessages, [aMessage({ id: 12, content: 'With a glass shade.' }), aMessage()]))
  await vi.advanceTimersByTimeAsync(3_600_000)
  expect(server.requestsTo(listMessages)).toHaveLength(1)
  await server.announce('messages')
  expect(await screen.findByText('With a glass shade.')).toBeVisible()
  expect(server.requestsTo(listMessages)).toHaveLength(2)
})

test('server events update a pending payment', async () => {
  const server = open(
    '/payment-success?escrow=true&payment_intent=pi_1',
    answer(listPayments, [aListedPayment({ status: 'pending' })]),
  )
  expect(await screen.findByRole('heading', { name: 'Processing your payment' })).toBeVisible()
  server.add(answer(listPayments, [aListedPayment()]))
  await server.announce('payments')
  await waitFor(() => expect(server.requestsTo(listPayments)).toHaveLength(2))
  expect(await screen.findByRole('heading', { name: 'Payment Successful' })).toBeVisible()
})

const header = async () => within(await screen.findByRole('banner'))

/** The part of the header on wide screens. The rest is the menu on phones. */
const accountBar = async () =>
  within(
    (await (await header()).findByRole('button', { name: 'Post' })).parentElement ?? expect.unreachable(),
  )

test('for visitors, the header has only a Sign In button', async () => {
  openScreen('/terms-of-service', { withShell: true })
  const bar = await header()
  expect(bar.getByRole('link', { name: 'Sign In' })).toHaveAttribute('href', '/auth')
  expect(bar.getByRole('link', { name: 'Sought, home' })).toHaveAttribute('href', '/')
  expect(bar.getAllByRole('link')).toHaveLength(2)
  expect(bar.getByPlaceholderText('What are you looking for today?')).toBeVisible()
})

test('for users, the header has every entry except that of admins', async () => {
  open('/terms-of-service')
  await (await header()).findByRole('button', { name: 'Account menu' })
  const bar = await accountBar()
  for (const [name, path] of [
    ['Messages', '/messages'],
    ['Payments', '/payments'],
    ['Seller Setup', '/seller-setup'],
  ] as const) {
    expect(bar.getByRole('link', { name })).toHaveAttribute('href', path)
  }
  expect(bar.queryByRole('link', { name: 'Admin Disputes' })).not.toBeInTheDocument()
  await userEvent.click(bar.getByRole('button', { name: 'Post' }))
  expect(window.location.pathname).toBe('/post')
})

test.each([
  ['admin', 'Admin Disputes', '/admin'],
  ['moderator', 'Moderation', '/admin/moderation'],
  ['finance', 'Manual payouts', '/admin/payouts'],
] as const)('the header link of the role %s opens its first page', async (role, name, path) => {
  open('/terms-of-service', answer(getIsAdmin, { isAdmin: role === 'admin', role }))
  await waitFor(async () =>
    expect((await accountBar()).getByRole('link', { name })).toHaveAttribute('href', path),
  )
})

test('the account menu shows name and email, and links to the profile', async () => {
  open('/terms-of-service')
  await userEvent.click(await (await header()).findByRole('button', { name: 'Account menu' }))
  const menu = await screen.findByRole('menu')
  expect(menu).toHaveTextContent('Ada Buyer')
  expect(menu).toHaveTextContent('ada@example.com')
  expect(within(menu).getByRole('menuitem', { name: 'Profile' })).toHaveAttribute('href', '/profile')
})

test('an unknown path shows the page for missing addresses', async () => {
  openScreen('/terms-of-service', { withShell: true })
  await header()
  act(() => navigate('/nowhere'))
  expect(await screen.findByRole('heading', { name: 'Page Not Found' })).toBeVisible()
  expect(within(screen.getByRole('main')).getByRole('link')).toHaveAttribute('href', '/')
})

test('the footer has its columns, links and texts', async () => {
  openScreen('/terms-of-service', { withShell: true })
  const element = await screen.findByRole('contentinfo')
  const footer = within(element)
  for (const title of ['Legal & Policies', 'For Buyers', 'For Sellers']) {
    expect(footer.getByRole('heading', { name: title })).toBeVisible()
  }
  for (const promise of ['100% Buyer Protection', '7-Day Escrow Hold', '24/7 Support', 'Secure Payments']) {
    expect(element).toHaveTextContent(promise)
  }
  for (const [name, path] of [
    ['Terms of Service', '/terms-of-service'],
    ['Privacy Policy', '/privacy-policy'],
    ['Refund Policy', '/refund-policy'],
    ['Dispute Resolution', '/dispute-resolution'],
  ] as const) {
    expect(footer.getAllByRole('link', { name })[0]).toHaveAttribute('href', path)
  }
})

const openLimited = (limits: Partial<TestUser>) =>
  openScreen('/terms-of-service', { user: aUser(limits), withShell: true, answers: shellAnswers })

// Noon of the same day in every time zone.
const until = new Date(2126, 10, 22, 12).toISOString()

test.each([
  [{ suspendedUntil: until }, 'Your account is suspended until November 22, 2126'],
  [{ restrictedUntil: until }, 'Your account is restricted until November 22, 2126'],
  [{ suspendedUntil: '9999-12-31T00:00:00.000Z' }, 'Your account is suspended permanently'],
])('every page shows that the account is limited: %o', async (limits, title) => {
  openLimited(limits)
  const notice = await screen.findByRole('region', { name: 'Account status' })
  expect(notice).toHaveTextContent(title)
  expect(within(notice).getByRole('link')).toHaveAttribute('href', '/profile?tab=decisions')
})

test('a suspension that has ended is not shown', async () => {
  openLimited({ suspendedUntil: '2020-01-01T00:00:00.000Z', restrictedUntil: until })
  const notice = await screen.findByRole('region', { name: 'Account status' })
  expect(notice).not.toHaveTextContent('suspended')
})

const newTerms = {
  policy: 'terms_of_service',
  version: 2,
  effectiveFrom: '2026-11-17T00:00:00.000Z',
} as const

test('users accept new terms in the notice, which then disappears', async () => {
  const server = openScreen('/refund-policy', {
    user,
    withShell: true,
    market: { policies: [newTerms] },
    answers: [...shellAnswers, answer(listPoliciesToAccept, [newTerms])],
  })
  const notice = within(await screen.findByRole('region', { name: 'New terms' }))
  expect(notice.getByRole('link', { name: 'Terms of Service' })).toHaveAttribute('href', '/terms-of-service')
  server.add(refuse(acceptPolicy, 'policy_not_in_force'))
  await userEvent.click(notice.getByRole('button', { name: 'Accept' }))
  expect(await screen.findByText(/This version is not in force/)).toBeVisible()
  server.add(answer(acceptPolicy, { ok: true }), answer(listPoliciesToAccept, []))
  await userEvent.click(notice.getByRole('button', { name: 'Accept' }))
  await waitFor(() => expect(screen.queryByRole('region', { name: 'New terms' })).not.toBeInTheDocument())
  expect(server.requestsTo(acceptPolicy).at(-1)?.body).toEqual({ policy: 'terms_of_service', version: 2 })
})

test('a read-only market shows a notice and asks nobody for consent, because it could not store it', async () => {
  const server = openScreen('/refund-policy', {
    user,
    withShell: true,
    market: { policies: [newTerms], mode: 'read_only' },
    answers: shellAnswers,
  })
  expect(await screen.findByText('The market is read-only')).toBeVisible()
  expect(server.requestsTo(listPoliciesToAccept)).toEqual([])
})

test('a page with outdated settings shows the current ones once live updates start', async () => {
  const server = open('/refund-policy')
  await screen.findByRole('heading', { name: 'Refund Policy' })
  server.add(answer(getConfig, aConfig({ market: aMarket({ mode: 'maintenance' }) })))
  await server.announce('everything')
  expect(await screen.findByText('The market is closed for maintenance')).toBeVisible()
})

test('with the built-in terms, nobody is asked for consent', async () => {
  const server = open('/refund-policy')
  await screen.findByRole('heading', { name: 'Refund Policy' })
  expect(server.requestsTo(listPoliciesToAccept)).toEqual([])
})
