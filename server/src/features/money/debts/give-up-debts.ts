import type { QueryOf } from '@sought/contract/call'
import type { listAdminDebts } from '@sought/contract/debts'
import { debtGivenUpPosting } from '@sought/escrow/postings'
import { refuse } from '../../../core/errors.ts'
import type { Db, Tx } from '../../../database/database.ts'
import { findSettings } from '../../../database/market-settings.ts'
import type { Actor } from '../../../http/session.ts'
import type { Services } from '../../../services.ts'
import { notify } from '../../notifications/actions.ts'
import { by, recordAudit } from '../../users/audit-log.ts'
import { asPublicUser, publicName } from '../../users/public-user.ts'
import { post } from '../ledger/post.ts'
import { asDebt } from './actions.ts'
import { debtGivenUp } from './notifications.ts'
import { closeDebt, type Debt, findAdminDebts, lockDebt, lockOldDebts } from './queries.ts'

/* What the desk sees of debts, and how the market gives them up (ADR 90). */

const DAY_MS = 86_400_000
const BATCH = 100

export async function readAdminDebts(db: Db, query: QueryOf<typeof listAdminDebts>) {
  return (await findAdminDebts(db, query)).map(present)
}

type Row = Awaited<ReturnType<typeof findAdminDebts>>[number]

function present({ debt, user, waivedBy, ...deal }: Row) {
  return {
    ...asDebt(debt),
    ...deal,
    user: asPublicUser(user),
    userEmail: user.email,
    waivedBy: waivedBy && publicName(waivedBy),
    waiveReason: debt.waiveReason,
  }
}

export async function waive(tx: Tx, id: number, reason: string, admin: Actor) {
  const debt = await lockDebt(tx, id)
  if (!debt) throw refuse('debt_not_found')
  if (debt.userId === admin.id) throw refuse('not_impartial')
  if (debt.settledAt || debt.givenUpCents > 0) throw refuse('debt_settled')
  await giveUp(tx, debt, { waivedAt: tx.now, waivedBy: admin.id, waiveReason: reason })
  const { userId: subjectId, paymentId } = debt
  await recordAudit(tx, {
    action: 'debt_waived',
    ...by(admin),
    subjectId,
    details: { debtId: id, paymentId },
  })
  const [shown] = await findAdminDebts(tx, { id, limit: 1 })
  if (!shown) throw new Error('the waived debt is missing')
  return present(shown)
}

/** Writes off debts that have been open for as long as the operator waits. */
export async function writeOffDebts({ database, clock }: Services): Promise<void> {
  const { debtWriteOffDays } = await findSettings(database.read)
  if (debtWriteOffDays === 0) return
  const before = new Date(clock().getTime() - debtWriteOffDays * DAY_MS)
  for (;;) {
    const written = await database.transact(async (tx) => {
      const old = await lockOldDebts(tx, before, BATCH)
      for (const debt of old) await giveUp(tx, debt, { writtenOffAt: tx.now })
      return old.length
    })
    if (written < BATCH) return
  }
}

async function giveUp(tx: Tx, debt: Debt, closed: Parameters<typeof closeDebt>[2]): Promise<void> {
  const open = debt.amount - debt.settled
  await closeDebt(tx, debt, closed)
  await post(tx, debtGivenUpPosting(debt, open))
  await notify(tx, debtGivenUp(debt, open))
}
