import type { InputOf } from '@sought/contract/call'
import { listConversations, listMessages, sendMessage } from '@sought/contract/messages'
import { listOffers } from '@sought/contract/offers'
import { getWantedItem } from '@sought/contract/requests'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { type Answer, answer, type FakeServer } from '../../testing/fake-server.ts'
import { openScreen } from '../../testing/open-screen.tsx'
import { aConversation, aMessage, aRequest, aSeller, aUser } from '../../testing/samples.ts'

const user = aUser()
const fail: Answer = { call: sendMessage, respond: () => new Response('', { status: 429 }) }

/** A message as the server stores it. */
const stored = ({ content, clientId }: InputOf<typeof sendMessage>['body']) =>
  aMessage({
    senderId: user.id,
    receiverId: aSeller.id,
    content,
    clientId: clientId ?? null,
    isRead: false,
    readAt: null,
  })

/** Stores the messages that are sent from now on. */
function accept(server: FakeServer) {
  const messages: ReturnType<typeof stored>[] = []
  server.add(
    answer(listMessages, () => messages),
    answer(sendMessage, ({ body }) => {
      messages.push(stored(body))
      return stored(body)
    }),
  )
}

const openConversation = (...answers: Answer[]) =>
  openScreen(`/messages?itemId=3&userId=${aSeller.id}`, {
    user,
    answers: [
      answer(listConversations, [aConversation()]),
      answer(getWantedItem, aRequest()),
      answer(listOffers, []),
      answer(listMessages, []),
      ...answers,
    ],
  })

const findComposer = () => screen.findByRole('textbox', { name: 'Message to Bob Tester' })
const thread = () => screen.getByRole('log', { name: 'Messages' })
const write = async (text: string) => userEvent.type(await findComposer(), text)
const press = (name: string) => userEvent.click(within(thread()).getByRole('button', { name }))

test('Enter sends, Shift+Enter adds a line, and blank text is not sent', async () => {
  const server = openConversation()
  accept(server)
  await write('   {Enter}')
  await userEvent.clear(await findComposer())
  await write('First line{Shift>}{Enter}{/Shift}second line')
  expect(await findComposer()).toHaveValue('First line\nsecond line')
  await write('{Enter}')
  expect(await findComposer()).toHaveValue('')
  expect(await screen.findByText('Message sent!')).toBeVisible()
  await waitFor(() => expect(thread()).toHaveTextContent('✓ Sent'))
  expect(server.requestsTo(sendMessage)).toMatchObject([
    { body: { content: 'First line\nsecond line', wantedItemId: 3, receiverId: aSeller.id } },
  ])
})

test('a draft is restored when the conversation is opened again', async () => {
  openConversation()
  await write('First line{Shift>}{Enter}{/Shift}second line')
  cleanup()
  openConversation()
  expect(await findComposer()).toHaveValue('First line\nsecond line')
})

test('a failed message shows an error, and a retry sends the same message', async () => {
  const server = openConversation(fail)
  await write('Is it still wanted?{Enter}')
  expect(await screen.findByText('Failed to send message. Please try again.')).toBeVisible()
  expect(thread()).toHaveTextContent('Not sent')
  accept(server)
  await press('Retry')
  await waitFor(() => expect(thread()).toHaveTextContent('✓ Sent'))
  expect(within(thread()).getAllByText('Is it still wanted?')).toHaveLength(1)
  expect(within(thread()).queryByRole('button', { name: 'Retry' })).not.toBeInTheDocument()
  const [first, second, ...others] = server.requestsTo(sendMessage).map(({ body }) => body.clientId)
  expect(second).toBe(first)
  expect(others).toEqual([])
})

test('a failed message that the server has received is shown once, as sent', async () => {
  const server = openConversation(fail)
  await write('Did this arrive?{Enter}')
  await waitFor(() => expect(thread()).toHaveTextContent('Not sent'))
  server.add(answer(listMessages, () => server.requestsTo(sendMessage).map(({ body }) => stored(body))))
  await server.cache.invalidateQueries()
  await waitFor(() => expect(thread()).toHaveTextContent('✓ Sent'))
  expect(thread()).not.toHaveTextContent('Not sent')
  expect(within(thread()).getAllByText('Did this arrive?')).toHaveLength(1)
})

test('a discarded message does not come back', async () => {
  openConversation(fail)
  await write('Never mind{Enter}')
  await waitFor(() => expect(thread()).toHaveTextContent('Not sent'))
  await press('Discard')
  await waitFor(() => expect(thread()).toHaveTextContent('No messages yet.'))
  expect(thread()).not.toHaveTextContent('Never mind')
  await waitFor(() => expect(Object.keys(localStorage)).toEqual([]))
})

test('a warning is shown below a received message, and links show their destination', async () => {
  const warning = 'This message mentions another way to pay. Only payments through Sought are protected.'
  const content = 'Pay on https://sought.market@evil.example/pay/a-very-long-path-that-is-shortened, please'
  openConversation(answer(listMessages, [aMessage({ content, warning })]))
  expect(await screen.findByRole('note')).toHaveTextContent(warning)
  const link = within(thread()).getByRole('link')
  expect(link).toHaveTextContent(/^evil\.example\/pay\/a-very-long-path-th…$/)
  expect(link).toHaveAttribute(
    'href',
    'https://sought.market@evil.example/pay/a-very-long-path-that-is-shortened',
  )
  expect(link).toHaveAttribute('rel', 'noopener noreferrer nofollow ugc')
})
