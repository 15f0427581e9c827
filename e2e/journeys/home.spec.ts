import { expect, test } from '../support/fixtures.ts'

test('requests on the home page can be paged, filtered and searched, and the Back button works', {
  tag: '@proof',
}, async ({ openAsVisitor }) => {
  const page = await openAsVisitor('/')
  const main = page.getByRole('main')
  const urgent = page.getByRole('region', { name: 'Urgent Requests' }).getByRole('article')
  const recent = page.getByRole('region', { name: 'Recent Requests' }).getByRole('article')
  await expect(urgent).toHaveCount(6)
  await expect(recent).toHaveCount(12)
  await expect(main.getByRole('article')).toHaveCount(3 + 6 + 12)
  await page.getByRole('link', { name: 'Show more' }).click()
  await expect(recent).toHaveCount(24)
  const links = await recent
    .getByRole('link')
    .evaluateAll((all) => all.map((link) => link.getAttribute('href')))
  expect(new Set(links).size).toBe(24)

  const last = recent.last()
  await last.scrollIntoViewIfNeeded()
  const scrolledTo = () => page.evaluate(() => window.scrollY)
  const position = await scrolledTo()
  expect(position).toBeGreaterThan(1000)
  await last.getByRole('link').first().click()
  await expect(page.getByRole('heading', { name: 'Recent Requests' })).toHaveCount(0)
  await expect.poll(scrolledTo).toBe(0)
  await page.goBack()
  await expect(recent).toHaveCount(24)
  await expect.poll(scrolledTo).toBe(position)

  const music = page.getByRole('link', { name: 'Music', exact: true })
  await music.click()
  await expect(page).toHaveURL('/c/music')
  await expect(music).toHaveAttribute('aria-current', 'true')
  await expect(recent.filter({ hasNotText: 'Music' })).toHaveCount(0)
  await expect(recent.first()).toBeVisible()
  await music.click()
  await expect(page).toHaveURL('/')

  await page.goto('/?search=typewriter&category=Other')
  const results = page.getByRole('region', { name: 'Search results' }).getByRole('article')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('1 result for “typewriter” in Other')
  await expect(results).toHaveCount(1)
  await expect(results).toContainText('Portable typewriter')
  await page.getByRole('searchbox').first().fill('vespa')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/?search=vespa')
  for (const text of ['Automotive', '1 hour ago', 'Valencia, Spain', 'Urgent need', '$60 – $145']) {
    await expect(results.first()).toContainText(text)
  }
  await page.goBack()
  await expect(results).toContainText('Portable typewriter')
})
