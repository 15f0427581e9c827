import { ConcurrentWrite } from '../../../database/concurrent-write.ts'
import type { Tx } from '../../../database/database.ts'
import { closeOpenRequestsOf, hasOpenRequests, reopenRequests } from '../../board/requests/close-requests.ts'
import { endOffersOf, hasOpenOffers } from '../../deals/offers/end-offers.ts'
import type { Undo } from './hide-content.ts'
import { findSanction, setSanction } from './queries.ts'

/** For restrictions and suspensions without an end. */
const FOREVER = new Date('9999-12-31T00:00:00.000Z')

type Sanction = 'restrict' | 'suspend'

/** A suspension also closes open requests and ends pending offers. Deals that were agreed continue. */
export async function impose(
  tx: Tx,
  personId: string,
  sanction: Sanction,
  until: Date | null,
): Promise<Undo> {
  const undo: Undo = {}
  if (sanction === 'suspend') {
    // Offers, then requests, then the user: all transactions lock them in this order.
    await endOffersOf(tx, personId, ['pending'])
    undo.closedIds = await closeOpenRequestsOf(tx, personId)
  }
  await setEnd(tx, personId, sanction, until ?? FOREVER)
  // Creating an offer or a request locks the user (`requireUnrestricted`), so none can be added from here on.
  if (sanction === 'suspend' && (await hasAnythingOpen(tx, personId))) throw new ConcurrentWrite()
  return undo
}

const hasAnythingOpen = async (tx: Tx, personId: string) =>
  (await hasOpenOffers(tx, personId, ['pending'])) || (await hasOpenRequests(tx, personId))

/** Ends a sanction. If another decision imposed the same sanction, that decision's end applies. */
export async function lift(
  tx: Tx,
  personId: string,
  sanction: Sanction,
  { closedIds = [] }: Undo,
): Promise<void> {
  const remaining = await findSanction(tx, personId, sanction)
  const end = remaining ? (remaining.until ?? FOREVER) : null
  if (sanction === 'suspend' && !(end && end > tx.now)) await reopenRequests(tx, closedIds)
  await setEnd(tx, personId, sanction, end)
}

function setEnd(tx: Tx, personId: string, sanction: Sanction, end: Date | null): Promise<void> {
  return setSanction(
    tx,
    personId,
    sanction === 'restrict' ? { restrictedUntil: end } : { suspendedUntil: end },
  )
}
