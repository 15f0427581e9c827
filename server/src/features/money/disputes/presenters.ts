import { fillPath } from '@sought/contract/call'
import { getEvidenceFile } from '@sought/contract/disputes'
import { asAgreedItem } from '../../board/requests/request-versions.ts'
import { asPublicUser, publicName } from '../../users/public-user.ts'
import { asParcel } from '../payments/presenters.ts'
import { findRuledRefund } from '../payments/stored-payment.ts'
import type { findBankRecords, findDispute, findEvidenceById, findTimeline } from './queries.ts'
import * as queries from './queries.ts'

type Row = NonNullable<Awaited<ReturnType<typeof findDispute>>>
type TimelineRow = Awaited<ReturnType<typeof findTimeline>>[number]
type Evidence = NonNullable<Awaited<ReturnType<typeof findEvidenceById>>>

export function asDispute({ payment, item, buyer, seller, openCase }: Row) {
  const { refundCents, refundedAt } = findRuledRefund(payment)
  return {
    ...payment,
    refundCents,
    refundedAt,
    ...asParcel(payment),
    wantedItems: asAgreedItem(item, payment),
    buyer: asPublicUser(buyer),
    seller: asPublicUser(seller),
    settlement: settlementOf(payment),
    dueAt: queries.dueAtOf(payment, openCase),
  }
}

export type BankRecords = Awaited<ReturnType<typeof findBankRecords>>

export function asDeskDispute(row: Row, records: BankRecords) {
  const { payment } = row
  if (!payment.deskStatus) throw new Error(`payment ${payment.id} is not on the desk`)
  return {
    ...asDispute(row),
    ...asBankRecords(row, records),
    deskStatus: payment.deskStatus,
    assignee: assigneeOf(row),
  }
}

export const assigneeOf = ({ assignee }: Row) => assignee && asPublicUser(assignee)

export function asBankRecords({ payment }: Row, records: BankRecords) {
  const isOfPayment = ({ paymentId }: { paymentId: number }) => paymentId === payment.id
  const chargebacks = records.chargebacks.filter(isOfPayment)
  const payout = records.payouts.find(isOfPayment)
  return {
    bankDecides: payment.bankDecides,
    bankDeadline: earliestDeadline(chargebacks),
    chargebacks,
    payout: payout ? { ...payout, amountCents: payout.amount } : null,
    fraudSignals: records.fraudSignals.filter(isOfPayment),
    escalatedAt: payment.escalatedAt,
  }
}

function earliestDeadline(chargebacks: BankRecords['chargebacks']): Date | null {
  const open = chargebacks.flatMap(({ closedAt, deadline }) => (closedAt === null && deadline) || [])
  return open.sort((a, b) => a.getTime() - b.getTime())[0] ?? null
}

function settlementOf({ settlementCents, settlementBy, settlementAt }: Row['payment']) {
  if (!settlementCents || !settlementBy || !settlementAt) return null
  return { refundAmount: settlementCents, proposedBy: settlementBy, proposedAt: settlementAt }
}

/** Storage paths are never exposed. The URL is the call that checks permission. */
export function asEvidence(evidence: Evidence) {
  const { disputeId: paymentId, id } = evidence
  const fileUrl = evidence.fileUrl === null ? null : fillPath(getEvidenceFile.path, { paymentId, id })
  return { ...evidence, fileUrl }
}

/** Users are stored by id and shown with their current name. */
export function asTimelineEntry({ entry, person }: TimelineRow) {
  return { ...entry, actor: person ? publicName(person) : entry.actor }
}

/** Parties do not learn the names of admins, who act for the market. */
export function asPartyTimelineEntry(
  row: TimelineRow,
  { buyerId, sellerId }: Row['payment'],
  marketName: string,
) {
  const isAdmin = row.person && row.person.id !== buyerId && row.person.id !== sellerId
  return isAdmin ? { ...row.entry, actor: marketName } : asTimelineEntry(row)
}
