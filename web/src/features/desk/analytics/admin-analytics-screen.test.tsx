import { getIsAdmin } from '@sought/contract/accounts'
import { FIGURES, type Figures, getAnalytics } from '@sought/contract/analytics'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { answer, refuse } from '../../../testing/fake-server.ts'
import { openScreen } from '../../../testing/open-screen.tsx'
import { aUser } from '../../../testing/samples.ts'

const user = userEvent.setup()

const figures = (changes: Partial<Figures> = {}): Figures => ({
  ...(Object.fromEntries(FIGURES.map((figure) => [figure, 0])) as Figures),
  ...changes,
})

const busy = figures({
  requests: 10,
  offers: 25,
  accepted: 8,
  paid: 6,
  released: 3,
  volume: 60_000,
  disputed: 3,
})

const anAnswer = {
  totals: busy,
  previous: figures({ requests: 8, volume: 30_000 }),
  series: [
    { period: '2026-03-01', ...busy },
    { period: '2026-03-02', ...figures() },
  ],
  categories: [{ name: '=Lamps, "old"', ...busy }],
  countries: [
    { name: 'DE', ...busy },
    { name: '', ...figures({ requests: 1 }) },
  ],
  reasons: [{ reason: 'item_damaged' as const, count: 2 }],
}

const open = (reply: Parameters<typeof answer<typeof getAnalytics>>[1] = anAnswer, query = '') =>
  openScreen(`/admin/analytics${query}`, {
    user: aUser(),
    answers: [answer(getIsAdmin, { isAdmin: true, role: 'admin' }), answer(getAnalytics, reply)],
  })

test('analytics show each step with its conversion, and compare figures with the previous period', async () => {
  const server = open(anAnswer, '?from=2026-03-01&to=2026-03-02&by=day')
  const funnel = within(await screen.findByRole('region', { name: 'From posted to released' }))
  expect(funnel.getAllByRole('listitem').map((it) => it.textContent)).toEqual([
    'Posted10',
    'Offers252.5 per request',
    'Accepted832%',
    'Paid675%',
    'Released350%',
  ])
  expect(server.requestsTo(getAnalytics)).toEqual([
    { query: { from: '2026-03-01', to: '2026-03-02', by: 'day' } },
  ])
  const all = within(screen.getByRole('region', { name: 'All figures' }))
  expect(all.getByText('25% more than in the 2 days before (8)')).toBeVisible()
  expect(all.getByText('100% more than in the 2 days before ($300.00)')).toBeVisible()
  const disputes = within(screen.getByRole('region', { name: 'Disputes' }))
  expect(disputes.getByText('50%')).toBeVisible()
  expect(disputes.getByText('Item arrived damaged')).toBeVisible()
})

test('every chart can be read as a table and downloaded', { tags: ['proof'] }, async () => {
  open(anAnswer, '?from=2026-03-01&to=2026-03-02')
  const section = within(await screen.findByRole('region', { name: 'Volume by category' }))
  await user.click(section.getByRole('button', { name: 'Table' }))
  const row = section.getByRole('row', { name: /Lamps/ })
  expect(within(row).getByText('$600.00')).toBeVisible()
  const link = section.getByRole('link', { name: 'CSV' })
  expect(link).toHaveAttribute('download', 'categories-2026-03-01-2026-03-02.csv')
  const file = decodeURIComponent(link.getAttribute('href') ?? '')
  expect(file).toMatch(/^data:text\/csv;charset=utf-8,Category,Requests,Offers,/)
  expect(file).toContain('\r\n"\'=Lamps, ""old""",10,25,8,6,3,0,0,600,')

  const countries = within(screen.getByRole('region', { name: 'Volume by country' }))
  await user.click(countries.getByRole('button', { name: 'Table' }))
  expect(countries.getByRole('row', { name: /^Germany/ })).toBeVisible()
  expect(countries.getByRole('row', { name: /^Unknown/ })).toBeVisible()
})

test('analytics of an empty market show no figures', async () => {
  const nothing = {
    totals: figures(),
    previous: figures(),
    series: [],
    categories: [],
    countries: [],
    reasons: [],
  }
  open(nothing)
  expect(await screen.findByRole('heading', { name: 'No figures' })).toBeVisible()
})

test('a range that ends before it starts shows an error and loads nothing', async () => {
  const server = open(anAnswer, '?from=2026-03-02&to=2026-03-01')
  expect(await screen.findByText('The last day must not be before the first')).toBeVisible()
  expect(server.requestsTo(getAnalytics)).toEqual([])
})

test('a range that is typed is loaded once both days are complete', async () => {
  const server = open(anAnswer, '?from=2026-03-01&to=2026-03-02&by=day')
  await screen.findByRole('region', { name: 'All figures' })
  fireEvent.change(screen.getByLabelText('From'), { target: { value: '' } })
  expect(screen.getByLabelText('From')).toHaveValue('')
  fireEvent.blur(screen.getByLabelText('From'))
  expect(screen.getByLabelText('From')).toHaveValue('2026-03-01')
  fireEvent.change(screen.getByLabelText('From'), { target: { value: '0002-02-01' } })
  fireEvent.change(screen.getByLabelText('From'), { target: { value: '2026-02-01' } })
  fireEvent.change(screen.getByLabelText('To'), { target: { value: '2026-02-05' } })
  await waitFor(() =>
    expect(server.requestsTo(getAnalytics).at(-1)?.query).toEqual({
      from: '2026-02-01',
      to: '2026-02-05',
      by: 'day',
    }),
  )
  expect(server.requestsTo(getAnalytics).some(({ query }) => query.from === '0002-02-01')).toBe(false)
})

test('figures that failed to load can be loaded again', async () => {
  openScreen('/admin/analytics', {
    user: aUser(),
    answers: [answer(getIsAdmin, { isAdmin: true, role: 'admin' }), refuse(getAnalytics, 'unavailable')],
  })
  expect(await screen.findByRole('button', { name: /try again/i })).toBeVisible()
})
