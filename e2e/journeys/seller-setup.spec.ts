import type { Page } from '@playwright/test'
import { confirmDelivery, payIntoEscrow } from '../support/deals.ts'
import { expect, ownContext, test } from '../support/fixtures.ts'
import { toast } from '../support/toasts.ts'

const setUp = (page: Page) => page.getByRole('button', { name: 'Set Up Stripe Connect' })

test('a seller sets up payouts in a pop-up and is paid what was owed', async ({ createDeal }) => {
  const deal = await createDeal()
  const { buyer, seller } = deal
  const { paymentId } = await payIntoEscrow(deal)
  await confirmDelivery(buyer, paymentId)
  await seller.goto('/seller-setup')
  const payouts = seller.getByRole('region', { name: 'Your payouts' })
  await expect(payouts).toContainText('Owed to you$112.62')

  const opening = seller.waitForEvent('popup')
  await setUp(seller).click()
  const popup = await opening
  await Promise.all([
    popup.waitForEvent('close'),
    seller.waitForEvent('load'),
    popup.getByRole('button', { name: 'Complete' }).click(),
  ])
  await expect(seller.getByText('Ready to be paid', { exact: true })).toBeVisible()
  await expect(payouts).toContainText('Paid$112.62')
  await expect(payouts).toContainText('Owed to you$0.00')

  await seller.getByRole('button', { name: 'Reset' }).click()
  await seller.getByRole('button', { name: 'Reset Account' }).click()
  await expect(toast(seller)).toContainText('Account reset')
  await expect(setUp(seller)).toBeVisible()
})

test('an unfinished setup says so and can be continued', async ({ createUser, openAs }) => {
  const page = await openAs(await createUser(), '/seller-setup')
  const opening = page.waitForEvent('popup')
  await setUp(page).click()
  const popup = await opening
  await popup.getByRole('button', { name: 'Not now' }).click()
  await expect(toast(popup)).toContainText('Setup Incomplete')
  await expect(popup).toHaveURL(/\/seller-setup$/)
  await Promise.all([page.waitForEvent('load'), popup.close()])
  await expect(page.getByText('Setup is not finished')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Continue Setup' })).toBeVisible()
})

test('the pop-up closes itself when it returns from another site', async ({ createUser, openAs }) => {
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
  const opening = page.waitForEvent('popup')
  await setUp(page).click()
  const popup = await opening
  await Promise.all([
    popup.waitForEvent('close'),
    page.waitForEvent('load'),
    popup.getByRole('link', { name: 'Return' }).click(),
  ])
})

test('without pop-ups, the setup opens in the page itself', async ({ createUser, openAs }) => {
  const page = await openAs(await createUser(), undefined, ownContext)
  await page.addInitScript(() => {
    window.open = () => null
  })
  await page.goto('/seller-setup')
  await setUp(page).click()
  await expect(toast(page)).toContainText('Popup Blocked')
  await expect(page).toHaveURL(/\/sandbox\/onboarding\//)
  await page.getByRole('button', { name: 'Complete' }).click()
  await expect(toast(page)).toContainText('Setup Complete!')
  await expect(page.getByText('Ready to be paid', { exact: true })).toBeVisible()
})

test('bank details are saved and shown by their last four digits', async ({ createUser, openAs }) => {
  const page = await openAs(await createUser(), '/seller-setup')
  const form = page.getByRole('form', { name: 'Bank details' })
  await expect(form.getByLabel('Country')).toHaveValue('US')
  await expect(form.getByLabel('Checking')).toBeChecked()
  await form.getByLabel('Account holder name').fill('Bob Tester')
  await form.getByLabel('Routing number').fill('110000000')
  await form.getByLabel('Account number').fill('000123456789')
  await form.getByRole('button', { name: 'Save Bank Account' }).click()
  await expect(toast(page)).toContainText('Bank account saved')
  await expect(page.getByText('•••• 6789')).toBeVisible()
  await expect(page.getByText('Ready to be paid by bank transfer')).toBeVisible()
  await page.reload()
  await expect(page.getByText('•••• 6789')).toBeVisible()
  await expect(page.getByText('000123456789')).toHaveCount(0)
})
