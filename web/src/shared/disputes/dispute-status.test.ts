import { expect, test } from 'vitest'
import { disputeStatusBadge, disputeTitle } from './dispute-status.ts'

test('each dispute status has a label, and unknown statuses are shown unchanged', () => {
  const statuses = [
    'disputed',
    'under_review',
    'resolved_buyer',
    'resolved_seller',
    'resolved_partial',
  ] as const
  expect(statuses.map((status) => disputeStatusBadge(status).label)).toEqual([
    'New Dispute',
    'Under Review',
    'Resolved - Buyer',
    'Resolved - Seller',
    'Resolved - Partial',
  ])
  expect(disputeStatusBadge('held_in_escrow').label).toBe('held_in_escrow')
})

test('an item without a title is shown by its number', () => {
  expect(disputeTitle({ wantedItems: { title: 'Lamp' }, wantedItemId: 7 })).toBe('Lamp')
  expect(disputeTitle({ wantedItems: null, wantedItemId: 7 })).toBe('Item #7')
})
