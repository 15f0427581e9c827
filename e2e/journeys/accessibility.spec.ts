import type { Page } from '@playwright/test'
import { expectAccessible } from '../support/accessibility.ts'
import { type Deal, payButton, payIntoEscrow } from '../support/deals.ts'
import { expect, test } from '../support/fixtures.ts'

/** Every screen, by who may see it. Each is loaded once and checked in light, in dark and on a phone. */
const screens = {
  visitor: [
    ['/', '/?category=Music', '/?search=nothingatall', '/auth', '/signup', '/item/1'],
    ['/terms-of-service', '/privacy-policy', '/refund-policy', '/dispute-resolution', '/nowhere'],
    ['/admin/disputes', '/payments', '/dispute-report', '/dev/ui'],
  ],
  user: [
    ['/', '/post', '/messages', '/payments', '/profile'],
    [
      '/seller-setup',
      '/escrow-checkout',
      '/payment-success',
      '/delivery/999999999',
      '/rating?paymentId=1&sellerName=Bob&itemTitle=A%20lamp&amount=12000',
    ],
  ],
}

for (const [whose, groups] of Object.entries(screens)) {
  for (const paths of groups) {
    test(`${whose} ${paths.join(', ')}: axe finds nothing serious`, async ({
      createUser,
      openAs,
      openAsVisitor,
    }) => {
      const isVisitor = whose === 'visitor'
      const page = isVisitor ? await openAsVisitor() : await openAs(await createUser())
      for (const path of paths) {
        await page.setViewportSize({ width: 1280, height: 800 })
        await page.goto(path)
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
        // The network of signed-in users is never idle: the event stream stays open.
        if (isVisitor) await page.waitForLoadState('networkidle')
        else await expect(page.locator('.animate-spin, .animate-breathe')).toHaveCount(0)
        await expectAccessible(page, path)
      }
    })
  }
}

/** Screens that need a payment. */
const withMoney = {
  'the checkout': async ({ buyer, checkout }) => {
    await buyer.goto(checkout)
    await payButton(buyer).click()
    await expect(buyer.getByText('Enter the date as MM / YY.')).toBeVisible()
    return buyer
  },
  'the page after paying': async (deal) => {
    const { intentId } = await payIntoEscrow(deal)
    await deal.buyer.goto(`/payment-success?escrow=true&payment_intent=${intentId}`)
    await expect(deal.buyer.getByRole('heading', { name: 'Payment Successful' })).toBeVisible()
    return deal.buyer
  },
  delivery: async (deal) => {
    const { paymentId } = await payIntoEscrow(deal)
    await deal.buyer.goto(`/delivery/${paymentId}`)
    await expect(deal.buyer.getByRole('button', { name: 'Confirm Delivery' })).toBeVisible()
    return deal.buyer
  },
  'the buyer’s transactions': async (deal) => {
    await payIntoEscrow(deal)
    await deal.buyer.goto('/payments')
    await expect(deal.buyer.getByRole('link', { name: 'Report Issue' })).toBeVisible()
    return deal.buyer
  },
  'the seller’s transactions': async (deal) => {
    await payIntoEscrow(deal)
    await deal.seller.goto('/payments')
    await expect(deal.seller.getByRole('article')).toContainText('Your payout')
    return deal.seller
  },
} satisfies Record<string, (deal: Deal) => Promise<Page>>

for (const [what, open] of Object.entries(withMoney)) {
  test(`${what}: axe finds nothing serious`, async ({ createDeal }) => {
    await expectAccessible(await open(await createDeal()))
  })
}
