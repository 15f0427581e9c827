import type { Page } from '@playwright/test'
import { chooseCard, payButton, recordCardData, startPayment } from '../support/deals.ts'
import { expect, test } from '../support/fixtures.ts'
import { toast } from '../support/toasts.ts'

const inEscrow = (page: Page) => page.getByRole('heading', { name: 'Payment Successful' })
const CONFIRM = /\/v1\/payment_intents\/[^/]+\/confirm$/

test('a buyer pays, confirms the delivery and rates the seller; the seller sees each status of the payment', {
  tag: '@proof',
}, async ({ createDeal }) => {
  const { buyer, seller, item } = await createDeal()
  const expectCardKeptPrivate = recordCardData(buyer)
  await Promise.all([buyer, seller].map((page) => page.goto(`/messages?itemId=${item.id}`)))
  const offers = seller.getByRole('region', { name: 'Offers', exact: true })
  const update = seller.getByRole('article', { name: 'Transaction update' })
  await expect(offers).toContainText('Accepted. Waiting for the buyer’s payment.')
  await buyer.getByRole('link', { name: 'Proceed to Payment' }).click()

  const summary = buyer.getByRole('region', { name: 'Order summary' })
  await expect(summary).toContainText('A green banker’s lamp')
  await expect(summary).toContainText('From Bob Tester')
  await expect(summary).toContainText('You pay$120.00')
  await expect(summary).toContainText('Fees paid by the seller from the price')
  await expect(summary).toContainText('Platform fee3%$3.60')
  await expect(summary).toContainText('Card processing, at most3.4% + $1.50$5.58')
  for (const step of ['Payment secured', 'Seller delivers', 'You confirm', 'Auto-release after 7 days']) {
    await expect(buyer.getByRole('heading', { name: step })).toBeVisible()
  }

  await expect(buyer.getByText('Test mode')).toBeVisible()
  await expect(buyer.getByLabel('Name on card')).toHaveValue('Test Buyer')
  await chooseCard(buyer, 'good')
  await expect(buyer.getByLabel('Card number')).toHaveValue('4242 4242 4242 4242')
  await expect(payButton(buyer)).toHaveText('Pay $120.00 into escrow')
  await payButton(buyer).click()

  await expect(buyer).toHaveURL(/\/payment-success\?escrow=true&payment_intent=pi_/)
  await expect(inEscrow(buyer)).toBeVisible()
  await expect(buyer.getByText('Your payment is in escrow, and the seller is notified')).toBeVisible()
  await expectCardKeptPrivate()
  await expect(update).toContainText('In Escrow')
  await expect(offers).toContainText('Payment Received')
  await buyer.getByRole('link', { name: 'Confirm Delivery' }).click()

  await expect(buyer.getByText('In Escrow', { exact: true })).toBeVisible()
  await expect(buyer.getByRole('radio', { name: '5 stars, Excellent' })).toBeChecked()
  await buyer.getByRole('radio', { name: '4 stars, Very Good' }).check()
  await buyer.getByLabel('Feedback').fill('Packed with care.')
  await buyer.getByRole('button', { name: 'Confirm Delivery' }).click()
  await expect(buyer.getByRole('alertdialog')).toContainText('Release $120.00 to Bob Tester?')
  await buyer.getByRole('button', { name: 'Release $120.00' }).click()
  await expect(toast(buyer)).toContainText('Delivery confirmed!')
  await expect(buyer).toHaveURL(/\/rating\?paymentId=\d+&sellerName=Bob%20Tester&itemTitle=/)
  await expect(update).toContainText('Payment Released')

  await expect(buyer.getByText('Your rating of Bob Tester has been submitted.')).toBeVisible()
  await expect(buyer.getByText('Packed with care.')).toBeVisible()
  await buyer.getByRole('link', { name: 'My Transactions' }).click()
  await expect(buyer.getByRole('article')).toContainText('Payment Released')
  await expect(buyer.getByRole('link', { name: 'Rate Seller' })).toHaveCount(0)
  expect(await (await seller.request.get('/api/auth/user')).json()).toMatchObject({ rating: 4 })
  await buyer.getByRole('link', { name: 'Receipt' }).click()
  await expect(buyer.getByRole('article', { name: /^Receipt R-\d{4}-\d{6}$/ })).toContainText(
    'Total paid$120.00',
  )
  await expectPrintedInLight(buyer)

  await seller.getByRole('link', { name: 'Payments', exact: true }).click()
  const sale = seller.getByRole('article')
  await expect(sale).toContainText('Amount$120.00')
  await expect(sale).toContainText('Platform fee−$3.60')
  await expect(sale).toContainText('Card processing−$3.78')
  await expect(sale).toContainText('Your payout$112.62')
  await expect(sale).toContainText('Owed to you. Set up payouts to receive it.')
  await seller.getByRole('region', { name: 'Statements' }).getByRole('link').click()
  await expect(seller.getByRole('article', { name: 'Statement Draft' })).toContainText(
    'Owed to you now$112.62',
  )
  const download = seller.waitForEvent('download')
  await seller.getByRole('link', { name: 'Download CSV' }).click()
  expect((await download).suggestedFilename()).toMatch(/^statement-\d{4}-\d\d-draft\.csv$/)
})

/** In print, only the document is shown, in light colours even for a user of the dark theme. */
async function expectPrintedInLight(page: Page): Promise<void> {
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  await expect(page.getByRole('banner')).toBeHidden()
  await expect(page.getByRole('contentinfo')).toBeHidden()
  await expect(page.getByRole('button', { name: 'Print' })).toBeHidden()
  await expect(page.getByRole('article')).toBeVisible()
  await expect(page.locator('body')).toHaveCSS('background-color', 'rgb(255, 255, 255)')
  await page.emulateMedia({ media: 'screen', colorScheme: null })
}

test('a payment that is resumed, loses a reply or is open in a second tab is charged once', {
  tag: '@proof',
}, async ({ createDeal }) => {
  const deal = await createDeal()
  const { buyer, item, checkout } = deal
  const { intentId } = await startPayment(deal)
  const other = await buyer.context().newPage()
  const statuses: number[] = []
  await buyer.route(CONFIRM, async (route) => {
    const reply = await route.fetch()
    statuses.push(reply.status())
    if (statuses.length === 1) await route.fulfill({ status: 400, body: 'a proxy broke' })
    else await route.fulfill({ response: reply })
  })
  await buyer.goto(checkout)
  // The short checkout finds the accepted offer itself.
  await other.goto(`/checkout?itemId=${item.id}&amount=12000`)
  await expect(other.getByRole('region', { name: 'Order summary' })).toContainText('From Bob Tester')
  for (const tab of [buyer, other]) await chooseCard(tab, 'good')

  await payButton(buyer).click()
  await expect(toast(buyer)).toContainText('Payment Error')
  await expect(toast(buyer)).toContainText('An unexpected error occurred. Please try again.')
  await buyer.getByLabel('CVC').fill('123')
  await payButton(buyer).click()
  await expect(buyer).toHaveURL(`/payment-success?escrow=true&payment_intent=${intentId}`)
  await expect(inEscrow(buyer)).toBeVisible()
  expect(statuses).toEqual([200, 400])

  const answer = other.waitForResponse(CONFIRM)
  await payButton(other).click()
  expect((await answer).status()).toBe(400)
  await expect(other).toHaveURL(`/payment-success?payment_intent=${intentId}`)
  await expect(inEscrow(other)).toBeVisible()
  expect(await (await buyer.request.get('/api/payments')).json()).toHaveLength(1)
})

test('a buyer whose cards are declined or who leaves the bank’s page can still pay', {
  tag: '@proof',
}, async ({ createDeal }) => {
  const { buyer, checkout } = await createDeal()
  await buyer.goto(checkout)
  await chooseCard(buyer, 'declined')
  await buyer.getByLabel('Postal code').fill('31400')
  await payButton(buyer).click()
  await expect(toast(buyer)).toContainText('Payment Failed')
  await expect(toast(buyer)).toContainText('Your card was declined.')
  await expect(buyer.getByLabel('Card number')).toHaveValue('4000 0000 0000 0002')
  await expect(buyer.getByLabel('Expiry')).toHaveValue('12 / 34')
  await expect(buyer.getByLabel('Postal code')).toHaveValue('31400')
  await expect(buyer.getByLabel('CVC')).toHaveValue('')
  await chooseCard(buyer, 'poor')
  await payButton(buyer).click()
  await expect(toast(buyer)).toContainText('Your card has insufficient funds.')

  const payWithAuthentication = async () => {
    await chooseCard(buyer, 'authenticated')
    await payButton(buyer).click()
  }
  // The empty reply from the bank's page keeps our page open, as if it were restored from the back-forward cache.
  const left = Promise.withResolvers<void>()
  await buyer.route('**/authenticate/**', async (route) => {
    await route.fulfill({ status: 204 })
    left.resolve()
  })
  await payWithAuthentication()
  await left.promise
  await expect(payButton(buyer)).toBeDisabled()
  await buyer.evaluate(() => window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })))
  await buyer.unroute('**/authenticate/**')
  await payWithAuthentication()
  await expect(buyer.getByRole('button', { name: 'Complete' })).toBeVisible()
  await buyer.goBack()

  await payWithAuthentication()
  await buyer.getByRole('button', { name: 'Fail' }).click()
  await expect(buyer.getByRole('heading', { name: 'Payment Failed' })).toBeVisible()
  await expect(buyer.getByText('You were not charged.')).toBeVisible()
  await buyer.getByRole('link', { name: 'Try Again' }).click()
  await expect(buyer).toHaveURL(checkout)
  await payWithAuthentication()
  await buyer.getByRole('button', { name: 'Complete' }).click()
  await expect(buyer).toHaveURL(/\/payment-success\?escrow=true&payment_intent=pi_/)
  await expect(buyer).not.toHaveURL(/secret/)
  await expect(inEscrow(buyer)).toBeVisible()
})
