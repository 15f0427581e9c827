import type { BodyOf } from '@sought/contract/call'
import type { previewBulkRuling, RulingPreview, ruleInBulk } from '@sought/contract/casework'
import { rulesOf } from '@sought/contract/currencies'
import type { RefusalCode } from '@sought/contract/refusals'
import { partyIn } from '@sought/escrow/moves'
import { inEscrow } from '@sought/escrow/postings'
import { calculateRuling } from '@sought/escrow/rulings'
import type { Db } from '../../../database/database.ts'
import { refusalCodeOf } from '../../../http/answer-error.ts'
import type { Actor } from '../../../http/session.ts'
import type { Services } from '../../../services.ts'
import { asPreview, canRule, checkAndResolve } from './desk.ts'
import * as queries from './queries.ts'

/**
 * Each ruling asks the provider first. With some of them in parallel, a hundred rulings fit into a request's
 * time limit.
 */
const CONCURRENT_RULINGS = 4

/** The amounts that each dispute would pay. Leaves out disputes that the admin cannot rule on now. */
export async function previewBulk(
  db: Db,
  { ids, action }: BodyOf<typeof previewBulkRuling>,
  admin: Actor,
): Promise<RulingPreview[]> {
  const open = await queries.findOpenDisputes(db, ids)
  return open.flatMap(({ payment }) => {
    if (payment.bankDecides || partyIn(payment, admin.id)) return []
    const ruling = calculateRuling(action, inEscrow(payment), payment, rulesOf(payment.currency))
    return ruling && canRule(payment, ruling) ? [asPreview(payment.id, ruling)] : []
  })
}

/** Each dispute is ruled on in its own transaction, so a refused ruling does not stop the others. */
export async function ruleOnEach(
  services: Services,
  { ids, action, note, preview }: BodyOf<typeof ruleInBulk>,
  admin: Actor,
) {
  const ruled: number[] = []
  const changed: { id: number; code: RefusalCode }[] = []
  const previews = new Map(preview?.map((it) => [it.id, it]))
  const waiting = ids.values()
  async function ruleNext(): Promise<void> {
    for (const id of waiting) {
      try {
        await checkAndResolve(services, id, { action, note, preview: previews.get(id) }, admin)
        ruled.push(id)
      } catch (error) {
        const code = refusalCodeOf(error)
        if (code === 'internal') services.log.error({ err: error, paymentId: id }, 'a bulk ruling failed')
        changed.push({ id, code })
      }
    }
  }
  await Promise.all(Array.from({ length: CONCURRENT_RULINGS }, ruleNext))
  const inOrder = (a: number, b: number) => ids.indexOf(a) - ids.indexOf(b)
  return { ruled: ruled.toSorted(inOrder), changed: changed.toSorted((a, b) => inOrder(a.id, b.id)) }
}
