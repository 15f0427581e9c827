import type { Page } from '@playwright/test'
import { expectAccessible } from '../support/accessibility.ts'
import {
  chargeCard,
  confirmDelivery,
  type Deal,
  jsonOf,
  payIntoEscrow,
  saveBankAccount,
} from '../support/deals.ts'
import { createDispute, type DisputedDeal, outcomeOf, readDispute } from '../support/disputes.ts'
import { expect, test } from '../support/fixtures.ts'
import { toast } from '../support/toasts.ts'
import { demoUsers } from '../support/users.ts'

const cardOf = (desk: Page, { paymentId }: Pick<DisputedDeal, 'paymentId'>) =>
  desk.getByRole('article', { name: `Dispute #${paymentId}`, exact: true })

test('admins rule on disputes in bulk while one is withdrawn, and another admin overturns a ruling', {
  tag: '@proof',
}, async ({ createAdmin, createDispute, expectLedger, openAs }) => {
  const [first, second, desk, review] = await Promise.all([
    createDispute(12_001),
    createDispute(5_000),
    openAs(demoUsers.admin),
    openAs(await createAdmin('Vera')),
  ])
  const { buyer } = first
  await desk.goto('/admin/disputes')
  for (const dispute of [first, second])
    await cardOf(desk, dispute)
      .getByRole('checkbox', { name: /^Select/ })
      .check()
  const selection = desk.getByRole('region', { name: 'Selection' })
  await expect(selection).toContainText('2 selected')
  await selection.getByRole('button', { name: 'Bulk Actions' }).click()
  const dialog = desk.getByRole('dialog', { name: 'Bulk Actions' })
  await dialog.getByLabel('Resolution action').selectOption('split_difference')
  await dialog.getByLabel('Reason').fill('Half each')
  const preview = dialog.getByRole('table', { name: 'Where the money goes' })
  await expect(preview.getByRole('row', { name: new RegExp(`^#${first.paymentId} `) })).toContainText(
    '$60.01$56.16$3.84',
  )
  await expect(preview.getByRole('row', { name: /^Total/ })).toHaveText('Total$85.01$79.38$5.62')

  await jsonOf(second.buyer.request.post(`/api/disputes/${second.paymentId}/withdraw`))
  await dialog.getByRole('button', { name: 'Rule on 2 disputes' }).click()
  await desk.getByRole('button', { name: 'Confirm and Move the Money' }).click()
  await expect(dialog).toContainText(`1 dispute ruled on#${first.paymentId}`)
  await expect(dialog.getByRole('list', { name: 'Not ruled on' })).toContainText(
    `Dispute #${second.paymentId}:`,
  )
  await expectAccessible(desk, 'the result of bulk rulings')
  expect(await outcomeOf(first)).toEqual({ status: 'resolved_partial', refund: 6_001, payout: 5_616 })
  const ruled = { provider: -6_000, seller: 5_616, 'fees:platform': 180, 'fees:processing': 204 }
  await expectLedger(first.paymentId, ruled)
  await expectLedger(second.paymentId, { provider: -5_000, escrow: 5_000 })

  await buyer.goto(`/dispute/${first.paymentId}`)
  await buyer.getByRole('button', { name: 'Appeal', exact: true }).click()
  await buyer.getByLabel('Why is the ruling wrong?').fill('The lamp never worked')
  await buyer.getByRole('button', { name: 'Send Appeal' }).click()
  const appeal = buyer.getByRole('region', { name: 'Appeal' })
  await expect(appeal).toContainText('Your appealUnder review')

  const appealOn = (page: Page) =>
    page
      .getByRole('article', { name: /^Appeal #/ })
      .filter({ has: page.locator(`[href$="=${first.paymentId}"]`) })
  await desk.goto('/admin/appeals')
  await expect(appealOn(desk)).toContainText('You made this ruling. Another admin must decide.')
  await expect(appealOn(desk).getByRole('button', { name: /Uphold|Overturn/ })).toHaveCount(0)
  await review.goto('/admin/appeals')
  await expect(appealOn(review)).toContainText('At stake for the buyer$60.00')
  await appealOn(review).getByRole('button', { name: 'Overturn' }).click()
  await review.getByLabel('Reason').fill('The video shows it')
  await review.getByRole('button', { name: 'Overturn and Pay $60.00' }).click()
  await expect(toast(review)).toContainText('Appeal Decided')
  await expect(appealOn(review)).toContainText('Overturned by Vera Tester')
  await expect(appeal).toContainText('The video shows it')
  await expectLedger(first.paymentId, { ...ruled, buyer: 6_000, 'platform:goodwill': -6_000 })
})

test('the parties see the time left, and admins assign a dispute, leave notes and insert a saved reply', {
  tag: '@proof',
}, async ({ createAdmin, createDispute, openAs }) => {
  const [dispute, desk] = await Promise.all([
    createDispute(),
    openAs(await createAdmin('Vera'), '/admin/replies'),
  ])
  for (const party of [dispute.buyer, dispute.seller]) {
    await party.goto(`/dispute/${dispute.paymentId}`)
    await expect(party.getByText(/^We will answer by .* \(in 23 hours\)\.$/)).toBeVisible()
  }
  await desk.getByRole('button', { name: 'New Reply' }).click()
  await desk.getByLabel('Title').fill(`Pictures for ${dispute.paymentId}`)
  await desk.getByLabel('Text').fill('Dear {buyer}, please show us the {item}.')
  await desk.getByRole('button', { name: 'Save Reply' }).click()
  await expect(toast(desk)).toContainText('Reply Saved')
  await expectAccessible(desk, 'the saved replies')

  await desk.goto('/admin/disputes')
  const card = cardOf(desk, dispute)
  await expect(card).toContainText('Due in 23 hours')
  await expect(card).toContainText('Assigned toNobody')
  await card.getByRole('button', { name: 'Review', exact: true }).click()
  const review = desk.getByRole('dialog', { name: `Dispute #${dispute.paymentId}` })
  await review.getByRole('tab', { name: 'Team' }).click()
  await review.getByLabel('Assigned to').selectOption('Ingrid Solberg')
  await review.getByRole('button', { name: 'Assign' }).click()
  await review.getByLabel('New note').fill('The label is false')
  await review.getByRole('button', { name: 'Add Note' }).click()
  await expect(review.getByRole('region', { name: 'Team notes' })).toContainText('The label is false')
  await expectAccessible(desk, 'the notes of the team')
  expect(JSON.stringify(await readDispute(dispute.buyer, dispute.paymentId))).not.toContain('The label')

  await review.getByRole('tab', { name: 'Resolution' }).click()
  await review.getByRole('button', { name: 'Insert Saved Reply' }).click()
  await desk.getByRole('menuitem', { name: `Pictures for ${dispute.paymentId}` }).click()
  await expect(review.getByLabel('Notes')).toHaveValue(
    'Dear Ada Tester, please show us the A green banker’s lamp.',
  )
  await review.getByLabel('Resolution action').selectOption('request_more_info')
  await review.getByRole('button', { name: 'Resolve Dispute' }).click()
  await expect(toast(desk)).toContainText('More Information Requested')
  await expect(card).toContainText('Assigned toIngrid Solberg')
  for (const party of [dispute.buyer, dispute.seller]) {
    await expect(party.getByRole('list', { name: 'Timeline' })).toContainText('please show us the A green')
    await expect(party.getByText(/^We will decide by .* \(in \d+ days\)\.$/)).toBeVisible()
  }
})

test('the overview lists open work, most urgent first, and each entry opens the right screen', {
  tag: '@proof',
}, async ({ createAdmin, createDeal, createUser, database, openAs }) => {
  const [overdue, charged, refunded, delivered, desk, reporter] = await Promise.all([
    createDeal().then(createDispute),
    createDeal(),
    createDeal().then((deal) => createDispute(deal, 'closed')),
    createDeal(),
    openAs(await createAdmin()),
    openAs(await createUser('Rita')),
  ])
  const { pool } = database
  await pool.query(
    `update dispute_cases set opened_at = opened_at - interval '25 hours' where payment_id = $1`,
    [overdue.paymentId],
  )
  const { paymentId: chargedId } = await chargeCard(charged, 'disputed')
  const ruling = { action: 'refund_full', note: 'Lost' }
  await jsonOf(desk.request.post(`/api/admin/disputes/${refunded.paymentId}/resolve`, { data: ruling }))
  const { paymentId: deliveredId } = await payIntoEscrow(delivered)
  await saveBankAccount(delivered.seller)
  await confirmDelivery(delivered.buyer, deliveredId)
  const report = { kind: 'request', id: overdue.item.id, reason: 'counterfeit' }
  await jsonOf(reporter.request.post('/api/reports', { data: report }))
  const difference = `A cent of payment ${deliveredId}`
  await pool.query(
    `insert into reconciliation_differences (key, day, currency, expected_cents, actual_cents, text)
     values ($1, current_date, 'usd', 1, 2, $1)`,
    [difference],
  )
  const transactionNumberOf = async ({ buyer }: Deal, id: number): Promise<string> =>
    (await jsonOf(buyer.request.get(`/api/payments/${id}`))).transactionNumber
  const article = (text: string) => desk.getByRole('article').filter({ hasText: text })
  const entries = [
    { link: /overdue$/, path: '/admin/disputes?status=overdue', found: cardOf(desk, overdue) },
    {
      link: /needs? evidence$/,
      path: '/admin/disputes?status=bank_deadline',
      found: cardOf(desk, { paymentId: chargedId }),
    },
    {
      link: /refunds? failed$/,
      path: '/admin/refunds',
      found: article(await transactionNumberOf(refunded, refunded.paymentId)),
    },
    {
      link: /manual payouts? to make$/,
      path: '/admin/payouts',
      found: article(await transactionNumberOf(delivered, deliveredId)),
    },
    {
      link: /to decide$/,
      path: '/admin/moderation',
      found: desk
        .getByRole('list', { name: 'Cases' })
        .getByRole('link', { name: overdue.item.title })
        .first(),
    },
    { link: /problems? with the card provider$/, path: '/admin/reconciliation', found: article(difference) },
  ]
  try {
    const readPaths = async (): Promise<string[]> =>
      (await jsonOf(desk.request.get('/api/admin/overview'))).map(({ path }: { path: string }) => path)
    await expect.poll(readPaths).toEqual(entries.map(({ path }) => path))
    for (const { link, path, found } of entries) {
      await desk.goto('/admin')
      await desk.getByRole('list', { name: 'Open work' }).getByRole('link', { name: link }).click()
      await expect(desk).toHaveURL(path)
      await expect(found).toBeVisible()
    }
  } finally {
    await pool.query('delete from reconciliation_differences where key = $1', [difference])
  }
})
