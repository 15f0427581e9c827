import { listPlaces } from '@sought/contract/places'
import {
  countWantedItems,
  listCategories,
  listOwnWantedItems,
  listWantedItems,
} from '@sought/contract/requests'
import { screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { answer, refuse } from '../../testing/fake-server.ts'
import { openScreen } from '../../testing/open-screen.tsx'
import { aRequest, aUser } from '../../testing/samples.ts'

const categories = answer(listCategories, [])
const noRequests = [
  answer(listWantedItems, []),
  answer(countWantedItems, { count: 0, isMore: false }),
  categories,
]

test('a search without results shows a message and offers to post a request', async () => {
  openScreen('/?search=qqqqqqqqqqqq', { answers: noRequests })
  expect(await screen.findByRole('heading', { name: 'No requests found' })).toBeVisible()
  expect(screen.getByRole('link', { name: 'Post Your Request' })).toHaveAttribute(
    'href',
    '/login?returnTo=%2Fpost%3Ftitle%3Dqqqqqqqqqqqq',
  )
  expect(screen.queryByRole('region', { name: 'Urgent Requests' })).not.toBeInTheDocument()
})

test('a user who owns all requests on the board sees a message', async () => {
  openScreen('/', { user: aUser(), answers: [...noRequests, answer(listOwnWantedItems, [aRequest()])] })
  expect(await screen.findByRole('heading', { name: 'No other requests available' })).toBeVisible()
})

test('eight placeholders are shown while requests load, and a failure can be retried', async () => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const server = openScreen('/', {
    answers: [
      categories,
      {
        call: listWantedItems,
        respond: async () => {
          await released
          return new Response('', { status: 429 })
        },
      },
    ],
  })
  await waitFor(() => {
    const placeholders = screen.getAllByRole('status', { name: 'Loading requests' })
    expect(placeholders.at(-1)?.children).toHaveLength(8)
  })
  release()
  expect(await screen.findByText('Failed to fetch wanted items')).toBeVisible()
  server.add(answer(listWantedItems, [aRequest()]))
  await userEvent.click(screen.getByRole('button', { name: 'Try Again' }))
  expect(await screen.findByRole('region', { name: 'Recent Requests' })).toBeVisible()
})

const requests = (count: number, changes: Parameters<typeof aRequest>[0] = {}) =>
  Array.from({ length: count }, (_, index) => aRequest({ ...changes, id: 100 - index }))

test('the home page shows three, six urgent and twelve recent requests, and loads more', async () => {
  const server = openScreen('/', {
    answers: [
      categories,
      answer(listWantedItems, ({ query: { limit, cursor } }) =>
        requests(Number(limit)).map((item) => (cursor ? { ...item, id: item.id - 50 } : item)),
      ),
    ],
  })
  for (const step of ['Post what you want', 'Sellers come to you', 'Pay safely']) {
    expect(await screen.findByRole('heading', { name: step })).toBeVisible()
  }
  const recent = within(await screen.findByRole('region', { name: 'Recent Requests' }))
  const urgent = within(await screen.findByRole('region', { name: 'Urgent Requests' }))
  expect(urgent.getAllByRole('article')).toHaveLength(6)
  expect(recent.getAllByRole('article')).toHaveLength(12)
  expect(screen.getAllByRole('article')).toHaveLength(3 + 6 + 12)
  const next = screen.getByRole('link', { name: 'Show more' })
  expect(next).toHaveAttribute('rel', 'next')
  expect(next).toHaveAttribute('href', '/?cursor=89')
  await userEvent.click(next)
  await waitFor(() => expect(recent.getAllByRole('article')).toHaveLength(24))
  const links = recent.getAllByRole('link').map((link) => link.getAttribute('href'))
  expect(new Set(links).size).toBe(24)
  for (const { query } of server.requestsTo(listWantedItems)) expect(query.mine).toBe('hide')
  expect(
    server.requestsTo(listWantedItems).map(({ query }) => [query.limit, query.urgency, query.cursor]),
  ).toEqual(
    expect.arrayContaining([
      ['3', undefined, undefined],
      ['6', 'high', undefined],
      ['12', undefined, undefined],
      ['12', undefined, '89'],
    ]),
  )
})

test('a category chip filters the requests, and pressing it again clears the filter', async () => {
  const server = openScreen('/', {
    answers: [answer(listCategories, [{ name: 'Music' }]), answer(listWantedItems, [aRequest()])],
  })
  await userEvent.click(await screen.findByRole('link', { name: 'Music' }))
  expect(window.location.pathname).toBe('/c/music')
  expect(await screen.findByRole('heading', { level: 1, name: 'Music' })).toBeVisible()
  await waitFor(() => expect(document.title).toBe('Music wanted · Sought'))
  const chip = screen.getByRole('link', { name: 'Music' })
  expect(chip).toHaveAttribute('aria-current', 'true')
  await waitFor(() =>
    expect(server.requestsTo(listWantedItems)).toContainEqual({
      query: { category: 'Music', mine: 'hide', limit: '12' },
    }),
  )
  await userEvent.click(chip)
  expect(window.location.href).toBe('http://localhost:3000/')
  expect(screen.getByRole('link', { name: 'All Categories' })).toHaveAttribute('aria-current', 'true')
})

test('an unknown category is not found', async () => {
  openScreen('/c/spaceships')
  expect(await screen.findByRole('heading', { level: 1, name: 'Category not found' })).toBeVisible()
})

test('a later page of the board starts after its cursor, without the hero', async () => {
  const server = openScreen('/c/music?cursor=40', {
    answers: [categories, answer(listWantedItems, requests(12))],
  })
  const next = await screen.findByRole('link', { name: 'Show more' })
  expect(next).toHaveAttribute('href', '/c/music?cursor=89')
  expect(server.requestsTo(listWantedItems)).toEqual([
    { query: { category: 'Music', mine: 'hide', limit: '12', cursor: '40' } },
  ])
})

test('a card shows category, age, place, urgency and budget', async () => {
  const createdAt = new Date(Date.now() - 3_700_000).toISOString()
  openScreen('/', {
    answers: [categories, answer(listWantedItems, [aRequest({ urgency: 'high', createdAt })])],
  })
  const recent = within(await screen.findByRole('region', { name: 'Recent Requests' }))
  const card = recent.getByRole('article')
  for (const text of ['Home & Garden', '1 hour ago', 'Leeds', 'Urgent need', '$20 – $120']) {
    expect(card).toHaveTextContent(text)
  }
})

test('a search replaces the hero with the results, named and counted', async () => {
  const server = openScreen('/?search=lamp', {
    answers: [
      answer(listWantedItems, requests(12)),
      answer(countWantedItems, { count: 100, isMore: true }),
      answer(listCategories, [{ name: 'Music' }]),
    ],
  })
  const heading = await screen.findByRole('heading', { level: 1, name: '100+ results for “lamp”' })
  expect(heading).toHaveAttribute('aria-live', 'polite')
  const results = within(await screen.findByRole('region', { name: 'Search results' }))
  expect(results.getAllByRole('article')).toHaveLength(12)
  for (const text of ['Recent Requests', 'Urgent Requests', 'Say what you want. Let it find you.']) {
    expect(screen.queryByText(text)).not.toBeInTheDocument()
  }
  server.add(answer(countWantedItems, { count: 1, isMore: false }), answer(listWantedItems, requests(1)))
  await userEvent.click(screen.getByRole('link', { name: 'Music' }))
  expect(await screen.findByRole('heading', { name: '1 result for “lamp” in Music' })).toBeVisible()
  expect(server.requestsTo(countWantedItems).at(-1)).toEqual({
    query: { search: 'lamp', category: 'Music', mine: 'hide' },
  })
  expect(screen.getByRole('link', { name: 'Clear Search' })).toHaveAttribute('href', '/')
})

const leeds = 'Leeds, England, United Kingdom'

test('filters change the address and the list, and each can be removed', async () => {
  const server = openScreen('/?search=lamp', {
    answers: [
      answer(listWantedItems, requests(1)),
      answer(countWantedItems, { count: 1, isMore: false }),
      categories,
      answer(listPlaces, [{ name: leeds, latitude: 53.8, longitude: -1.5 }]),
    ],
  })
  await userEvent.click(await screen.findByText('Filters and sorting'))
  const form = within(screen.getByRole('form', { name: 'Filters' }))
  await userEvent.type(form.getByLabelText('Minimum budget'), '50')
  const near = form.getByRole('combobox', { name: 'Near' })
  await userEvent.type(near, 'Lee')
  await screen.findByRole('option', { name: leeds })
  await userEvent.keyboard('{ArrowDown}{Enter}')
  expect(near).toHaveValue(leeds)
  await userEvent.click(form.getByRole('button', { name: 'Show Requests' }))
  await waitFor(() =>
    expect(Object.fromEntries(new URLSearchParams(window.location.search))).toEqual({
      search: 'lamp',
      minBudget: '50',
      near: leeds,
      sort: 'newest',
    }),
  )
  await waitFor(() =>
    expect(server.requestsTo(listWantedItems).at(-1)?.query).toMatchObject({ minBudget: '50', near: leeds }),
  )
  const order = form.getByLabelText('Sort by')
  await userEvent.selectOptions(order, 'Highest budget')
  await waitFor(() => expect(window.location.search).toContain('sort=budget'))
  expect(order).toBeInTheDocument()
  await userEvent.click(screen.getByRole('link', { name: 'Remove At least $50' }))
  expect(window.location.search).not.toContain('minBudget')
  expect(screen.getByLabelText('Minimum budget')).toHaveValue('')
  await userEvent.click(screen.getByRole('link', { name: 'Clear filters' }))
  expect(window.location.search).toBe('?search=lamp&sort=budget')
})

test('the page lists the filters in its address, and an empty result suggests removing one', async () => {
  openScreen('/?minBudget=1500&near=Leeds&radiusKm=10&since=2026-11-01&hasImage=false', {
    answers: noRequests,
  })
  expect(await screen.findByText(/^Remove a filter/)).toBeVisible()
  const active = within(screen.getByRole('list', { name: 'Active filters' }))
  for (const label of [
    'At least $1,500',
    'Within 10 km of Leeds',
    'Posted since Nov 1, 2026',
    'Without a picture',
  ]) {
    expect(active.getByText(label)).toBeVisible()
  }
  expect(screen.getByText('4 active')).toBeVisible()
  expect(screen.getByRole('form', { name: 'Filters', hidden: true })).not.toBeVisible()
})

test('refused filters are marked, and an unknown place can be searched as text', async () => {
  const server = openScreen('/?near=Narnia&radiusKm=10&minBudget=5', {
    answers: [
      categories,
      answer(countWantedItems, { count: 0, isMore: false }),
      refuse(listWantedItems, 'invalid', [{ path: 'near', message: 'We do not know this place' }]),
    ],
  })
  expect(await screen.findByRole('alert')).toHaveTextContent('These filters cannot be applied')
  expect(screen.getByLabelText('Near')).toHaveAccessibleDescription('We do not know this place')
  server.add(answer(listWantedItems, requests(1)))
  await userEvent.click(screen.getByRole('link', { name: 'Show requests whose location contains “Narnia”' }))
  expect(window.location.search).toBe('?minBudget=5&location=Narnia')
  expect(await screen.findByRole('region', { name: 'Search results' })).toBeVisible()
})
