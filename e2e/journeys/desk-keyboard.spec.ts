import type { Page } from '@playwright/test'
import {
  confirmDelivery,
  createDealBetween,
  jsonOf,
  payIntoEscrow,
  saveBankAccount,
} from '../support/deals.ts'
import { createDispute, outcomeOf, readDispute } from '../support/disputes.ts'
import { expect, test } from '../support/fixtures.ts'
import { enter, expectReachable, expectToGoOn, pressEscape, tabTo } from '../support/keyboard.ts'
import { toast, waitForToastsToClose } from '../support/toasts.ts'
import { demoUsers } from '../support/users.ts'

/* These journeys use only keys: no click, and no focus set by the test. */

const type = (page: Page, text: string) => page.keyboard.type(text)
const press = async (page: Page, ...keys: string[]) => {
  for (const key of keys) await page.keyboard.press(key)
}

test('every control of every desk page gets the focus in order, visibly and without a trap', {
  tag: '@proof',
}, async ({ createAdmin, createDispute, createUser, openAs }) => {
  const [disputed, asker, desk] = await Promise.all([
    createDispute(),
    openAs(await createUser('Tom')),
    openAs(await createAdmin()),
  ])
  const { paymentId, ada } = disputed
  const { dispute } = await readDispute(disputed.buyer, paymentId)
  const question = { topic: 'other', subject: 'A question', message: 'How long does it take?' }
  const { id: ticketId } = await jsonOf(asker.request.post('/api/support/tickets', { data: question }))
  const list = (name: string) => desk.getByRole('list', { name })
  const pages = [
    { path: '/admin', ready: list('Open work') },
    { path: `/admin/disputes?search=${dispute.sellerId}`, ready: list('Disputes') },
    { path: '/admin/appeals', ready: desk.getByRole('main').getByRole('article').first() },
    { path: '/admin/moderation', ready: list('Cases') },
    { path: '/admin/tickets?status=open', ready: list('Tickets') },
    { path: `/admin/tickets/${ticketId}`, ready: desk.getByLabel('Reply or note') },
    { path: '/admin/replies', ready: desk.getByRole('button', { name: 'New Reply' }) },
    { path: `/admin/lookup?q=${ada.email}`, ready: list('People') },
    { path: `/admin/people/${dispute.buyerId}`, ready: desk.getByRole('tablist') },
    { path: `/admin/deals/${paymentId}`, ready: desk.getByRole('tablist') },
    { path: '/admin/payouts', ready: list('Payouts') },
    { path: '/admin/refunds', ready: desk.getByRole('button', { name: 'Owed' }) },
    { path: '/admin/goodwill', ready: desk.getByRole('button', { name: 'To pay' }) },
    {
      path: '/admin/reconciliation',
      ready: desk.getByRole('main').getByRole('heading', { level: 2 }).first(),
    },
    { path: '/admin/analytics', ready: desk.getByRole('link', { name: 'CSV' }).last() },
    { path: '/admin/exports', ready: desk.getByRole('button', { name: 'Create Export' }) },
    { path: '/admin/settings', ready: desk.getByRole('button', { name: 'Save Fees' }) },
    { path: '/admin/audit-log', ready: list('Audit log') },
  ]
  for (const { path, ready } of pages) {
    await desk.goto(path)
    await expect(ready).toBeVisible()
    await expectReachable(desk, path)
  }
})

const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, ...(typeof name === 'string' && { exact: true }) })

test('saved replies, disputes and appeals are handled by keyboard', { tag: '@proof' }, async ({
  createAdmin,
  createDispute: createDisputed,
  openAs,
}) => {
  const [first, desk, other] = await Promise.all([
    createDisputed(10_000),
    openAs(demoUsers.admin, '/admin/replies'),
    openAs(await createAdmin('Vera')),
  ])
  const second = await createDispute(await createDealBetween(first, 10_000))
  const { dispute } = await readDispute(first.buyer, first.paymentId)
  const title = `Thanks for ${first.paymentId}`

  await enter(button(desk, 'New Reply'))
  await expect(button(desk, 'Close')).toBeFocused()
  await press(desk, 'Shift+Tab')
  await expect(button(desk, 'Save Reply')).toBeFocused()
  await press(desk, 'Tab', 'Tab')
  await type(desk, title)
  await press(desk, 'Tab')
  await type(desk, 'Thank you, {buyer}.')
  await enter(button(desk, 'Save Reply'))
  await expect(toast(desk)).toContainText('Reply Saved')
  await expect(button(desk, 'New Reply')).toBeFocused()
  await waitForToastsToClose(desk)
  await enter(button(desk, `Edit ${title}`))
  await expect(button(desk, 'Close')).toBeFocused()
  await pressEscape(desk)
  await expect(button(desk, `Edit ${title}`)).toBeFocused()

  await desk.goto(`/admin/disputes?search=${dispute.sellerId}`)
  const card = desk.getByRole('article', { name: `Dispute #${first.paymentId}`, exact: true })
  const review = card.getByRole('button', { name: 'Review', exact: true })
  await enter(review)
  await expect(button(desk, 'Close')).toBeFocused()
  await press(desk, 'Tab')
  await expect(desk.getByRole('tab', { name: 'Overview' })).toBeFocused()
  for (const tab of ['Evidence', 'Timeline', 'Resolution', 'Team']) {
    await press(desk, 'ArrowRight')
    await expect(desk.getByRole('tab', { name: tab })).toBeFocused()
  }
  await tabTo(desk.getByRole('dialog').getByLabel('Assigned to'))
  await type(desk, 'Ingrid')
  await enter(button(desk, 'Assign'))
  await tabTo(desk.getByLabel('New note'))
  await type(desk, 'The label is false')
  await enter(button(desk, 'Add Note'))
  await expect(desk.getByRole('region', { name: 'Team notes' })).toContainText('The label is false')
  await expect(button(desk, 'Add Note')).toBeFocused()
  await tabTo(desk.getByRole('tab', { name: 'Team' }), 'Shift+Tab')
  await press(desk, 'ArrowLeft')
  const insert = button(desk, 'Insert Saved Reply')
  await enter(insert)
  const reply = desk.getByRole('menuitem', { name: title })
  await expect(desk.getByRole('menu')).toBeVisible()
  await expect(async () => {
    await press(desk, 'ArrowDown')
    await expect(reply).toBeFocused({ timeout: 100 })
  }).toPass()
  await press(desk, 'Enter')
  await expect(desk.getByLabel('Notes')).toHaveValue('Thank you, Ada Tester.')
  await expect(insert).toBeFocused()
  // The menu catches Escape until it has closed.
  await expect(desk.getByRole('menu')).toHaveCount(0)
  await waitForToastsToClose(desk)
  await pressEscape(desk)
  await expect(review).toBeFocused()
  await expect(card).toContainText('Assigned toIngrid Solberg')

  await tabTo(desk.getByRole('checkbox', { name: 'Select all on this page' }), 'Shift+Tab')
  await press(desk, 'Space')
  const selection = desk.getByRole('region', { name: 'Selection' })
  await expect(selection).toContainText('2 selected')
  const bulk = selection.getByRole('button', { name: 'Bulk Actions' })
  await enter(bulk)
  const dialog = desk.getByRole('dialog', { name: 'Bulk Actions' })
  await expect(button(desk, 'Close')).toBeFocused()
  await pressEscape(desk)
  await expect(bulk).toBeFocused()
  await press(desk, 'Enter')
  await expect(button(desk, 'Close')).toBeFocused()
  await tabTo(dialog.getByLabel('Resolution action'))
  await type(desk, 'Split')
  await press(desk, 'Tab')
  await type(desk, 'Half each')
  await expect(dialog.getByRole('table')).toBeVisible()
  const rule = button(desk, 'Rule on 2 disputes')
  await enter(rule)
  await expect(desk.getByRole('alertdialog').getByRole('button', { name: 'Cancel' })).toBeFocused()
  await pressEscape(desk)
  await expect(rule).toBeFocused()
  await press(desk, 'Enter')
  await enter(button(desk, 'Confirm and Move the Money'))
  await expect(dialog).toContainText('2 disputes ruled on')
  await tabTo(dialog.getByRole('button', { name: 'Close' }).last())
  await press(desk, 'Enter')
  await expect(button(desk, 'Bulk Actions')).toBeFocused()
  for (const disputed of [first, second])
    expect(await outcomeOf(disputed)).toEqual({ status: 'resolved_partial', refund: 5_000, payout: 4_675 })

  const data = { reason: 'It never worked' }
  await jsonOf(first.buyer.request.post(`/api/disputes/${first.paymentId}/appeal`, { data }))
  await other.goto('/admin/appeals')
  const appeal = other.getByRole('article').filter({ has: other.locator(`[href$="=${first.paymentId}"]`) })
  await enter(appeal.getByRole('button', { name: 'Uphold' }))
  await expect(button(other, 'Cancel')).toBeFocused()
  await pressEscape(other)
  await expect(appeal.getByRole('button', { name: 'Uphold' })).toBeFocused()
  await press(other, 'Enter')
  await expect(button(other, 'Cancel')).toBeFocused()
  await tabTo(other.getByLabel('Reason'), 'Shift+Tab')
  await type(other, 'The pictures are clear')
  await enter(button(other, 'Uphold the Ruling'))
  await expect(appeal).toContainText('Upheld by Vera Tester')
  await expectToGoOn(other)
})

test('payouts, refunds and exports are handled by keyboard', { tag: '@proof' }, async ({
  createDeal,
  createAdmin,
  openAs,
}) => {
  const [delivered, refunded, desk] = await Promise.all([
    createDeal(),
    createDeal().then((deal) => createDispute(deal, 'closed')),
    openAs(await createAdmin()),
  ])
  const ruling = { action: 'refund_full', note: 'Lost' }
  await jsonOf(desk.request.post(`/api/admin/disputes/${refunded.paymentId}/resolve`, { data: ruling }))
  const { paymentId } = await payIntoEscrow(delivered)
  await saveBankAccount(delivered.seller)
  await confirmDelivery(delivered.buyer, paymentId)
  const cardOf = async (buyer: Page, id: number) => {
    const { transactionNumber } = await jsonOf(buyer.request.get(`/api/payments/${id}`))
    return desk.getByRole('article').filter({ hasText: transactionNumber })
  }

  await desk.goto('/admin/payouts')
  const payout = await cardOf(delivered.buyer, paymentId)
  const details = payout.getByRole('button', { name: 'Show Bank Details' })
  await enter(details)
  await expect(button(desk, 'Close')).toBeFocused()
  await tabTo(button(desk, 'Copy Account number'))
  await pressEscape(desk)
  await expect(details).toBeFocused()
  await enter(payout.getByRole('button', { name: 'Mark Paid' }))
  await tabTo(desk.getByLabel('Reference'), 'Shift+Tab')
  await type(desk, 'TR-1')
  await enter(button(desk, 'Mark $112.62 Paid'))
  await expect(payout).toHaveCount(0)
  await expectToGoOn(desk)
  await tabTo(button(desk, 'Paid'), 'Shift+Tab')
  await press(desk, 'Space')
  await expect(payout).toContainText('reference TR-1')
  await expect(button(desk, 'Paid')).toBeFocused()
  await enter(payout.getByRole('button', { name: 'Undo' }))
  await expect(button(desk, 'Keep as Paid')).toBeFocused()
  await press(desk, 'Enter')
  await expect(payout.getByRole('button', { name: 'Undo' })).toBeFocused()

  const refund = await cardOf(refunded.buyer, refunded.paymentId)
  await expect(async () => {
    await desk.goto('/admin/refunds')
    await expect(refund).toBeVisible({ timeout: 2_000 })
  }).toPass()
  const again = refund.getByRole('button', { name: 'Try Again' })
  await enter(again)
  await expect(button(desk, 'Not Yet')).toBeFocused()
  await pressEscape(desk)
  await expect(again).toBeFocused()
  await enter(refund.getByRole('button', { name: 'Paid Manually' }))
  await tabTo(desk.getByLabel('Reference'), 'Shift+Tab')
  await type(desk, 'TR-2')
  await enter(button(desk, /^Mark \$120\.00 Paid/))
  await expect(refund).toHaveCount(0)

  await desk.goto('/admin/exports')
  await tabTo(desk.getByLabel('Content'))
  await press(desk, 'ArrowDown', 'Tab', 'Tab', 'Enter')
  await expect(toast(desk)).toContainText('Export Started')
  await expect(button(desk, 'Create Export')).toBeFocused()
  const downloaded = desk.waitForEvent('download')
  await enter(desk.getByRole('link', { name: /^Download CSV/ }).first())
  expect((await downloaded).suggestedFilename()).toMatch(/\.csv$/)
})

test('analytics, lookup, reports, tickets and the audit log are used by keyboard', { tag: '@proof' }, async ({
  createAdmin,
  createDispute,
  createUser,
  openAs,
}) => {
  const [disputed, tom, desk] = await Promise.all([
    createDispute(),
    openAs(await createUser('Tom')),
    openAs(await createAdmin(), '/admin/analytics'),
  ])
  const { paymentId, ada, item } = disputed
  await jsonOf(
    tom.request.post('/api/reports', { data: { kind: 'request', id: item.id, reason: 'counterfeit' } }),
  )
  const question = { topic: 'other', subject: `Question ${paymentId}`, message: 'How long does it take?' }
  await jsonOf(tom.request.post('/api/support/tickets', { data: question }))

  await enter(desk.getByRole('link', { name: 'This year' }))
  await expect(desk).toHaveURL(/from=\d{4}-01-01/)
  await expect(desk.getByRole('link', { name: 'This year' })).toBeFocused()
  const year = new Date().getUTCFullYear()
  await tabTo(desk.getByLabel('From', { exact: true }))
  await type(desk, `0201${year}`)
  await expect(desk).toHaveURL(new RegExp(`from=${year}-02-01`))
  await tabTo(desk.getByLabel('Steps'))
  await type(desk, 'By week')
  await expect(desk).toHaveURL(/by=week/)
  const chart = desk.getByRole('region', { name: 'Activity', exact: true })
  await tabTo(chart.getByRole('button', { name: 'Table' }))
  await press(desk, 'Space')
  await expect(chart.getByRole('table')).toBeVisible()
  const downloaded = desk.waitForEvent('download')
  await enter(chart.getByRole('link', { name: 'CSV' }))
  expect((await downloaded).suggestedFilename()).toMatch(/^activity-.*\.csv$/)

  await desk.goto('/admin/lookup')
  await tabTo(desk.getByRole('searchbox', { name: /^Name, email/ }))
  await type(desk, ada.email)
  await press(desk, 'Enter')
  await enter(desk.getByRole('link', { name: 'Ada Tester' }))
  await tabTo(desk.getByRole('tab', { name: 'Overview' }))
  for (const tab of ['Timeline', 'Deals', 'Requests', 'Casework']) {
    await press(desk, 'ArrowRight')
    await expect(desk.getByRole('tab', { name: tab })).toBeFocused()
    await expect(desk.getByRole('tabpanel', { name: tab })).toBeVisible()
  }
  await desk.goto(`/admin/deals/${paymentId}`)
  await tabTo(desk.getByRole('tab', { name: 'Overview' }))
  for (const tab of ['Timeline', 'Messages', 'Money', 'Evidence']) {
    await press(desk, 'ArrowRight')
    await expect(desk.getByRole('tabpanel', { name: tab })).toBeVisible()
  }

  await desk.goto('/admin/moderation')
  await enter(desk.getByRole('list', { name: 'Cases' }).getByRole('link', { name: item.title }).last())
  await expect(desk.getByRole('article')).toContainText('Claimed by you')
  await tabTo(desk.getByRole('radio').first())
  await press(desk, 'ArrowDown', 'ArrowUp', 'Space')
  await expect(desk.getByRole('radio').first()).toBeChecked()
  await press(desk, 'Escape')
  await expect(desk).toHaveURL('/admin/moderation')

  await desk.goto('/admin/tickets?status=open')
  const search = desk.getByRole('searchbox', { name: 'Search tickets' })
  await tabTo(search)
  await type(desk, question.subject)
  await press(desk, 'Enter')
  await expect(desk.getByRole('list', { name: 'Tickets' }).getByRole('listitem')).toHaveCount(1)
  await expect(search).toBeFocused()
  await enter(desk.getByRole('link', { name: question.subject }))
  await tabTo(desk.getByLabel('Reply or note'))
  await type(desk, 'A week')
  await enter(button(desk, 'Send Reply'))
  await expect(toast(desk)).toContainText('Reply sent')
  await expect(button(desk, 'Send Reply')).toBeFocused()

  await desk.goto('/admin/audit-log')
  await tabTo(desk.getByLabel('Action'))
  await press(desk, 'ArrowDown')
  await expect(desk).toHaveURL(/action=/)
  await expect(desk.getByLabel('Action')).toBeFocused()
})
