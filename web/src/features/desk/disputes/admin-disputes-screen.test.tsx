import { getIsAdmin } from '@sought/contract/accounts'
import {
  assignDispute,
  listAdmins,
  listReplies,
  noteDispute,
  previewBulkRuling,
  ruleInBulk,
} from '@sought/contract/casework'
import {
  getDisputeDetails,
  listDisputeMessages,
  listDisputes,
  resolveDispute,
} from '@sought/contract/disputes'
import { getDeskCounts } from '@sought/contract/support'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { describe, expect, test } from 'vitest'
import { type Answer, answer, refuse } from '../../../testing/fake-server.ts'
import { openScreen } from '../../../testing/open-screen.tsx'
import {
  aDeskDispute,
  aMessage,
  anEvidenceFile,
  aSeller,
  aUser,
  noBankRecords,
} from '../../../testing/samples.ts'

const admin = aUser({ id: 'admin', name: 'Root Admin' })
const { buyer: buyerInfo, seller: sellerInfo } = aDeskDispute()
const someDetails = {
  ...noBankRecords,
  assignee: null,
  appealUntil: null,
  notes: [],
  buyerInfo,
  sellerInfo,
  evidence: [],
  timeline: [],
}
const details = answer(getDisputeDetails, someDetails)

const openDesk = (path = '/admin/disputes', ...answers: Answer[]) =>
  openScreen(path, {
    user: admin,
    answers: [
      answer(getIsAdmin, { isAdmin: true, role: 'admin' }),
      answer(listDisputes, [aDeskDispute({ amount: 10_000 })]),
      details,
      answer(listReplies, []),
      ...answers,
    ],
  })

const cards = async () =>
  within(await screen.findByRole('list', { name: 'Disputes' })).findAllByRole('article')

async function review(tab: string, index = 0): Promise<void> {
  const card = (await cards())[index] ?? expect.unreachable()
  await userEvent.click(within(card).getByRole('button', { name: 'Review' }))
  await userEvent.click(await screen.findByRole('tab', { name: tab }))
}

const press = (name: string) => userEvent.click(screen.getByRole('button', { name }))

test('a card shows the dispute, its priority, the item and the parties', async () => {
  openDesk('/admin/disputes', answer(listDisputes, [aDeskDispute({ amount: 50_001 })]))
  const [card] = await cards()
  for (const text of [
    'Dispute #1',
    'New Dispute',
    'High priority',
    'A green lamp',
    '$500.01',
    'Submitted November 15, 2026',
    'It is blue',
    'Ada Buyer',
    'Bob Tester',
    aDeskDispute().transactionNumber,
    'Home & Garden',
  ]) {
    expect(card).toHaveTextContent(text)
  }
  expect(card).not.toHaveTextContent(aSeller.id)
  const inCard = within(card ?? expect.unreachable())
  expect(inCard.getByRole('link', { name: 'A green lamp' })).toHaveAttribute('href', '/item/3')
  expect(inCard.getByRole('link', { name: 'Bob Tester' })).toHaveAttribute('href', `/user/${aSeller.id}`)
})

test('an admin reads what the buyer and the seller wrote to each other', async () => {
  const messages = Array.from({ length: 50 }, (_, index) => aMessage({ id: 99 - index }))
  const server = openDesk(
    '/admin/disputes',
    answer(listDisputeMessages, ({ query }) =>
      query.cursor ? [aMessage({ id: 7, content: 'The very first one.' })] : messages,
    ),
  )
  await review('Overview')
  expect(server.requestsTo(listDisputeMessages)).toEqual([])
  await userEvent.click(screen.getByRole('tab', { name: 'Conversation' }))
  const list = within(await screen.findByRole('list', { name: 'Messages' }))
  expect(list.getAllByText('Bob Tester, seller')).toHaveLength(50)
  await press('Show earlier messages')
  expect(await list.findByText('The very first one.')).toBeVisible()
  expect(server.requestsTo(listDisputeMessages).map(({ query }) => query.cursor)).toEqual([undefined, '50'])
})

test('a dispute is shown even if its request has no title or category', async () => {
  openDesk('/admin/disputes', answer(listDisputes, [aDeskDispute({ wantedItems: null, wantedItemId: 7 })]))
  const [card] = await cards()
  expect(card).toHaveTextContent('Item #7')
  expect(card).toHaveTextContent('Unknown')
})

test('a dispute can be marked as under review', async () => {
  const server = openDesk('/admin/disputes', {
    call: resolveDispute,
    respond: () => new Response('', { status: 404 }),
  })
  await cards()
  await press('Mark Reviewing')
  expect(await screen.findByText('Resolution Failed')).toBeVisible()
  expect(screen.getByText('Failed to resolve dispute')).toBeVisible()
  const marked = aDeskDispute({ status: 'under_review', deskStatus: 'under_review' })
  server.add(answer(resolveDispute, marked), answer(listDisputes, [marked]))
  await press('Mark Reviewing')
  await waitFor(async () => expect((await cards())[0]).toHaveTextContent('Under Review'))
  expect(screen.queryByRole('button', { name: 'Mark Reviewing' })).not.toBeInTheDocument()
  expect(server.requestsTo(resolveDispute).at(-1)).toMatchObject({
    body: { action: 'under_review', note: 'Dispute marked as under review by admin' },
  })
})

test('search and status are in the URL, which restores them', async () => {
  const server = openDesk()
  const search = await screen.findByPlaceholderText('Search by item title, dispute reason, or user ID...')
  await userEvent.type(search, 'blue')
  await waitFor(() => expect(window.location.search).toBe('?search=blue'))
  const status = screen.getByLabelText('Status')
  expect([...status.querySelectorAll('option')].map((option) => option.textContent)).toEqual([
    'All Disputes',
    'New Disputes',
    'Under Review',
    'Resolved - Buyer',
    'Resolved - Seller',
    'Resolved - Partial',
    'Overdue',
    'Bank Deadline',
  ])
  server.add(answer(listDisputes, []))
  await userEvent.selectOptions(status, 'Resolved - Buyer')
  expect(window.location.search).toBe('?search=blue&status=resolved_buyer')
  expect(await screen.findByText('No disputes match your current filters.')).toBeVisible()
  expect(screen.getByRole('link', { name: 'Export Report' })).toHaveAttribute(
    'href',
    '/api/admin/disputes/export?search=blue&status=resolved_buyer',
  )
  cleanup()
  const reloaded = openDesk('/admin/disputes?search=blue&status=resolved_buyer', answer(listDisputes, []))
  expect(await screen.findByLabelText('Status')).toHaveValue('resolved_buyer')
  expect(screen.getByPlaceholderText(/^Search by item title/)).toHaveValue('blue')
  expect(await screen.findByText('No disputes match your current filters.')).toBeVisible()
  expect(reloaded.requestsTo(listDisputes)).toEqual([
    { query: { search: 'blue', status: 'resolved_buyer', limit: '20' } },
  ])
  reloaded.add(
    answer(listDisputes, [
      aDeskDispute({ status: 'resolved_buyer', deskStatus: 'resolved_buyer', refundCents: 12_000 }),
    ]),
  )
  await press('Refresh')
  expect(await cards()).toHaveLength(1)
  await userEvent.selectOptions(screen.getByLabelText('Status'), 'All Disputes')
  expect(window.location.search).toBe('?search=blue')
})

test('pages are loaded one by one and restored from the URL; the last page has no button', {
  tags: ['proof'],
}, async () => {
  // Fifty disputes, numbered 50 to 1, in pages like the server's.
  const paged = answer(listDisputes, ({ query }) => {
    const [limit, cursor] = [Number(query.limit), Number(query.cursor ?? 51)]
    return Array.from({ length: Math.min(limit, cursor - 1) }, (_, index) =>
      aDeskDispute({ id: cursor - 1 - index }),
    )
  })
  const expectCards = (count: number) =>
    // Finding fifty cards by their role takes seconds.
    waitFor(() => expect(document.querySelectorAll('article')).toHaveLength(count))
  const showMore = () => userEvent.click(screen.getByText('Show more'))
  openDesk('/admin/disputes', paged)
  await expectCards(20)
  await showMore()
  await expectCards(40)
  expect(window.location.search).toBe('?page=2')
  cleanup()
  openDesk('/admin/disputes?page=2', paged)
  await expectCards(40)
  await showMore()
  await expectCards(50)
  expect([...document.querySelectorAll('article')].at(-1)).toHaveTextContent('Dispute #1')
  expect(screen.queryByText('Show more')).not.toBeInTheDocument()
})

test('a desk without disputes shows a message', async () => {
  openDesk('/admin/disputes', answer(listDisputes, []))
  expect(await screen.findByText('No disputes have been submitted yet.')).toBeVisible()
})

describe('bulk actions', () => {
  const disputes = [1, 2, 3].map((id) => aDeskDispute({ id, amount: 10_000 }))
  const openBulk = (...answers: Answer[]) =>
    openDesk(
      '/admin/disputes',
      answer(listDisputes, [
        ...disputes,
        aDeskDispute({ id: 4, status: 'resolved_buyer', deskStatus: 'resolved_buyer' }),
      ]),
      answer(previewBulkRuling, [
        { id: 1, refund: 10_000, seller: 0, fees: 0 },
        { id: 2, refund: 5_000, seller: 4_675, fees: 325 },
      ]),
      ...answers,
    )

  test('the selected disputes get one ruling, and those that changed in the meantime are listed with the reason', async () => {
    const server = openBulk(
      answer(ruleInBulk, { ruled: [1], changed: [{ id: 2, code: 'dispute_resolved' }] }),
    )
    await cards()
    expect(screen.queryByRole('checkbox', { name: /Select dispute #4/ })).not.toBeInTheDocument()
    await userEvent.click(screen.getByRole('checkbox', { name: 'Select all on this page' }))
    const bar = within(screen.getByRole('region', { name: 'Selection' }))
    expect(bar.getByText('3 selected')).toBeVisible()
    await userEvent.click(bar.getByRole('button', { name: 'Clear' }))
    expect(screen.getByRole('checkbox', { name: 'Select all on this page' })).toHaveFocus()
    expect(screen.queryByRole('region', { name: 'Selection' })).not.toBeInTheDocument()
    await userEvent.click(screen.getByRole('checkbox', { name: /Select dispute #1,/ }))
    await userEvent.click(screen.getByRole('checkbox', { name: /Select dispute #2,/ }))
    await press('Bulk Actions')
    const dialog = within(await screen.findByRole('dialog'))
    await userEvent.click(dialog.getByRole('button', { name: 'Rule on 2 disputes' }))
    expect(dialog.getByText('Please give a reason')).toBeVisible()
    await userEvent.selectOptions(dialog.getByLabelText('Resolution action'), 'Split the difference')
    const table = within(await dialog.findByRole('table', { name: 'Where the money goes' }))
    expect(table.getByRole('row', { name: /#2/ })).toHaveTextContent('$50.00$46.75$3.25')
    expect(table.getByRole('row', { name: /Total/ })).toHaveTextContent('$150.00$46.75$3.25')
    await userEvent.type(dialog.getByLabelText('Reason'), 'Lost')
    const submit = dialog.getByRole('button', { name: 'Rule on 2 disputes' })
    await userEvent.click(submit)
    await screen.findByRole('alertdialog')
    await userEvent.keyboard('{Escape}')
    await waitFor(() => expect(submit).toHaveFocus())
    await userEvent.click(submit)
    await userEvent.click(await screen.findByRole('button', { name: 'Confirm and Move the Money' }))
    expect(await screen.findByText('1 dispute ruled on')).toBeVisible()
    expect(screen.getByRole('list', { name: 'Not ruled on' })).toHaveTextContent(
      'Dispute #2: This dispute has already been resolved.',
    )
    expect(server.requestsTo(ruleInBulk)).toMatchObject([
      { body: { ids: [1, 2], action: 'split_difference', note: 'Lost', preview: [{ id: 1 }, { id: 2 }] } },
    ])
    await userEvent.keyboard('{Escape}')
    await waitFor(() => expect(screen.getByRole('button', { name: 'Bulk Actions' })).toHaveFocus())
  })

  test('after Cancel, the button of the selection has the focus again', async () => {
    openBulk()
    await cards()
    await userEvent.click(screen.getByRole('checkbox', { name: /Select dispute #1,/ }))
    await press('Bulk Actions')
    await userEvent.click(await screen.findByRole('button', { name: 'Cancel' }))
    const bar = within(screen.getByRole('region', { name: 'Selection' }))
    await waitFor(() => expect(bar.getByRole('button', { name: 'Bulk Actions' })).toHaveFocus())
  })

  test('without a selection, the dialog explains what to do', async () => {
    openBulk()
    await cards()
    await press('Bulk Actions')
    expect(await screen.findByText(/Select disputes with the checkboxes/)).toBeVisible()
  })
})

test('a card counts down to the promised time, and shows who handles the dispute', async () => {
  const hours = (count: number) => new Date(Date.now() + count * 3_600_000 + 60_000).toISOString()
  openDesk(
    '/admin/disputes',
    answer(listDisputes, [
      aDeskDispute({ id: 1, dueAt: hours(5), assignee: aSeller }),
      aDeskDispute({ id: 2, dueAt: hours(-3) }),
    ]),
  )
  const [first, second] = await cards()
  expect(first).toHaveTextContent('Due in 5 hours')
  expect(first).toHaveTextContent(`Assigned to${aSeller.name.slice(0, 1)}${aSeller.name}`)
  expect(second).toHaveTextContent('Overdue, was due 2 hours ago')
  expect(second).toHaveTextContent('Assigned toNobody')
})

test('notes and the assigned admin are in the review, and a saved reply is inserted with its values', async () => {
  const server = openDesk(
    '/admin/disputes',
    answer(getDisputeDetails, {
      ...noBankRecords,
      buyerInfo,
      sellerInfo,
      evidence: [],
      timeline: [],
      assignee: null,
      appealUntil: null,
      notes: [{ id: 1, author: aSeller, text: 'Call them', createdAt: '2026-11-16T10:00:00.000Z' }],
    }),
    answer(listAdmins, [{ ...aSeller, id: 'helper', name: 'Helper' }]),
    answer(assignDispute, { assignee: null }),
    answer(noteDispute, { id: 2, author: aSeller, text: 'Done', createdAt: '2026-11-16T11:00:00.000Z' }),
    answer(listReplies, [
      { id: 1, title: 'Photos', text: 'Dear {buyer}, about {amount}', createdAt: '2026-11-16T10:00:00.000Z' },
    ]),
  )
  await cards()
  await press('Review')
  await userEvent.click(await screen.findByRole('tab', { name: 'Team' }))
  expect(await screen.findByText('Call them')).toBeVisible()
  await screen.findByRole('option', { name: 'Helper' })
  await userEvent.selectOptions(within(screen.getByRole('dialog')).getByLabelText('Assigned to'), 'Helper')
  expect(server.requestsTo(assignDispute)).toEqual([])
  await press('Assign')
  await waitFor(() =>
    expect(server.requestsTo(assignDispute)).toMatchObject([{ body: { adminId: 'helper' } }]),
  )
  await press('Add Note')
  expect(screen.getByText('Please write a note')).toBeVisible()
  await userEvent.type(screen.getByLabelText('New note'), 'Done')
  await press('Add Note')
  await waitFor(() => expect(server.requestsTo(noteDispute)).toMatchObject([{ body: { text: 'Done' } }]))
  await waitFor(() => expect(screen.getByLabelText('New note')).toHaveValue(''))
  expect(screen.getByRole('button', { name: 'Add Note' })).toHaveFocus()
  await userEvent.click(screen.getByRole('tab', { name: 'Resolution' }))
  await press('Insert Saved Reply')
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Photos' }))
  expect(screen.getByLabelText(/Notes/)).toHaveValue(`Dear ${buyerInfo.name}, about $100.00`)
})

test('the URL sorts the list by due time, page by page', async () => {
  openDesk('/admin/disputes', answer(listDisputes, [aDeskDispute({ dueAt: '2026-11-16T09:00:00.000Z' })]))
  await userEvent.selectOptions(await screen.findByLabelText('Sort'), 'Most Urgent First')
  await waitFor(() => expect(window.location.search).toBe('?sort=due'))
  expect(await screen.findByText(/^Overdue, was due/)).toBeVisible()
  cleanup()
  const due = Array.from({ length: 20 }, (_, index) =>
    aDeskDispute({ id: index + 1, dueAt: `2026-11-16T09:00:${10 + index}.000Z` }),
  )
  const server = openDesk(
    '/admin/disputes?sort=due&page=2',
    answer(listDisputes, ({ query }) => (query.cursor ? [] : due)),
  )
  const cursor = '2026-11-16T09:00:29.000Z/20'
  await waitFor(() =>
    expect(server.requestsTo(listDisputes)).toMatchObject([
      { query: { sort: 'due' } },
      { query: { sort: 'due', cursor } },
    ]),
  )
})

test('the desk links to the analytics', async () => {
  openDesk()
  await cards()
  expect(screen.getByRole('link', { name: 'View Analytics' })).toHaveAttribute('href', '/admin/analytics')
})

test('the review shows amount, parties, reason, evidence and timeline', async () => {
  openDesk(
    '/admin/disputes',
    answer(getDisputeDetails, {
      ...noBankRecords,
      assignee: null,
      appealUntil: null,
      notes: [],
      buyerInfo,
      sellerInfo,
      evidence: [
        anEvidenceFile(),
        anEvidenceFile({
          id: 2,
          submittedBy: aSeller.id,
          type: 'text',
          fileName: null,
          fileUrl: null,
          fileSize: null,
          content: 'Whole when sent',
        }),
      ],
      timeline: [
        {
          id: 1,
          disputeId: 1,
          action: 'filed',
          actor: 'Ada Buyer',
          details: null,
          timestamp: '2026-11-16T09:00:00.000Z',
        },
      ],
    }),
  )
  await review('Overview')
  expect(screen.getByRole('dialog')).toHaveTextContent('Amount$100.00')
  expect(screen.getByRole('region', { name: 'Reason' })).toHaveTextContent('It is blue')
  await waitFor(() =>
    expect(screen.getByRole('region', { name: 'Parties' })).toHaveTextContent('No ratings yet'),
  )
  expect(screen.getByRole('region', { name: 'Delivery' })).toHaveTextContent(
    'Delivery to be arrangedNo shipment was reported.',
  )
  await userEvent.click(screen.getByRole('tab', { name: 'Evidence' }))
  const pieces = within(screen.getByRole('list', { name: 'Evidence' })).getAllByRole('listitem')
  expect(pieces[0]).toHaveTextContent('Ada Buyer, buyer')
  expect(pieces[0]).toHaveTextContent('Download letters.txt')
  expect(pieces[1]).toHaveTextContent('Bob Tester, seller')
  expect(pieces[1]).toHaveTextContent('Whole when sent')
  await userEvent.click(screen.getByRole('tab', { name: 'Timeline' }))
  expect(screen.getByRole('list', { name: 'Timeline' })).toHaveTextContent('Dispute filedAda Buyer')
})

test('the review shows the tracking and the proof of delivery', async () => {
  const parcel = {
    delivery: 'shipping' as const,
    shipWithinDays: 3,
    shippedAt: '2026-11-15T13:00:00.000Z',
    carrier: 'ups' as const,
    trackingNumber: '1Z999AA10123456784',
    trackingUrl: 'https://www.ups.com/track?tracknum=1Z999AA10123456784',
    deliveryProof: '/api/payments/1/files/delivery-proof',
  }
  openDesk('/admin/disputes', answer(listDisputes, [aDeskDispute(parcel)]))
  await review('Overview')
  const delivery = within(screen.getByRole('region', { name: 'Delivery' }))
  expect(delivery.getByText('Ships within 3 days of payment')).toBeVisible()
  expect(delivery.getByRole('link', { name: /^1Z999AA/ })).toHaveAttribute('href', parcel.trackingUrl)
  expect(delivery.getByRole('link', { name: 'View file' })).toHaveAttribute('href', parcel.deliveryProof)
})

test('a ruling needs an action, a valid refund and a confirmation', async () => {
  const server = openDesk()
  await review('Resolution')
  await press('Resolve Dispute')
  expect(await screen.findByText('Missing Information')).toBeVisible()
  expect(screen.getAllByText('Please select a resolution action')[0]).toBeVisible()
  await userEvent.selectOptions(screen.getByLabelText('Resolution action'), 'refund_partial')
  const refund = screen.getByLabelText('Refund amount')
  for (const amount of ['', '0', '100', '100.01', '1.005']) {
    await userEvent.clear(refund)
    if (amount) await userEvent.type(refund, amount)
    await press('Resolve Dispute')
    expect(screen.getByText('Enter an amount from $0.01 to $99.99')).toBeVisible()
    expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument()
  }
  await userEvent.clear(refund)
  await userEvent.type(refund, '99.99')
  await press('Resolve Dispute')
  await waitFor(() => expect(screen.getByRole('button', { name: 'Cancel' })).toHaveFocus())
  expect(screen.getByRole('alertdialog')).toHaveTextContent('Refund to the buyer$99.99')
  await press('Cancel')
  expect(server.requestsTo(resolveDispute)).toEqual([])
})

test('a ruling reduces the count of waiting disputes by one', async () => {
  const server = openDesk('/admin/disputes', answer(getDeskCounts, { disputes: 2, tickets: 0 }))
  expect(await screen.findByRole('link', { name: 'Disputes , 2 waiting' })).toBeVisible()
  await review('Resolution')
  await userEvent.selectOptions(screen.getByLabelText('Resolution action'), 'release_seller')
  await press('Resolve Dispute')
  await screen.findByRole('alertdialog')
  const resolved = aDeskDispute({ status: 'resolved_seller', deskStatus: 'resolved_seller', refundCents: 0 })
  server.add(
    answer(resolveDispute, resolved),
    answer(listDisputes, [resolved]),
    answer(getDeskCounts, { disputes: 1, tickets: 0 }),
  )
  await press('Confirm and Move the Money')
  expect(await screen.findByText('Dispute Resolved')).toBeVisible()
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
  await press('Close')
  expect(await screen.findByRole('link', { name: 'Disputes , 1 waiting' })).toBeVisible()
})

test('a ruling that comes after another one is refused, and the earlier one is shown', async () => {
  const server = openDesk('/admin/disputes', refuse(resolveDispute, 'dispute_resolved'))
  await review('Resolution')
  await userEvent.selectOptions(screen.getByLabelText('Resolution action'), 'split_difference')
  await press('Resolve Dispute')
  await screen.findByRole('alertdialog')
  server.add(
    answer(listDisputes, [
      aDeskDispute({ status: 'resolved_seller', deskStatus: 'resolved_seller', refundCents: 0 }),
    ]),
  )
  await press('Confirm and Move the Money')
  expect(await screen.findByText('Resolution Failed')).toBeVisible()
  expect(screen.getByText('This dispute has already been resolved.')).toBeVisible()
  await waitFor(() => expect(screen.getByRole('dialog')).toHaveTextContent('Resolved - Seller'))
})

test('admins cannot resolve disputes of their own payments', async () => {
  openDesk(
    '/admin/disputes',
    answer(listDisputes, [aDeskDispute(), aDeskDispute({ id: 2, buyerId: admin.id })]),
  )
  await review('Resolution', 1)
  expect(
    await screen.findByText('You are a party to this payment. Another admin must handle it.'),
  ).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Resolve Dispute' })).not.toBeInTheDocument()
})

test.each([
  ['an admin ruled', 3, /Both parties can appeal until .* \(in 3 days\)/],
  ['an admin ruled eight days ago', -1, /The parties could appeal until/],
  ['the parties settled', null, /^\$40\.00 of \$100\.00 was refunded to the buyer\.$/],
])('a dispute that ended because %s shows whether the parties can appeal', async (_, days, expected) => {
  const appealUntil = days === null ? null : new Date(Date.now() + days * 86_400_000 + 60_000).toISOString()
  const resolved = { status: 'resolved_partial', deskStatus: 'resolved_partial' } as const
  openDesk(
    '/admin/disputes',
    answer(listDisputes, [aDeskDispute({ amount: 10_000, refundCents: 4_000, ...resolved })]),
    answer(getDisputeDetails, { ...someDetails, appealUntil }),
  )
  await review('Resolution')
  expect(await screen.findByText(expected)).toBeVisible()
})
