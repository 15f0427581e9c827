import { listOffers } from '@sought/contract/offers'
import { closeWantedItem, getWantedItem } from '@sought/contract/requests'
import { screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
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
