import { expect, test } from 'vitest'
import { composeReason, readReason } from './reason.ts'

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

test('the form becomes one text, part by part', () => {
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

test('what was left empty is left out', () => {
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

test('the text is shown part by part, and a blank line does not end one', () => {
  const text = 'Dispute type: Wrong item received\n\nDescription: A vase came.\n\nNot a lamp.\n\nReason: Vase'
  expect(readReason(text)).toEqual([
    { heading: 'Dispute type', words: 'Wrong item received' },
    { heading: 'Description', words: 'A vase came.\n\nNot a lamp.' },
    { heading: 'Reason', words: 'Vase' },
  ])
})

test('words that no form has shaped are one part without a heading', () => {
  expect(readReason('Product not as described')).toEqual([
    { heading: null, words: 'Product not as described' },
  ])
})
