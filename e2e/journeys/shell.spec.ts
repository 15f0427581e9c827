import { recordTimerDelays } from '../support/deals.ts'
import { expect, phone, test } from '../support/fixtures.ts'

test('a visitor opens every policy from the footer, searches there and goes back', {
  tag: '@proof',
}, async ({ openAsVisitor, request }) => {
  expect((await request.get('/nowhere')).status()).toBe(404)
  expect((await request.get('/item/99999999')).status()).toBe(404)
  expect((await request.get('/item/1')).status()).toBe(200)
  const page = await openAsVisitor('/')
  const footer = page.getByRole('contentinfo')
  // The footer moves when the requests above it load.
  await expect(footer).toBeVisible()
  await expect(page.locator('.animate-breathe')).toHaveCount(0)
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('main')).toBeFocused()
  for (const [name, path] of [
    ['Terms of Service', '/terms-of-service'],
    ['Privacy Policy', '/privacy-policy'],
    ['Refund Policy', '/refund-policy'],
    ['Dispute Resolution', '/dispute-resolution'],
  ] as const) {
    await footer.getByRole('link', { name }).first().click()
    await expect(page).toHaveURL(path)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(name)
    await expect(page).toHaveTitle(`${name} · Sought`)
  }
  await page.getByRole('main').getByRole('button', { name: 'Back' }).click()
  await expect(page).toHaveURL('/refund-policy')
  const search = page.getByPlaceholder('What are you looking for today?')
  await search.fill('lamp')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/?search=lamp')
  await expect(search).toHaveValue('lamp')

  const fresh = await openAsVisitor('/terms-of-service')
  await fresh.getByRole('main').getByRole('button', { name: 'Back' }).click()
  await expect(fresh).toHaveURL('/')
  await fresh.goto('/terms-of-service')
  await fresh.getByRole('banner').getByRole('link', { name: 'Sought, home' }).click()
  await expect(fresh).toHaveURL('/')
})

test('a tooltip appears 700 ms after the pointer enters', { tag: '@proof' }, async ({
  createUser,
  openAs,
}) => {
  const page = await openAs(await createUser(), '/terms-of-service')
  await expect(page.getByRole('button', { name: 'Account menu' })).toBeVisible()
  const delays = await recordTimerDelays(page)
  // On a busy machine, the pointer may enter before the page listens.
  await expect(async () => {
    await page.mouse.move(0, 0)
    await page.getByRole('link', { name: 'Payments', exact: true }).hover()
    await expect(page.getByRole('tooltip')).toHaveText('Payments', { timeout: 5_000 })
  }).toPass()
  expect(await delays()).toContain(700)
})

test('on a phone, the menu has every entry', { tag: '@proof' }, async ({ createUser, openAs }) => {
  const page = await openAs(await createUser(), '/', phone)
  await expect(page.getByPlaceholder('Search for anything...')).toBeVisible()
  await page.getByRole('button', { name: /menu/i }).click()
  for (const name of [
    'Post Wanted Item',
    'My Requests',
    'My Offers',
    'Messages',
    'Notifications',
    'Admin Disputes',
    'Payments',
    'Seller Setup',
    'Profile',
    'Log Out',
  ]) {
    await expect(page.getByRole('navigation').getByText(name, { exact: true })).toBeVisible()
  }
  await page.getByRole('navigation').getByText('Payments', { exact: true }).click()
  await expect(page).toHaveURL('/payments')
})
