import { fillPath } from '@sought/contract/call'
import { getEvidenceFile } from '@sought/contract/disputes'
import { asPublicUser, publicName } from '../../platform/public-user.ts'
import type { findDispute, findPiece, findTimeline } from './queries.ts'

type Row = NonNullable<Awaited<ReturnType<typeof findDispute>>>
type TimelineRow = Awaited<ReturnType<typeof findTimeline>>[number]
type Piece = NonNullable<Awaited<ReturnType<typeof findPiece>>>

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

/** Where a file lies is nobody's business: its address is the call that asks who wants it. */
export function asEvidence(piece: Piece) {
  const { disputeId: paymentId, id } = piece
  const fileUrl = piece.fileUrl === null ? null : fillPath(getEvidenceFile.path, { paymentId, id })
  return { ...piece, fileUrl }
}

/** A person is kept by their id and shown by the name that they have today; the provider has no other name. */
export function asTimelineEntry({ entry, person }: TimelineRow) {
  return { ...entry, actor: person ? publicName(person) : entry.actor }
}
