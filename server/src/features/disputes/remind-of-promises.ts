import { partyIn } from '@sought/escrow/moves'
import type { Tx } from '../../platform/database.ts'
import type { Services } from '../../platform/services.ts'
import { findAdmins } from '../accounts/actions.ts'
import { notify } from '../notifications/actions.ts'
import { disputeDueNotifications } from '../notifications/build-notifications.ts'
import { dueAtOf, findOrOpenCase, isInDispute, updateCase } from '../payments/dispute-cases.ts'
import { lockPayment } from '../payments/lock-payment.ts'
import { findOpenDisputes } from './queries.ts'
import { endStaleCases } from './repair-cases.ts'

const NOTICE_MS = 4 * 3_600_000

/**
 * Reminds admins a few hours before a promised time and again when it has passed. Each reminder is sent once,
 * even if several processes run this.
 */
export async function remindOfPromises(
  { database, clock }: Pick<Services, 'database' | 'clock'>,
  signal?: AbortSignal,
): Promise<void> {
  await endStaleCases(database)
  const soon = new Date(clock().getTime() + NOTICE_MS)
  for (const { payment, openCase } of await findOpenDisputes(database.read)) {
    if (signal?.aborted) return
    const dueAt = dueAtOf(payment, openCase)
    // The record must exist before the reminder is due.
    if (!openCase || (dueAt && dueAt <= soon && !isReminded(openCase.remindedOf, dueAt, clock())))
      await database.transact((tx) => remind(tx, payment.id))
  }
}

/** When the reminder that applies now became due. */
const reminderAt = (dueAt: Date, now: Date) => (dueAt <= now ? dueAt : new Date(dueAt.getTime() - NOTICE_MS))

const isReminded = (remindedOf: Date | null, dueAt: Date, now: Date) =>
  remindedOf !== null && remindedOf >= reminderAt(dueAt, now)

/** Reminds the assigned admin, or all admins. Never a party to the deal. */
async function remind(tx: Tx, paymentId: number): Promise<void> {
  const payment = await lockPayment(tx, paymentId)
  if (!payment || !isInDispute(payment)) return
  const open = await findOrOpenCase(tx, payment)
  const dueAt = dueAtOf(payment, open)
  if (!dueAt || dueAt.getTime() - NOTICE_MS > tx.now.getTime()) return
  if (isReminded(open.remindedOf, dueAt, tx.now)) return
  await updateCase(tx, open.id, { remindedOf: reminderAt(dueAt, tx.now) })
  const admins = (await findAdmins(tx)).filter(({ userId }) => !partyIn(payment, userId))
  const assigned = admins.filter(({ userId }) => userId === open.assignedTo)
  const recipients = assigned.length > 0 ? assigned : admins
  const event = dueAt <= tx.now ? 'dispute_overdue' : 'dispute_due_soon'
  await notify(tx, disputeDueNotifications(event, payment, dueAt, recipients))
}
