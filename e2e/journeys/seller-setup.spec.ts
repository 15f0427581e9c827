import type { Page } from '@playwright/test'
import { payIntoEscrow } from '../support/deals.ts'
import { expect, ownContext, test } from '../support/fixtures.ts'
import { toast } from '../support/toasts.ts'

const bankForm = (page: Page) => page.getByRole('form', { name: 'Bank details' })
const setUp = (page: Page) => page.getByRole('button', { name: 'Set Up Stripe Connect' })

/** Keeps the page from reloading until it is allowed to, so that there is time to read what it says before. */
async function holdReload(page: Page) {
  const { promise: allowed, resolve: allow } = Promise.withResolvers<void>()
  await page.route('**/seller-setup', async (route) => {
    await allowed
    await route.fallback()
  })
  return { allow: () => allow() }
}

test('nothing is set up: what the ways are, and how it goes', async ({ createUser, openAs }) => {
  const page = await openAs(await createUser(), '/seller-setup')
  await expect(page.getByText('You haven’t set up payouts yet')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'How payouts work' })).toBeVisible()
  await expect(page.getByText('reaches your bank in 3-5 business days')).toBeVisible()
  const country = page.getByLabel('Country').first()
  await expect(country).toHaveValue('MY')
  await expect(country.getByRole('option')).toHaveText([
    'Malaysia',
    'United States',
    'Canada',
    'United Kingdom',
    'Australia',
    'Germany',
    'France',
  ])
  for (const what of ['Owed to you', 'On its way', 'Paid']) {
    await expect(page.getByRole('region', { name: 'Your payouts' })).toContainText(`${what}$0.00`)
  }
})

test('the seller sets up in a window of its own, and is paid what was owed', async ({ createDeal }) => {
  const deal = await createDeal()
  const { buyer, seller } = deal
  const { paymentId } = await payIntoEscrow(deal)
  await buyer.request.post(`/api/payments/${paymentId}/confirm-delivery`)
  await seller.goto('/seller-setup')
  const payouts = seller.getByRole('region', { name: 'Your payouts' })
  await expect(payouts).toContainText('Owed to you$112.62')

  const opening = seller.waitForEvent('popup')
  await setUp(seller).click()
  const popup = await opening
  const reload = await holdReload(seller)
  const closed = popup.waitForEvent('close')
  await popup.getByRole('button', { name: 'Complete' }).click()
  await closed
  await expect(toast(seller)).toContainText('Setup Complete?')
  reload.allow()
  await expect(seller.getByText('Ready to be paid', { exact: true })).toBeVisible()
  await expect(payouts).toContainText('Paid$112.62')
  await expect(payouts).toContainText('Owed to you$0.00')

  await seller.getByRole('button', { name: 'Reset' }).click()
  await seller.getByRole('button', { name: 'Reset Account' }).click()
  await expect(toast(seller)).toContainText('Account reset')
  await expect(setUp(seller)).toBeVisible()
})

test('a set-up that was left says so, and goes on where it stopped', async ({ createUser, openAs }) => {
  const page = await openAs(await createUser(), '/seller-setup')
  const opening = page.waitForEvent('popup')
  await setUp(page).click()
  const popup = await opening
  const reload = await holdReload(page)
  await popup.getByRole('button', { name: 'Not now' }).click()
  await expect(toast(popup)).toContainText('Setup Incomplete')
  await expect(popup).toHaveURL(/\/seller-setup$/)
  await popup.close()
  await expect(toast(page)).toContainText('Setup Complete?')
  reload.allow()
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
  const reload = await holdReload(page)
  const closed = popup.waitForEvent('close')
  await popup.getByRole('link', { name: 'Return' }).click()
  await closed
  await expect(toast(page)).toContainText('Setup Complete?')
  reload.allow()
})

test('the returns are said once and cleared from the address', async ({ createUser, openAs }) => {
  const page = await openAs(await createUser(), '/seller-setup?success=true')
  await expect(toast(page)).toContainText('Setup Complete!')
  await expect(page).toHaveURL('/seller-setup')
  await page.goto('/seller-setup?refresh=true')
  await expect(toast(page)).toContainText('Setup Incomplete')
  await expect(page).toHaveURL('/seller-setup')
})

test('a blocked window: the page itself goes there', async ({ createUser, openAs }) => {
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

test('what goes wrong on the way is said', async ({ createUser, openAs }) => {
  const page = await openAs(await createUser(), '/seller-setup')
  let answer: object = { status: 200, json: {} }
  await page.route('**/api/seller/setup-stripe-connect', (route) => route.fulfill(answer))
  await setUp(page).click()
  await expect(toast(page)).toContainText('Setup Failed')
  await expect(toast(page)).toContainText('No onboarding URL received from Stripe')
  answer = {
    status: 422,
    json: { code: 'invalid', message: 'Some fields are not valid. Please check them.' },
  }
  await setUp(page).click()
  await expect(toast(page)).toContainText('Some fields are not valid. Please check them.')
  // The empty window does not stay behind.
  expect(page.context().pages()).toHaveLength(1)

  await page.route('**/api/seller/stripe-connect-status', (route) =>
    route.fulfill({ json: { hasAccount: true, canReceivePayments: false } }),
  )
  await page.route('**/api/seller/reset-stripe-connect', (route) => route.fulfill({ status: 429, body: '' }))
  await page.reload()
  await page.getByRole('button', { name: 'Reset' }).click()
  await page.getByRole('button', { name: 'Reset Account' }).click()
  await expect(toast(page)).toContainText('Reset Failed')
})

test('bank details: the usual five fields, checked, kept, and shown by their last four', async ({
  createUser,
  openAs,
}) => {
  const page = await openAs(await createUser(), '/seller-setup')
  const form = bankForm(page)
  const save = form.getByRole('button', { name: 'Save Bank Account' })
  await expect(form.getByLabel('Country')).toHaveValue('US')
  await expect(form.getByLabel('Checking')).toBeChecked()
  await expect(save).toBeDisabled()
  await form.getByLabel('Account holder name').fill('Bob Tester')
  await form.getByLabel('Routing number').fill('110000001')
  await expect(save).toBeDisabled()
  await form.getByLabel('Account number').fill('000123456789')
  await save.click()
  await expect(form.getByText('This is not a US routing number')).toBeVisible()
  await form.getByLabel('Routing number').fill('110000000')
  await expect(form.getByText('This is not a US routing number')).toHaveCount(0)
  await save.click()
  await expect(toast(page)).toContainText('Bank account saved')
  await expect(page.getByText('•••• 6789')).toBeVisible()
  await expect(page.getByText('Ready to be paid by bank transfer')).toBeVisible()
  await page.reload()
  await expect(page.getByText('•••• 6789')).toBeVisible()
  await expect(page.getByText('000123456789')).toHaveCount(0)
})

for (const { country, fields, bad, last4 } of [
  {
    country: 'GB',
    fields: { 'Sort code': ['200000', '20-00-00'], 'Account number': ['55779911', '55779911'] },
    bad: { field: 'Account number', typed: '5577', words: 'Must have 8 digits' },
    last4: '9911',
  },
  {
    country: 'AU',
    fields: { BSB: ['062000', '062-000'], 'Account number': ['000123456', '000123456'] },
    bad: { field: 'BSB', typed: '0620', words: 'A BSB has 6 digits' },
    last4: '3456',
  },
  {
    country: 'DE',
    fields: { IBAN: ['de89370400440532013000', 'DE89 3704 0044 0532 0130 00'] },
    bad: { field: 'IBAN', typed: 'DE89370400440532013001', words: 'This is not a valid IBAN' },
    last4: '3000',
  },
  {
    country: 'MY',
    fields: { 'Account number': ['512345678901', '512345678901'], 'Bank name': ['Maybank', 'Maybank'] },
    bad: { field: 'Account number', typed: '51', words: 'Must have 7 to 17 digits' },
    last4: '8901',
  },
]) {
  test(`bank details of ${country}: the fields that its banks go by`, async ({ createUser, openAs }) => {
    const page = await openAs(await createUser(), '/seller-setup')
    const form = bankForm(page)
    const save = form.getByRole('button', { name: 'Save Bank Account' })
    await form.getByLabel('Routing number').fill('110000000')
    await form.getByLabel('Country').selectOption(country)
    await expect(form.getByLabel('Routing number')).toHaveCount(0)
    await form.getByLabel('Account holder name').fill('Bob Tester')
    await expect(save).toBeDisabled()
    for (const [label, [typed = '', shown = '']] of Object.entries(fields)) {
      await form.getByLabel(label).pressSequentially(typed)
      await expect(form.getByLabel(label)).toHaveValue(shown)
    }
    await form.getByLabel(bad.field).fill(bad.typed)
    await save.click()
    await expect(form.getByText(bad.words)).toBeVisible()
    const [good = ''] = Object.entries(fields).find(([label]) => label === bad.field)?.[1] ?? []
    await form.getByLabel(bad.field).fill(good)
    await save.click()
    await expect(toast(page)).toContainText('Bank account saved')
    await expect(page.getByText(`•••• ${last4}`)).toBeVisible()
  })
}

test('bank details that were not taken say why', async ({ createUser, openAs }) => {
  const page = await openAs(await createUser(), '/seller-setup')
  const form = bankForm(page)
  await page.route('**/api/seller/save-bank-account', (route) =>
    route.fulfill({
      status: 422,
      json: {
        code: 'invalid',
        message: 'Some fields are not valid. Please check them.',
        issues: [{ path: 'account_number', message: 'This account is closed' }],
      },
    }),
  )
  await form.getByLabel('Account holder name').fill('Bob Tester')
  await form.getByLabel('Routing number').fill('110000000')
  await form.getByLabel('Account number').fill('000123456789')
  await form.getByRole('button', { name: 'Save Bank Account' }).click()
  await expect(toast(page)).toContainText('Failed to save bank account')
  await expect(form.getByText('This account is closed')).toBeVisible()
})

test('a provider that does not answer leaves the bank details to be filled in', async ({
  createUser,
  openAs,
}) => {
  const page = await openAs(await createUser())
  await page.route('**/api/seller/stripe-connect-status', (route) => route.fulfill({ status: 429, body: '' }))
  await page.goto('/seller-setup')
  await expect(page.getByRole('alert')).toContainText('This could not be loaded')
  await expect(bankForm(page)).toBeVisible()
})
