import { expect, test } from '../support/fixtures.ts'

test('the home page shows three, six urgent and twelve recent requests, and loads more', async ({
  openAsVisitor,
}) => {
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

test('a category chip filters the requests, and pressing it again clears the filter', async ({
  openAsVisitor,
}) => {
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

test('a search is in the URL, so that it can be shared and Back works', async ({ openAsVisitor }) => {
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

test('users do not see their own requests', async ({ createUser, openAs }) => {
  const page = await openAs(await createUser(), '/')
  const data = { title: 'My very own thing', description: 'Mine', category: 'Other', location: 'Here' }
  await page.request.post('/api/wanted-items', { data })
  await page.reload()
  await expect(page.getByRole('region', { name: 'Recent Requests' })).toBeVisible()
  await expect(page.getByText('My very own thing')).toHaveCount(0)
})

test('a card shows category, age, place, urgency and budget', async ({ openAsVisitor }) => {
  const page = await openAsVisitor('/?search=vespa')
  const card = page.getByRole('region', { name: 'Recent Requests' }).getByRole('article').first()
  await expect(card).toContainText('Automotive')
  await expect(card).toContainText('1 hour ago')
  await expect(card).toContainText('Valencia, Spain')
  await expect(card).toContainText('Urgent need')
  await expect(card).toContainText('$60 – $145')
})
