import { expect, test } from 'vitest'
import {
  composeEvidenceText,
  describeDelivery,
  describePolicies,
  describeProduct,
} from './bank-evidence-text.ts'

type Row = Parameters<typeof composeEvidenceText>[0]
type Records = Parameters<typeof composeEvidenceText>[1]

const at = (minute: number) => new Date(Date.UTC(2026, 10, 16, 10, minute))

const row = {
  payment: {
    id: 7,
    amount: 12_000,
    currency: 'usd',
    buyerId: 'ada',
    sellerId: 'bob',
    chargedAt: at(0),
    sellerAcceptedAt: null,
    buyerConfirmedAt: at(5),
    fundsReleasedAt: null,
    disputeReason: 'It is blue',
  },
  item: { title: 'Lamp', category: 'Other', description: 'Green' },
  buyer: { id: 'ada', firstName: 'Ada', lastName: 'Buyer' },
  seller: { id: 'bob', firstName: 'Bob', lastName: 'Seller' },
} as Row

const message = (index: number, content: string) => ({
  senderId: index % 2 === 0 ? 'ada' : 'bob',
  createdAt: at(index),
  content,
})

const records = (changes: object = {}): Records =>
  ({ statements: [], attached: [], notAttached: [], messages: [], ...changes }) as Records

test('the text lists the dates, the reason, the statements, the files and the conversation in order', () => {
  const text = composeEvidenceText(
    row,
    records({
      statements: [{ submittedBy: 'bob', createdAt: at(6), content: 'I shipped it', description: null }],
      attached: [{ fileName: 'label.png', description: 'The label' }],
      notAttached: [{ fileName: 'contract.docx', description: null }],
      messages: [message(3, 'Thanks'), message(2, 'It is on its way')],
    }),
  )
  expect(text).toBe(`Payment 7: $120.00 for “Lamp”.
Buyer: Ada Buyer. Seller: Bob Seller.
We hold the money until the buyer confirms the delivery or the hold ends.
Card charged: 2026-11-16 10:00 UTC
Delivery confirmed by the buyer: 2026-11-16 10:05 UTC

Reason of the dispute
It is blue

Statements
2026-11-16 10:06 UTC, seller: I shipped it

Attached files
label.png: The label

Files that can be requested from us
contract.docx

Conversation of buyer and seller
2026-11-16 10:02 UTC, buyer: It is on its way
2026-11-16 10:03 UTC, seller: Thanks`)
})

test('the text is limited to 20,000 characters, even if one part is long, and keeps the latest messages complete', () => {
  const long = '🍋'.repeat(5_000)
  const text = composeEvidenceText(
    { ...row, payment: { ...row.payment, disputeReason: long } },
    records({
      statements: [{ submittedBy: 'ada', createdAt: at(1), content: long, description: null }],
      messages: Array.from({ length: 500 }, (_, index) =>
        message(59 - (index % 60), `${index} ${'x'.repeat(90)}`),
      ),
    }),
  )
  expect(text.length).toBeLessThanOrEqual(20_000)
  expect(text.length).toBeGreaterThan(19_500)
  expect(text.isWellFormed()).toBe(true)
  expect(text).toContain('[Earlier entries are left out.]')
  expect(text.endsWith(`buyer: 1 ${'x'.repeat(90)}\n2026-11-16 10:59 UTC, seller: 0 ${'x'.repeat(90)}`)).toBe(
    true,
  )
  expect(describeProduct({ ...row, item: { ...row.item, description: long } }).length).toBeLessThanOrEqual(
    2_000,
  )
})

test('facts about the delivery and a request to cancel are fields of their own', () => {
  const payment = {
    ...row.payment,
    carrier: 'dhl',
    trackingNumber: 'JD0001',
    shippedAt: at(2),
    deliveredAt: null,
    cancelRequestedAt: at(3),
    cancelReason: 'Too late',
  } as Row['payment']
  const address = {
    name: 'Ada Buyer',
    line1: 'Rosenweg 7',
    line2: '',
    city: 'Bonn',
    region: '',
    postalCode: '53111',
    country: 'DE',
  }
  expect(describeDelivery({ payment }, address)).toEqual({
    shippingCarrier: 'DHL',
    shippingTrackingNumber: 'JD0001',
    shippingDate: '2026-11-16',
    shippingAddress: 'Ada Buyer, Rosenweg 7, Bonn, 53111, DE',
    serviceDate: '2026-11-16',
  })
  expect(describePolicies({ payment }, 'https://x.example').cancellationRebuttal).toBe(
    'The buyer asked the seller to cancel on 2026-11-16 10:03 UTC. Too late',
  )
})
