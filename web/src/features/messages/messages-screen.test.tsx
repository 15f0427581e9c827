import { listConversations, listMessages } from '@sought/contract/messages'
import { listOffers } from '@sought/contract/offers'
import { getWantedItem } from '@sought/contract/requests'
import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { answer, refuse } from '../../testing/fake-server.ts'
import { openScreen } from '../../testing/open-screen.tsx'
import { aConversation, aMessage, aRequest, aSeller, aUser } from '../../testing/samples.ts'

const user = aUser()

test('without conversations the empty pane says what will appear there', async () => {
  openScreen('/messages', { user, answers: [answer(listConversations, [])] })
  expect(await screen.findByRole('heading', { name: 'No conversations yet' })).toBeVisible()
  expect(screen.getByText('Messages and offers appear here.')).toBeVisible()
  expect(screen.getByRole('link', { name: 'Browse Requests' })).toHaveAttribute('href', '/')
})

test('without a selected conversation the pane asks to choose one', async () => {
  openScreen('/messages', { user, answers: [answer(listConversations, [aConversation()])] })
  expect(await screen.findByRole('heading', { name: 'Choose a conversation' })).toBeVisible()
  expect(screen.getByText('Messages and offers appear here.')).toBeVisible()
})

test('if the session has ended, a toast says so and the user is sent to sign in', async () => {
  openScreen('/messages', { user, answers: [refuse(listConversations, 'signed_out')] })
  expect(await screen.findByText('Unauthorized')).toBeVisible()
  expect(screen.getByText('You are logged out. Logging in again...')).toBeVisible()
})

test('a request that nobody has written about has no messages yet', async () => {
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

test('a conversation about a request that does not exist is not found', async () => {
  openScreen('/messages?itemId=99999999', {
    user,
    answers: [answer(listConversations, []), refuse(getWantedItem, 'item_not_found')],
  })
  expect(await screen.findByRole('heading', { name: 'Item not found' })).toBeVisible()
})

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
