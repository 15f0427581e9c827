import { expect, test } from 'vitest'
import { settlementWords, statusLook, titleOf } from './words.ts'

test('a settlement’s amount is shown as all money is', () => {
  expect(settlementWords('1040.05 back to the buyer', 'usd')).toBe('$1,040.05 back to the buyer')
  expect(settlementWords('0.50 back to the buyer', 'myr')).toBe('RM0.50 back to the buyer')
  expect(settlementWords('as agreed: 0.50', 'usd')).toBe('as agreed: 0.50')
})

test('each status has its name, and one that is none of a dispute’s is shown as it is', () => {
  const names = ['disputed', 'under_review', 'resolved_buyer', 'resolved_seller', 'resolved_partial'] as const
  expect(names.map((status) => statusLook(status).label)).toEqual([
    'New Dispute',
    'Under Review',
    'Resolved - Buyer',
    'Resolved - Seller',
    'Resolved - Partial',
  ])
  expect(statusLook('held_in_escrow').label).toBe('held_in_escrow')
})

test('an item without a title goes by its number', () => {
  expect(titleOf({ wantedItems: { title: 'Lamp', category: 'Other' }, wantedItemId: 7 })).toBe('Lamp')
  expect(titleOf({ wantedItems: null, wantedItemId: 7 })).toBe('Item #7')
})
