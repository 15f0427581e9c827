import { type DealAction, LOOKUP_LIMIT } from '@sought/contract/lookup'
import { isInDispute, partyIn } from '@sought/escrow/moves'
import { refuse } from '../../../core/errors.ts'
import type { Tx } from '../../../database/database.ts'
import type { Actor } from '../../../http/session.ts'
import { asAgreedItem } from '../../board/requests/request-versions.ts'
import { messagesOf } from '../../deals/messages/actions.ts'
import { readDebts } from '../../money/debts/actions.ts'
import { asEvidence } from '../../money/disputes/presenters.ts'
import { formatNumber } from '../../money/documents/numbers.ts'
import { readRefundable } from '../../money/payments/refund-released.ts'
import { findRuledRefund, hasFailedRefund } from '../../money/payments/stored-payment.ts'
import { by, recordAudit } from '../../users/audit-log.ts'
import { type DealRecords, findDealRecords } from './deal-queries.ts'
import { buildTimeline } from './deal-timeline.ts'
import { asFoundDeal, type Deal } from './presenters.ts'
import * as queries from './queries.ts'

const MESSAGES_SHOWN = 100

/** Everything about a deal, with the conversation of its parties. Records in the audit log who looked at it. */
export async function readDeal(tx: Tx, paymentId: number, admin: Actor) {
  const deal = await queries.findDeal(tx, paymentId)
  if (!deal) throw refuse('payment_not_found')
  await recordAudit(tx, { action: 'deal_viewed', ...by(admin), subjectId: null, details: { paymentId } })
  const { payment } = deal
  const { wantedItemId, buyerId, sellerId } = payment
  const records = await findDealRecords(tx, payment)
  return {
    ...presentDeal(deal),
    messages: await messagesOf(
      tx,
      { id: buyerId },
      { wantedItemId, userId: sellerId, limit: MESSAGES_SHOWN },
    ),
    evidence: records.evidence.map(asEvidence),
    documents: records.documents.map((document) => ({
      kind: document.paymentId ? ('receipt' as const) : ('statement' as const),
      number: formatNumber(document),
      issuedAt: document.issuedAt,
    })),
    debts: await readDebts(tx, { paymentId }, { limit: LOOKUP_LIMIT }),
    ledger: records.ledger,
    provider: presentProvider(payment, records),
    goodwill: records.goodwill.map(({ goodwill: { recipient: to, amountCents: amount, ...rest } }) => ({
      ...rest,
      to,
      amount,
    })),
    tickets: records.tickets,
    timeline: buildTimeline(deal, records),
    refundable: partyIn(payment, admin.id) ? null : await readRefundable(tx, payment),
    actions: findActions(payment, records, admin.id),
  }
}

function presentDeal(deal: Deal) {
  const { payment } = deal
  const found = asFoundDeal(deal)
  const ruled = findRuledRefund(payment)
  return {
    ...found,
    buyer: { ...found.buyer, email: deal.buyer.email },
    seller: { ...found.seller, email: deal.seller.email },
    itemId: payment.wantedItemId,
    wantedItem: asAgreedItem(deal.item, payment),
    deskStatus: payment.deskStatus,
    bankDecides: payment.bankDecides,
    chargedAt: payment.chargedAt,
    escrowHoldUntil: payment.escrowHoldUntil,
    endedAt: payment.endedAt,
    refund: ruled.refundCents
      ? {
          amount: ruled.refundCents,
          refundedAt: ruled.refundedAt,
          failed: ruled.refundFailedAt !== null,
        }
      : null,
    fees: payment,
    delivery: {
      method: payment.delivery,
      carrier: payment.carrier,
      trackingNumber: payment.trackingNumber,
      shippedAt: payment.shippedAt,
      deliveredAt: payment.deliveredAt,
    },
  }
}

function presentProvider({ stripePaymentIntentId: intentId }: Deal['payment'], records: DealRecords) {
  const { payout, chargebacks, facts, transactions } = records
  return {
    intentId,
    payout: payout ? { ...payout, transferId: payout.providerId, accountId: payout.destination } : null,
    chargebacks: chargebacks.map(({ amountCents: amount, ...chargeback }) => ({ ...chargeback, amount })),
    events: facts.map(({ key, amountCents: amount, createdAt }) => {
      const [name = '', objectId = ''] = key.split(':')
      return { name, objectId, amount, createdAt }
    }),
    transactions: transactions.map(({ amountCents: amount, feeCents: fee, ...transaction }) => ({
      ...transaction,
      amount,
      fee,
    })),
  }
}

type Payment = Pick<
  Deal['payment'],
  | 'buyerId'
  | 'sellerId'
  | 'status'
  | 'bankDecides'
  | 'needsCheck'
  | 'refundCents'
  | 'refundedAt'
  | 'refundFailedAt'
  | 'refundAttempt'
  | 'refundFirstAttempt'
>
interface Records {
  payout: Pick<NonNullable<DealRecords['payout']>, 'method' | 'status'> | undefined
  chargebacks: Pick<DealRecords['chargebacks'][number], 'closedAt' | 'evidenceSentAt'>[]
}

/** The actions that this admin can take on the deal now. A party to the deal can take none. */
export function findActions(
  payment: Payment,
  { payout, chargebacks }: Records,
  adminId: string,
): DealAction[] {
  if (partyIn(payment, adminId)) return []
  const owesRefund = payment.refundCents !== null && payment.refundedAt === null
  const possible: Record<DealAction, boolean> = {
    rule: isInDispute(payment.status) && !payment.bankDecides,
    send_bank_evidence: chargebacks.some((it) => it.closedAt === null && it.evidenceSentAt === null),
    dismiss_fraud_signals: payment.needsCheck,
    pay_seller: payout?.method === 'manual' && payout.status === 'owed',
    send_payout_again: payout?.status === 'reversed' && !payment.bankDecides,
    handle_refund: owesRefund && hasFailedRefund(payment),
    give_goodwill: payment.status !== 'pending',
  }
  return (Object.keys(possible) as DealAction[]).filter((action) => possible[action])
}
