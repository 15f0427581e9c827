import { expect, test } from '../support/fixtures.ts'

test('the board: hero with three, urgent up to six, recent twelve and more', async ({ openAsVisitor }) => {
  const page = await openAsVisitor('/')
  const main = page.getByRole('main')
  await expect(main.getByRole('heading', { level: 1 })).toBeVisible()
  for (const step of ['Post what you want', 'Sellers come to you', 'Pay safely']) {
    await expect(main.getByRole('heading', { name: step })).toBeVisible()
  }
  const urgent = page.getByRole('region', { name: 'Urgent Requests' }).getByRole('article')
  await expect(urgent).toHaveCount(6)
  const recent = page.getByRole('region', { name: 'Recent Requests' }).getByRole('article')
  await expect(recent).toHaveCount(12)
  await expect(main.getByRole('article')).toHaveCount(3 + 6 + 12)
  await page.getByRole('button', { name: 'Show more' }).click()
  await expect(recent).toHaveCount(24)
  const links = await recent
    .getByRole('link')
    .evaluateAll((all) => all.map((link) => link.getAttribute('href')))
  expect(new Set(links).size).toBe(24)
})

test('a chip narrows the board, and lets go when it is pressed again', async ({ openAsVisitor }) => {
  const page = await openAsVisitor('/')
  await page.getByRole('button', { name: 'Music' }).click()
  await expect(page).toHaveURL('/?category=Music')
  await expect(page.getByRole('button', { name: 'Music' })).toHaveAttribute('aria-pressed', 'true')
  const recent = page.getByRole('region', { name: 'Recent Requests' }).getByRole('article')
  await expect(recent.first()).toBeVisible()
  for (const card of await recent.all()) await expect(card).toContainText('Music')
  await page.getByRole('button', { name: 'Music' }).click()
  await expect(page).toHaveURL('/')
  await expect(page.getByRole('button', { name: 'All Categories' })).toHaveAttribute('aria-pressed', 'true')
})

test('a search stands in the address, so that it can be shared and Back works', async ({ openAsVisitor }) => {
  const page = await openAsVisitor('/?search=typewriter&category=Other')
  const recent = page.getByRole('region', { name: 'Recent Requests' }).getByRole('article')
  await expect(recent).toHaveCount(1)
  await expect(recent).toContainText('Portable typewriter')
  await page.getByRole('searchbox').first().fill('telescope')
  await page.keyboard.press('Enter')
  await expect(recent).toContainText('telescope')
  await page.goBack()
  await expect(recent).toContainText('Portable typewriter')
})

test('nothing found says so, and how to go on', async ({ openAsVisitor }) => {
  const page = await openAsVisitor('/?search=qqqqqqqqqqqq')
  await expect(page.getByRole('heading', { name: 'No requests found' })).toBeVisible()
  await expect(
    page.getByRole('main').getByRole('link', { name: 'Post Your Request' }).last(),
  ).toHaveAttribute('href', '/login')
  await expect(page.getByRole('region', { name: 'Urgent Requests' })).toHaveCount(0)
})

test('one’s own are hidden; when there are no others, it says that', async ({ createUser, openAs }) => {
  const page = await openAs(await createUser(), '/')
  const data = { title: 'My very own thing', description: 'Mine', category: 'Other', location: 'Here' }
  await page.request.post('/api/wanted-items', { data })
  await page.reload()
  await expect(page.getByRole('region', { name: 'Recent Requests' })).toBeVisible()
  await expect(page.getByText('My very own thing')).toHaveCount(0)

  // Nobody else has posted: the server is made to say so.
  await page.route('**/api/wanted-items?*', (route) => route.fulfill({ json: [] }))
  await page.reload()
  await expect(page.getByRole('heading', { name: 'No other requests available' })).toBeVisible()
})

test('eight cards hold the place while it loads; a failure can be tried again', async ({ openAsVisitor }) => {
  const page = await openAsVisitor()
  let answer = () => {}
  const asked = new Promise<void>((resolve) => {
    answer = resolve
  })
  await page.route('**/api/wanted-items?mine=hide&limit=12', async (route) => {
    await asked
    await route.fulfill({ status: 429, json: { code: 'too_many', message: 'later' } })
  })
  await page.goto('/')
  const places = page.getByRole('status', { name: 'Loading requests' })
  await expect(places.last().locator('> *')).toHaveCount(8)
  answer()
  await expect(page.getByRole('alert')).toContainText('Failed to fetch wanted items')
  await page.unroute('**/api/wanted-items?mine=hide&limit=12')
  await page.getByRole('button', { name: 'Try Again' }).click()
  await expect(page.getByRole('region', { name: 'Recent Requests' })).toBeVisible()
})

test('a card says when, where, how urgent and how much', async ({ openAsVisitor }) => {
  const page = await openAsVisitor('/?search=vespa')
  const card = page.getByRole('region', { name: 'Recent Requests' }).getByRole('article').first()
  await expect(card).toContainText('Automotive')
  await expect(card).toContainText('1 hour ago')
  await expect(card).toContainText('Valencia, Spain')
  await expect(card).toContainText('Urgent need')
  await expect(card).toContainText('$60 – $145')
})
