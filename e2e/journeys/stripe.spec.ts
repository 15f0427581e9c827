import type { Page } from '@playwright/test'
import { payButton } from '../support/deals.ts'
import { expect, test } from '../support/fixtures.ts'
import { toast } from '../support/toasts.ts'

/*
 * With real keys, the card form is Stripe's own. Stripe is not available here. A stand-in shows how our page loads
 * Stripe's script, calls it, and handles its replies.
 */

/** Makes the page use Stripe, as with real keys. A content blocker stops its script until it is turned off. */
async function withStripe(page: Page, answers: object[]) {
  const scripts: string[] = []
  let isBlocked = true
  // The page also contains the configuration. Without it, the app fetches it.
  await page.route(
    (url) => url.pathname === '/escrow-checkout',
    async (route) => {
      const html = await (await route.fetch()).text()
      await route.fulfill({
        contentType: 'text/html',
        body: html.replace(/<script type="application\/json".*/, ''),
      })
    },
  )
  await page.route('**/api/config', async (route) => {
    const config = await (await route.fetch()).json()
    await route.fulfill({
      json: { ...config, provider: 'stripe', publishableKey: 'pk_test_journey', sandboxUrl: undefined },
    })
  })
  await page.route('https://js.stripe.com/**', (route) => {
    if (!isBlocked) scripts.push(route.request().url())
    // A content blocker answers with an empty script.
    return route.fulfill({ contentType: 'text/javascript', body: isBlocked ? '' : standIn(answers) })
  })
  const unblock = () => {
    isBlocked = false
  }
  return { scripts, unblock, calls: () => page.evaluate(() => Reflect.get(window, 'stripeCalls')) }
}

const standIn = (answers: object[]) => `
  const answers = ${JSON.stringify(answers)}
  window.stripeCalls = []
  window.Stripe = (key) => ({
    elements: (options) => ({
      create: (type) => {
        const ready = []
        return {
          mount: (place) => {
            place.textContent = 'A ' + type + ' element of ' + key + ' for ' + options.clientSecret.split('_secret_')[0]
            setTimeout(() => { for (const tell of ready) tell() }, 50)
          },
          on: (name, tell) => { if (name === 'ready') ready.push(tell) },
          off: () => {}, update: () => {}, destroy: () => {},
        }
      },
      update: () => {}, getElement: () => null,
    }),
    createToken: () => {}, createPaymentMethod: () => {}, confirmCardPayment: () => {},
    registerAppInfo: () => {}, _registerWrapper: () => {},
    confirmPayment: async (options) => {
      window.stripeCalls.push({ confirmParams: options.confirmParams, redirect: options.redirect })
      return answers.shift()
    },
  })
  window.Stripe.version = 'endive'
`

test('Stripe’s form can be loaded again, and handles payments, declines and errors like the sandbox form', {
  tag: '@proof',
}, async ({ createDeal }) => {
  // Without real keys, the content security policy of this server blocks Stripe's script.
  const { buyer, checkout } = await createDeal(12_000, { bypassCSP: true })
  const stripe = await withStripe(buyer, [
    { error: { type: 'card_error', code: 'card_declined', message: 'Your card was declined.' } },
    { error: { type: 'api_error', message: 'Something broke at Stripe.' } },
    { paymentIntent: { id: 'pi_from_stripe', status: 'succeeded' } },
  ])
  await buyer.goto(checkout)
  await expect(buyer.getByRole('alert')).toContainText('The card form did not load')
  stripe.unblock()
  await buyer.getByRole('button', { name: 'Reload' }).click()
  await expect(buyer.getByText(/A payment element of pk_test_journey for pi_/)).toBeVisible()
  expect(stripe.scripts).toEqual([expect.stringMatching(/^https:\/\/js\.stripe\.com\/\w+\/stripe\.js$/)])
  await expect(buyer.getByText('Test mode')).toHaveCount(0)

  await payButton(buyer).click()
  await expect(toast(buyer)).toContainText('Payment Failed')
  await expect(toast(buyer)).toContainText('Your card was declined.')
  await payButton(buyer).click()
  await expect(toast(buyer)).toContainText('An unexpected error occurred. Please try again.')
  await payButton(buyer).click()
  await expect(buyer).toHaveURL('/payment-success?escrow=true&payment_intent=pi_from_stripe')
  const returnUrl = new URL('/payment-success?escrow=true', buyer.url()).href
  const call = { confirmParams: { return_url: returnUrl }, redirect: 'if_required' }
  expect(await stripe.calls()).toEqual([call, call, call])
})
