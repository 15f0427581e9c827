import { readFile } from 'node:fs/promises'
import type { Download, Page } from '@playwright/test'
import type { Figures } from '@sought/contract/analytics'
import { expectAccessible } from '../support/accessibility.ts'
import { confirmDelivery, createDealBetween, jsonOf, lamp, payIntoEscrow } from '../support/deals.ts'
import { expect, test } from '../support/fixtures.ts'
import { tabTo } from '../support/keyboard.ts'
import { toast } from '../support/toasts.ts'
import { demoUsers } from '../support/users.ts'

const searchField = (page: Page) => page.getByRole('searchbox', { name: /^Name, email/ })
const goodwillFor = (page: Page, name: string) =>
  page.getByRole('article', { name: `Goodwill for ${name}`, exact: true })

test('an admin finds a person and a deal and gives goodwill, which a second admin approves', {
  tag: '@proof',
}, async ({ createAdmin, createDeal, expectLedger, openAs }) => {
  const [deal, desk, second] = await Promise.all([
    createDeal(),
    openAs(demoUsers.admin, '/admin'),
    openAs(await createAdmin()),
  ])
  const { paymentId } = await payIntoEscrow(deal)

  await expect(desk.getByRole('heading', { level: 1, name: 'Overview' })).toBeVisible()
  await expectAccessible(desk, 'the overview')
  await desk.getByRole('navigation', { name: 'Admin pages' }).getByRole('link', { name: 'Lookup' }).click()
  await expect(desk.getByRole('heading', { level: 1, name: 'Lookup' })).toBeVisible()
  await searchField(desk).fill(deal.ada.email)
  await searchField(desk).press('Enter')
  const people = desk.getByRole('list', { name: 'People' })
  await expect(people.getByRole('listitem')).toHaveCount(1)
  await expectAccessible(desk, 'the results of a search')
  await people.getByRole('link', { name: 'Ada Tester' }).click()
  await expect(desk.getByRole('heading', { level: 1, name: 'Ada Tester' })).toBeVisible()
  await expectAccessible(desk, 'a person')
  await desk.getByRole('tab', { name: 'Timeline' }).click()
  await desk.getByRole('list', { name: 'Timeline' }).getByRole('link', { name: 'Bought' }).click()
  await expect(desk).toHaveURL(`/admin/deals/${paymentId}`)
  await desk.getByRole('tab', { name: 'Money' }).click()
  await expect(desk.getByRole('table', { name: 'Ledger entries' })).toContainText(`escrow:${paymentId}`)
  await expectAccessible(desk, 'the money of a deal')

  await desk.getByRole('button', { name: 'Goodwill Payment' }).click()
  const dialog = desk.getByRole('alertdialog', { name: 'Goodwill payment' })
  await dialog.getByLabel('Amount').fill('100.01')
  await dialog.getByLabel('Reason').fill('We answered late')
  await expectAccessible(desk, 'the goodwill dialog')
  await dialog.getByRole('button', { name: 'Give $100.01' }).click()
  await expect(toast(desk)).toContainText('another admin must approve it')
  await expect(dialog).toHaveCount(0)
  await expect(desk.getByRole('table', { name: 'Goodwill payments' })).toContainText('We answered late')
  await desk.getByRole('link', { name: 'All goodwill payments' }).click()
  await expect(goodwillFor(desk, 'Ada Tester').filter({ hasText: deal.ada.email })).toContainText(
    'You requested this payment, so another admin must approve it.',
  )

  await second.goto('/admin/goodwill')
  const waiting = goodwillFor(second, 'Ada Tester').filter({ hasText: deal.ada.email })
  await expect(waiting).toContainText('We answered late')
  await waiting.getByRole('button', { name: 'Approve' }).click()
  await second.getByRole('alertdialog').getByRole('button', { name: 'Approve $100.01' }).click()
  await expect(toast(second)).toContainText('$100.01 is owed to Ada Tester.')
  await expect(waiting).toHaveCount(0)
  await expectLedger(paymentId, {
    escrow: 12_000,
    provider: -12_000,
    buyer: 10_001,
    'platform:goodwill': -10_001,
  })

  await second.getByRole('button', { name: 'To pay' }).click()
  await expect(waiting).toContainText('To be paid')
  await expectAccessible(second, 'the goodwill payments')
})

type CountedFigures = Pick<
  Figures,
  'requests' | 'offers' | 'accepted' | 'paid' | 'released' | 'volume' | 'fees'
>

/** No other journey uses it, so its figures change only through this journey. */
const CATEGORY = 'Automotive'

test('chart, table and download show the figures of a category for the year', {
  tag: '@proof',
}, async ({ createAdmin, createUser, openAs }) => {
  const [ada, bob] = await Promise.all([createUser('Ada'), createUser('Bob')])
  const [buyer, seller, desk] = await Promise.all([
    openAs(ada),
    openAs(bob),
    openAs(await createAdmin(), '/admin/analytics'),
  ])
  const before = await readCategory(desk)
  const agree = (cents: number) =>
    createDealBetween({ buyer, seller, ada, bob }, cents, { request: { ...lamp, category: CATEGORY } })
  const [released] = await Promise.all([agree(12_000).then(payIntoEscrow), agree(5_050).then(payIntoEscrow)])
  await confirmDelivery(buyer, released.paymentId)
  await expect
    .poll(() => readCategory(desk))
    .toMatchObject({
      requests: before.requests + 2,
      offers: before.offers + 2,
      accepted: before.accepted + 2,
      paid: before.paid + 2,
      released: before.released + 1,
      volume: before.volume + 17_050,
      fees: before.fees + 360,
    })

  await desk.getByRole('link', { name: 'This year' }).click()
  await expect(desk.getByLabel('Steps')).toHaveValue('month')
  await expect(desk).toHaveURL(/from=\d{4}-01-01/)
  const section = desk.getByRole('region', { name: 'Volume by category', exact: true })
  await expect(section.locator('.recharts-bar-rectangle').first()).toBeAttached()
  await expectAccessible(desk, 'the charts')
  await section.getByRole('button', { name: 'Table' }).click()
  const row = section.getByRole('row').filter({ hasText: CATEGORY })
  const { requests, paid, volume } = await readCategory(desk)
  await expect(row.getByRole('cell').nth(0)).toHaveText(String(requests))
  await expect(row.getByRole('cell').nth(3)).toHaveText(String(paid))
  await expect(row).toContainText(formatDollars(volume))
  await expectAccessible(desk, 'the tables')

  const downloaded = desk.waitForEvent('download')
  await section.getByRole('link', { name: 'CSV' }).click()
  const [columns, ...lines] = await readCsv(await downloaded)
  expect(columns?.slice(0, 5)).toEqual(['Category', 'Requests', 'Offers', 'Accepted offers', 'Payments'])
  const cells = lines.find(([name]) => name === CATEGORY)
  expect(cells?.[1]).toBe(String(requests))
  expect(cells?.[columns?.indexOf('Volume') ?? 0]).toBe(String(volume / 100))

  await desk.getByLabel('From', { exact: true }).fill('2020-01-01')
  await desk.getByLabel('To', { exact: true }).fill('2020-01-31')
  await expect(desk.getByRole('heading', { name: 'No figures' })).toBeVisible()
})

async function readCategory(desk: Page): Promise<CountedFigures> {
  const year = new Date().getUTCFullYear()
  const path = `/api/admin/analytics?from=${year}-01-01&to=${year}-12-31&by=month`
  const { categories } = await jsonOf(desk.request.get(path))
  const found = categories.find(({ name }: { name: string }) => name === CATEGORY)
  return found ?? { requests: 0, offers: 0, accepted: 0, paid: 0, released: 0, volume: 0, fees: 0 }
}

const formatDollars = (cents: number) =>
  (cents / 100).toLocaleString('en-US', { style: 'currency', currency: 'USD' })

/** Reads a file whose cells contain no commas. */
async function readCsv(download: Download): Promise<string[][]> {
  const text = await readFile(await download.path(), 'utf8')
  return text
    .trimEnd()
    .split('\r\n')
    .map((line) => line.split(',').map((cell) => cell.replace(/^"|"$/g, '')))
}

test('an export is made by a job, notifies its admin and can be downloaded', { tag: '@proof' }, async ({
  createAdmin,
  createDeal,
  openAs,
}) => {
  const [deal, desk] = await Promise.all([createDeal(), openAs(await createAdmin(), '/admin/exports')])
  const { paymentId } = await payIntoEscrow(deal)
  const year = new Date().getUTCFullYear()
  const form = desk.getByRole('form', { name: 'New export' })
  await form.getByLabel('Year').selectOption(String(year))
  await form.getByRole('button', { name: 'Create Export' }).click()
  await expect(toast(desk)).toContainText('Export Started')
  const row = desk.getByRole('list', { name: 'Exports' }).getByRole('listitem').filter({ hasText: 'Grace' })
  const link = row.first().getByRole('link', { name: `Download CSV : Payments ${year}` })
  await expect(link).toBeVisible()
  await expectAccessible(desk, 'the exports')
  const downloaded = desk.waitForEvent('download')
  await link.click()
  const download = await downloaded
  expect(download.suggestedFilename()).toBe(`payments-${year}.csv`)
  const [columns, ...lines] = await readCsv(download)
  const cells = lines.find(([id]) => id === String(paymentId))
  expect(cells?.[columns?.indexOf('Amount') ?? 0]).toBe('120.00')

  await desk.goto('/notifications')
  await desk
    .getByRole('main')
    .getByRole('link', { name: /Your export is ready/ })
    .click()
  await expect(desk).toHaveURL('/admin/exports')
})

test('lookup and goodwill work with the keyboard alone', { tag: '@proof' }, async ({
  createAdmin,
  createDeal,
  openAs,
}) => {
  const [deal, desk, second] = await Promise.all([
    createDeal(),
    openAs(demoUsers.admin, '/admin/lookup'),
    openAs(await createAdmin()),
  ])
  const { paymentId } = await payIntoEscrow(deal)
  await tabTo(desk.getByRole('searchbox', { name: /Name, email/ }))
  await desk.keyboard.type(deal.bob.email)
  await desk.keyboard.press('Enter')
  await tabTo(desk.getByRole('link', { name: 'Bob Tester', exact: true }))
  await desk.keyboard.press('Enter')
  await expect(desk.getByRole('heading', { level: 1, name: 'Bob Tester' })).toBeVisible()
  await tabTo(desk.getByRole('tab', { name: 'Overview', exact: true }))
  // An arrow key moves the focus in a timer, so a second one must wait for the first.
  for (const tab of ['Timeline', 'Deals']) {
    await desk.keyboard.press('ArrowRight')
    await expect(desk.getByRole('tab', { name: tab })).toBeFocused()
  }
  await tabTo(desk.getByRole('link', { name: /^A green banker’s lamp/ }))
  await desk.keyboard.press('Enter')
  await expect(desk).toHaveURL(`/admin/deals/${paymentId}`)

  await tabTo(desk.getByRole('button', { name: 'Goodwill Payment', exact: true }))
  await desk.keyboard.press('Enter')
  await tabTo(desk.getByRole('combobox', { name: 'Recipient', exact: true }))
  await desk.keyboard.press('ArrowDown')
  await tabTo(desk.getByRole('spinbutton', { name: 'Amount', exact: true }))
  await desk.keyboard.type('150')
  await tabTo(desk.getByRole('textbox', { name: 'Reason', exact: true }))
  await desk.keyboard.type('Shipping was paid twice')
  await tabTo(desk.getByRole('button', { name: 'Give $150.00', exact: true }))
  await desk.keyboard.press('Enter')
  await expect(toast(desk)).toContainText('another admin must approve it')
  await expect(desk.getByRole('button', { name: 'Goodwill Payment' })).toBeFocused()

  await second.goto('/admin/goodwill')
  const card = goodwillFor(second, 'Bob Tester').filter({ hasText: deal.bob.email })
  await card.getByRole('button', { name: 'Approve' }).focus()
  await second.keyboard.press('Enter')
  await expect(second.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await tabTo(second.getByRole('button', { name: 'Approve $150.00', exact: true }))
  await second.keyboard.press('Enter')
  await expect(toast(second)).toContainText('$150.00 is owed to Bob Tester.')
  await expect(card).toHaveCount(0)
})
