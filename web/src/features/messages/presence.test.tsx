import { announceTyping, getPresence, listConversations, listMessages } from '@sought/contract/messages'
import { listOffers } from '@sought/contract/offers'
import { getWantedItem } from '@sought/contract/requests'
import { act, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { showTyping } from '../../data/typing.ts'
import { type Answer, answer } from '../../testing/fake-server.ts'
import { openScreen } from '../../testing/open-screen.tsx'
import { aConversation, aMessage, aRequest, aSeller, aUser } from '../../testing/samples.ts'

const openConversation = (...answers: Answer[]) =>
  openScreen(`/messages?itemId=3&userId=${aSeller.id}`, {
    user: aUser(),
    answers: [
      answer(listConversations, [aConversation()]),
      answer(getWantedItem, aRequest()),
      answer(listOffers, []),
      answer(listMessages, [aMessage()]),
      answer(getPresence, { online: true, lastSeenAt: '2026-11-15T12:00:00.000Z' }),
      ...answers,
    ],
  })

test('the header shows whether the other person is online or typing', async () => {
  const server = openConversation()
  expect(await screen.findByText('Online')).toBeVisible()
  act(() => showTyping({ userId: aSeller.id, wantedItemId: 3 }))
  expect(screen.getByText('Typing…')).toBeVisible()
  act(() => showTyping({ userId: aSeller.id, wantedItemId: 4 }))
  server.add(answer(listMessages, [aMessage({ id: 12 }), aMessage()]))
  await act(() => server.cache.invalidateQueries())
  expect(await screen.findByText('Online')).toBeVisible()
})

test('an offline person has a last-seen time, and a person who does not share it has none', async () => {
  const lastSeenAt = new Date(Date.now() - 3 * 3_600_000).toISOString()
  const server = openConversation(answer(getPresence, { online: false, lastSeenAt }))
  expect(await screen.findByText('Last seen 3 hours ago')).toBeVisible()
  server.add(answer(getPresence, { online: false, lastSeenAt: null }))
  await act(() => server.cache.invalidateQueries())
  await waitFor(() => expect(screen.queryByText(/Last seen/)).not.toBeInTheDocument())
})

test('typing is announced once every few seconds, and not before the first message', async () => {
  const server = openConversation(answer(listMessages, []))
  const composer = await screen.findByRole('textbox', { name: 'Message to Bob Tester' })
  await userEvent.type(composer, 'Hello')
  expect(server.requestsTo(announceTyping)).toEqual([])
  expect(server.requestsTo(getPresence)).toEqual([])
  server.add(answer(listMessages, [aMessage()]))
  await act(() => server.cache.invalidateQueries())
  await screen.findByText('I have one.')
  await userEvent.type(composer, ' there')
  expect(server.requestsTo(announceTyping)).toEqual([{ body: { wantedItemId: 3, receiverId: aSeller.id } }])
})
