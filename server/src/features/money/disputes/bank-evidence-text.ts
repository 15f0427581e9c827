import { getCarrierName } from '@sought/contract/carriers'
import type { DeliveryAddress } from '@sought/contract/delivery-address'
import { formatMoney } from '@sought/contract/money'
import { cut } from '../../../core/cut.ts'
import type { messagesOf } from '../../deals/messages/actions.ts'
import { publicName } from '../../users/public-user.ts'
import type { findEvidence, findPayment } from './queries.ts'

type Row = NonNullable<Awaited<ReturnType<typeof findPayment>>>
type Evidence = Awaited<ReturnType<typeof findEvidence>>[number]
type Message = Awaited<ReturnType<typeof messagesOf>>[number]

/** Stripe's limit for one field. */
export const TEXT_MAX_LENGTH = 20_000
const DESCRIPTION_MAX_LENGTH = 2_000
const REASON_MAX_LENGTH = 3_000
const STATEMENTS_MAX_LENGTH = 6_000
const LEFT_OUT = '[Earlier entries are left out.]'

interface Records {
  statements: Evidence[]
  attached: Evidence[]
  notAttached: Evidence[]
  /** Latest first. */
  messages: Message[]
}

/** The events in words: dates, statements, files and the conversation, which is cut to fit. */
export function composeEvidenceText(row: Row, records: Records): string {
  const { payment } = row
  const sections = [
    describeSale(row),
    section('Reason of the dispute', payment.disputeReason && cut(payment.disputeReason, REASON_MAX_LENGTH)),
    section(
      'Statements',
      latest(
        records.statements.toReversed().map((it) => describeStatement(row, it)),
        STATEMENTS_MAX_LENGTH,
      ),
    ),
    section('Attached files', records.attached.map(fileLine).join('\n')),
    section('Files that can be requested from us', records.notAttached.map(fileLine).join('\n')),
  ]
  const text = sections.filter(Boolean).join('\n\n')
  const title = 'Conversation of buyer and seller'
  const left = TEXT_MAX_LENGTH - text.length - title.length - 4
  const conversation = describeConversation(row, records.messages, left)
  return [text, section(title, conversation)].filter(Boolean).join('\n\n')
}

/** The latest messages that fit, oldest first. */
export const describeConversation = (row: Row, messages: Message[], maxLength: number) =>
  latest(
    messages.map((it) => describeMessage(row, it)),
    maxLength,
  )

/** The fields of the evidence about the delivery. */
export function describeDelivery({ payment }: Pick<Row, 'payment'>, address: DeliveryAddress | null) {
  const { carrier, trackingNumber, shippedAt, deliveredAt, buyerConfirmedAt } = payment
  const received = deliveredAt ?? buyerConfirmedAt
  return {
    shippingCarrier: carrier && getCarrierName(carrier),
    shippingTrackingNumber: trackingNumber,
    shippingDate: shippedAt && formatDate(shippedAt),
    shippingAddress: address && Object.values(address).filter(Boolean).join(', '),
    serviceDate: received && formatDate(received),
  }
}

/** What the buyer was told about refunds and cancellations before the payment. */
export function describePolicies({ payment }: Pick<Row, 'payment'>, publicUrl: string) {
  const { cancelRequestedAt, cancelReason } = payment
  return {
    refundPolicy: `The refund policy was shown to the buyer before the payment, and is at ${publicUrl}/refund-policy. We hold the money until the buyer confirms the delivery or the hold ends. Until then the buyer can report a problem, and gets the money back if the item did not arrive or is not as agreed.`,
    cancellationPolicy: `The terms were shown to the buyer before the payment, and are at ${publicUrl}/terms-of-service. Until the item is shipped, the buyer can ask the seller to cancel. A cancelled deal is refunded in full.`,
    cancellationRebuttal: cancelRequestedAt
      ? `The buyer asked the seller to cancel on ${formatTime(cancelRequestedAt)}. ${cut(cancelReason ?? '', REASON_MAX_LENGTH)}`.trim()
      : 'The buyer did not ask to cancel.',
  }
}

export function describeProduct({ item }: Row): string {
  return cut(`${item.title} (${item.category}). ${item.description}`, DESCRIPTION_MAX_LENGTH)
}

function describeSale({ payment, item, buyer, seller }: Row): string {
  const { amount, currency, chargedAt, sellerAcceptedAt, buyerConfirmedAt, fundsReleasedAt } = payment
  const dates: [string, Date | null][] = [
    ['Price agreed', sellerAcceptedAt],
    ['Card charged', chargedAt],
    ['Delivery confirmed by the buyer', buyerConfirmedAt],
    ['Released to the seller', fundsReleasedAt],
  ]
  return [
    `Payment ${payment.id}: ${formatMoney(amount, currency)} for “${item.title}”.`,
    `Buyer: ${publicName(buyer)}. Seller: ${publicName(seller)}.`,
    'We hold the money until the buyer confirms the delivery or the hold ends.',
    ...dates.flatMap(([label, date]) => (date ? `${label}: ${formatTime(date)}` : [])),
  ].join('\n')
}

const section = (title: string, text: string | null) => (text ? `${title}\n${text}` : '')

const fileLine = ({ fileName, description }: Evidence) =>
  [fileName ?? 'file', description].filter(Boolean).join(': ')

const describeStatement = (row: Row, { submittedBy, createdAt, content, description }: Evidence) =>
  `${formatTime(createdAt)}, ${roleOf(row, submittedBy)}: ${[description, content].filter(Boolean).join(' ')}`

const describeMessage = (row: Row, { senderId, createdAt, content }: Message) =>
  `${formatTime(createdAt)}, ${roleOf(row, senderId)}: ${content}`

function roleOf({ payment }: Row, userId: string): string {
  if (userId === payment.buyerId) return 'buyer'
  return userId === payment.sellerId ? 'seller' : 'our team'
}

const formatDate = (time: Date) => time.toISOString().slice(0, 'YYYY-MM-DD'.length)

const formatTime = (time: Date) => `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`

/** The latest entries that fit, oldest first. */
function latest(latestFirst: string[], maxLength: number): string {
  const kept: string[] = []
  let left = maxLength - LEFT_OUT.length - 1
  for (const entry of latestFirst) {
    if (entry.length + 1 > left) return [LEFT_OUT, ...kept.toReversed()].join('\n')
    kept.push(entry)
    left -= entry.length + 1
  }
  return kept.toReversed().join('\n')
}
