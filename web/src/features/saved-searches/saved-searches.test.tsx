import { countWantedItems, listCategories, listWantedItems } from '@sought/contract/requests'
import {
  changeSavedSearch,
  deleteSavedSearch,
  listSavedSearches,
  saveSearch,
} from '@sought/contract/saved-searches'
import { screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { answer, answerLater, refuse } from '../../testing/fake-server.ts'
import { openScreen } from '../../testing/open-screen.tsx'
import { aUser } from '../../testing/samples.ts'

const lamps = {
  id: 7,
  name: 'Lamps',
  filters: {
    search: 'lamp',
    category: 'Music',
    minBudget: 50,
    maxBudget: 200,
    near: 'Leeds',
    since: '2026-11-01T00:00:00.000Z',
    hasImage: true,
  },
  alerts: 'daily' as const,
  createdAt: '2026-11-10T12:00:00.000Z',
}

const results = [
  answer(listCategories, []),
  answer(listWantedItems, []),
  answer(countWantedItems, { count: 0, isMore: false }),
]

test('a search is saved with one click and then marked as saved, in any sort order', async () => {
  const server = openScreen('/?search=lamp&minBudget=50&since=2026-11-01', {
    user: aUser(),
    answers: [...results, answer(listSavedSearches, [])],
  })
  const filters = { search: 'lamp', minBudget: 50, since: '2026-11-01T00:00:00.000Z' }
  const saved = { ...lamps, name: 'lamp', filters: { ...filters, sort: 'budget' as const } }
  await waitFor(() => expect(server.requestsTo(listSavedSearches)).toHaveLength(1))
  server.add(answer(saveSearch, saved), answer(listSavedSearches, [saved]))
  await userEvent.click(await screen.findByRole('button', { name: 'Save search' }))
  expect(await screen.findByText(/We email you new requests for “lamp” once a day/)).toBeVisible()
  expect(server.requestsTo(saveSearch)).toEqual([{ body: { filters } }])
  expect(await screen.findByRole('link', { name: 'Search Saved' })).toHaveAttribute('href', '/saved-searches')
})

test('a search above the limit is not saved, and the reason is shown', async () => {
  openScreen('/?search=lamp', {
    user: aUser(),
    answers: [...results, answer(listSavedSearches, [lamps]), refuse(saveSearch, 'too_many_saved_searches')],
  })
  await userEvent.click(await screen.findByRole('button', { name: 'Save search' }))
  expect(await screen.findByText(/You have 50 saved searches/)).toBeVisible()
})

test('visitors sign in to save a search, and a sort order alone cannot be saved', async () => {
  openScreen('/?sort=budget', { answers: results })
  expect(await screen.findByRole('heading', { name: '0 results' })).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Save search' })).not.toBeInTheDocument()
  await userEvent.selectOptions(screen.getByLabelText('Urgency'), 'Urgent need')
  await userEvent.click(await screen.findByRole('button', { name: 'Save search' }))
  expect(window.location.pathname + window.location.search).toBe(
    `/auth?returnTo=${encodeURIComponent('/?urgency=high&sort=budget')}`,
  )
})

test('saved searches show their filters and alerts, and can be renamed and deleted', async () => {
  const server = openScreen('/saved-searches', {
    user: aUser(),
    answers: [answer(listSavedSearches, [lamps]), answer(deleteSavedSearch, { ok: true })],
  })
  const list = within(await screen.findByRole('list', { name: 'Saved searches' }))
  expect(list.getByRole('link', { name: 'Lamps' })).toHaveAttribute(
    'href',
    expect.stringContaining('/?search=lamp&category=Music&minBudget=50&maxBudget=200&near=Leeds'),
  )
  expect(
    list.getByText(
      '“lamp” · Music · $50 – $200 · within 50 km of Leeds · posted since Nov 1, 2026 · with a picture',
    ),
  ).toBeVisible()

  const alerts = list.getByLabelText('Alerts for Lamps')
  const changed = answerLater(answer(changeSavedSearch, { ...lamps, alerts: 'immediately' }))
  server.add(changed)
  await userEvent.selectOptions(alerts, 'Immediately')
  expect(alerts).toHaveValue('immediately')
  server.add(answer(listSavedSearches, [{ ...lamps, alerts: 'immediately' }]))
  changed.release()

  await userEvent.click(list.getByRole('button', { name: 'Rename Lamps' }))
  const form = within(screen.getByRole('form', { name: 'Rename saved search' }))
  await userEvent.clear(form.getByLabelText('Name'))
  await userEvent.click(form.getByRole('button', { name: 'Save Name' }))
  expect(await form.findByText('Name is required')).toBeVisible()
  await userEvent.type(form.getByLabelText('Name'), 'Brass lamps')
  const renamed = { ...lamps, name: 'Brass lamps', alerts: 'immediately' as const }
  server.add(answer(changeSavedSearch, renamed), answer(listSavedSearches, [renamed]))
  await userEvent.click(form.getByRole('button', { name: 'Save Name' }))
  expect(await list.findByRole('link', { name: 'Brass lamps' })).toBeVisible()
  expect(server.requestsTo(changeSavedSearch)).toEqual([
    { params: { id: '7' }, body: { alerts: 'immediately' } },
    { params: { id: '7' }, body: { name: 'Brass lamps' } },
  ])

  await userEvent.click(list.getByRole('button', { name: 'Delete Brass lamps' }))
  server.add(answer(listSavedSearches, []))
  await userEvent.click(await screen.findByRole('button', { name: 'Delete Saved Search' }))
  await waitFor(() => expect(server.requestsTo(deleteSavedSearch)).toEqual([{ params: { id: '7' } }]))
  expect(await screen.findByRole('heading', { name: 'No saved searches yet' })).toBeVisible()
})
