import { listConversations, listMessages, sendMessage } from '@sought/contract/messages'
import { listOffers, makeOffer } from '@sought/contract/offers'
import { uploadPhoto } from '@sought/contract/photos'
import { getWantedItem } from '@sought/contract/requests'
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
import { type Answer, answer, refuse } from '../../testing/fake-server.ts'
import { openScreen } from '../../testing/open-screen.tsx'
import {
  aConversation,
  aMessage,
  anOffer,
  aRequest,
  aSeller,
  aSellerUser,
  aUser,
} from '../../testing/samples.ts'

const aPhoto = (id: number) => ({ id, url: `/api/photos/${id}`, width: 400, height: 300 })
const file = (name = 'lamp.png') => new File(['x'], name, { type: 'image/png' })

beforeEach(() => {
  vi.stubGlobal(
    'URL',
    Object.assign(URL, { createObjectURL: () => 'blob:preview', revokeObjectURL: () => {} }),
  )
})

/** Every upload is stored under the next id. */
function storePhotos(): Answer {
  let id = 0
  return answer(uploadPhoto, () => {
    id++
    return aPhoto(id)
  })
}

const openConversation = (...answers: Answer[]) =>
  openScreen(`/messages?itemId=3&userId=${aSeller.id}`, {
    user: aUser(),
    answers: [
      answer(listConversations, [aConversation()]),
      answer(getWantedItem, aRequest()),
      answer(listOffers, []),
      answer(listMessages, []),
      answer(sendMessage, ({ body }) => aMessage({ content: body.content, clientId: body.clientId ?? null })),
      storePhotos(),
      ...answers,
    ],
  })

const findComposer = () => screen.findByRole('textbox', { name: 'Message to Bob Tester' })
const previews = () => within(screen.getByRole('list', { name: 'Photos to send' })).getAllByRole('listitem')
const addPhotos = async (...files: File[]) =>
  userEvent.upload((await screen.findAllByLabelText('Add Photos'))[0] as HTMLElement, files)

test('chosen, pasted and dropped photos are uploaded and sent without text', async () => {
  const server = openConversation()
  const composer = await findComposer()
  await addPhotos(file())
  fireEvent.paste(composer, { clipboardData: { files: [file('pasted.png')] } })
  const dropped = { files: [file('dropped.png'), new File(['x'], 'note.txt')], types: ['Files'] }
  fireEvent.drop(screen.getByRole('region', { name: 'Conversation with Bob Tester' }), {
    dataTransfer: dropped,
  })
  await waitFor(() => expect(server.requestsTo(uploadPhoto)).toHaveLength(3))
  await waitFor(() => expect(screen.getByRole('button', { name: 'Send' })).toBeEnabled())
  expect(previews()).toHaveLength(3)
  await userEvent.click(screen.getByRole('button', { name: 'Remove photo 2' }))
  await userEvent.type(composer, '{Enter}')
  await waitFor(() =>
    expect(server.requestsTo(sendMessage)).toMatchObject([{ body: { content: '', photoIds: [1, 3] } }]),
  )
  expect(screen.queryByRole('list', { name: 'Photos to send' })).not.toBeInTheDocument()
})

test('more than four photos are not added, and a refused one shows the reason', async () => {
  const server = openConversation(refuse(uploadPhoto, 'unavailable'))
  await findComposer()
  await addPhotos(file(), file(), file(), file(), file())
  expect(await screen.findByText('Up to 4 photos')).toBeVisible()
  expect(previews()).toHaveLength(4)
  await screen.findAllByText('The service is temporarily unavailable. Please try again in a minute.')
  expect(screen.getByRole('button', { name: 'Send' })).toBeDisabled()
  for (const number of [4, 3, 2]) {
    await userEvent.click(screen.getByRole('button', { name: `Remove photo ${number}` }))
  }
  server.add(storePhotos())
  await userEvent.click(screen.getByRole('button', { name: 'Upload photo 1 again' }))
  await waitFor(() => expect(screen.getByRole('button', { name: 'Send' })).toBeEnabled())
  server.add(refuse(uploadPhoto, 'not_an_image'))
  await addPhotos(file('note.gif'))
  expect(await screen.findByText('Please upload an image file (JPG, PNG, etc.)')).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Upload photo 2 again' })).not.toBeInTheDocument()
})

test('photos of a draft are restored when the conversation is opened again', async () => {
  openConversation()
  await findComposer()
  await addPhotos(file())
  await waitFor(() => expect(screen.getByRole('button', { name: 'Send' })).toBeEnabled())
  cleanup()
  openConversation()
  await findComposer()
  expect(within(previews()[0] as HTMLElement).getByRole('img')).toHaveAttribute(
    'src',
    '/api/photos/1?size=small',
  )
})

test('photos in the thread open in a lightbox with keyboard and swipe', async () => {
  const photos = [aPhoto(1), aPhoto(2), aPhoto(3)]
  openConversation(answer(listMessages, [aMessage({ content: '', photos })]))
  const opener = await screen.findByRole('button', { name: 'Open photo 2 of 3' })
  await userEvent.click(opener)
  const lightbox = await screen.findByRole('dialog', { name: 'Photo 2 of 3' })
  expect(within(lightbox).getByRole('img')).toHaveAttribute('src', '/api/photos/2')
  await userEvent.keyboard('{ArrowRight}{ArrowRight}')
  expect(lightbox).toHaveAccessibleName('Photo 3 of 3')
  expect(within(lightbox).queryByRole('button', { name: 'Next photo' })).not.toBeInTheDocument()
  fireEvent.touchStart(lightbox, { touches: [{ clientX: 10 }], changedTouches: [{ clientX: 10 }] })
  fireEvent.touchEnd(lightbox, { changedTouches: [{ clientX: 200 }] })
  expect(lightbox).toHaveAccessibleName('Photo 2 of 3')
  await userEvent.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
  expect(opener).toHaveFocus()
})

test('the list of conversations shows Photo for a message without text', async () => {
  const lastMessage = {
    content: '',
    photoCount: 1,
    isHidden: false,
    senderId: aUser().id,
    createdAt: '2026-11-15T12:00:00.000Z',
  }
  openConversation(answer(listConversations, [aConversation({ lastMessage })]))
  expect(await screen.findByText('You: Photo')).toBeInTheDocument()
})

test('an offer can have photos', async () => {
  const server = openScreen(`/messages?itemId=3&userId=${aUser().id}`, {
    user: aSellerUser(),
    answers: [
      answer(listConversations, []),
      answer(getWantedItem, aRequest()),
      answer(listOffers, []),
      answer(listMessages, []),
      answer(makeOffer, anOffer()),
      storePhotos(),
    ],
  })
  const form = await screen.findByRole('form', { name: 'Make an offer' })
  await userEvent.upload(within(form).getByLabelText('Add Photos'), file())
  const button = within(form).getByRole('button', { name: /^Offer/ })
  await waitFor(() => expect(button).toBeEnabled())
  await userEvent.click(button)
  await waitFor(() => expect(server.requestsTo(makeOffer)).toMatchObject([{ body: { photoIds: [1] } }]))
})
