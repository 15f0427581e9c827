import { readFile } from 'node:fs/promises'
import type { Locator, Page } from '@playwright/test'
import { expectAccessible } from '../support/accessibility.ts'
import {
  confirmDelivery,
  createDealBetween,
  type Deal,
  payIntoEscrow,
  paymentStatus,
} from '../support/deals.ts'
import { type DisputedDeal, fileDisputeWithThreeFiles, outcomeOf, readDispute } from '../support/disputes.ts'
import { expect, test } from '../support/fixtures.ts'
import { toast, toastBehindDialog } from '../support/toasts.ts'
import { demoUsers } from '../support/users.ts'

/** Opens the desk with the disputes of one seller: other tests use the same desk. */
async function deskFor(desk: Page, { buyer, paymentId }: DisputedDeal): Promise<Locator> {
  const { dispute } = await readDispute(buyer, paymentId)
  await desk.goto(`/admin/disputes?search=${dispute.sellerId}`)
  return desk.getByRole('article', { name: `Dispute #${paymentId}`, exact: true })
}

const review = async (card: Locator, tab: string) => {
  await card.getByRole('button', { name: 'Review', exact: true }).click()
  await card.page().getByRole('tab', { name: tab }).click()
}

/** A toast beside an open dialog, which is all that the browser tells assistive technology of meanwhile. */
const _toastBeside = (page: Page) =>
  page
    .getByRole('region', { name: /Notifications/, includeHidden: true })
    .getByRole('listitem', { includeHidden: true })

const resolveButton = (desk: Page) => desk.getByRole('button', { name: 'Resolve Dispute' })
const confirm = (desk: Page) => desk.getByRole('button', { name: 'Confirm and Move the Money' })

const inDollars = (cents: number) => `$${(cents / 100).toFixed(2)}`

test.describe('a dispute with three files is resolved, and the ledger balances', () => {
  interface Ruling {
    action: 'refund_full' | 'refund_partial' | 'release_seller' | 'split_difference'
    amount: number
    /** What the admin types for a partial refund. */
    typed?: string
    status: 'resolved_buyer' | 'resolved_seller' | 'resolved_partial'
    /** Calculated by hand. */
    refund: number
    payout: number
    fees: Record<string, number>
  }

  interface Admin {
    desk: Page
    expectLedger: (paymentId: number, balances: Record<string, number>) => Promise<void>
  }

  const words = {
    resolved_buyer: 'Decided for the buyer',
    resolved_seller: 'Decided for the seller',
    resolved_partial: 'Split between you',
  }

  /** Resolves a dispute on the desk, and checks what the parties see and what the ledger holds. */
  async function rule({ desk, expectLedger }: Admin, disputed: DisputedDeal, ruling: Ruling): Promise<void> {
    const { action, amount, typed, status, refund, payout, fees } = ruling
    const { buyer, paymentId } = disputed
    // Filing leads to the transactions: the latest payment comes first.
    await buyer.getByRole('link', { name: 'View Dispute' }).first().click()
    await expect(buyer).toHaveURL(`/dispute/${paymentId}`)
    await review(await deskFor(desk, disputed), 'Evidence')
    const pieces = desk.getByRole('list', { name: 'Evidence' })
    await expect(pieces.getByRole('img', { name: 'crack.png' })).toBeVisible()
    await expect(pieces.getByRole('link', { name: 'Download invoice.pdf' })).toBeVisible()
    await expect(pieces.getByRole('link', { name: 'Download letters.txt' })).toBeVisible()
    await desk.getByRole('tab', { name: 'Resolution' }).click()
    await desk.getByLabel('Resolution action').selectOption(action)
    if (typed) await desk.getByLabel('Refund amount').fill(typed)
    await desk.getByLabel('Notes').fill('Checked the pictures')
    await resolveButton(desk).click()
    const asked = desk.getByRole('alertdialog')
    await expect(asked).toContainText(`Refund to the buyer${inDollars(refund)}`)
    await expect(asked).toContainText(`${inDollars(payout)}Held in escrow`)
    await confirm(desk).click()

    await expect(toast(desk)).toContainText('Dispute Resolved')
    await expect(toast(desk)).toContainText('The dispute has been resolved successfully')
    await expect(desk.getByRole('dialog')).toHaveCount(0)
    expect(await outcomeOf(disputed)).toEqual({ status, refund, payout })
    await expect(buyer.getByText(words[status])).toBeVisible()
    await expect(buyer.getByRole('list', { name: 'Timeline' })).toContainText('Checked the pictures')
    // The refund has left the ledger, and the seller's part waits for its payout.
    await expectLedger(paymentId, {
      ...(amount > refund && { provider: refund - amount }),
      ...(payout > 0 && { seller: payout }),
      ...fees,
    })
  }

  async function fileAnother(people: Deal, amount: number): Promise<DisputedDeal> {
    const deal = await createDealBetween(people, amount)
    const { paymentId } = await payIntoEscrow(deal)
    await fileDisputeWithThreeFiles(deal.buyer, paymentId)
    return { ...deal, paymentId }
  }

  /** Each test resolves two disputes between the same two users. */
  const tests: Record<string, readonly [Ruling, Ruling]> = {
    'a full and a partial refund': [
      {
        action: 'refund_full',
        amount: 12_001,
        status: 'resolved_buyer',
        refund: 12_001,
        payout: 0,
        fees: {},
      },
      // 60.00 to the seller: 3 % are 1.80, 2.9 % and 0.30 are 2.04.
      {
        action: 'refund_partial',
        amount: 10_001,
        typed: '40.01',
        status: 'resolved_partial',
        refund: 4_001,
        payout: 5_616,
        fees: { 'fees:platform': 180, 'fees:processing': 204 },
      },
    ],
    'splitting the difference, also of small amounts': [
      // 1.01: the odd cent is the buyer's. 0.50 less 0.02 and 0.31.
      {
        action: 'split_difference',
        amount: 101,
        status: 'resolved_partial',
        refund: 51,
        payout: 17,
        fees: { 'fees:platform': 2, 'fees:processing': 31 },
      },
      // 0.50: the fees eat what is left of the seller's half, and no more.
      {
        action: 'split_difference',
        amount: 50,
        status: 'resolved_partial',
        refund: 25,
        payout: 0,
        fees: { 'fees:platform': 1, 'fees:processing': 24 },
      },
    ],
  }

  for (const [name, rulings] of Object.entries(tests)) {
    test(name, async ({ createDeal, expectLedger, openAs }) => {
      const [first, second] = rulings
      const [deal, desk] = await Promise.all([createDeal(first.amount), openAs(demoUsers.admin)])
      const { paymentId } = await payIntoEscrow(deal)
      await fileDisputeWithThreeFiles(deal.buyer, paymentId)
      await rule({ desk, expectLedger }, { ...deal, paymentId }, first)
      await rule({ desk, expectLedger }, await fileAnother(deal, second.amount), second)
    })
  }

  test('asking for more information moves no money; then the seller wins', async ({
    createDeal,
    expectLedger,
    openAs,
  }) => {
    const [deal, desk] = await Promise.all([createDeal(12_345), openAs(demoUsers.admin)])
    const { buyer, seller } = deal
    const { paymentId } = await payIntoEscrow(deal)
    await fileDisputeWithThreeFiles(buyer, paymentId)
    const disputed = { ...deal, paymentId }
    await seller.goto(`/dispute/${paymentId}`)
    const card = await deskFor(desk, disputed)
    await review(card, 'Overview')
    const dialog = desk.getByRole('dialog')
    await expect(dialog).toContainText('Amount$123.45')
    await expect(dialog.getByRole('region', { name: 'Parties' })).toContainText('No ratings yet')
    await expect(dialog.getByRole('region', { name: 'Reason' })).toContainText('Cracked glass')
    await desk.getByRole('tab', { name: 'Resolution' }).click()
    await desk.getByLabel('Resolution action').selectOption('request_more_info')
    await desk.getByLabel('Notes').fill('Please show the packing')
    await resolveButton(desk).click()
    await expect(toast(desk)).toContainText('More Information Requested')
    await expect(seller.getByRole('list', { name: 'Timeline' })).toContainText('Please show the packing')
    expect(await outcomeOf(disputed)).toEqual({ status: 'under_review', refund: null, payout: 0 })
    await expectLedger(paymentId, { escrow: 12_345, provider: -12_345 })

    await seller.getByLabel('Your statement').fill('Whole when sent')
    await seller.getByRole('button', { name: 'Add Statement' }).click()
    await expect(toast(seller)).toContainText('Statement Added')
    await review(card, 'Evidence')
    const pieces = desk.getByRole('list', { name: 'Evidence' }).getByRole('listitem')
    await expect(pieces).toHaveCount(4)
    await expect(pieces.nth(0)).toContainText('Ada Tester, buyer')
    await expect(pieces.nth(3)).toContainText('Bob Tester, seller')
    await expect(pieces.nth(3)).toContainText('Whole when sent')
    await desk.getByRole('tab', { name: 'Timeline' }).click()
    await expect(desk.getByRole('list', { name: 'Timeline' }).getByRole('listitem')).toContainText([
      'Dispute filed',
      'Evidence added',
      'Evidence added',
      'Evidence added',
      'More information requested',
      'Statement added',
    ])
    await desk.keyboard.press('Escape')

    // 123.45: 3.70, and 3.58 + 0.30.
    await rule({ desk, expectLedger }, disputed, {
      action: 'release_seller',
      amount: 12_345,
      status: 'resolved_seller',
      refund: 0,
      payout: 11_587,
      fees: { 'fees:platform': 370, 'fees:processing': 388 },
    })
  })
})

test('a ruling needs an action, a valid refund and a confirmation, and loses to an earlier ruling', async ({
  createDispute,
  openAs,
}) => {
  const [disputed, desk] = await Promise.all([createDispute(10_000), openAs(demoUsers.admin)])
  const { buyer, paymentId } = disputed
  await review(await deskFor(desk, disputed), 'Resolution')
  await resolveButton(desk).click()
  await expect(toastBehindDialog(desk)).toContainText('Missing Information')
  await expect(toastBehindDialog(desk)).toContainText('Please select a resolution action')

  await desk.getByLabel('Resolution action').selectOption('refund_partial')
  for (const amount of ['', '0', '100', '100.01', '1.005']) {
    await desk.getByLabel('Refund amount').fill(amount)
    await resolveButton(desk).click()
    await expect(desk.getByText('Enter an amount from $0.01 to $99.99')).toBeVisible()
    await expect(desk.getByRole('alertdialog')).toHaveCount(0)
  }
  await desk.getByLabel('Refund amount').fill('99.99')
  await resolveButton(desk).click()
  await expect(desk.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await desk.getByRole('button', { name: 'Cancel' }).click()
  expect(await paymentStatus(buyer, paymentId)).toBe('disputed')

  // Another admin resolves the dispute while this one is asked to confirm.
  await resolveButton(desk).click()
  const data = { action: 'release_seller' }
  const first = await desk.request.post(`/api/admin/disputes/${paymentId}/resolve`, { data })
  expect(first.status()).toBe(200)
  await confirm(desk).click()
  await expect(toastBehindDialog(desk)).toContainText('Resolution Failed')
  await expect(toastBehindDialog(desk)).toContainText('This dispute has already been resolved.')
  await expect(desk.getByRole('dialog')).toContainText('Resolved - Seller')
  expect(await outcomeOf(disputed)).toEqual({ status: 'resolved_seller', refund: 0, payout: 9_380 })
})

test.describe('the list', () => {
  test('can be reviewed, searched, filtered by URL and exported', async ({ createDispute, openAs }) => {
    const { buyer, paymentId } = await createDispute(50_001)
    await buyer.goto(`/dispute/${paymentId}`)
    const { dispute } = await readDispute(buyer, paymentId)
    const desk = await openAs(demoUsers.admin, '/admin/disputes')
    const search = desk.getByPlaceholder('Search by item title, dispute reason, or user ID...')
    const status = desk.getByLabel('Status')
    await search.fill(dispute.buyerId)
    await expect(desk).toHaveURL(`/admin/disputes?search=${dispute.buyerId}`)
    const card = desk.getByRole('list', { name: 'Disputes' }).getByRole('article')
    await expect(card).toHaveCount(1)
    await expect(card).toContainText(`Dispute #${paymentId}`)
    await expect(card).toContainText('New Dispute')
    await expect(card).toContainText('High priority')
    await expect(card).toContainText('A green banker’s lamp')
    await expect(card).toContainText('$500.01')
    const today = new Intl.DateTimeFormat('en-US', { month: 'long', day: 'numeric', year: 'numeric' })
    await expect(card).toContainText(`Submitted ${today.format(new Date(dispute.updatedAt))}`)
    await expect(card).toContainText('The shade is cracked')
    await expect(card).toContainText(dispute.buyerId)
    await expect(card).toContainText(dispute.sellerId)
    await expect(card).toContainText('Home & Garden')

    await card.getByRole('button', { name: 'Mark Reviewing' }).click()
    await expect(card).toContainText('Under Review')
    await expect(card.getByRole('button', { name: 'Mark Reviewing' })).toHaveCount(0)
    await expect(buyer.getByRole('list', { name: 'Timeline' })).toContainText(
      'Dispute marked as under review by admin',
    )

    await expect(status.locator('option')).toHaveText([
      'All Disputes',
      'New Disputes',
      'Under Review',
      'Resolved - Buyer',
      'Resolved - Seller',
      'Resolved - Partial',
    ])
    await status.selectOption('Resolved - Buyer')
    await expect(desk).toHaveURL(`/admin/disputes?search=${dispute.buyerId}&status=resolved_buyer`)
    await expect(desk.getByText('No disputes match your current filters.')).toBeVisible()
    await desk.reload()
    await expect(status).toHaveValue('resolved_buyer')
    await expect(search).toHaveValue(dispute.buyerId)
    const data = { action: 'refund_full' }
    await desk.request.post(`/api/admin/disputes/${paymentId}/resolve`, { data })
    await desk.getByRole('button', { name: 'Refresh' }).click()
    await expect(card).toHaveCount(1)
    await status.selectOption('All Disputes')
    await expect(desk).toHaveURL(`/admin/disputes?search=${dispute.buyerId}`)

    const downloaded = desk.waitForEvent('download')
    await desk.getByRole('link', { name: 'Export Report' }).click()
    const download = await downloaded
    const date = new Date().toISOString().slice(0, 10)
    expect(download.suggestedFilename()).toBe(`disputes-${date}.csv`)
    expect(await readFile(await download.path(), 'utf8')).toBe(
      '"ID","Item","Amount","Status","Buyer","Seller","Dispute Reason","Date"\r\n' +
        `"${paymentId}","A green banker’s lamp","500.01","resolved_buyer",` +
        `"${dispute.buyerId}","${dispute.sellerId}","The shade is cracked","${date}"\r\n`,
    )
    await desk.getByRole('button', { name: 'Bulk Actions' }).click()
    await expect(toast(desk)).toContainText('Bulk resolution tools coming soon')
    await desk.getByRole('button', { name: 'View Analytics' }).click()
    await expect(toast(desk)).toContainText('Dispute analytics dashboard coming soon')
  })

  test('loads more pages and restores them; admins cannot resolve their own disputes', async ({ openAs }) => {
    const desk = await openAs(demoUsers.admin)
    const { id: adminId } = await (await desk.request.get('/api/auth/user')).json()
    // Fifty disputes, numbered 50 to 1 and paged as the server does. Their items have no title and category.
    await desk.route('**/api/admin/disputes?*', (route) => {
      const query = new URL(route.request().url()).searchParams
      const [limit, cursor] = [Number(query.get('limit')), Number(query.get('cursor') ?? 51)]
      const ids = Array.from({ length: Math.min(limit, cursor - 1) }, (_, index) => cursor - 1 - index)
      return route.fulfill({ json: ids.map((id) => forgottenDispute(id, id === 49 ? adminId : 'ada')) })
    })
    await desk.route('**/resolve', (route) => route.fulfill({ status: 404, body: '' }))
    await desk.goto('/admin/disputes')
    const cards = desk.getByRole('list', { name: 'Disputes' }).getByRole('article')
    await expect(cards).toHaveCount(20)
    await expect(cards.first()).toContainText('Item #7')
    await expect(cards.first()).toContainText('Unknown')
    await cards.first().getByRole('button', { name: 'Mark Reviewing' }).click()
    await expect(toast(desk)).toContainText('Resolution Failed')
    await expect(toast(desk)).toContainText('Failed to resolve dispute')
    await review(cards.nth(1), 'Resolution')
    await expect(
      desk.getByText('You are a party to this payment. Another admin must handle it.'),
    ).toBeVisible()
    await expect(resolveButton(desk)).toHaveCount(0)
    await desk.keyboard.press('Escape')

    await desk.getByRole('button', { name: 'Show more' }).click()
    await expect(cards).toHaveCount(40)
    await expect(desk).toHaveURL('/admin/disputes?page=2')
    await desk.reload()
    await expect(cards).toHaveCount(40)
    await desk.getByRole('button', { name: 'Show more' }).click()
    await expect(cards).toHaveCount(50)
    await expect(cards.last()).toContainText('Dispute #1')
    await expect(desk.getByRole('button', { name: 'Show more' })).toHaveCount(0)

    await desk.route('**/api/admin/disputes?*', (route) => route.fulfill({ json: [] }))
    await desk.goto('/admin/disputes')
    await expect(desk.getByText('No disputes have been submitted yet.')).toBeVisible()
  })

  const person = (name: string) => ({ id: name, name, rating: 0, profileImageUrl: null })

  const forgottenDispute = (id: number, buyerId: string) => ({
    id,
    wantedItemId: 7,
    buyerId,
    sellerId: 'bob',
    offerId: id,
    amount: 12_000,
    stripePaymentIntentId: null,
    status: 'disputed',
    escrowHoldUntil: null,
    buyerConfirmedAt: null,
    sellerAcceptedAt: null,
    fundsReleasedAt: null,
    completedAt: null,
    disputeReason: 'The shade is cracked',
    createdAt: '2026-03-01T10:00:00.000Z',
    updatedAt: '2026-03-02T10:00:00.000Z',
    wantedItems: null,
    buyer: person('ada'),
    seller: person('bob'),
    disputedAt: '2026-03-02T10:00:00.000Z',
    refundCents: null,
    refundedAt: null,
    settlement: null,
  })
})

test('a dispute can be resolved with the keyboard alone', async ({ createDispute, openAs }) => {
  const [disputed, desk] = await Promise.all([createDispute(10_000), openAs(demoUsers.admin)])
  const card = await deskFor(desk, disputed)
  await card.getByRole('button', { name: 'Review', exact: true }).focus()
  await desk.keyboard.press('Enter')
  await expect(desk.getByRole('button', { name: 'Close' })).toBeFocused()
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
  await desk.keyboard.type('Split')
  await desk.keyboard.press('Tab')
  await desk.keyboard.type('Half each')
  await desk.keyboard.press('Tab')
  await expect(resolveButton(desk)).toBeFocused()
  await desk.keyboard.press('Enter')
  await expect(desk.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await desk.keyboard.press('Tab')
  await desk.keyboard.press('Enter')
  await expect(toast(desk)).toContainText('Dispute Resolved')
  expect(await outcomeOf(disputed)).toEqual({ status: 'resolved_partial', refund: 5_000, payout: 4_675 })
})

test('a manual payout: bank details, mark as paid, undo on the same day', async ({
  createDeal,
  expectLedger,
  openAs,
}) => {
  const deal = await createDeal()
  const { buyer, seller } = deal
  const { paymentId } = await payIntoEscrow(deal)
  const saved = await seller.request.post('/api/seller/save-bank-account', {
    data: {
      account_holder_name: 'Bob B. Tester',
      country: 'US',
      routing_number: '110000000',
      account_number: '000123456789',
      account_type: 'savings',
    },
  })
  expect(saved.ok(), await saved.text()).toBe(true)
  await confirmDelivery(buyer, paymentId)
  const payoutNow = async () => {
    const payouts = await (await seller.request.get('/api/seller/payouts')).json()
    return payouts.find((it: { paymentId: number }) => it.paymentId === paymentId)
  }
  await expect.poll(async () => (await payoutNow())?.method).toBe('manual')
  await seller.goto('/admin/payouts')
  await expect(seller.getByRole('heading', { name: 'Access Denied' })).toBeVisible()
  await expect(seller.getByText("You don't have permission to access the admin dashboard.")).toBeVisible()
  await seller.getByRole('link', { name: 'Back to Home' }).click()
  await expect(seller).toHaveURL('/')

  const desk = await openAs(demoUsers.admin, '/admin/disputes', {
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  await desk.getByRole('link', { name: 'Manual payouts' }).click()
  await expect(desk).toHaveURL('/admin/payouts')
  const card = desk.getByRole('article').filter({ hasText: new RegExp(`payment #${paymentId}\\b`) })
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
  await desk.keyboard.press('Escape')
  await expect(card.getByRole('button', { name: 'Show Bank Details' })).toBeFocused()
  await expect(desk.getByText('000123456789')).toHaveCount(0)
  await expect(card.getByRole('list', { name: 'Steps' })).toContainText('Bank details viewed')
  await expectAccessible(desk)

  await card.getByRole('button', { name: 'Mark Paid' }).click()
  const mark = desk.getByRole('button', { name: 'Mark $112.62 Paid' })
  await mark.click()
  await expect(desk.getByText('Please enter the reference of the transfer')).toBeVisible()
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

  await desk.route('**/api/admin/payouts?*', (route) => route.fulfill({ json: [] }))
  await desk.goto('/admin/payouts')
  await expect(desk.getByRole('heading', { name: 'No payouts owed' })).toBeVisible()
  await desk.getByRole('button', { name: 'Paid', exact: true }).click()
  await expect(desk.getByRole('heading', { name: 'No paid payouts yet' })).toBeVisible()
})

// Evidence and timeline are shared with the dispute screen, which has its own test.
test('axe finds nothing serious on the desk and in a review', async ({ createDispute, openAs }) => {
  const [disputed, desk] = await Promise.all([createDispute(), openAs(demoUsers.admin)])
  const card = await deskFor(desk, disputed)
  await expect(card).toBeVisible()
  await expectAccessible(desk)
  for (const tab of ['Overview', 'Resolution']) {
    await desk.setViewportSize({ width: 1280, height: 800 })
    await review(card, tab)
    await expect(desk.locator('.animate-breathe')).toHaveCount(0)
    if (tab === 'Resolution') {
      await desk.getByLabel('Resolution action').selectOption('refund_partial')
      await resolveButton(desk).click()
    }
    await expectAccessible(desk)
    await desk.keyboard.press('Escape')
  }
})
