import { listReceivedOffers } from '@sought/contract/offers'
import {
  getWantedItem,
  listCategories,
  listSimilarWantedItems,
  listWantedItems,
  listWantedItemsById,
} from '@sought/contract/requests'
import { listMatches } from '@sought/contract/selling'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { answer, answerLater } from '../../testing/fake-server.ts'
import { openScreen } from '../../testing/open-screen.tsx'
import { aRequest, aSellerUser, aUser } from '../../testing/samples.ts'

const board = [answer(listCategories, []), answer(listWantedItems, [aRequest({ id: 50 })])]
const seller = { ...aSellerUser(), selling: { keywords: ['lamp'], categories: [] } }

test('home shows requests that match what the user sells, once the board is loaded', async () => {
  const list = answerLater(answer(listWantedItems, [aRequest({ id: 50 })]))
  const server = openScreen('/', {
    user: seller,
    answers: [...board, list, answer(listMatches, [aRequest({ id: 7, title: 'A brass lamp' })])],
  })
  const matches = within(await screen.findByRole('region', { name: 'Matches what you sell' }))
  expect(matches.getByRole('status', { name: 'Loading requests' }).children).toHaveLength(6)
  expect(server.requestsTo(listMatches)).toEqual([])
  list.release()
  expect(await matches.findByRole('link', { name: 'A brass lamp' })).toHaveAttribute('href', '/item/7')
  expect(matches.getByRole('link', { name: 'See all matches' })).toHaveAttribute('href', '/matches')
  expect(server.requestsTo(listMatches)).toEqual([{ query: { limit: '6' } }])
})

test('the block is hidden without matches, and not loaded for users who sell nothing', async () => {
  openScreen('/', { user: seller, answers: [...board, answer(listMatches, [])] })
  await screen.findByRole('region', { name: 'Recent Requests' })
  const heading = { name: 'Matches what you sell' }
  await waitFor(() => expect(screen.queryByRole('heading', heading)).not.toBeInTheDocument())
  cleanup()
  openScreen('/', { user: aUser(), answers: board })
  await screen.findByRole('region', { name: 'Recent Requests' })
  expect(screen.queryByRole('heading', heading)).not.toBeInTheDocument()
})

test('all matches are listed, and an empty list links to other screens', async () => {
  const server = openScreen('/matches', { user: seller, answers: [answer(listMatches, [aRequest()])] })
  expect(await screen.findByRole('heading', { level: 1, name: 'Matches what you sell' })).toBeVisible()
  expect(await screen.findByRole('article')).toHaveTextContent('A green lamp')
  expect(server.requestsTo(listMatches)).toEqual([{ query: { limit: '12' } }])
  cleanup()
  openScreen('/matches', { user: seller, answers: [answer(listMatches, [])] })
  expect(await screen.findByRole('heading', { name: 'No matches right now' })).toBeVisible()
  cleanup()
  openScreen('/matches', { user: aUser(), answers: [answer(listMatches, [])] })
  expect(await screen.findByRole('link', { name: 'Add Keywords and Categories' })).toHaveAttribute(
    'href',
    '/profile?tab=settings#selling',
  )
})

test('a closed request links to similar ones', async () => {
  openScreen('/item/3', {
    answers: [
      answer(getWantedItem, aRequest({ status: 'closed' })),
      answer(listSimilarWantedItems, [aRequest({ id: 8, title: 'A brass lamp' })]),
    ],
  })
  const similar = within(await screen.findByRole('region', { name: 'Similar requests' }))
  expect(similar.getByRole('link', { name: 'A brass lamp' })).toHaveAttribute('href', '/item/8')
})

test('home shows recently viewed requests until they are cleared; deleted ones are left out', async () => {
  for (const id of [3, 4]) {
    openScreen(`/item/${id}`, { answers: [answer(getWantedItem, aRequest({ id }))] })
    await screen.findByRole('heading', { level: 1, name: 'A green lamp' })
    cleanup()
  }
  const closed = answer(listWantedItemsById, [aRequest({ id: 4, title: 'Viewed lamp', status: 'closed' })])
  const server = openScreen('/', { answers: [...board, closed] })
  const viewed = within(await screen.findByRole('region', { name: 'Recently viewed' }))
  expect(server.requestsTo(listWantedItemsById)).toEqual([{ query: { ids: '4,3' } }])
  expect(viewed.getByRole('article')).toHaveTextContent('Closed')
  await userEvent.click(viewed.getByRole('button', { name: 'Clear' }))
  expect(screen.queryByRole('region', { name: 'Recently viewed' })).not.toBeInTheDocument()
  expect(localStorage.getItem('sought:viewed')).toBeNull()
})

test('own requests are not remembered, and viewed requests are not shown to other users', async () => {
  openScreen('/item/3', { user: aSellerUser(), answers: [answer(getWantedItem, aRequest())] })
  await screen.findByRole('heading', { level: 1, name: 'A green lamp' })
  cleanup()
  const server = openScreen('/', { answers: board })
  await screen.findByRole('region', { name: 'Recent Requests' })
  expect(server.requestsTo(listWantedItemsById)).toEqual([])
  cleanup()
  localStorage.clear()
  openScreen('/item/3', {
    user: aSellerUser(),
    answers: [answer(getWantedItem, aRequest({ userId: aSellerUser().id })), answer(listReceivedOffers, [])],
  })
  await screen.findByRole('heading', { level: 1, name: 'A green lamp' })
  expect(localStorage.getItem('sought:viewed')).toBeNull()
})
