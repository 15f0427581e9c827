import { fillPath } from '@sought/contract/call'
import { getEvidenceFile } from '@sought/contract/disputes'
import { asPublicUser, publicName } from '../../platform/public-user.ts'
import type { findDispute, findEvidenceById, findTimeline } from './queries.ts'

type Row = NonNullable<Awaited<ReturnType<typeof findDispute>>>
type TimelineRow = Awaited<ReturnType<typeof findTimeline>>[number]
type Evidence = NonNullable<Awaited<ReturnType<typeof findEvidenceById>>>

export function asDispute({ payment, item, buyer, seller }: Row) {
  return {
    ...payment,
    wantedItems: item,
    buyer: asPublicUser(buyer),
    seller: asPublicUser(seller),
    settlement: settlementOf(payment),
  }
}

function settlementOf({ settlementCents, settlementBy, settlementAt }: Row['payment']) {
  if (!settlementCents || !settlementBy || !settlementAt) return null
  return { refundAmount: settlementCents, proposedBy: settlementBy, proposedAt: settlementAt }
}

/** The stored path is never exposed. The URL is the call that checks permission. */
export function asEvidence(evidence: Evidence) {
  const { disputeId: paymentId, id } = evidence
  const fileUrl = evidence.fileUrl === null ? null : fillPath(getEvidenceFile.path, { paymentId, id })
  return { ...evidence, fileUrl }
}

/** Users are stored by id and shown with their current name. */
export function asTimelineEntry({ entry, person }: TimelineRow) {
  return { ...entry, actor: person ? publicName(person) : entry.actor }
}

/** The parties do not learn the names of admins. */
export function asPartyTimelineEntry(row: TimelineRow, { buyerId, sellerId }: Row['payment']) {
  const isAdmin = row.person && row.person.id !== buyerId && row.person.id !== sellerId
  return isAdmin ? { ...row.entry, actor: 'Sought' } : asTimelineEntry(row)
}
