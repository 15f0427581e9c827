import { expect, test } from 'vitest'
import { write } from '../../../notifications/define-notification.ts'
import { disputeRuled } from './disputes.ts'

test.each([
  ['buyer', 0, 'The payment goes to the seller.'],
  ['seller', 0, 'The buyer gets a full refund.'],
  ['buyer', 4_000, 'You get $40.00 back.'],
  ['seller', 4_000, 'You get $40.00.'],
] as const)('the ruling tells the %s of %d cents what happens to the money', (role, amountCents, text) => {
  const facts = {
    userId: 'ada',
    role,
    actorId: null,
    actorName: '',
    itemId: 3,
    itemTitle: 'Lamp',
    paymentId: 1,
    amountCents,
    amount: `$${(amountCents / 100).toFixed(2)}`,
    about: ['1'],
    createdAt: new Date(),
    item: null,
    payment: null,
    details: null,
  }
  expect(write(disputeRuled.text, facts)).toBe(text)
})
