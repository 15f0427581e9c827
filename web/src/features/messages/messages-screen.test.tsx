import { listConversations, listMessages, markMessagesRead } from '@sought/contract/messages'
import { listOffers } from '@sought/contract/offers'
import { getWantedItem } from '@sought/contract/requests'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { answer, answerLater, refuse } from '../../testing/fake-server.ts'
import { openScreen } from '../../testing/open-screen.tsx'
import { aConversation, aMessage, aRequest, aSeller, aUser } from '../../testing/samples.ts'

const user = aUser()

test('the empty pane explains what will appear there', async () => {
  openScreen('/messages', { user, answers: [answer(listConversations, [])] })
  expect(await screen.findByRole('heading', { name: 'No conversations yet' })).toBeVisible()
  expect(screen.getByText('Messages and offers appear here.')).toBeVisible()
  expect(screen.getByRole('link', { name: 'Browse Requests' })).toHaveAttribute('href', '/')
})

const PAGE_SIZE = 200

/** Two full pages and a last one, each with requests of its own. */
const manyConversations = answer(listConversations, ({ query }) => {
  const page = query.cursor === undefined ? 0 : Number(query.cursor.split('~')[1]) / PAGE_SIZE
  const length = page === 2 ? 1 : PAGE_SIZE
  return Array.from({ length }, (_, place) => {
    const id = page * PAGE_SIZE + place + 1
    return aConversation({ wantedItem: { ...aConversation().wantedItem, id, title: `Request ${id}` } })
  })
})

test('older conversations are loaded with a button, until there are no more', async () => {
  openScreen('/messages', { user, answers: [manyConversations] })
  const list = await screen.findByRole('navigation', { name: 'Conversations' })
  expect(await within(list).findByText('Request 200')).toBeVisible()
  expect(within(list).queryByText('Request 201')).not.toBeInTheDocument()
  const showOlder = () => within(list).findByRole('button', { name: 'Show older conversations' })
  await userEvent.click(await showOlder())
  expect(await within(list).findByText('Request 400')).toBeVisible()
  await userEvent.click(await showOlder())
  expect(await within(list).findByText('Request 401')).toBeVisible()
  expect(within(list).queryByRole('button')).not.toBeInTheDocument()
})

test('a conversation on a later page can be opened by its address', { tags: ['proof'] }, async () => {
  openScreen(`/messages?itemId=401&userId=${aSeller.id}`, {
    user,
    answers: [
      manyConversations,
      answer(getWantedItem, aRequest({ id: 401 })),
      answer(listOffers, []),
      answer(listMessages, [aMessage()]),
    ],
  })
  expect(await screen.findByRole('heading', { name: 'Bob Tester' })).toBeVisible()
  expect(screen.getByRole('link', { current: true })).toHaveTextContent('Request 401')
})

test('the pane asks the user to choose a conversation', async () => {
  openScreen('/messages', { user, answers: [answer(listConversations, [aConversation()])] })
  expect(await screen.findByRole('heading', { name: 'Choose a conversation' })).toBeVisible()
  expect(screen.getByText('Messages and offers appear here.')).toBeVisible()
})

test('if the session has ended, a toast says so and the user is sent to sign in', async () => {
  openScreen('/messages', { user, answers: [refuse(listConversations, 'signed_out')] })
  expect(await screen.findByText('Unauthorized')).toBeVisible()
  expect(screen.getByText('You are logged out. Logging in again...')).toBeVisible()
})

test('a request without a conversation shows no messages yet', async () => {
  openScreen('/messages?itemId=3', {
    user,
    answers: [answer(listConversations, []), answer(getWantedItem, aRequest())],
  })
  expect(await screen.findByRole('heading', { name: 'No messages yet' })).toBeVisible()
})

test('a conversation with a user who never wrote is not found', async () => {
  openScreen('/messages?itemId=3&userId=somebody', {
    user,
    answers: [answer(listConversations, []), answer(getWantedItem, aRequest())],
  })
  expect(await screen.findByRole('heading', { name: 'Conversation not found' })).toBeVisible()
})

test.each(['item_not_found', 'item_removed'] as const)(
  'a conversation about a missing request is not found: %s',
  async (code) => {
    openScreen('/messages?itemId=99999999', {
      user,
      answers: [answer(listConversations, []), refuse(getWantedItem, code)],
    })
    expect(await screen.findByRole('heading', { name: 'Item not found' })).toBeVisible()
  },
)

test('the name above a conversation links to the public profile', async () => {
  openScreen(`/messages?itemId=3&userId=${aSeller.id}`, {
    user,
    answers: [
      answer(listConversations, [aConversation()]),
      answer(getWantedItem, aRequest()),
      answer(listOffers, []),
      answer(listMessages, [aMessage()]),
    ],
  })
  const heading = await screen.findByRole('heading', { name: 'Bob Tester' })
  expect(within(heading).getByRole('link')).toHaveAttribute('href', `/user/${aSeller.id}`)
})

test('opening a conversation removes it from the unread count, unless marking it fails', async () => {
  const failure = answerLater(refuse(markMessagesRead, 'unavailable'))
  const server = openScreen(`/messages?itemId=3&userId=${aSeller.id}`, {
    user,
    answers: [
      answer(listConversations, [aConversation({ unreadCount: 4 })]),
      answer(getWantedItem, aRequest()),
      answer(listOffers, []),
      answer(listMessages, [aMessage({ isRead: false, readAt: null })]),
      failure,
    ],
  })
  const list = await screen.findByRole('navigation', { name: 'Conversations' })
  await waitFor(() => expect(server.requestsTo(markMessagesRead)).toHaveLength(1))
  await waitFor(() => expect(within(list).queryByText('4')).not.toBeInTheDocument())
  failure.release()
  expect(await within(list).findByText('4')).toBeVisible()
  expect(server.requestsTo(markMessagesRead)).toHaveLength(1)
})
