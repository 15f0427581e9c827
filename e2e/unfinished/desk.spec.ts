import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { agree, hold, statusOf, toast } from '../deal.ts'
import { disputeFile, note, outcome, picture, type Quarrel, quarrel } from '../dispute.ts'
import { lookInEveryWay } from '../look.ts'
import { expect, test } from '../story.ts'

/** The desk, narrowed to one dispute by its seller's id, since journeys share it. */
async function deskFor(desk: Page, { buyer, paymentId }: Quarrel) {
  const { dispute } = await disputeFile(buyer, paymentId)
  await desk.goto(`/admin/disputes?search=${dispute.sellerId}`)
  return desk.getByRole('article', { name: `Dispute #${paymentId}` })
}

const review = async (card: ReturnType<Page['getByRole']>, tab: string) => {
  await card.getByRole('button', { name: 'Review', exact: true }).click()
  await card.page().getByRole('tab', { name: tab }).click()
}

/** A toast beside an open dialog, which is all that the browser tells assistive technology of meanwhile. */
const toastBeside = (page: Page) =>
  page
    .getByRole('region', { name: /Notifications/, includeHidden: true })
    .getByRole('listitem', { includeHidden: true })

const resolveButton = (desk: Page) => desk.getByRole('button', { name: 'Resolve Dispute' })
const confirm = (desk: Page) => desk.getByRole('button', { name: 'Confirm and Move the Money' })

test.describe('a card', () => {
  test('says what, between whom, how much and how urgent', async ({ as, given }) => {
    const quarrelled = await quarrel({ as, given }, 50_001)
    const { dispute } = await disputeFile(quarrelled.buyer, quarrelled.paymentId)
    const card = await deskFor(await as(given.admin, 'about:blank'), quarrelled)
    await expect(card).toContainText(`Dispute #${quarrelled.paymentId}`)
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
  })

  test('falls back where an item has no title or category', async ({ as, given }) => {
    const quarrelled = await quarrel({ as, given })
    const desk = await as(given.admin, 'about:blank')
    await desk.route('**/api/admin/disputes?*', async (route) => {
      const answered = await route.fetch()
      const disputes: object[] = await answered.json()
      await route.fulfill({ json: disputes.map((it) => ({ ...it, wantedItems: null })) })
    })
    const card = await deskFor(desk, quarrelled)
    await expect(card).toContainText(`Item #${quarrelled.item.id}`)
    await expect(card).toContainText('Unknown')
  })

  test('is marked as under review, with the note for both to read', async ({ as, given }) => {
    const quarrelled = await quarrel({ as, given })
    const { buyer, paymentId } = quarrelled
    await buyer.goto(`/dispute/${paymentId}`)
    const card = await deskFor(await as(given.admin, 'about:blank'), quarrelled)
    await card.getByRole('button', { name: 'Mark Reviewing' }).click()
    await expect(card).toContainText('Under Review')
    await expect(card.getByRole('button', { name: 'Mark Reviewing' })).toHaveCount(0)
    await expect(buyer.getByRole('list', { name: 'Timeline' })).toContainText(
      'Dispute marked as under review by admin',
    )
  })
})

test('a review shows the transaction, the parties, the evidence and the timeline', async ({ as, given }) => {
  const quarrelled = await quarrel({ as, given })
  const { buyer, seller, paymentId } = quarrelled
  const desk = await as(given.admin, 'about:blank')
  const card = await deskFor(desk, quarrelled)
  await review(card, 'Evidence')
  await expect(desk.getByText('No evidence submitted yet')).toBeVisible()
  await desk.keyboard.press('Escape')

  for (const file of [picture('crack.png'), picture('box.png'), note('letters.txt', 'Dear Bob')]) {
    const multipart = { description: `About ${file.name}`, disputeId: String(paymentId), file }
    const reply = await buyer.request.post(`/api/disputes/${paymentId}/upload-evidence`, { multipart })
    expect(reply.status()).toBe(201)
  }
  await seller.request.post(`/api/disputes/${paymentId}/answer`, { data: { content: 'Whole when sent' } })
  await review(card, 'Evidence')
  const pieces = desk.getByRole('list', { name: 'Evidence' }).getByRole('listitem')
  await expect(pieces).toHaveCount(4)
  await expect(pieces.nth(0)).toContainText('Ada Tester, buyer')
  await expect(pieces.nth(0).getByRole('img', { name: 'About crack.png' })).toBeVisible()
  await expect(pieces.nth(2).getByRole('link', { name: 'Download letters.txt' })).toBeVisible()
  await expect(pieces.nth(2)).toContainText('About letters.txt')
  await expect(pieces.nth(3)).toContainText('Bob Tester, seller')
  await expect(pieces.nth(3)).toContainText('Whole when sent')

  await desk.getByRole('tab', { name: 'Timeline' }).click()
  const timeline = desk.getByRole('list', { name: 'Timeline' }).getByRole('listitem')
  await expect(timeline).toHaveCount(5)
  await expect(timeline.first()).toContainText('Dispute filed')
  await expect(timeline.first()).toContainText('Ada Tester')

  await desk.getByRole('tab', { name: 'Overview' }).click()
  const dialog = desk.getByRole('dialog')
  await expect(dialog).toContainText('Amount$120.01')
  await expect(dialog.getByRole('region', { name: 'Parties' })).toContainText('No ratings yet')
  await expect(dialog.getByRole('region', { name: 'Reason' })).toContainText('The shade is cracked')
})

test.describe('a ruling, to the cent', () => {
  /** What each leaves: expected refund and payout, worked out by hand. */
  const rulings = [
    { action: 'refund_full', amount: 12_001, refund: 12_001, payout: 0, status: 'resolved_buyer' },
    // 60.00 to the seller: 3 % are 1.80, 2.9 % and 0.30 are 2.04.
    {
      action: 'refund_partial',
      amount: 10_001,
      typed: '40.01',
      refund: 4_001,
      payout: 5_616,
      status: 'resolved_partial',
    },
    // 123.45: 3.70 and 3.58 + 0.30.
    { action: 'release_seller', amount: 12_345, refund: 0, payout: 11_587, status: 'resolved_seller' },
    // 1.01: the odd cent is the buyer's. 0.50 less 0.02 and 0.31.
    { action: 'split_difference', amount: 101, refund: 51, payout: 17, status: 'resolved_partial' },
    // 0.50: the fees eat what is left of the seller's half, and no more.
    { action: 'split_difference', amount: 50, refund: 25, payout: 0, status: 'resolved_partial' },
  ] as const

  for (const ruling of rulings) {
    test(`${ruling.action} of ${ruling.amount}`, async ({ as, given }) => {
      const quarrelled = await quarrel({ as, given }, ruling.amount)
      const { buyer, paymentId } = quarrelled
      await buyer.goto(`/dispute/${paymentId}`)
      const desk = await as(given.admin, 'about:blank')
      const card = await deskFor(desk, quarrelled)
      await review(card, 'Resolution')
      await desk.getByLabel('Resolution action').selectOption(ruling.action)
      if ('typed' in ruling) await desk.getByLabel('Refund amount').fill(ruling.typed)
      await desk.getByLabel('Notes').fill('Looked at closely')
      await resolveButton(desk).click()
      const asked = desk.getByRole('alertdialog')
      await expect(asked).toContainText(`Back to the buyer$${(ruling.refund / 100).toFixed(2)}`)
      await expect(asked).toContainText(`$${(ruling.payout / 100).toFixed(2)}Held in escrow`)
      await confirm(desk).click()

      await expect(toast(desk)).toContainText('Dispute Resolved')
      await expect(toast(desk)).toContainText('The dispute has been resolved successfully')
      await expect(desk.getByRole('dialog')).toHaveCount(0)
      const { status, refund, payout } = ruling
      expect(await outcome(quarrelled)).toEqual({ status, refund, payout })
      const words = {
        resolved_buyer: 'Decided for the buyer',
        resolved_seller: 'Decided for the seller',
        resolved_partial: 'Shared between you',
      }
      await expect(buyer.getByText(words[status])).toBeVisible()
      await expect(buyer.getByRole('list', { name: 'Timeline' })).toContainText('Looked at closely')
      // The card service has given back exactly that.
      if (refund > 0) {
        await expect
          .poll(async () => (await disputeFile(buyer, paymentId)).dispute.refundedAt, { timeout: 20_000 })
          .not.toBeNull()
      }
    })
  }

  test('more information is asked for without a question, and moves no money', async ({ as, given }) => {
    const quarrelled = await quarrel({ as, given })
    const { buyer, seller, paymentId } = quarrelled
    await seller.goto(`/dispute/${paymentId}`)
    const desk = await as(given.admin, 'about:blank')
    await review(await deskFor(desk, quarrelled), 'Resolution')
    await desk.getByLabel('Resolution action').selectOption('request_more_info')
    await desk.getByLabel('Notes').fill('Please show the packing')
    await resolveButton(desk).click()
    await expect(toast(desk)).toContainText('More Information Requested')
    await expect(seller.getByRole('list', { name: 'Timeline' })).toContainText('Please show the packing')
    expect(await statusOf(buyer, paymentId)).toBe('under_review')
    expect(await outcome(quarrelled)).toEqual({ status: 'under_review', refund: null, payout: 0 })
  })

  test('needs an action, and a refund that can be; what is not confirmed is not done', async ({
    as,
    given,
  }) => {
    const quarrelled = await quarrel({ as, given }, 10_000)
    const desk = await as(given.admin, 'about:blank')
    await review(await deskFor(desk, quarrelled), 'Resolution')
    await resolveButton(desk).click()
    await expect(toastBeside(desk)).toContainText('Missing Information')
    await expect(toastBeside(desk)).toContainText('Please select a resolution action')

    await desk.getByLabel('Resolution action').selectOption('refund_partial')
    for (const amount of ['', '0', '100', '100.01', '1.005']) {
      await desk.getByLabel('Refund amount').fill(amount)
      await resolveButton(desk).click()
      await expect(desk.getByText('An amount from $0.01 to $99.99')).toBeVisible()
      await expect(desk.getByRole('alertdialog')).toHaveCount(0)
    }
    await desk.getByLabel('Refund amount').fill('99.99')
    await resolveButton(desk).click()
    await expect(desk.getByRole('button', { name: 'Cancel' })).toBeFocused()
    await desk.getByRole('button', { name: 'Cancel' }).click()
    expect(await statusOf(quarrelled.buyer, quarrelled.paymentId)).toBe('disputed')
  })

  test('of what another admin has decided meanwhile fails, and says why', async ({ as, given }) => {
    const quarrelled = await quarrel({ as, given })
    const { paymentId } = quarrelled
    const desk = await as(given.admin, 'about:blank')
    await review(await deskFor(desk, quarrelled), 'Resolution')
    await desk.getByLabel('Resolution action').selectOption('refund_full')
    await resolveButton(desk).click()
    const data = { action: 'release_seller' }
    const first = await desk.request.post(`/api/admin/disputes/${paymentId}/resolve`, { data })
    expect(first.status()).toBe(200)
    await confirm(desk).click()
    await expect(toastBeside(desk)).toContainText('Resolution Failed')
    await expect(toastBeside(desk)).toContainText('This dispute has already been resolved.')
    await expect(desk.getByRole('dialog')).toContainText('Resolved - Seller')
    expect((await outcome(quarrelled)).status).toBe('resolved_seller')
  })

  test('that gets no answer in words says the usual ones', async ({ as, given }) => {
    const quarrelled = await quarrel({ as, given })
    const desk = await as(given.admin, 'about:blank')
    await desk.route('**/resolve', (route) => route.fulfill({ status: 404, body: '' }))
    const card = await deskFor(desk, quarrelled)
    await card.getByRole('button', { name: 'Mark Reviewing' }).click()
    await expect(toast(desk)).toContainText('Resolution Failed')
    await expect(toast(desk)).toContainText('Failed to resolve dispute')
  })
})

test.describe('the list', () => {
  test('is searched and filtered, and the address keeps it', async ({ as, given }) => {
    const quarrelled = await quarrel({ as, given })
    const { paymentId } = quarrelled
    const desk = await as(given.admin, '/admin/disputes')
    const { dispute } = await disputeFile(quarrelled.buyer, paymentId)
    await desk.getByPlaceholder('Search by item title, dispute reason, or user ID...').fill(dispute.buyerId)
    await expect(desk).toHaveURL(`/admin/disputes?search=${dispute.buyerId}`)
    const cards = desk.getByRole('list', { name: 'Disputes' }).getByRole('article')
    await expect(cards).toHaveCount(1)
    await desk.getByLabel('Status').selectOption('Under Review')
    await expect(desk).toHaveURL(`/admin/disputes?search=${dispute.buyerId}&status=under_review`)
    await expect(desk.getByText('No disputes match your current filters.')).toBeVisible()

    await desk.reload()
    await expect(desk.getByLabel('Status')).toHaveValue('under_review')
    await expect(desk.getByPlaceholder(/^Search by item/)).toHaveValue(dispute.buyerId)
    const data = { action: 'under_review' }
    await desk.request.post(`/api/admin/disputes/${paymentId}/resolve`, { data })
    await desk.getByRole('button', { name: 'Refresh' }).click()
    await expect(cards).toHaveCount(1)
    await desk.getByLabel('Status').selectOption('All Disputes')
    await expect(desk).toHaveURL(`/admin/disputes?search=${dispute.buyerId}`)
  })

  test('offers each status', async ({ as, given }) => {
    const desk = await as(given.admin, '/admin/disputes')
    await expect(desk.getByLabel('Status').locator('option')).toHaveText([
      'All Disputes',
      'New Disputes',
      'Under Review',
      'Resolved - Buyer',
      'Resolved - Seller',
      'Resolved - Partial',
    ])
  })

  test('goes on page by page, and opens again as far as it was', async ({ as, given }) => {
    const quarrelled = await quarrel({ as, given })
    const { dispute } = await disputeFile(quarrelled.buyer, quarrelled.paymentId)
    const desk = await as(given.admin, 'about:blank')
    // Fifty disputes, 50 down to 1, given out as the server does.
    await desk.route('**/api/admin/disputes?*', (route) => {
      const query = new URL(route.request().url()).searchParams
      const [limit, cursor] = [Number(query.get('limit')), Number(query.get('cursor') ?? 51)]
      const ids = Array.from({ length: Math.min(limit, cursor - 1) }, (_, index) => cursor - 1 - index)
      return route.fulfill({ json: ids.map((id) => ({ ...dispute, id })) })
    })
    await desk.goto('/admin/disputes')
    const cards = desk.getByRole('list', { name: 'Disputes' }).getByRole('article')
    await expect(cards).toHaveCount(20)
    await desk.getByRole('button', { name: 'Show more' }).click()
    await expect(cards).toHaveCount(40)
    await expect(desk).toHaveURL('/admin/disputes?page=2')
    await desk.reload()
    await expect(cards).toHaveCount(40)
    await desk.getByRole('button', { name: 'Show more' }).click()
    await expect(cards).toHaveCount(50)
    await expect(cards.last()).toContainText('Dispute #1')
    await expect(desk.getByRole('button', { name: 'Show more' })).toHaveCount(0)
  })

  test('says so while there is nothing on it', async ({ as, given }) => {
    const desk = await as(given.admin, 'about:blank')
    await desk.route('**/api/admin/disputes?*', (route) => route.fulfill({ json: [] }))
    await desk.goto('/admin/disputes')
    await expect(desk.getByText('No disputes have been submitted yet.')).toBeVisible()
  })

  test('is exported as it is searched', async ({ as, given }) => {
    const quarrelled = await quarrel({ as, given })
    const desk = await as(given.admin, 'about:blank')
    await (await deskFor(desk, quarrelled)).waitFor()
    const { dispute } = await disputeFile(quarrelled.buyer, quarrelled.paymentId)
    const downloaded = desk.waitForEvent('download')
    await desk.getByRole('link', { name: 'Export Report' }).click()
    const download = await downloaded
    const today = new Date().toISOString().slice(0, 10)
    expect(download.suggestedFilename()).toBe(`disputes-${today}.csv`)
    expect(await readFile(await download.path(), 'utf8')).toBe(
      '"ID","Item","Amount","Status","Buyer","Seller","Dispute Reason","Date"\r\n' +
        `"${quarrelled.paymentId}","A green banker’s lamp","120.01","disputed",` +
        `"${dispute.buyerId}","${dispute.sellerId}","The shade is cracked","${dispute.updatedAt.slice(0, 10)}"\r\n`,
    )
  })

  test('has two tools that are yet to come', async ({ as, given }) => {
    const desk = await as(given.admin, '/admin/disputes')
    await desk.getByRole('button', { name: 'Bulk Actions' }).click()
    await expect(toast(desk)).toContainText('Bulk resolution tools coming soon')
    await desk.getByRole('button', { name: 'View Analytics' }).click()
    await expect(toast(desk)).toContainText('Dispute analytics dashboard coming soon')
  })
})

test('a dispute is ruled on by keyboard alone', async ({ as, given }) => {
  const quarrelled = await quarrel({ as, given }, 10_000)
  const desk = await as(given.admin, 'about:blank')
  const card = await deskFor(desk, quarrelled)
  await card.getByRole('button', { name: 'Review', exact: true }).focus()
  await desk.keyboard.press('Enter')
  await expect(desk.getByRole('button', { name: 'Close' })).toBeFocused()
  await desk.keyboard.press('Tab')
  for (const name of ['Overview', 'Evidence', 'Timeline']) {
    await expect(desk.getByRole('tab', { name })).toBeFocused()
    await desk.keyboard.press('ArrowRight')
  }
  await expect(desk.getByRole('tab', { name: 'Resolution' })).toBeFocused()
  // The first stop is the panel itself.
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
  expect(await outcome(quarrelled)).toEqual({ status: 'resolved_partial', refund: 5000, payout: 4675 })
})

test.describe('payouts by hand', () => {
  /** A seller with bank details only, to whom 120.00 were released: 112.62 after fees. */
  async function owed(story: Parameters<typeof agree>[0], holder: string) {
    const deal = await agree(story)
    const { paymentId } = await hold(deal)
    const saved = await deal.seller.request.post('/api/seller/save-bank-account', {
      data: {
        account_holder_name: holder,
        country: 'US',
        routing_number: '110000000',
        account_number: '000123456789',
        account_type: 'checking',
      },
    })
    expect(saved.ok(), await saved.text()).toBe(true)
    await deal.buyer.request.post(`/api/payments/${paymentId}/confirm-delivery`)
    return { ...deal, paymentId }
  }

  const payoutOf = async (page: Page, paymentId: number) => {
    const payouts = await (await page.request.get('/api/seller/payouts')).json()
    return payouts.find((it: { paymentId: number }) => it.paymentId === paymentId)
  }

  test('are marked as paid with a reference, and taken back on the same day', async ({ as, given }) => {
    const { seller, paymentId } = await owed({ as, given }, 'Bob B. Tester')
    await expect.poll(async () => (await payoutOf(seller, paymentId))?.method).toBe('manual')
    const desk = await as(given.admin, '/admin/disputes')
    await desk.getByRole('link', { name: 'Payouts by hand' }).click()
    await expect(desk).toHaveURL('/admin/payouts')
    const card = desk.getByRole('article').filter({ hasText: `payment #${paymentId}` })
    await expect(card).toContainText('$112.62')
    await expect(card).toContainText('Bob B. Tester')
    await expect(card).toContainText('6789')
    await expect(card).toContainText('United States')

    await card.getByRole('button', { name: 'Mark Paid' }).click()
    const mark = desk.getByRole('button', { name: 'Mark $112.62 Paid' })
    await mark.click()
    await expect(desk.getByText('Please give the reference of the transfer')).toBeVisible()
    await desk.getByLabel('Reference').fill('TR-2026-11')
    await mark.click()
    await expect(card).toHaveCount(0)
    expect((await payoutOf(seller, paymentId)).status).toBe('paid')

    await desk.getByRole('button', { name: 'Paid', exact: true }).click()
    await expect(desk).toHaveURL('/admin/payouts?status=paid')
    await expect(card).toContainText('Marked paid, reference TR-2026-11')
    await card.getByRole('button', { name: 'Undo' }).click()
    await desk.getByRole('button', { name: 'Take It Back' }).click()
    await expect(card).toHaveCount(0)
    await desk.getByRole('button', { name: 'Owed', exact: true }).click()
    await expect(card).toContainText('Taken back')
    await expect(card.getByRole('button', { name: 'Mark Paid' })).toBeVisible()
    expect(await payoutOf(seller, paymentId)).toMatchObject({ status: 'owed', amount: 11_262 })
  })

  test('that were paid more than a day ago stay paid', async ({ as, given }) => {
    const desk = await as(given.admin, 'about:blank')
    const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString()
    const paid = (id: number, paidAt: string) => ({
      id,
      paymentId: id,
      itemTitle: 'Lamp',
      seller: { id: 'bob', name: `Bob ${id}`, rating: 0, profileImageUrl: null },
      amount: 100,
      status: 'paid',
      accountHolderName: 'Bob',
      accountLast4: '6789',
      bankName: null,
      country: 'US',
      createdAt: paidAt,
      paidAt,
      steps: [],
    })
    await desk.route('**/api/admin/payouts?*', (route) =>
      route.fulfill({ json: [paid(2, hoursAgo(23)), paid(1, hoursAgo(25))] }),
    )
    await desk.goto('/admin/payouts?status=paid')
    const undo = (name: string) => desk.getByRole('article', { name }).getByRole('button', { name: 'Undo' })
    await expect(undo('Payout to Bob 2')).toBeVisible()
    await expect(undo('Payout to Bob 1')).toHaveCount(0)
  })

  test('say so while there are none', async ({ as, given }) => {
    const desk = await as(given.admin, 'about:blank')
    await desk.route('**/api/admin/payouts?*', (route) => route.fulfill({ json: [] }))
    await desk.goto('/admin/payouts')
    await expect(desk.getByRole('heading', { name: 'Nothing is owed' })).toBeVisible()
    await desk.getByRole('button', { name: 'Paid', exact: true }).click()
    await expect(desk.getByRole('heading', { name: 'Nothing paid yet' })).toBeVisible()
  })
})

for (const path of ['/admin/disputes', '/admin/payouts']) {
  test(`${path} is closed to whoever is no admin`, async ({ as, asVisitor, given }) => {
    for (const page of [await as(await given.person(), path), await asVisitor(path)]) {
      await expect(page.getByRole('heading', { name: 'Access Denied' })).toBeVisible()
      await expect(page.getByText("You don't have permission to access the admin dashboard.")).toBeVisible()
      await page.getByRole('link', { name: 'Back to Home' }).click()
      await expect(page).toHaveURL('/')
    }
  })
}

test.describe('axe finds nothing serious, and nothing is wider than a phone', () => {
  const still = { reducedMotion: 'reduce' as const }

  test('the list, and each tab of a review', async ({ as, given }) => {
    test.setTimeout(90_000)
    const quarrelled = await quarrel({ as, given })
    const { buyer, paymentId } = quarrelled
    await buyer.request.post(`/api/disputes/${paymentId}/upload-evidence`, {
      multipart: { file: picture('crack.png') },
    })
    const desk = await as(given.admin, 'about:blank', still)
    const card = await deskFor(desk, quarrelled)
    await expect(card).toBeVisible()
    await lookInEveryWay(desk)
    for (const tab of ['Overview', 'Evidence', 'Timeline', 'Resolution']) {
      await desk.setViewportSize({ width: 1280, height: 800 })
      await review(card, tab)
      await expect(desk.locator('.animate-breathe')).toHaveCount(0)
      if (tab === 'Resolution') {
        await desk.getByLabel('Resolution action').selectOption('refund_partial')
        await resolveButton(desk).click()
      }
      await lookInEveryWay(desk)
      await desk.keyboard.press('Escape')
    }
  })

  test('the payouts', async ({ as, given }) => {
    const desk = await as(given.admin, '/admin/payouts', still)
    await expect(desk.locator('.animate-spin')).toHaveCount(0)
    await lookInEveryWay(desk)
  })
})
