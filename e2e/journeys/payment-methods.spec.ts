import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { METHOD_RULES, PAYMENT_METHODS, type PaymentMethod } from '@sought/escrow/payment-methods'
import { expectAccessible } from '../support/accessibility.ts'
import { type Deal, jsonOf } from '../support/deals.ts'
import { expect, phone, setting, test } from '../support/fixtures.ts'
import { startServer } from '../support/start-servers.ts'
import { demoUsers } from '../support/users.ts'

const choose = async (admin: Page, paymentMethods: readonly PaymentMethod[]) =>
  jsonOf(admin.request.patch('/api/admin/settings', { data: { paymentMethods } }))

test.beforeEach(async ({ openAs }) => {
  await choose(await openAs(demoUsers.admin), PAYMENT_METHODS)
})

test.afterEach(async ({ openAs }) => {
  await choose(await openAs(demoUsers.admin), ['card', 'link'])
})

async function openForm({ buyer, checkout }: Deal, method: PaymentMethod): Promise<void> {
  await buyer.goto(checkout)
  await buyer.getByRole('radio', { name: METHOD_RULES[method].name }).check()
}

const pay = (buyer: Page) => buyer.getByRole('button', { name: /^Pay .+ into escrow$/ }).click()
const inEscrow = (buyer: Page) =>
  expect(buyer.getByRole('heading', { name: 'Payment Successful' })).toBeVisible()

async function payOnOtherPage(buyer: Page): Promise<void> {
  await pay(buyer)
  await buyer.getByRole('button', { name: 'Authorize test payment' }).click()
  await inEscrow(buyer)
}

const waiting = /Waiting for payment until \w+ \d+/

test('a buyer refuses on the page of the method, then pays from a bank account, and both sides see until when the money is awaited', async ({
  createDeal,
}) => {
  const deal = await createDeal(12_000, phone)
  const { buyer, seller, item } = deal
  await openForm(deal, 'klarna')
  await pay(buyer)
  await buyer.getByRole('button', { name: 'Fail test payment' }).click()
  await expect(buyer.getByRole('heading', { name: 'Payment Failed' })).toBeVisible()
  await buyer.getByRole('link', { name: 'Try Again' }).click()

  await buyer.getByRole('radio', { name: 'US bank account' }).check()
  await buyer.getByRole('radio', { name: /^000000000009/ }).check()
  await expectAccessible(buyer)
  await pay(buyer)
  await expect(buyer.getByRole('heading', { name: waiting })).toBeVisible()
  await expectAccessible(buyer)
  for (const path of [deal.checkout, '/payments', `/messages?itemId=${item.id}`]) {
    await buyer.goto(path)
    await expect(buyer.getByText(waiting).first()).toBeVisible()
  }
  await seller.goto(`/messages?itemId=${item.id}&userId=${item.userId}`)
  await expect(seller.getByText(waiting).first()).toBeVisible()
  await expect(seller.getByText('Payment Received')).toHaveCount(0)
})

test('a buyer verifies their account, or stops the payment and pays another way', {
  tag: '@proof',
}, async ({ createDeal }) => {
  const deal = await createDeal()
  const { buyer } = deal
  const payUnverified = async () => {
    await openForm(deal, 'us_bank_account')
    await buyer.getByRole('radio', { name: /^Another account/ }).check()
    await pay(buyer)
    await buyer.getByRole('link', { name: 'Complete Payment' }).click()
  }
  await payUnverified()
  await buyer.getByRole('button', { name: 'Pay Another Way' }).click()
  await buyer.getByRole('button', { name: 'Stop Payment' }).click()
  await payUnverified()
  const opened = buyer.waitForEvent('popup')
  await buyer.getByRole('link', { name: 'Verify Account' }).click()
  const page = await opened
  await page.getByRole('button', { name: 'Verify the account' }).click()
  await inEscrow(page)
})

for (const [currency, methods] of [
  ['usd', ['link', 'klarna', 'us_bank_account']],
  ['eur', ['ideal', 'bancontact', 'sepa_debit']],
  ['myr', ['fpx']],
] as const) {
  test(`a buyer pays in ${currency.toUpperCase()} with ${methods.join(', ')}`, {
    tag: '@proof',
  }, async ({ createDeal }) => {
    const dataDir = await mkdtemp(join(tmpdir(), 'sought-e2e-'))
    const server = await startServer(setting('SOUGHT_DATABASE_URL'), dataDir, {
      DEMO: 'off',
      CURRENCY: currency,
    })
    for (const method of methods) {
      const deal = await createDeal(12_000, { baseURL: server.address })
      await openForm(deal, method)
      if (METHOD_RULES[method].arrival === 'after_redirect') await payOnOtherPage(deal.buyer)
      else {
        await pay(deal.buyer)
        await inEscrow(deal.buyer)
      }
    }
    await server.stop()
    await rm(dataDir, { recursive: true, force: true })
  })
}
