import type { Page, Request } from '@playwright/test'
import {
  chargeCard,
  chooseCard,
  confirmDelivery,
  payButton,
  payIntoEscrow,
  paymentStatus,
  recordTimerDelays,
  startPayment,
  withoutEvents,
} from '../support/deals.ts'
import { expect, test } from '../support/fixtures.ts'
import { toast } from '../support/toasts.ts'

const confirms = (page: Page) => {
  const sent: Request[] = []
  page.on('request', (request) => {
    if (/\/v1\/payment_intents\/[^/]+\/confirm$/.test(request.url())) sent.push(request)
  })
  return sent
}

const inEscrow = (page: Page) => page.getByRole('heading', { name: 'Payment Successful' })

test('a buyer pays, confirms the delivery and rates the seller', async ({ createDeal }) => {
  const deal = await createDeal()
  const { buyer, seller, item } = deal
  await buyer.goto(`/messages?itemId=${item.id}`)
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
  await buyer.getByRole('link', { name: 'Confirm Delivery' }).click()

  await expect(buyer.getByText('In Escrow', { exact: true })).toBeVisible()
  await expect(buyer.getByRole('radio', { name: '5 stars, Excellent' })).toBeChecked()
  await buyer.getByLabel('Feedback').fill('Packed with care.')
  await buyer.getByRole('button', { name: 'Confirm Delivery' }).click()
  await expect(buyer.getByRole('alertdialog')).toContainText('Release $120.00 to Bob Tester?')
  const delays = await recordTimerDelays(buyer)
  await buyer.getByRole('button', { name: 'Release $120.00' }).click()
  await expect(buyer.getByRole('heading', { name: 'Delivery Already Confirmed' })).toBeVisible()
  await expect(toast(buyer)).toContainText('Delivery confirmed!')

  await expect(buyer).toHaveURL(/\/rating\?paymentId=\d+&sellerName=Bob%20Tester&itemTitle=/)
  expect(await delays()).toContain(1500)
  await expect(buyer.getByRole('radio', { name: '5 stars, Excellent' })).toBeChecked()
  await expect(buyer.getByLabel('Feedback')).toHaveValue('Packed with care.')
  await buyer.getByRole('button', { name: 'Submit Rating' }).click()
  await expect(toast(buyer)).toContainText('Your rating has been submitted.')
  await expect(buyer).toHaveURL('/payments')
  await expect(buyer.getByRole('article')).toContainText('Payment Released')
  await expect(buyer.getByRole('link', { name: 'Rate Seller' })).toHaveCount(0)

  await seller.goto('/payments')
  const sale = seller.getByRole('article')
  await expect(sale).toContainText('Amount$120.00')
  await expect(sale).toContainText('Platform fee−$3.60')
  await expect(sale).toContainText('Card processing−$3.78')
  await expect(sale).toContainText('Your payout$112.62')
  await expect(sale).toContainText('Owed to you. Set up payouts to receive it.')
})

test('/checkout pays the accepted offer too', async ({ createDeal }) => {
  const { buyer, item } = await createDeal(4_500)
  await buyer.goto(`/checkout?itemId=${item.id}&amount=4500`)
  await expect(buyer.getByRole('region', { name: 'Order summary' })).toContainText('From Bob Tester')
  await chooseCard(buyer, 'good')
  await payButton(buyer).click()
  await expect(buyer).toHaveURL(/\/payment-success\?payment_intent=pi_/)
  await expect(inEscrow(buyer)).toBeVisible()
})

test('a declined card shows why and keeps the form, and another card then pays', async ({ createDeal }) => {
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
  await chooseCard(buyer, 'good')
  await payButton(buyer).click()
  await expect(inEscrow(buyer)).toBeVisible()
})

test('invalid card data is not sent, and each field shows its error', async ({ createDeal }) => {
  const { buyer, checkout } = await createDeal()
  const sent = confirms(buyer)
  await buyer.goto(checkout)
  await buyer.getByLabel('Card number').pressSequentially('4242424242424241')
  await expect(buyer.getByLabel('Card number')).toHaveValue('4242 4242 4242 4241')
  await buyer.getByLabel('Expiry').pressSequentially('120')
  await payButton(buyer).click()
  await expect(buyer.getByText('This card number is not valid.')).toBeVisible()
  await expect(buyer.getByLabel('Card number')).toBeFocused()
  await expect(buyer.getByText('Enter the date as MM / YY.')).toBeVisible()
  await expect(buyer.getByText('Enter the 3-digit code.')).toBeVisible()
  await buyer.getByLabel('Card number').fill('4242424242424242')
  await expect(buyer.getByText('This card number is not valid.')).toHaveCount(0)
  expect(sent).toHaveLength(0)

  // Errors that only the provider can find are shown at the field too.
  await buyer.getByLabel('Card number').fill('4000000000000127')
  await buyer.getByLabel('Expiry').fill('1234')
  await buyer.getByLabel('CVC').fill('123')
  await payButton(buyer).click()
  await expect(toast(buyer)).toContainText('Payment Failed')
  await expect(buyer.getByLabel('CVC')).toHaveAttribute('aria-invalid', 'true')
  await expect(buyer.getByLabel('CVC')).toBeFocused()
})

test('a card that requires authentication pays into escrow after it', async ({ createDeal }) => {
  const { buyer, checkout } = await createDeal()
  await buyer.goto(checkout)
  await chooseCard(buyer, 'authenticated')
  await payButton(buyer).click()
  await buyer.getByRole('button', { name: 'Complete' }).click()
  await expect(buyer).toHaveURL(/\/payment-success\?escrow=true&payment_intent=pi_/)
  await expect(buyer).not.toHaveURL(/secret/)
  await expect(inEscrow(buyer)).toBeVisible()
})

test('a failed authentication says so and leads back to the checkout', async ({ createDeal }) => {
  const { buyer, checkout } = await createDeal()
  await buyer.goto(checkout)
  await chooseCard(buyer, 'authenticated')
  await payButton(buyer).click()
  await buyer.getByRole('button', { name: 'Fail' }).click()
  await expect(buyer.getByRole('heading', { name: 'Payment Failed' })).toBeVisible()
  await expect(buyer.getByText('You were not charged.')).toBeVisible()
  await buyer.getByRole('link', { name: 'Try Again' }).click()
  await expect(buyer).toHaveURL(checkout)
  await chooseCard(buyer, 'good')
  await payButton(buyer).click()
  await expect(inEscrow(buyer)).toBeVisible()
})

test('a buyer who goes back from the bank’s page can pay with another card', async ({ createDeal }) => {
  const { buyer, checkout } = await createDeal()
  await buyer.goto(checkout)
  await chooseCard(buyer, 'authenticated')
  await payButton(buyer).click()
  await expect(buyer.getByRole('button', { name: 'Complete' })).toBeVisible()
  await buyer.goBack()
  await chooseCard(buyer, 'good')
  await payButton(buyer).click()
  await expect(inEscrow(buyer)).toBeVisible()
})

test('a page restored from the back-forward cache can pay again', async ({ createDeal }) => {
  const { buyer, checkout } = await createDeal()
  // An empty reply of the bank's page keeps ours open.
  await buyer.route('**/authenticate/**', (route) => route.fulfill({ status: 204 }))
  await buyer.goto(checkout)
  await chooseCard(buyer, 'authenticated')
  await payButton(buyer).click()
  await expect(payButton(buyer)).toBeDisabled()
  await buyer.evaluate(() => window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })))
  await chooseCard(buyer, 'good')
  await payButton(buyer).click()
  await expect(inEscrow(buyer)).toBeVisible()
})

test('pressing Pay twice sends one request', async ({ createDeal }) => {
  const { buyer, checkout } = await createDeal()
  const sent = confirms(buyer)
  await buyer.goto(checkout)
  await chooseCard(buyer, 'good')
  await payButton(buyer).evaluate((button: HTMLButtonElement) => {
    button.click()
    button.click()
    button.form?.requestSubmit()
  })
  await expect(payButton(buyer)).toBeDisabled()
  await expect(inEscrow(buyer)).toBeVisible()
  expect(sent).toHaveLength(1)
})

test('paying in two tabs charges once, and both tabs show the payment', async ({ createDeal }) => {
  const { buyer, checkout } = await createDeal()
  const other = await buyer.context().newPage()
  for (const tab of [buyer, other]) {
    await tab.goto(checkout)
    await chooseCard(tab, 'good')
  }
  const answers = other.waitForResponse(/\/confirm$/)
  await payButton(buyer).click()
  await expect(inEscrow(buyer)).toBeVisible()
  await payButton(other).click()
  expect((await answers).status()).toBe(400)
  await expect(inEscrow(other)).toBeVisible()
  expect(await (await buyer.request.get('/api/payments')).json()).toHaveLength(1)
})

test('a reload resumes the same payment', async ({ createDeal }) => {
  const deal = await createDeal()
  const { buyer, checkout } = deal
  const first = await startPayment(deal)
  await buyer.goto(checkout)
  await chooseCard(buyer, 'good')
  await buyer.reload()
  await chooseCard(buyer, 'good')
  await payButton(buyer).click()
  await expect(buyer).toHaveURL(new RegExp(`payment_intent=${first.intentId}`))
  await expect(inEscrow(buyer)).toBeVisible()
})

test('after a lost reply, paying again charges nothing and shows the payment', async ({ createDeal }) => {
  const { buyer, checkout } = await createDeal()
  const statuses: number[] = []
  await buyer.route(/\/v1\/payment_intents\/[^/]+\/confirm$/, async (route) => {
    const reply = await route.fetch()
    statuses.push(reply.status())
    if (statuses.length === 1) await route.fulfill({ status: 400, body: 'a proxy broke' })
    else await route.fulfill({ response: reply })
  })
  await buyer.goto(checkout)
  await chooseCard(buyer, 'good')
  await payButton(buyer).click()
  await expect(toast(buyer)).toContainText('Payment Error')
  await expect(toast(buyer)).toContainText('An unexpected error occurred. Please try again.')
  await buyer.getByLabel('CVC').fill('123')
  await payButton(buyer).click()
  await expect(inEscrow(buyer)).toBeVisible()
  expect(statuses).toEqual([200, 400])
})

test('an offer that was paid before shows Already paid', async ({ createDeal }) => {
  const deal = await createDeal()
  const { buyer, checkout } = deal
  const { paymentId } = await chargeCard(deal)
  await buyer.goto(checkout)
  await expect(buyer.getByRole('heading', { name: 'Already paid' })).toBeVisible()
  await expect(buyer.getByText('You were not charged again.')).toBeVisible()
  await buyer.getByRole('link', { name: 'View Transaction' }).click()
  await expect(buyer).toHaveURL(`/delivery/${paymentId}`)
})

test('the payment starts 500 ms after the amount last changed', async ({ createDeal }) => {
  const { buyer, checkout } = await createDeal()
  await buyer.goto(checkout)
  await expect(payButton(buyer)).toBeVisible()
  // Measured inside the page: the test process may be late.
  const started = await buyer.evaluate(async (checkout) => {
    const { promise, resolve } = Promise.withResolvers<{ amount: number; afterMs: number }>()
    const { fetch } = window
    window.fetch = (address, options) => {
      if (String(address).includes('/api/create-escrow-payment')) {
        const { amount } = JSON.parse(String(options?.body))
        resolve({ amount, afterMs: performance.now() - changed })
      }
      return fetch(address, options)
    }
    for (const amount of [1, 12, 120, 1200, 12000]) {
      history.pushState(null, '', checkout.replace('amount=12000', `amount=${amount}`))
    }
    history.pushState(null, '', checkout.replace('amount=12000', 'amount=11000'))
    const changed = performance.now()
    return promise
  }, checkout)
  expect(started.amount).toBe(11000)
  expect(started.afterMs).toBeGreaterThanOrEqual(499)
})

test('a provider error without a message shows a general one', async ({ createDeal }) => {
  const { buyer, checkout } = await createDeal()
  await buyer.route(/\/confirm$/, (route) =>
    route.fulfill({ status: 402, json: { error: { type: 'card_error', code: 'card_declined' } } }),
  )
  await buyer.goto(checkout)
  await chooseCard(buyer, 'good')
  await payButton(buyer).click()
  await expect(toast(buyer)).toContainText('Payment processing failed')
})

test('card data goes only to the provider', async ({ createDeal }) => {
  const { buyer, checkout } = await createDeal()
  const carriers = new Set<string>()
  buyer.on('request', (request) => {
    const carried = `${request.url()} ${request.postData() ?? ''} ${JSON.stringify(request.headers())}`
    if (carried.replace(/\D/g, '').includes('4242424242424242')) carriers.add(new URL(request.url()).pathname)
  })
  await buyer.goto(checkout)
  await chooseCard(buyer, 'good')
  await payButton(buyer).click()
  await expect(inEscrow(buyer)).toBeVisible()
  expect([...carriers]).toEqual([expect.stringMatching(/^\/sandbox\/v1\/payment_intents\/pi_\w+\/confirm$/)])
  const kept = await buyer.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]))
  expect(kept.replace(/\D/g, '')).not.toContain('4242424242424242')
})

test.describe('the page after paying', () => {
  for (const news of ['by server events', 'by polling, without server events']) {
    test(`follows a pending payment ${news}`, async ({ createDeal }) => {
      const deal = await createDeal()
      const { buyer } = deal
      const { intentId, paymentId } = await startPayment(deal)
      if (news.startsWith('by polling')) {
        await withoutEvents(buyer)
      }
      await buyer.goto(`/payment-success?escrow=true&payment_intent=${intentId}`)
      await expect(buyer.getByRole('heading', { name: 'Processing your payment' })).toBeVisible()
      await chargeCard(deal)
      await expect(inEscrow(buyer)).toBeVisible()
      expect(await paymentStatus(buyer, paymentId)).toBe('held_in_escrow')
      await buyer.getByRole('link', { name: 'Go to Messages' }).click()
      await expect(buyer).toHaveURL('/messages')
    })
  }

  test('shows the current status of the payment', async ({ createDeal }) => {
    const deal = await createDeal()
    const { buyer } = deal
    const { intentId, paymentId } = await payIntoEscrow(deal)
    await confirmDelivery(buyer, paymentId)
    await buyer.goto(`/payment-success?escrow=true&payment_intent=${intentId}`)
    await expect(buyer.getByRole('heading', { name: 'Payment Released' })).toBeVisible()
  })

  test('works without a payment, and does not show those of others', async ({
    createDeal,
    createUser,
    openAs,
  }) => {
    const deal = await createDeal()
    const { intentId } = await startPayment(deal)
    const page = await openAs(await createUser(), '/payment-success')
    await expect(inEscrow(page)).toBeVisible()
    await expect(page.getByText('Your payment is in escrow, and the seller is notified.')).toBeVisible()
    await page.getByRole('link', { name: 'Back to Home' }).click()
    await expect(page).toHaveURL('/')
    await page.goto(`/payment-success?payment_intent=${intentId}`)
    await expect(page.getByRole('heading', { name: 'Payment Not Found' })).toBeVisible()
  })
})
