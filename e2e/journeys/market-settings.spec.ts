import type { Page } from '@playwright/test'
import type { AdminSettings } from '@sought/contract/market-settings'
import { expectAccessible } from '../support/accessibility.ts'
import { confirmDelivery, createDealBetween, jsonOf, payIntoEscrow } from '../support/deals.ts'
import { expect, test } from '../support/fixtures.ts'
import { enter, expectToGoOn, pressEscape, tabTo } from '../support/keyboard.ts'
import { toast } from '../support/toasts.ts'
import { demoUsers } from '../support/users.ts'

test.use({ isMarketClosed: true })

let before: AdminSettings

test.beforeEach(async ({ openAs }) => {
  before = await readSettings(await openAs(demoUsers.admin))
})

/** Also after a failure, and in every mode. */
test.afterEach(async ({ openAs }) => {
  const admin = await openAs(demoUsers.admin)
  const change = (data: object) => jsonOf(admin.request.patch('/api/admin/settings', { data }))
  const { feesFrom: _, scheduledFees, logoUrl, ...settings } = before
  await change(settings)
  const { platformFeePercent, processingFeePercent, processingFeeCents } = before
  for (const { feesFrom } of (await readSettings(admin)).scheduledFees)
    await change({ platformFeePercent, processingFeePercent, processingFeeCents, feesFrom })
  expect(await readSettings(admin)).toMatchObject({ ...settings, scheduledFees, logoUrl })
})

const readSettings = (admin: Page): Promise<AdminSettings> => jsonOf(admin.request.get('/api/admin/settings'))

const sectionOf = (desk: Page, name: string) => desk.getByRole('region', { name, exact: true })

async function save(desk: Page, button: string): Promise<void> {
  await desk.getByRole('button', { name: button }).click()
  await expect(toast(desk)).toContainText('Settings saved')
  await toast(desk).getByRole('button', { name: 'Close' }).click()
}

test('an admin changes name, colour, categories, fees and hold; the history shows it, and accepted deals keep their fees', {
  tag: '@proof',
}, async ({ createDeal, expectLedger, openAs }) => {
  const [accepted, desk] = await Promise.all([createDeal(12_000), openAs(demoUsers.admin, '/admin/settings')])
  const { buyer } = accepted
  await desk.getByLabel('Market name').fill('Lamp Seekers')
  await save(desk, 'Save Name')
  await sectionOf(desk, 'Accent colour').getByLabel('Accent colour').fill('#7a1f5c')
  await save(desk, 'Save Colour')
  await desk.getByRole('button', { name: 'Add Category' }).click()
  await desk.keyboard.type('Boats & Sails')
  await save(desk, 'Save Categories')
  await desk.getByLabel('Days below $500.00').fill('5')
  await save(desk, 'Save Escrow')

  const fees = sectionOf(desk, 'Fees')
  await fees.getByLabel('Platform fee in percent').fill('9')
  await fees.getByLabel('In force from').fill('2099-01-01T12:00')
  await save(desk, 'Save Fees')
  const scheduled = fees.getByRole('list', { name: 'Scheduled fees' })
  await expect(scheduled).toContainText('2099')
  await expect(scheduled).toContainText('9% platform fee')
  await save(desk, 'Cancel Change')
  await expect(scheduled).toBeHidden()
  await fees.getByLabel('In force from').fill('')
  await fees.getByLabel('Platform fee in percent').fill('4')
  await expect(fees).toContainText('the seller receives $111.42')
  await save(desk, 'Save Fees')

  const changes = desk.getByRole('list', { name: 'Changes' })
  for (const change of [
    'Name: Sought → Lamp Seekers',
    'Accent colour: none → #7a1f5c',
    'Boats & Sails',
    'Days in escrow: 7 → 5',
    'Platform fee, in percent: 3 → 9',
    'Platform fee, in percent: 3 → 4',
  ])
    await expect(changes).toContainText(change)
  await expect(changes.getByRole('listitem').first()).toContainText('Platform fee, in percent: 3 → 4')
  await expect(changes).toContainText('Ingrid Solberg')
  await expectAccessible(desk, 'the settings')

  // Pages of the other process follow within two seconds.
  await expect(async () => {
    await buyer.goto('/post')
    await expect(buyer).toHaveTitle(/Lamp Seekers/, { timeout: 1_000 })
  }).toPass()
  await expect(buyer.getByRole('banner')).toContainText('Lamp Seekers')
  await buyer.getByLabel('Category').selectOption('Boats & Sails')
  const accent = () =>
    buyer.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--color-accent'))
  expect(await accent()).toContain('#7a1f5c')
  await expectAccessible(buyer, 'a page in another colour')

  const old = await payIntoEscrow(accepted)
  const recent = await payIntoEscrow(await createDealBetween(accepted, 12_000))
  for (const { paymentId } of [old, recent]) expect(await daysInEscrow(buyer, paymentId)).toBe(5)
  await confirmDelivery(buyer, old.paymentId)
  await confirmDelivery(buyer, recent.paymentId)
  const others = { provider: -12_000, 'fees:processing': 378 }
  await expectLedger(old.paymentId, { ...others, seller: 11_262, 'fees:platform': 360 })
  await expectLedger(recent.paymentId, { ...others, seller: 11_142, 'fees:platform': 480 })
})

async function daysInEscrow(buyer: Page, paymentId: number): Promise<number> {
  const { escrowHoldUntil } = await jsonOf(buyer.request.get(`/api/payments/${paymentId}`))
  return Math.ceil((Date.parse(escrowHoldUntil) - Date.now()) / 86_400_000)
}

const switchTo = async (desk: Page, action: string) => {
  await sectionOf(desk, 'Mode').getByRole('button', { name: action }).click()
  await desk.getByRole('alertdialog').getByRole('button', { name: action }).click()
}

test('read-only mode refuses changes with a reason, maintenance closes the market, and the admin opens it again', {
  tag: '@proof',
}, async ({ createUser, openAs, openAsVisitor }) => {
  const [visitor, buyer, desk] = await Promise.all([
    openAsVisitor('/'),
    openAs(await createUser(), '/post'),
    openAs(demoUsers.admin, '/admin/settings'),
  ])
  await buyer.getByLabel('Title').fill('A lamp')
  await buyer.getByLabel('Category').selectOption('Music')
  await buyer.getByLabel('Location').fill('Ipoh')
  await buyer.getByLabel('Description').fill('Green, with a brass foot.')
  const mode = sectionOf(desk, 'Mode')
  const status = (page: Page) => page.getByRole('region', { name: 'Market status' })

  await switchTo(desk, 'Make Read-Only')
  await expect(mode).toContainText('The market is read-only.')
  await expect(status(desk)).toBeVisible()
  await expect(async () => {
    await visitor.goto('/')
    await expect(status(visitor)).toContainText('nothing can be changed at the moment', { timeout: 1_000 })
  }).toPass()
  await expectAccessible(visitor, 'the board of a read-only market')
  await buyer.getByRole('button', { name: 'Post Request' }).click()
  await expect(toast(buyer)).toContainText('The market is read-only at the moment. Please try again later.')

  await switchTo(desk, 'Close for Maintenance')
  await expect(mode).toContainText('The market is closed for maintenance.')
  await expect(async () => {
    const page = await visitor.goto('/')
    expect(page?.status()).toBe(503)
  }).toPass()
  await expect(visitor.getByRole('heading', { name: 'Closed for maintenance' })).toBeVisible()
  await expect(visitor.getByRole('link', { name: 'Sign in as an admin' })).toBeVisible()
  await expectAccessible(visitor, 'the maintenance page')
  await desk.goto('/admin/disputes')
  await expect(desk.getByRole('list', { name: 'Disputes' })).toBeVisible()
  await expect(status(desk)).toContainText('The market is closed for maintenance')

  await desk.goto('/admin/settings')
  await switchTo(desk, 'Open the Market')
  await expect(mode).toContainText('The market is open.')
  await expect(status(desk)).toBeHidden()
  await expect(async () => {
    const page = await visitor.goto('/')
    expect(page?.status()).toBe(200)
  }).toPass()
  await expect(status(visitor)).toBeHidden()
  await buyer.getByRole('button', { name: 'Post Request' }).click()
  await expect(buyer).toHaveURL('/')
})

test('settings are changed with the keyboard alone', { tag: '@proof' }, async ({ openAs }) => {
  const desk = await openAs(demoUsers.admin, '/admin/settings')
  const button = (name: string) => desk.getByRole('button', { name, exact: true })
  const press = (key: string) => desk.keyboard.press(key)
  await tabTo(desk.getByLabel('Market name'))
  await desk.keyboard.type('Keys only')
  await press('Enter')
  await expect(desk.getByRole('banner')).toContainText('Keys only')
  await expect(desk.getByLabel('Market name')).toBeFocused()
  await enter(button('Add Category'))
  await desk.keyboard.type('Boats')
  await enter(button('Move Boats up'))
  await expect(button('Move Boats up')).toBeFocused()
  await enter(button('Save Categories'))
  await expect(sectionOf(desk, 'History')).toContainText('Boats')
  await tabTo(sectionOf(desk, 'Limits').getByLabel('Days until an offer expires'))
  await desk.keyboard.type('9')
  await press('Enter')
  await expect(sectionOf(desk, 'History')).toContainText('Days until an offer expires')

  const mode = sectionOf(desk, 'Mode')
  const close = mode.getByRole('button', { name: 'Make Read-Only' })
  await enter(close)
  await expect(button('Cancel')).toBeFocused()
  await pressEscape(desk)
  await expect(close).toBeFocused()
  await press('Enter')
  await expect(button('Cancel')).toBeFocused()
  await press('Tab')
  await press('Enter')
  await expect(mode).toContainText('The market is read-only.')
  await expectToGoOn(desk)
  await tabTo(mode.getByRole('button', { name: 'Open the Market' }), 'Shift+Tab')
  await press('Enter')
  await expect(button('Cancel')).toBeFocused()
  await press('Tab')
  await press('Enter')
  await expect(mode).toContainText('The market is open.')
})
