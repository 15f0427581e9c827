import { listConversations } from '@sought/contract/messages'
import {
  countUnreadNotifications,
  listNotifications,
  markNotificationsRead,
} from '@sought/contract/notifications'
import { screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { answer, answerLater, dropConnection, neverAnswer, refuse } from '../../testing/fake-server.ts'
import { openScreen } from '../../testing/open-screen.tsx'
import { aUser } from '../../testing/samples.ts'

const user = aUser()

const offer = {
  id: 7,
  kind: 'offer_made' as const,
  title: 'New offer',
  text: 'Bob offers $120.00 for your lamp.',
  path: '/messages?itemId=3',
  actor: null,
  readAt: null,
  createdAt: '2026-11-16T09:00:00.000Z',
}

const openWithOneUnread = () =>
  openScreen('/notifications', {
    user,
    answers: [answer(countUnreadNotifications, { unread: 1 }), answer(listNotifications, [offer])],
  })

test('unread notifications link to their screens', async () => {
  openWithOneUnread()
  const link = await screen.findByRole('link', { name: /New offer/ })
  expect(link).toHaveAttribute('href', '/messages?itemId=3')
  expect(link).toHaveTextContent('Unread')
})

test('all notifications can be marked as read at once', async () => {
  const server = openWithOneUnread()
  server.add(answer(markNotificationsRead, { ok: true }))
  await userEvent.click(await screen.findByRole('button', { name: 'Mark all read' }))
  expect(server.requestsTo(markNotificationsRead)).toEqual([{ body: {} }])
})

test('marking as read is shown before the answer, and undone by a failure', async () => {
  const failure = answerLater(refuse(markNotificationsRead, 'unavailable'))
  openWithOneUnread().add(failure)
  await userEvent.click(await screen.findByRole('button', { name: 'Mark all read' }))
  await waitFor(() => expect(screen.queryByText('Unread')).not.toBeInTheDocument())
  expect(screen.queryByRole('button', { name: 'Mark all read' })).not.toBeInTheDocument()
  failure.release()
  expect(
    await screen.findByText('The notifications could not be marked as read. Please try again.'),
  ).toBeVisible()
  expect(screen.getByText('Unread')).toBeInTheDocument()
  expect(screen.getByRole('button', { name: 'Mark all read' })).toBeVisible()
})

test('opening a notification removes it from the bell’s count, unless marking it fails', async () => {
  const failure = answerLater(refuse(markNotificationsRead, 'unavailable'))
  const server = openScreen('/notifications', {
    user,
    withShell: true,
    answers: [
      answer(listConversations, []),
      answer(countUnreadNotifications, { unread: 2 }),
      answer(listNotifications, [{ ...offer, path: '/terms-of-service' }]),
      failure,
    ],
  })
  await screen.findByRole('button', { name: 'Notifications, 2 unread' })
  await userEvent.click(await screen.findByRole('link', { name: /New offer/ }))
  expect(await screen.findByRole('button', { name: 'Notifications, 1 unread' })).toBeVisible()
  failure.release()
  expect(await screen.findByRole('button', { name: 'Notifications, 2 unread' })).toBeVisible()
  expect(server.requestsTo(markNotificationsRead)).toEqual([{ body: { id: 7 } }])
})

test('the empty screen explains what will appear there', async () => {
  openScreen('/notifications', {
    user,
    answers: [answer(countUnreadNotifications, { unread: 0 }), answer(listNotifications, [])],
  })
  expect(await screen.findByRole('heading', { name: 'No notifications yet' })).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Mark all read' })).not.toBeInTheDocument()
})

test('skeletons are shown while the notifications load', async () => {
  openScreen('/notifications', {
    user,
    answers: [neverAnswer(countUnreadNotifications), neverAnswer(listNotifications)],
  })
  expect(await screen.findByRole('status', { name: 'Loading notifications' })).toBeVisible()
})

test('a list that failed to load over a broken connection can be loaded again', async () => {
  const server = openScreen('/notifications', {
    user,
    answers: [answer(countUnreadNotifications, { unread: 0 }), dropConnection(listNotifications)],
  })
  const retry = await screen.findByRole('button', { name: 'Try Again' })
  server.add(answer(listNotifications, [offer]))
  await userEvent.click(retry)
  expect(await screen.findByRole('link', { name: /New offer/ })).toBeVisible()
})

test('visitors are asked to sign in', async () => {
  openScreen('/notifications')
  expect(await screen.findByRole('heading', { name: 'Login Required' })).toBeVisible()
  expect(screen.getByRole('link', { name: 'Sign In' })).toHaveAttribute(
    'href',
    '/auth?returnTo=%2Fnotifications',
  )
})

test('when the session ends, the screen asks to sign in again', async () => {
  openWithOneUnread().add(refuse(markNotificationsRead, 'signed_out'))
  await userEvent.click(await screen.findByRole('button', { name: 'Mark all read' }))
  expect(await screen.findByRole('heading', { name: 'Login Required' })).toBeVisible()
})
