import { expect, ownContext, test } from '../support/fixtures.ts'
import { toast } from '../support/toasts.ts'

const _toastIn = (page: import('@playwright/test').Page) =>
  page.getByRole('region', { name: /Notifications/ }).getByRole('listitem')

test.describe('a visitor who comes to a private screen', () => {
  for (const [path, title, words, leadsTo] of [
    ['/post', 'Login Required', 'Please log in to post wanted items', '/'],
    ['/checkout?itemId=1&amount=100', 'Authentication Required', 'Please log in to make a purchase', '/'],
    ['/escrow-checkout?itemId=1', 'Authentication Required', 'Please log in to make a purchase', '/'],
  ] as const) {
    test(`${path}: a toast, and home`, async ({ openAsVisitor }) => {
      const page = await openAsVisitor(path)
      await expect(toast(page)).toContainText(title)
      await expect(toast(page)).toContainText(words)
      await expect(page).toHaveURL(leadsTo)
    })
  }

  for (const path of ['/messages', '/delivery/1']) {
    test(`${path}: a toast, and half a second later the sign-in screen`, async ({ openAsVisitor }) => {
      const page = await openAsVisitor(undefined, ownContext)
      // The page keeps every delay that it sets, since waiting by our own watch would prove little.
      await page.addInitScript(() => {
        const { setTimeout } = window
        window.setTimeout = ((...[handler, delay, ...rest]: Parameters<typeof setTimeout>) => {
          sessionStorage.setItem(`delay ${delay}`, 'set')
          return setTimeout(handler, delay, ...rest)
        }) as typeof setTimeout
      })
      await page.goto(path)
      await expect(page).toHaveURL('/auth')
      expect(await page.evaluate(() => sessionStorage.getItem('delay 500'))).toBe('set')
    })

    test(`${path}: the toast says why`, async ({ openAsVisitor }) => {
      const page = await openAsVisitor()
      // The redirect is answered with nothing, which leaves the page where it is, so that there is time to read.
      await page.route('**/api/login', (route) => route.fulfill({ status: 204 }))
      await page.goto(path)
      await expect(toast(page)).toContainText('Unauthorized')
      await expect(toast(page)).toContainText('You are logged out. Logging in again...')
    })
  }

  test('/profile: home, without a word', async ({ openAsVisitor }) => {
    const page = await openAsVisitor('/profile')
    await expect(page).toHaveURL('/')
  })

  for (const [path, title, words] of [
    ['/payments', 'Login Required', 'Please log in to view your transactions.'],
    ['/notifications', 'Login Required', 'Please log in to see your notifications.'],
    ['/seller-setup', 'Login Required', 'Please log in to set up your payouts.'],
    ['/rating?paymentId=1', 'Login Required', 'Please log in to rate a seller.'],
    ['/payment-success', 'Login Required', 'Please log in to see your payment.'],
    ['/dispute-report?paymentId=1', 'Authentication Required', 'Please log in to file a dispute.'],
  ] as const) {
    test(`${path}: says why, and leads to signing in`, async ({ openAsVisitor }) => {
      const page = await openAsVisitor(path)
      await expect(page.getByRole('heading', { name: title })).toBeVisible()
      await expect(page.getByText(words)).toBeVisible()
      await page.getByRole('main').getByRole('link', { name: 'Sign In' }).click()
      await expect(page).toHaveURL(`/auth?returnTo=${encodeURIComponent(path)}`)
    })
  }

  test('/admin/disputes: Access Denied, and a way home', async ({ openAsVisitor }) => {
    const page = await openAsVisitor('/admin/disputes')
    await expect(page.getByRole('heading', { name: 'Access Denied' })).toBeVisible()
    await expect(page.getByText("You don't have permission to access the admin dashboard.")).toBeVisible()
    await page.getByRole('link', { name: 'Back to Home' }).click()
    await expect(page).toHaveURL('/')
  })
})

test('after signing in, the visitor lands where they were going', async ({ createUser, openAsVisitor }) => {
  const { email, password } = await createUser()
  for (const path of ['/payments', '/post', '/messages']) {
    const page = await openAsVisitor(path)
    if (path === '/payments') await page.getByRole('main').getByRole('link', { name: 'Sign In' }).click()
    if (path === '/post') {
      await expect(page).toHaveURL('/')
      await page.getByRole('link', { name: 'Sign In' }).click()
    }
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Sign In' }).click()
    await expect(page).toHaveURL(path)
  }
})

test('somebody who is no admin is denied the desk too', async ({ createUser, openAs }) => {
  const page = await openAs(await createUser(), '/admin/disputes')
  await expect(page.getByRole('heading', { name: 'Access Denied' })).toBeVisible()
})
