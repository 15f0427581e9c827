import { recordTimerDelays } from '../support/deals.ts'
import { expect, phone, test } from '../support/fixtures.ts'
import { demoUsers } from '../support/users.ts'

test('for visitors, the header has only a Sign In button', async ({ openAsVisitor }) => {
  const page = await openAsVisitor('/')
  const header = page.getByRole('banner')
  await expect(header.getByRole('link', { name: 'Sign In' })).toBeVisible()
  await expect(header.getByRole('link')).toHaveCount(2)
  await expect(header.getByPlaceholder('What are you looking for today?')).toBeVisible()
  await page.goto('/terms-of-service')
  await header.getByRole('link', { name: 'Sought, home' }).click()
  await expect(page).toHaveURL('/')
})

test('for users, the header has every entry; only admins see the admin entry', async ({
  createUser,
  openAs,
}) => {
  const page = await openAs(await createUser(), '/')
  const header = page.getByRole('banner')
  await expect(header.getByRole('button', { name: 'Post' })).toBeVisible()
  for (const [name, path] of [
    ['Messages', '/messages'],
    ['Payments', '/payments'],
    ['Seller Setup', '/seller-setup'],
  ] as const) {
    await expect(header.getByRole('link', { name })).toHaveAttribute('href', path)
  }
  await expect(header.getByRole('link', { name: 'Admin Disputes' })).toHaveCount(0)
  await header.getByRole('button', { name: 'Post' }).click()
  await expect(page).toHaveURL('/post')

  const desk = await openAs(demoUsers.admin, '/')
  await expect(desk.getByRole('link', { name: 'Admin Disputes' })).toHaveAttribute('href', '/admin/disputes')
})

test('the account menu shows name and email, and links to the profile', async ({ createUser, openAs }) => {
  const person = await createUser()
  const page = await openAs(person, '/')
  await page.getByRole('button', { name: 'Account menu' }).click()
  await expect(page.getByRole('menu')).toContainText('Ada Tester')
  await expect(page.getByRole('menu')).toContainText(person.email)
  await page.getByRole('menuitem', { name: 'Profile' }).click()
  await expect(page).toHaveURL('/profile')
})

test('on a phone, the menu has every entry', async ({ createUser, openAs }) => {
  const page = await openAs(await createUser(), '/', phone)
  await expect(page.getByPlaceholder('Search for anything...')).toBeVisible()
  await page.getByRole('button', { name: /menu/i }).click()
  for (const name of [
    'Post Wanted Item',
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

test('the search box sets the search value', async ({ openAsVisitor }) => {
  const page = await openAsVisitor('/terms-of-service')
  await page.getByPlaceholder('What are you looking for today?').fill('lamp')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/?search=lamp')
  await expect(page.getByPlaceholder('What are you looking for today?')).toHaveValue('lamp')
})

test('the footer has its columns, links and promises', async ({ openAsVisitor }) => {
  const page = await openAsVisitor('/')
  const footer = page.getByRole('contentinfo')
  // The footer moves when the requests above it load.
  await expect(page.locator('.animate-breathe')).toHaveCount(0)
  for (const title of ['Legal & Policies', 'For Buyers', 'For Sellers']) {
    await expect(footer.getByRole('heading', { name: title })).toBeVisible()
  }
  for (const promise of ['100% Buyer Protection', '7-Day Escrow Hold', '24/7 Support', 'Secure Payments']) {
    await expect(footer).toContainText(promise)
  }
  for (const [name, path, heading] of [
    ['Terms of Service', '/terms-of-service', 'Terms of Service'],
    ['Privacy Policy', '/privacy-policy', 'Privacy Policy'],
    ['Refund Policy', '/refund-policy', 'Refund Policy'],
    ['Dispute Resolution', '/dispute-resolution', 'Dispute Resolution'],
  ] as const) {
    await footer.getByRole('link', { name }).first().click()
    await expect(page).toHaveURL(path)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading)
    await expect(page).toHaveTitle(`${heading} · Sought`)
  }
})

test('an unknown path is a 404 in the reply and on the screen', async ({ openAsVisitor, request }) => {
  expect((await request.get('/nowhere')).status()).toBe(404)
  expect((await request.get('/item/1')).status()).toBe(200)
  const page = await openAsVisitor('/')
  await page.evaluate(() => history.pushState({}, '', '/nowhere'))
  await page.evaluate(() => dispatchEvent(new PopStateEvent('popstate')))
  await expect(page.getByRole('heading', { name: 'Page Not Found' })).toBeVisible()
  await page.getByRole('main').getByRole('link').click()
  await expect(page).toHaveURL('/')
})

test('the page shows Loading... until it is known who is signed in', async ({ openAsVisitor }) => {
  const page = await openAsVisitor()
  let answer = () => {}
  const asked = new Promise<void>((resolve) => {
    answer = resolve
  })
  await page.route('**/api/auth/user', async (route) => {
    await asked
    await route.continue()
  })
  await page.goto('/')
  await expect(page.getByText('Loading...')).toBeVisible()
  await expect(page.getByRole('banner')).toHaveCount(0)
  answer()
  await expect(page.getByRole('banner')).toBeVisible()
})

test('the Back button goes back, or home without a history', async ({ openAsVisitor }) => {
  const page = await openAsVisitor('/privacy-policy')
  await page.getByRole('contentinfo').getByRole('link', { name: 'Refund Policy' }).first().click()
  await expect(page).toHaveURL('/refund-policy')
  await page.getByRole('main').getByRole('button', { name: 'Back' }).click()
  await expect(page).toHaveURL('/privacy-policy')

  const fresh = await openAsVisitor('/terms-of-service')
  await fresh.getByRole('main').getByRole('button', { name: 'Back' }).click()
  await expect(fresh).toHaveURL('/')
})

test('a tooltip appears 700 ms after the pointer enters', async ({ createUser, openAs }) => {
  const page = await openAs(await createUser(), '/')
  await expect(page.getByRole('button', { name: 'Account menu' })).toBeVisible()
  const delays = await recordTimerDelays(page)
  await page.getByRole('link', { name: 'Payments', exact: true }).hover()
  await expect(page.getByRole('tooltip')).toHaveText('Payments')
  expect(await delays()).toContain(700)
})

test('the first Tab stop skips to the content', async ({ openAsVisitor }) => {
  const page = await openAsVisitor('/')
  await expect(page.getByRole('banner')).toBeVisible()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('main')).toBeFocused()
})
