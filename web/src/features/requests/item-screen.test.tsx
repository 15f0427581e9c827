import { listOffers } from '@sought/contract/offers'
import { closeWantedItem, editWantedItem, getWantedItem, reopenWantedItem } from '@sought/contract/requests'
import { screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { answer, refuse } from '../../testing/fake-server.ts'
import { openScreen } from '../../testing/open-screen.tsx'
import { aRequest, aUser } from '../../testing/samples.ts'

const openAsOwner = () =>
  openScreen('/item/3', {
    user: aUser(),
    answers: [answer(getWantedItem, aRequest()), answer(listOffers, [])],
  })

async function pressClose() {
  await userEvent.click(await screen.findByRole('button', { name: 'Close' }))
  const dialog = await screen.findByRole('alertdialog', { name: 'Close this request?' })
  await userEvent.click(within(dialog).getByRole('button', { name: 'Close Request' }))
}

test('a visitor who contacts the buyer has to sign in first', async () => {
  openScreen('/item/3', { answers: [answer(getWantedItem, aRequest())] })
  await userEvent.click(await screen.findByRole('button', { name: 'Contact Buyer' }))
  expect(await screen.findByText('Please log in to contact buyers')).toBeVisible()
  expect(window.location.pathname + window.location.search).toBe('/auth?returnTo=%2Fitem%2F3')
})

test('a missing item says so, with a way back to the marketplace', async () => {
  openScreen('/item/3', { answers: [refuse(getWantedItem, 'item_not_found')] })
  expect(await screen.findByRole('heading', { name: 'Item not found' })).toBeVisible()
  expect(screen.getByRole('link', { name: 'Back to Marketplace' })).toHaveAttribute('href', '/')
})

test('the owner sees the offers instead of the contact button', async () => {
  openAsOwner()
  expect(await screen.findByText('No offers yet. Sellers who have it will message you.')).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Contact Buyer' })).not.toBeInTheDocument()
})

test('the owner can close the request', async () => {
  const server = openAsOwner()
  const closed = aRequest({ status: 'closed' })
  await screen.findByRole('button', { name: 'Close' })
  server.add(answer(closeWantedItem, closed), answer(getWantedItem, closed))
  await pressClose()
  expect(await screen.findByText('This request is closed.')).toBeVisible()
  expect(server.requestsTo(closeWantedItem)).toEqual([{ params: { id: '3' } }])
})

test('an owner whose session has ended is asked to log in, and returns to the request', async () => {
  openAsOwner().add(refuse(closeWantedItem, 'signed_out'))
  await pressClose()
  expect(await screen.findByText('Please log in again to change your request')).toBeVisible()
  await waitFor(() =>
    expect(window.location.pathname + window.location.search).toBe('/auth?returnTo=%2Fitem%2F3'),
  )
})

test('a request shows everything that a seller needs', async () => {
  const created = new Date().toISOString()
  openScreen('/item/3', {
    answers: [
      answer(
        getWantedItem,
        aRequest({
          description: 'To match the pair.\nThe shade must be glass.',
          maxBudget: 45.5,
          urgency: 'high',
          createdAt: created,
        }),
      ),
    ],
  })
  expect(await screen.findByRole('heading', { level: 1 })).toHaveTextContent('A green lamp')
  for (const text of ['Home & Garden', 'Urgent', 'Posted just now', '$20 – $45.50', 'Leeds', 'Very urgent']) {
    expect(screen.getByText(text)).toBeVisible()
  }
  expect(screen.getByText(/The shade must be glass\./)).toBeVisible()
  expect(screen.getByRole('link', { name: 'Ada Buyer' })).toHaveAttribute('href', `/user/${aUser().id}`)
})

test('a closed request cannot be answered', async () => {
  openScreen('/item/3', { answers: [answer(getWantedItem, aRequest({ status: 'closed' }))] })
  expect(await screen.findByRole('button', { name: 'Contact Buyer' })).toBeDisabled()
})

test('the owner can edit and reopen the request', async () => {
  const server = openAsOwner()
  const closed = aRequest({ title: 'Two green lamps', status: 'closed' })
  await userEvent.click(await screen.findByRole('button', { name: 'Edit' }))
  const title = await screen.findByLabelText('Title')
  await userEvent.clear(title)
  await userEvent.type(title, 'Two green lamps')
  server.add(answer(editWantedItem, closed), answer(getWantedItem, closed))
  await userEvent.click(screen.getByRole('button', { name: 'Save Changes' }))
  await waitFor(() => expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('Two green lamps'))
  expect(server.requestsTo(editWantedItem)).toMatchObject([{ body: { title: 'Two green lamps' } }])
  const open = aRequest()
  server.add(answer(reopenWantedItem, open), answer(getWantedItem, open))
  await userEvent.click(await screen.findByRole('button', { name: 'Reopen' }))
  await waitFor(() => expect(screen.queryByText('This request is closed.')).not.toBeInTheDocument())
  expect(screen.queryByRole('button', { name: 'Reopen' })).not.toBeInTheDocument()
  expect(server.requestsTo(reopenWantedItem)).toEqual([{ params: { id: '3' } }])
})

test('our copy of a picture on another site is shown as soon as it exists, and never the original', async () => {
  const imageUrl = 'https://elsewhere.example/lamp.jpg'
  const server = openScreen('/item/3', { answers: [answer(getWantedItem, aRequest({ imageUrl }))] })
  await screen.findByRole('heading', { level: 1 })
  expect(document.querySelector('img')).toBeNull()
  expect(screen.queryByText(/elsewhere/)).not.toBeInTheDocument()
  server.add(answer(getWantedItem, aRequest({ imageUrl, pictureUrl: '/files/lamp.webp' })))
  await waitFor(() => expect(document.querySelector('img')).toHaveAttribute('src', '/files/lamp.webp'), {
    timeout: 5_000,
  })
})

test('the link can be copied', async () => {
  openAsOwner()
  const write = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue()
  await userEvent.click(await screen.findByRole('button', { name: 'Share' }))
  expect(await screen.findByText('Link copied')).toBeVisible()
  expect(write).toHaveBeenCalledWith('http://localhost:3000/item/3')
})
