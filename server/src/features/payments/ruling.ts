import type { Actor } from '@sought/escrow/moves'
import { rulingPosting } from '@sought/escrow/postings'
import type { Ruling } from '@sought/escrow/rulings'
import type { Tx } from '../../platform/database.ts'
import { post } from '../ledger/post.ts'
import { notify } from '../notifications/actions.ts'
import { disputeRuledNotifications } from '../notifications/build-notifications.ts'
import { owe } from '../payouts/send-payouts.ts'
import { moved, save } from './apply-move.ts'
import type { Payment } from './queries.ts'
import { enqueueRefund } from './refunds.ts'

/** Ends a dispute: every cent in escrow goes where the ruling says. Refund and transfer follow as jobs. */
export async function settle(tx: Tx, payment: Payment, decided: Ruling, actor: Actor): Promise<void> {
  const settled = {
    ...moved(payment, decided.move, actor, tx.now),
    refundCents: decided.refundCents,
    settlementCents: null,
    settlementBy: null,
    settlementAt: null,
  }
  await post(tx, rulingPosting(settled, decided))
  await save(tx, payment, settled)
  await owe(tx, [{ payment: settled, payoutCents: decided.payoutCents }])
  await notify(
    tx,
    disputeRuledNotifications(actor === 'parties' ? 'dispute_settled' : 'dispute_ruled', payment, decided),
  )
  if (decided.refundCents > 0) await enqueueRefund(tx, payment.id)
}
