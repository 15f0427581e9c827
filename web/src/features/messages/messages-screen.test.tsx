import { listConversations } from '@sought/contract/messages'
import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { answer, refuse } from '../../testing/fake-server.ts'
import { openScreen } from '../../testing/open-screen.tsx'
import { aUser } from '../../testing/samples.ts'

const user = aUser()

test('without conversations the empty pane says what will appear there', async () => {
  openScreen('/messages', { user, answers: [answer(listConversations, [])] })
  expect(await screen.findByRole('heading', { name: 'No conversations yet' })).toBeVisible()
  expect(screen.getByText('Messages and offers appear here.')).toBeVisible()
  expect(screen.getByRole('link', { name: 'Browse Requests' })).toHaveAttribute('href', '/')
})

test('without a selected conversation the pane asks to choose one', async () => {
  const bob = { id: '0192d3a0-0000-7000-8000-000000000002', name: 'Bob', rating: 0, profileImageUrl: null }
  const wantedItem = {
    id: 7,
    title: 'A lamp',
    category: 'Other',
    imageUrl: null,
    userId: user.id,
    minBudget: 0,
    maxBudget: 120,
  }
  const conversation = {
    wantedItem,
    user: bob,
    lastMessage: null,
    activeAt: '2026-11-15T12:00:00.000Z',
    unreadCount: 0,
  }
  openScreen('/messages', { user, answers: [answer(listConversations, [conversation])] })
  expect(await screen.findByRole('heading', { name: 'Choose a conversation' })).toBeVisible()
  expect(screen.getByText('Messages and offers appear here.')).toBeVisible()
})

test('if the session has ended, a toast says so and the user is sent to sign in', async () => {
  openScreen('/messages', { user, answers: [refuse(listConversations, 'signed_out')] })
  expect(await screen.findByText('Unauthorized')).toBeVisible()
  expect(screen.getByText('You are logged out. Logging in again...')).toBeVisible()
})
