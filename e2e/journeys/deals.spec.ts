import type { BrowserContextOptions, Page } from '@playwright/test'
import { expectAccessibleOnDesktop } from '../support/accessibility.ts'
import {
  chooseCard,
  confirmDelivery,
  createDealBetween,
  payButton,
  payIntoEscrow,
  paymentStatus,
  recordCardData,
} from '../support/deals.ts'
import { expect, phone, test } from '../support/fixtures.ts'
import type { User } from '../support/users.ts'

interface Fixtures {
  openAs: (user: User, path?: string, options?: BrowserContextOptions) => Promise<Page>
  createUser: (firstName?: string) => Promise<User>
}

type Device = BrowserContextOptions | undefined

async function openPages({ openAs, createUser }: Fixtures, devices: { buyer: Device; seller: Device }) {
  const [ada, bob] = await Promise.all([createUser('Ada'), createUser('Bob')])
  const [buyer, seller] = await Promise.all([
    openAs(ada, undefined, devices.buyer),
    openAs(bob, undefined, devices.seller),
  ])
  return { ada, bob, buyer, seller }
}

const step = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 2, name })

const expectNoSidewaysScroll = async (page: Page) =>
  expect(
    await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth),
  ).toBeLessThanOrEqual(0)

test('a parcel goes from the checkout on a phone to the confirmed delivery', async ({
  openAs,
  createUser,
}) => {
  const users = await openPages({ openAs, createUser }, { buyer: phone, seller: undefined })
  const { buyer, seller } = users
  const deal = await createDealBetween(users, 12_000, { delivery: 'shipping', shipWithinDays: 3 })

  await buyer.goto(deal.checkout)
  await buyer.getByLabel('Country').selectOption('Germany')
  await buyer.getByLabel('Full name').fill('Ada Tester')
  await buyer.getByLabel('Address', { exact: true }).fill('Rosenweg 7')
  await buyer.getByLabel('Postal code').fill('10115')
  await buyer.getByLabel('City').fill('Berlin')
  await expectNoSidewaysScroll(buyer)
  await buyer.getByRole('button', { name: 'Continue to Payment' }).click()
  await expect(buyer.getByRole('region', { name: 'Order summary' })).toContainText('10115 Berlin')
  const expectCardKeptPrivate = recordCardData(buyer)
  await chooseCard(buyer, 'good')
  await payButton(buyer).click()
  await expect(buyer.getByRole('heading', { name: 'Payment Successful' })).toBeVisible()
  await expectCardKeptPrivate()
  await buyer.getByRole('link', { name: 'View Deal' }).click()
  await expect(step(buyer, /^Bob Tester ships by/)).toBeVisible()
  await expectNoSidewaysScroll(buyer)

  await seller.goto('/payments')
  await seller.getByRole('link', { name: 'Ship Item' }).click()
  await expect(step(seller, /^Ship by/)).toBeVisible()
  await expect(seller.getByRole('region', { name: 'Delivery address' })).toContainText('Rosenweg 7')
  await expectAccessibleOnDesktop(seller)
  const number = `1Z${Date.now()}`
  await seller.getByLabel('Carrier').selectOption('UPS')
  await seller.getByLabel('Tracking number').fill(number)
  await seller.getByRole('button', { name: 'Mark as Shipped' }).click()
  await expect(step(seller, 'On its way')).toBeVisible()

  await expect(step(buyer, 'On its way to you')).toBeVisible()
  await expect(buyer.getByRole('link', { name: 'Track Parcel' })).toHaveAttribute('href', new RegExp(number))
  await seller.getByRole('button', { name: 'Report Delivery' }).click()
  await seller.getByRole('button', { name: 'Mark as Delivered' }).click()
  await expect(step(buyer, 'Check the item')).toBeVisible()
  await expect(step(seller, 'Waiting for Ada Tester')).toBeVisible()
  await buyer.getByRole('link', { name: 'Confirm Delivery' }).click()
  await buyer.getByRole('button', { name: 'Confirm Delivery' }).click()
  await buyer.getByRole('button', { name: 'Release $120.00' }).click()
  await expect(step(seller, 'This deal is complete')).toBeVisible()
})

test('on a handover in person, the seller enters the buyer’s code on a phone', { tag: '@proof' }, async ({
  openAs,
  createUser,
}) => {
  const users = await openPages({ openAs, createUser }, { buyer: undefined, seller: phone })
  const { buyer, seller } = users
  const { paymentId } = await payIntoEscrow(await createDealBetween(users, 12_000, { delivery: 'in_person' }))
  await Promise.all([buyer.goto(`/deal/${paymentId}`), seller.goto(`/deal/${paymentId}`)])
  const code = (await buyer.getByText(/^\d{3} \d{3}$/).textContent()) ?? ''
  await expectAccessibleOnDesktop(buyer)
  await expect(seller.getByText(code)).toHaveCount(0)
  await expectNoSidewaysScroll(seller)

  await seller.getByLabel('Handover code').fill(code === '111 111' ? '222222' : '111111')
  await seller.getByRole('button', { name: 'Confirm Handover' }).click()
  await expect(seller.getByText('This code is wrong. Ask the buyer to show it again.')).toBeVisible()
  await seller.getByLabel('Handover code').fill(code)
  await seller.getByRole('button', { name: 'Confirm Handover' }).click()
  await expect(step(seller, 'This deal is complete')).toBeVisible()
  await expect(step(buyer, 'This deal is complete')).toBeVisible()
  await expect(buyer.getByRole('link', { name: 'Rate Seller' })).toBeVisible()
})

test('an arranged deal is cancelled: the buyer asks, the seller accepts', { tag: '@proof' }, async ({
  openAs,
  createUser,
}) => {
  const users = await openPages({ openAs, createUser }, { buyer: phone, seller: phone })
  const { buyer, seller } = users
  const deal = await createDealBetween(users, 12_000)
  const { paymentId } = await payIntoEscrow(deal)
  await Promise.all([buyer.goto(`/deal/${paymentId}`), seller.goto(`/deal/${paymentId}`)])
  await buyer.getByRole('button', { name: 'Ask to Cancel' }).click()
  await buyer.getByLabel('Reason').fill('I found one nearer to me.')
  await buyer.getByRole('button', { name: 'Send Request' }).click()
  await expect(buyer.getByText(/^You asked to cancel on/)).toBeVisible()

  await expect(seller.getByText('I found one nearer to me.')).toBeVisible()
  await expectNoSidewaysScroll(seller)
  await seller.getByRole('button', { name: 'Accept Cancellation' }).click()
  await seller.getByLabel('Reason').fill('Agreed.')
  await seller.getByRole('button', { name: 'Refund $120.00' }).click()
  await expect(step(seller, 'This deal was cancelled')).toBeVisible()
  await expect(step(buyer, 'This deal was cancelled')).toBeVisible()
  expect(await paymentStatus(buyer, paymentId)).toBe('refunded')
  await buyer.goto(`/item/${deal.item.id}`)
  await expect(buyer.getByRole('button', { name: 'Close' })).toBeVisible()
})

test('a seller refunds a part after the release on a phone', { tag: '@proof' }, async ({
  openAs,
  createUser,
}) => {
  const users = await openPages({ openAs, createUser }, { buyer: undefined, seller: phone })
  const { buyer, seller } = users
  const { paymentId } = await payIntoEscrow(await createDealBetween(users, 12_000))
  await confirmDelivery(buyer, paymentId)
  await seller.goto(`/deal/${paymentId}`)
  await seller.getByRole('button', { name: 'Refund the Buyer' }).click()
  const dialog = seller.getByRole('alertdialog', { name: 'Refund the buyer?' })
  await dialog.getByLabel('Amount').fill('130')
  await dialog.getByLabel('Reason').fill('The shade has a crack.')
  await dialog.getByRole('button', { name: 'Refund', exact: true }).click()
  await expect(dialog.getByText('Enter an amount of at most $120.00')).toBeVisible()
  await dialog.getByLabel('Amount').fill('40')
  await expect(dialog.getByText('$37.54')).toBeVisible()
  await expectAccessibleOnDesktop(seller)
  await expectNoSidewaysScroll(seller)
  await dialog.getByRole('button', { name: 'Refund $40.00' }).click()
  await expect(dialog).toBeHidden()

  const details = seller.getByRole('region', { name: 'Details' })
  await expect(details.getByText('$40.00')).toBeVisible()
  await expect(details.getByText('$75.08')).toBeVisible()
  await buyer.goto(`/deal/${paymentId}`)
  await expect(buyer.getByRole('region', { name: 'Details' }).getByText('$40.00')).toBeVisible()
})
