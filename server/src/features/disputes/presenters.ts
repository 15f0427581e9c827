import { fillPath } from '@sought/contract/call'
import { getEvidenceFile } from '@sought/contract/disputes'
import { asPublicUser } from '../accounts/presenters.ts'
import type { findDispute, findPiece } from './queries.ts'

type Row = NonNullable<Awaited<ReturnType<typeof findDispute>>>
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
