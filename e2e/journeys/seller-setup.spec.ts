import type { Locator, Page } from '@playwright/test'
import { confirmDelivery, payIntoEscrow } from '../support/deals.ts'
import { expect, test } from '../support/fixtures.ts'
import { toast } from '../support/toasts.ts'

const setUp = (page: Page) => page.getByRole('button', { name: 'Set Up Stripe Connect' })

/** Opens the setup in a pop-up with this button. */
async function openPopup(page: Page, button: Locator): Promise<Page> {
  const opening = page.waitForEvent('popup')
  await button.click()
  return opening
}

/** Presses a control in the pop-up, which then closes, and the page reloads. */
const finishIn = (popup: Page, page: Page, control: Locator) =>
  Promise.all([popup.waitForEvent('close'), page.waitForEvent('load'), control.click()])

test('a seller interrupts the setup in a pop-up, finishes it later and receives the owed payout', {
  tag: '@proof',
}, async ({ createDeal }) => {
  const deal = await createDeal()
  const { buyer, seller } = deal
  const { paymentId } = await payIntoEscrow(deal)
  await confirmDelivery(buyer, paymentId)
  await seller.goto('/seller-setup')
  const payouts = seller.getByRole('region', { name: 'Your payouts' })
  await expect(payouts).toContainText('Owed to you$112.62')

  const unfinished = await openPopup(seller, setUp(seller))
  await unfinished.getByRole('button', { name: 'Not now' }).click()
  await expect(toast(unfinished)).toContainText('Setup Incomplete')
  await expect(unfinished).toHaveURL(/\/seller-setup$/)
  await Promise.all([seller.waitForEvent('load'), unfinished.close()])
  await expect(seller.getByText('Setup is not finished')).toBeVisible()

  const popup = await openPopup(seller, seller.getByRole('button', { name: 'Continue Setup' }))
  await finishIn(popup, seller, popup.getByRole('button', { name: 'Complete' }))
  await expect(seller.getByText('Ready to be paid', { exact: true })).toBeVisible()
  await expect(payouts).toContainText('Paid$112.62')
  await expect(payouts).toContainText('Owed to you$0.00')

  await seller.getByRole('button', { name: 'Reset' }).click()
  await seller.getByRole('button', { name: 'Reset Account' }).click()
  await expect(toast(seller)).toContainText('Account reset')
  await expect(setUp(seller)).toBeVisible()
})

test('the pop-up returns from another site, bank details are saved, and the setup works without pop-ups', {
  tag: '@proof',
}, async ({ createUser, openAs }) => {
  const page = await openAs(await createUser(), '/seller-setup')
  const onboardingUrl = 'https://connect.stripe.test/setup'
  const returnUrl = new URL('/seller-setup?success=true', page.url()).href
  await page.route('**/api/seller/setup-stripe-connect', (route) =>
    route.fulfill({ json: { onboardingUrl } }),
  )
  await page
    .context()
    .route(onboardingUrl, (route) =>
      route.fulfill({ contentType: 'text/html', body: `<a href="${returnUrl}">Return</a>` }),
    )
  const popup = await openPopup(page, setUp(page))
  await finishIn(popup, page, popup.getByRole('link', { name: 'Return' }))
  await page.unroute('**/api/seller/setup-stripe-connect')

  const form = page.getByRole('form', { name: 'Bank details' })
  await expect(form.getByLabel('Country')).toHaveValue('US')
  await expect(form.getByLabel('Checking')).toBeChecked()
  await form.getByLabel('Account holder name').fill('Bob Tester')
  await form.getByLabel('Routing number').fill('110000000')
  await form.getByLabel('Account number').fill('000123456789')
  await form.getByRole('button', { name: 'Save Bank Account' }).click()
  await expect(toast(page)).toContainText('Bank account saved')
  await page.reload()
  await expect(page.getByText('•••• 6789')).toBeVisible()
  await expect(page.getByText('Ready to be paid by bank transfer')).toBeVisible()
  await expect(page.getByText('000123456789')).toHaveCount(0)

  await page.evaluate(() => {
    window.open = () => null
  })
  await setUp(page).click()
  await expect(page).toHaveURL(/\/sandbox\/onboarding\//)
  await page.getByRole('button', { name: 'Complete' }).click()
  await expect(toast(page)).toContainText('Setup Complete!')
  await expect(page.getByText('Ready to be paid', { exact: true })).toBeVisible()
})
