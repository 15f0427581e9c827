import { expect, test } from 'vitest'
import { composeReason } from './compose-reason.ts'

const draft = {
  disputeType: 'item_damaged',
  reason: 'Cracked glass',
  description: 'The shade is cracked.\nIt was packed badly.',
  attemptedResolution: 'Wrote twice',
  desiredOutcome: 'partial_refund',
  hasEvidence: true,
  evidenceDescription: 'Taken on the day it came',
  additionalComments: 'I would keep it for half the price',
} as const

test('the form is composed into one text with a heading for each part', () => {
  expect(composeReason(draft, ['crack.jpg', 'box.png'])).toBe(
    [
      'Dispute type: Item arrived damaged',
      'Reason: Cracked glass',
      'Description: The shade is cracked.\nIt was packed badly.',
      'Attempted resolution: Wrote twice',
      'Desired outcome: Partial refund',
      'Evidence files: crack.jpg, box.png',
      'About the evidence: Taken on the day it came',
      'Additional comments: I would keep it for half the price',
    ].join('\n\n'),
  )
})

test('empty fields are left out', () => {
  const short = {
    ...draft,
    attemptedResolution: '',
    desiredOutcome: '',
    hasEvidence: false,
    additionalComments: '',
  } as const
  expect(composeReason(short, [])).toBe(
    [
      'Dispute type: Item arrived damaged',
      'Reason: Cracked glass',
      'Description: The shade is cracked.\nIt was packed badly.',
    ].join('\n\n'),
  )
})
