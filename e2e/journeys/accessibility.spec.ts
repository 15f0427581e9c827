import type { Page } from '@playwright/test'
import {
  expectAccessible,
  expectAccessibleEverywhere,
  expectFrameAccessible,
} from '../support/accessibility.ts'
import { confirmDelivery, payButton, payIntoEscrow } from '../support/deals.ts'
import { expect, test } from '../support/fixtures.ts'
import { openInApp } from '../support/open-in-app.ts'

type Screens = readonly (readonly [path: string, heading: string | RegExp])[]

/** Opens and checks one screen after the other, and then the header and the footer. */
async function checkScreens(page: Page, screens: Screens): Promise<void> {
  await page.goto('/terms-of-service')
  for (const [path, heading] of screens) {
    await openInApp(page, path)
    await expectLoaded(page, heading)
    await expectAccessible(page, path)
  }
  await expectFrameAccessible(page)
}

async function expectLoaded(page: Page, heading: string | RegExp): Promise<void> {
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading)
  await expect(page.locator('.animate-spin, .animate-breathe')).toHaveCount(0)
}

const HOME = 'Say what you want. Let it find you.'

test('axe finds nothing serious on the screens of a visitor', { tag: '@proof' }, async ({
  openAsVisitor,
}) => {
  await checkScreens(await openAsVisitor(), [
    ['/', HOME],
    ['/c/music', 'Music'],
    ['/?search=nothingatall', '0 results for “nothingatall”'],
    ['/auth', 'Welcome back'],
    ['/item/1', /./],
    ['/admin/disputes', 'Access Denied'],
    ['/payments', 'Login Required'],
    ['/dispute-report', 'Authentication Required'],
  ])
})

test('axe finds nothing serious on the sign-up screen, the policies and the page for a missing address', {
  tag: '@proof',
}, async ({ openAsVisitor }) => {
  await checkScreens(await openAsVisitor(), [
    ['/signup', 'Create your account'],
    ['/terms-of-service', 'Terms of Service'],
    ['/privacy-policy', 'Privacy Policy'],
    ['/refund-policy', 'Refund Policy'],
    ['/dispute-resolution', 'Dispute Resolution'],
    ['/nowhere', 'Page Not Found'],
  ])
})

test('axe finds nothing serious in the gallery of all components', async ({ openAsVisitor }) => {
  // This page shows spinners and skeletons forever.
  const page = await openAsVisitor('/dev/ui')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expectAccessibleEverywhere(page, 'the gallery')
  await expectFrameAccessible(page)
})

test('axe finds nothing serious on the screens of a new user', { tag: '@proof' }, async ({
  createUser,
  openAs,
}) => {
  await checkScreens(await openAs(await createUser()), [
    ['/', HOME],
    ['/post', 'Post a Request'],
    ['/messages', 'Messages'],
    ['/payments', 'My Transactions'],
    ['/profile', 'Ada Tester'],
    ['/seller-setup', 'Seller Setup'],
    ['/escrow-checkout', 'Invalid Request'],
    ['/payment-success', 'No payment to show'],
    ['/delivery/999999999', 'Payment Not Found'],
    ['/rating?paymentId=1&sellerName=Bob&itemTitle=A%20lamp&amount=12000', 'Rate Bob'],
  ])
})

test('axe finds nothing serious on the screens of a payment and its parties', { tag: '@proof' }, async ({
  createDeal,
}) => {
  const deal = await createDeal()
  const { buyer, seller, checkout, item } = deal
  await buyer.goto(checkout)
  await payButton(buyer).click()
  await expect(buyer.getByText('Enter the date as MM / YY.')).toBeVisible()
  await expectAccessible(buyer, 'the checkout')

  const { paymentId, intentId } = await payIntoEscrow(deal)
  await openInApp(buyer, `/payment-success?escrow=true&payment_intent=${intentId}`)
  await expectLoaded(buyer, 'Payment Successful')
  await expectAccessible(buyer, 'the page after paying')
  await openInApp(buyer, `/delivery/${paymentId}`)
  await expect(buyer.getByRole('button', { name: 'Confirm Delivery' })).toBeVisible()
  await expectAccessible(buyer, 'delivery')
  await openInApp(buyer, '/payments')
  await expect(buyer.getByRole('link', { name: 'Report Issue' })).toBeVisible()
  await expectAccessible(buyer, 'the buyer’s transactions')
  await seller.goto('/payments')
  await expect(seller.getByRole('article')).toContainText('Your payout')
  await expectAccessible(seller, 'the seller’s transactions')

  await openInApp(buyer, '/profile')
  await expectLoaded(buyer, 'Ada Tester')
  const purchases = buyer.getByRole('region', { name: 'Recent purchases' })
  await expect(purchases.getByRole('listitem')).toContainText(['A green banker’s lamp$120.00'])
  await expectAccessible(buyer, 'the overview of the profile')

  await confirmDelivery(buyer, paymentId)
  const rated = await buyer.request.post(`/api/payments/${paymentId}/submit-rating`, {
    data: { rating: 4, feedback: 'A day late, but as described.' },
  })
  expect(rated.ok()).toBe(true)
  const reviewed = await seller.request.post(`/api/payments/${paymentId}/review`, { data: { rating: 5 } })
  expect(reviewed.ok()).toBe(true)
  await openInApp(buyer, `/payments/${paymentId}/receipt`)
  await expectLoaded(buyer, 'Receipt')
  await expectAccessible(buyer, 'the receipt')
  await seller.reload()
  await seller.getByRole('region', { name: 'Statements' }).getByRole('link').click()
  await expectLoaded(seller, 'Statement')
  await expectAccessible(seller, 'the statement')
  const { userId: sellerId } = await postTelescope(seller)
  await openInApp(buyer, `/user/${sellerId}`)
  await expectLoaded(buyer, 'Bob Tester')
  await expect(buyer.getByRole('region', { name: 'Open requests' })).toContainText('A brass telescope')
  const review = buyer.getByRole('region', { name: 'Reviews' }).getByRole('article')
  await expect(review).toContainText('A day late, but as described.')
  await expectAccessible(buyer, 'a public profile')
  await review.getByRole('link', { name: 'Ada Tester' }).click()
  await expect(buyer).toHaveURL(`/user/${item.userId}`)
})

async function postTelescope(page: Page): Promise<{ userId: string }> {
  const data = {
    title: 'A brass telescope',
    description: 'To see the sea.',
    category: 'Other',
    location: 'Ipoh',
  }
  return (await page.request.post('/api/wanted-items', { data })).json()
}
