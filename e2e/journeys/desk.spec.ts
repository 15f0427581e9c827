import { readFile } from 'node:fs/promises'
import type { Locator, Page } from '@playwright/test'
import { expectAccessible, expectFrameAccessible } from '../support/accessibility.ts'
import { confirmDelivery, payIntoEscrow, saveBankAccount } from '../support/deals.ts'
import { type DisputedDeal, fileDisputeWithThreeFiles, outcomeOf, readDispute } from '../support/disputes.ts'
import { expect, test } from '../support/fixtures.ts'
import { pressEscape, tabTo } from '../support/keyboard.ts'
import { toast } from '../support/toasts.ts'
import { demoUsers } from '../support/users.ts'

/** Opens the desk with the disputes of one seller, because other tests use the same desk. */
async function deskFor(desk: Page, { buyer, paymentId }: DisputedDeal): Promise<Locator> {
  const { dispute } = await readDispute(buyer, paymentId)
  await desk.goto(`/admin/disputes?search=${dispute.sellerId}`)
  return desk.getByRole('article', { name: `Dispute #${paymentId}`, exact: true })
}

const review = async (card: Locator, tab: string) => {
  await card.getByRole('button', { name: 'Review', exact: true }).click()
  await card.page().getByRole('tab', { name: tab }).click()
}

const resolveButton = (desk: Page) => desk.getByRole('button', { name: 'Resolve Dispute' })

test('an admin reviews a dispute with three files, asks for more information, and divides the money', async ({
  createDeal,
  expectLedger,
  openAs,
}) => {
  const [deal, desk] = await Promise.all([createDeal(10_001), openAs(demoUsers.admin)])
  const { buyer, seller } = deal
  const { paymentId } = await payIntoEscrow(deal)
  await fileDisputeWithThreeFiles(buyer, paymentId)
  const disputed = { ...deal, paymentId }
  // Filing leads to the transactions.
  await buyer.getByRole('link', { name: 'View Dispute' }).click()
  await expect(buyer).toHaveURL(`/dispute/${paymentId}`)
  await seller.goto(`/dispute/${paymentId}`)
  const card = await deskFor(desk, disputed)
  await card.getByRole('button', { name: 'Mark Reviewing' }).click()
  await expect(card).toContainText('Under Review')
  await expect(buyer.getByRole('list', { name: 'Timeline' })).toContainText(
    'Dispute marked as under review by admin',
  )

  await review(card, 'Evidence')
  const pieces = desk.getByRole('list', { name: 'Evidence' })
  await expect(pieces.getByRole('img', { name: 'crack.png' })).toBeVisible()
  await expect(pieces.getByRole('link', { name: 'Download invoice.pdf' })).toBeVisible()
  await expect(pieces.getByRole('link', { name: 'Download letters.txt' })).toBeVisible()
  await desk.getByRole('tab', { name: 'Resolution' }).click()
  await desk.getByLabel('Resolution action').selectOption('request_more_info')
  await desk.getByLabel('Notes').fill('Please show the packing')
  await resolveButton(desk).click()
  await expect(toast(desk)).toContainText('More Information Requested')
  await expect(seller.getByRole('list', { name: 'Timeline' })).toContainText('Please show the packing')
  expect(await outcomeOf(disputed)).toEqual({ status: 'under_review', refund: null, payout: 0 })
  await expectLedger(paymentId, { escrow: 10_001, provider: -10_001 })

  await seller.getByLabel('Your statement').fill('Whole when sent')
  await seller.getByRole('button', { name: 'Add Statement' }).click()
  await expect(toast(seller)).toContainText('Statement Added')
  await review(card, 'Evidence')
  await expect(pieces.getByRole('listitem')).toHaveCount(4)
  await expect(pieces.getByRole('listitem').nth(0)).toContainText('Ada Tester, buyer')
  await expect(pieces.getByRole('listitem').nth(3)).toContainText('Bob Tester, seller')
  await expect(pieces.getByRole('listitem').nth(3)).toContainText('Whole when sent')
  await desk.getByRole('tab', { name: 'Timeline' }).click()
  await expect(desk.getByRole('list', { name: 'Timeline' }).getByRole('listitem')).toContainText([
    'Dispute filed',
    'Evidence added',
    'Evidence added',
    'Evidence added',
    'Under review',
    'More information requested',
    'Statement added',
  ])

  // 60.00 to the seller: 3 % are 1.80, 2.9 % and 0.30 are 2.04.
  await desk.getByRole('tab', { name: 'Resolution' }).click()
  await desk.getByLabel('Resolution action').selectOption('refund_partial')
  await desk.getByLabel('Refund amount').fill('40.01')
  await desk.getByLabel('Notes').fill('Checked the pictures')
  await resolveButton(desk).click()
  const asked = desk.getByRole('alertdialog')
  await expect(asked).toContainText('Refund to the buyer$40.01')
  await expect(asked).toContainText('$56.16Held in escrow')
  await desk.getByRole('button', { name: 'Confirm and Move the Money' }).click()
  await expect(toast(desk)).toContainText('Dispute Resolved')
  await expect(toast(desk)).toContainText('The dispute has been resolved successfully')
  await expect(desk.getByRole('dialog')).toHaveCount(0)
  expect(await outcomeOf(disputed)).toEqual({ status: 'resolved_partial', refund: 4_001, payout: 5_616 })
  await expect(buyer.getByText('Split between you')).toBeVisible()
  await expect(buyer.getByRole('list', { name: 'Timeline' })).toContainText('Checked the pictures')
  // The refund has left the ledger, and the seller's part waits for its payout.
  await expectLedger(paymentId, {
    provider: -6_000,
    seller: 5_616,
    'fees:platform': 180,
    'fees:processing': 204,
  })

  const downloaded = desk.waitForEvent('download')
  await desk.getByRole('link', { name: 'Export Report' }).click()
  const download = await downloaded
  const { dispute } = await readDispute(buyer, paymentId)
  const date = new Date().toISOString().slice(0, 10)
  expect(download.suggestedFilename()).toBe(`disputes-${date}.csv`)
  const report = await readFile(await download.path(), 'utf8')
  expect(report).toContain(
    `"${paymentId}","A green banker’s lamp","100.01","resolved_partial","${dispute.buyerId}","${dispute.sellerId}"`,
  )
  expect(report.split('\r\n')[0]).toBe(
    '"ID","Item","Amount","Status","Buyer","Seller","Dispute Reason","Date"',
  )
})

test('a dispute can be resolved with the keyboard alone, and axe finds nothing serious in the dialog', {
  tag: '@proof',
}, async ({ createDispute, openAs }) => {
  const [disputed, desk] = await Promise.all([createDispute(10_000), openAs(demoUsers.admin)])
  const card = await deskFor(desk, disputed)
  await expect(card).toBeVisible()
  await expectFrameAccessible(desk)
  await expectAccessible(desk, 'the desk')
  await card.getByRole('button', { name: 'Review', exact: true }).focus()
  await desk.keyboard.press('Enter')
  await expect(desk.getByRole('button', { name: 'Close' })).toBeFocused()
  // Evidence and timeline are shared with the dispute screen, which has its own check.
  await expect(desk.locator('.animate-breathe')).toHaveCount(0)
  await expectAccessible(desk, 'the overview of a review')
  await desk.keyboard.press('Tab')
  await expect(desk.getByRole('tab', { name: 'Overview' })).toBeFocused()
  await desk.keyboard.press('ArrowRight')
  await expect(desk.getByRole('tab', { name: 'Evidence' })).toBeFocused()
  await expect(desk.getByText('No evidence submitted yet')).toBeVisible()
  await desk.keyboard.press('ArrowRight')
  await expect(desk.getByRole('tab', { name: 'Timeline' })).toBeFocused()
  await expect(desk.getByRole('list', { name: 'Timeline' })).toContainText('Dispute filedAda Tester')
  await desk.keyboard.press('ArrowRight')
  await expect(desk.getByRole('tab', { name: 'Resolution' })).toBeFocused()
  // The first Tab stop is the panel itself.
  await desk.keyboard.press('Tab')
  await desk.keyboard.press('Tab')
  await expect(desk.getByLabel('Resolution action')).toBeFocused()
  await desk.keyboard.type('Partial')
  await resolveButton(desk).click()
  await expect(desk.getByText('Enter an amount from $0.01 to $99.99')).toBeVisible()
  await expectAccessible(desk, 'the resolution of a review')
  await desk.getByLabel('Resolution action').focus()
  await desk.keyboard.type('Split')
  await tabTo(desk.getByLabel('Notes'))
  await desk.keyboard.type('Half each')
  await tabTo(resolveButton(desk))
  await desk.keyboard.press('Enter')
  await expect(desk.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await desk.keyboard.press('Tab')
  await desk.keyboard.press('Enter')
  await expect(toast(desk)).toContainText('Dispute Resolved')
  expect(await outcomeOf(disputed)).toEqual({ status: 'resolved_partial', refund: 5_000, payout: 4_675 })
})

test('an admin reads bank details, marks a manual payout as paid and undoes it on the same day', {
  tag: '@proof',
}, async ({ createDeal, expectLedger, openAs }) => {
  const deal = await createDeal()
  const { buyer, seller } = deal
  const { paymentId } = await payIntoEscrow(deal)
  await saveBankAccount(seller)
  await confirmDelivery(buyer, paymentId)
  const payoutNow = async () => {
    const payouts = await (await seller.request.get('/api/seller/payouts')).json()
    return payouts.find((it: { paymentId: number }) => it.paymentId === paymentId)
  }
  await expect.poll(async () => (await payoutNow())?.method).toBe('manual')

  const desk = await openAs(demoUsers.admin, '/admin/disputes', {
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  await desk.getByRole('link', { name: 'Manual payouts' }).click()
  await expect(desk).toHaveURL('/admin/payouts')
  const { transactionNumber } = await (await buyer.request.get(`/api/payments/${paymentId}`)).json()
  const card = desk.getByRole('article').filter({ hasText: transactionNumber })
  await expect(card).toContainText('$112.62')
  await expect(card).toContainText('Bob B. Tester')
  await expect(card).toContainText('6789')
  await expect(card).toContainText('United States')
  await expect(card).not.toContainText('000123456789')

  await card.getByRole('button', { name: 'Show Bank Details' }).click()
  const account = desk.getByRole('dialog', { name: 'Bank details' })
  await expect(account).toContainText('This access is recorded')
  await expect(account.getByRole('term')).toHaveText([
    'Amount',
    'Account holder',
    'Routing number',
    'Account number',
    'Account type',
    'Country',
  ])
  await expect(account).toContainText('110000000')
  await account.getByRole('button', { name: 'Copy Account number' }).click()
  await expect(account.getByRole('button', { name: 'Copied Account number' })).toBeVisible()
  const clipboard = () => desk.evaluate(() => navigator.clipboard.readText())
  expect(await clipboard()).toBe('000123456789')
  await account.getByRole('button', { name: 'Copy Amount' }).click()
  await expect.poll(clipboard).toBe('112.62')
  await expectAccessible(desk)
  await pressEscape(desk)
  await expect(card.getByRole('button', { name: 'Show Bank Details' })).toBeFocused()
  await expect(desk.getByText('000123456789')).toHaveCount(0)
  await expect(card.getByRole('list', { name: 'Steps' })).toContainText('Bank details viewed')
  await expectAccessible(desk)

  await card.getByRole('button', { name: 'Mark Paid' }).click()
  const mark = desk.getByRole('button', { name: 'Mark $112.62 Paid' })
  await desk.getByLabel('Reference').fill('TR-2026-11')
  await mark.click()
  await expect(toast(desk)).toContainText('$112.62 to Bob Tester is marked as paid.')
  await expect(card).toHaveCount(0)
  expect((await payoutNow()).status).toBe('paid')
  const fees = { 'fees:platform': 360, 'fees:processing': 378 }
  await expectLedger(paymentId, { provider: -738, ...fees })

  await desk.getByRole('button', { name: 'Paid', exact: true }).click()
  await expect(desk).toHaveURL('/admin/payouts?status=paid')
  await expect(card).toContainText('Marked as paid, reference TR-2026-11')
  await expect(card.getByRole('button', { name: 'Show Bank Details' })).toHaveCount(0)
  await card.getByRole('button', { name: 'Undo' }).click()
  await desk.getByRole('button', { name: 'Undo Payout' }).click()
  await expect(toast(desk)).toContainText('$112.62 is owed to Bob Tester again.')
  await expect(card).toHaveCount(0)
  await desk.getByRole('button', { name: 'Owed', exact: true }).click()
  await expect(card).toContainText('Undone')
  await expect(card.getByRole('button', { name: 'Mark Paid' })).toBeVisible()
  expect(await payoutNow()).toMatchObject({ status: 'owed', amount: 11_262 })
  await expectLedger(paymentId, { provider: -12_000, seller: 11_262, ...fees })
})
