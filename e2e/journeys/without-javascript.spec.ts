import { jsonOf, lamp } from '../support/deals.ts'
import { pictureFile } from '../support/files.ts'
import { expect, test } from '../support/fixtures.ts'

test('visitors without JavaScript can read, search and filter requests, and open further pages', async ({
  createUser,
  openAs,
  openAsVisitor,
}) => {
  const { request } = await openAs(await createUser())
  const image = pictureFile('lamp.png')
  const { imageUrl } = await jsonOf(request.post('/api/wanted-items/image', { multipart: { image } }))
  await jsonOf(request.post('/api/wanted-items', { data: { ...lamp, imageUrl } }))
  const page = await openAsVisitor('/', { javaScriptEnabled: false })
  const main = page.getByRole('main')
  const heading = page.getByRole('heading', { level: 1 })
  const recent = page.getByRole('region', { name: 'Recent Requests' }).getByRole('article')
  const next = page.locator('a[rel=next]')
  /** Buttons that need our code but are not marked as disabled. */
  const deadButtons = page.locator('button:not([aria-disabled=true]):not(:disabled):not([formmethod])')
  await expect(recent).toHaveCount(12)
  await expect(heading).toHaveText('Say what you want. Let it find you.')
  const [picture] = await main.locator('article img').all()
  await expect
    .poll(() => picture?.evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBeGreaterThan(0)

  const linksOf = (cards: typeof recent) =>
    cards.getByRole('link').evaluateAll((links) => links.map((link) => link.getAttribute('href')))
  const links = await linksOf(recent)
  await next.click()
  await expect(page).toHaveURL(/\?cursor=\d+$/)
  await expect(heading).toHaveText('All requests')
  await expect(recent).toHaveCount(12)
  expect((await linksOf(recent)).filter((link) => links.includes(link))).toEqual([])

  await page.getByRole('link', { name: 'Electronics', exact: true }).click()
  await expect(page).toHaveURL('/c/electronics')
  await expect(heading).toHaveText('Electronics')
  await page.getByRole('link', { name: 'Filters and sorting' }).click()
  const filters = page.getByRole('form', { name: 'Filters' })
  await filters.getByLabel('Maximum budget').fill('150')
  await filters.getByLabel('Sort by').selectOption('Highest budget')
  await filters.getByRole('button', { name: 'Show Requests' }).click()
  await expect(page).toHaveURL(/maxBudget=150.*sort=budget/)
  await expect(heading).toHaveText(/^\d+ results in Electronics$/)
  await expect(page.getByRole('list', { name: 'Active filters' })).toContainText('150')
  await expect(deadButtons).toHaveCount(0)

  await page.getByRole('searchbox').first().fill('vespa')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/?search=vespa')
  await expect(deadButtons).toHaveCount(0)
  await main.getByRole('article').first().getByRole('link').first().click()
  await expect(page).toHaveURL(/\/item\/\d+$/)
  await expect(main.getByText('Posted by')).toBeVisible()
  const contact = main.getByRole('button', { name: 'Contact Buyer' })
  await expect(contact).toBeDisabled()
  await expect(contact).toHaveCSS('cursor', 'default')
  await expect(deadButtons).toHaveCount(0)

  await main.locator('a[href^="/user/"]').first().click()
  await expect(page.getByRole('heading', { name: 'Open requests' })).toBeVisible()
  await page.getByRole('contentinfo').getByRole('link', { name: 'Privacy Policy' }).click()
  await expect(heading).toHaveText('Privacy Policy')
  await page.goto('/help')
  await expect(main.getByRole('button', { name: 'Send Question' })).toBeDisabled()
  await expect(deadButtons).toHaveCount(0)
})
