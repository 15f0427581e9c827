import { listConversations, listMessages } from '@sought/contract/messages'
import {
  acceptOffer,
  counterOffer,
  listOffers,
  listReceivedOffers,
  makeOffer,
  type ReceivedOffer,
} from '@sought/contract/offers'
import { listPayments } from '@sought/contract/payments'
import {
  closeWantedItem,
  editWantedItem,
  getWantedItem,
  renewWantedItem,
  reopenWantedItem,
} from '@sought/contract/requests'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import type * as z from 'zod/mini'
import { answer, answerLater, refuse } from '../../testing/fake-server.ts'
import { openScreen } from '../../testing/open-screen.tsx'
import { aConversation, anOffer, aRequest, aSeller, aSellerUser, aUser } from '../../testing/samples.ts'

const openAsOwner = () =>
  openScreen('/item/3', {
    user: aUser(),
    answers: [answer(getWantedItem, aRequest()), answer(listReceivedOffers, [])],
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

test('a seller needs two screens from the link of a request to an offer', async () => {
  const server = openScreen('/item/3', {
    user: aSellerUser(),
    answers: [
      answer(getWantedItem, aRequest()),
      answer(listConversations, []),
      answer(listMessages, []),
      answer(listOffers, []),
      answer(listPayments, []),
      answer(makeOffer, anOffer()),
    ],
  })
  await userEvent.click(await screen.findByRole('button', { name: 'Contact Buyer' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Offer $120.00' }))
  expect(await screen.findByText('Offer Sent!')).toBeVisible()
  expect(window.location.pathname).toBe('/messages')
  expect(server.requestsTo(makeOffer)).toMatchObject([{ body: { wantedItemId: 3, amount: 12_000 } }])
})

test('a missing item shows a message, with a way back to the marketplace', async () => {
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

test('closing is shown before the answer, and undone by a refusal', async () => {
  const refusal = answerLater(refuse(closeWantedItem, 'item_reserved'))
  openAsOwner().add(refusal)
  await pressClose()
  expect(await screen.findByText('This request is closed.')).toBeVisible()
  refusal.release()
  expect(await screen.findByText('The request could not be closed')).toBeVisible()
  expect(screen.queryByText('This request is closed.')).not.toBeInTheDocument()
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

test('an expired request shows this, and its owner renews it', async () => {
  const expired = aRequest({ status: 'expired' })
  openScreen('/item/3', { answers: [answer(getWantedItem, expired)] })
  expect(await screen.findByText('This request has expired.')).toBeVisible()
  expect(await screen.findByRole('button', { name: 'Contact Buyer' })).toBeDisabled()
  cleanup()
  const server = openScreen('/item/3', {
    user: aUser(),
    answers: [answer(getWantedItem, expired), answer(listReceivedOffers, [])],
  })
  const renew = await screen.findByRole('button', { name: 'Renew for 60 Days' })
  server.add(answer(renewWantedItem, aRequest()), answer(getWantedItem, aRequest()))
  await userEvent.click(renew)
  expect(await screen.findByText('Request renewed')).toBeVisible()
  await waitFor(() => expect(screen.queryByText('This request has expired.')).not.toBeInTheDocument())
  expect(screen.queryByRole('button', { name: 'Renew for 60 Days' })).not.toBeInTheDocument()
})

test('a reserved request has a contact button only for people with a conversation about it', async () => {
  const reserved = answer(getWantedItem, aRequest({ status: 'reserved' }))
  openScreen('/item/3', { answers: [reserved] })
  expect(await screen.findByText('This request is reserved: its payment is in escrow.')).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Contact Buyer' })).not.toBeInTheDocument()
  cleanup()
  openScreen('/item/3', {
    user: aSellerUser(),
    answers: [reserved, answer(listConversations, [aConversation()])],
  })
  expect(await screen.findByRole('button', { name: 'Contact Buyer' })).toBeEnabled()
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

test('a picture on another site is shown only as our copy, once that exists', {
  tags: ['proof'],
}, async () => {
  const images = [{ url: 'https://elsewhere.example/lamp.jpg', alt: '' }]
  const server = openScreen('/item/3', { answers: [answer(getWantedItem, aRequest({ images }))] })
  await screen.findByRole('heading', { level: 1 })
  expect(document.querySelector('img')).toBeNull()
  expect(screen.queryByText(/elsewhere/)).not.toBeInTheDocument()
  const pictures = [{ url: '/files/lamp.webp', alt: '', width: null, height: null }]
  server.add(answer(getWantedItem, aRequest({ images, pictures })))
  await waitFor(() => expect(document.querySelector('img')).toHaveAttribute('src', '/files/lamp.webp'), {
    timeout: 5_000,
  })
})

test('pictures have several widths and formats, and open in a lightbox', async () => {
  const pictures = [
    { url: '/files/lamp.webp', alt: 'The lamp from below', width: 800, height: 600 },
    { url: '/files/foot.webp', alt: '', width: 300, height: 400 },
  ]
  const images = pictures.map(({ url, alt }) => ({ url, alt }))
  openScreen('/item/3', { answers: [answer(getWantedItem, aRequest({ images, pictures }))] })
  const picture = await screen.findByRole('img', { name: 'The lamp from below' })
  expect(picture).toHaveAttribute('width', '800')
  expect(picture).toHaveAttribute('height', '600')
  const sources = (img: Element | null | undefined) =>
    [...(img?.parentElement?.querySelectorAll('source') ?? [])].map(({ type, srcset }) => [type, srcset])
  expect(sources(picture)).toEqual([
    ['image/avif', '/files/lamp.320.avif 320w,/files/lamp.640.avif 640w,/files/lamp.960.avif 800w'],
    ['image/webp', '/files/lamp.320.webp 320w,/files/lamp.640.webp 640w,/files/lamp.960.webp 800w'],
  ])
  const second = screen.getByRole('button', { name: 'Open picture 2 of 2' })
  expect(sources(second.querySelector('img'))).toEqual([
    ['image/avif', '/files/foot.320.avif 300w'],
    ['image/webp', '/files/foot.320.webp 300w'],
  ])

  await userEvent.click(second)
  const lightbox = await screen.findByRole('dialog', { name: 'Photo 2 of 2' })
  expect(within(lightbox).getByRole('img', { name: '2 of 2' })).toHaveAttribute('src', '/files/foot.webp')
  await userEvent.keyboard('{ArrowLeft}')
  expect(within(lightbox).getByRole('img', { name: 'The lamp from below' })).toBeVisible()
  await userEvent.click(within(lightbox).getByRole('button', { name: 'Next photo' }))
  expect(within(lightbox).getByRole('img', { name: '2 of 2' })).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await waitFor(() => expect(second).toHaveFocus())
})

test('the link can be copied', async () => {
  openAsOwner()
  const write = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue()
  await userEvent.click(await screen.findByRole('button', { name: 'Share' }))
  expect(await screen.findByText('Link copied')).toBeVisible()
  expect(write).toHaveBeenCalledWith('http://localhost:3000/item/3')
})

function received(
  name: string,
  changes: Partial<z.input<typeof ReceivedOffer>>,
  record: { rating: number; ratingCount: number; completedDeals: number },
): z.input<typeof ReceivedOffer> {
  return { ...anOffer(changes), counterAmount: null, ...changes, seller: { ...aSeller, name, ...record } }
}

const offers = [
  received('Cheap', { id: 1, amount: 2_000 }, { rating: 0, ratingCount: 0, completedDeals: 0 }),
  received(
    'Trusted',
    {
      id: 2,
      amount: 4_000,
      message: 'Like new.',
      counterAmount: 3_500,
      expiresAt: '2126-12-24T12:00:00.000Z',
    },
    { rating: 4.5, ratingCount: 2, completedDeals: 9 },
  ),
]

const sellerNames = () =>
  within(screen.getByRole('region', { name: 'Offers' }))
    .getAllByRole('article')
    .map((row) => within(row).getAllByRole('link')[0]?.textContent)

test('the owner compares and sorts offers, and accepts or counters them on the same page', async () => {
  const server = openScreen('/item/3', {
    user: aUser(),
    answers: [answer(getWantedItem, aRequest()), answer(listReceivedOffers, offers)],
  })
  expect(await screen.findByRole('heading', { name: 'Compare 2 offers' })).toBeVisible()
  expect(sellerNames()).toEqual(['Cheap', 'Trusted'])
  const [cheap, trusted] = screen.getAllByRole('article').map((row) => within(row))
  for (const text of ['$40.00', '“Like new.”', 'You offered $35.00.', 'Open until December 24, 2126']) {
    expect(trusted?.getByText(text)).toBeVisible()
  }
  expect(trusted?.getByText('9 completed deals')).toBeVisible()
  expect(trusted?.getByRole('img', { name: 'Rated 4.5 out of 5' })).toBeVisible()
  expect(cheap?.getByText('No completed deals yet')).toBeVisible()
  expect(cheap?.getByRole('link', { name: 'Message' })).toHaveAttribute(
    'href',
    `/messages?itemId=3&userId=${aSeller.id}`,
  )
  await userEvent.selectOptions(screen.getByLabelText('Sort by'), 'Best rating')
  expect(sellerNames()).toEqual(['Trusted', 'Cheap'])

  server.add(answer(counterOffer, anOffer({ proposedBy: 'buyer', counterOf: 1 })))
  const [, second] = screen.getAllByRole('button', { name: 'Counter' })
  await userEvent.click(second as HTMLElement)
  const amount = await screen.findByLabelText('Or type an amount')
  await userEvent.clear(amount)
  await userEvent.type(amount, '15')
  await userEvent.click(await screen.findByRole('button', { name: 'Send Counter-Offer' }))
  await waitFor(() => expect(server.requestsTo(counterOffer)).toMatchObject([{ params: { id: '1' } }]))

  const accepted = {
    ...anOffer(),
    id: 2,
    status: 'accepted' as const,
    acceptedAt: '2026-11-16T12:00:00.000Z',
  }
  server.add(
    answer(acceptOffer, accepted),
    answer(listReceivedOffers, [
      {
        ...accepted,
        seller: { ...aSeller, rating: 4.5, ratingCount: 2, completedDeals: 9 },
        counterAmount: null,
        amount: 4_000,
      },
    ]),
  )
  const [first] = await screen.findAllByRole('button', { name: 'Accept' })
  await userEvent.click(first as HTMLElement)
  await userEvent.click(await screen.findByRole('button', { name: 'Accept $40.00' }))
  const pay = await screen.findByRole('link', { name: 'Proceed to Payment' })
  expect(pay).toHaveAttribute('href', '/escrow-checkout?itemId=3&offerId=2&amount=4000')
  expect(server.requestsTo(acceptOffer)).toEqual([{ params: { id: '2' } }])
})
