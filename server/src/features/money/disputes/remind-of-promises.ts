import { isInDispute, partyIn } from '@sought/escrow/moves'
import type { Tx } from '../../../database/database.ts'
import type { Services } from '../../../services.ts'
import { findAdmins } from '../../identity/accounts/actions.ts'
import { notify } from '../../notifications/actions.ts'
import { findOpenCase, updateCase } from '../dispute-records/dispute-records.ts'
import { lockPayment } from '../payments/stored-payment.ts'
import { resumePayments, setAside } from '../set-aside/set-aside.ts'
import { disputeDueSoon, disputeOverdue } from './notifications.ts'
import * as queries from './queries.ts'

const NOTICE_MS = 4 * 3_600_000

/**
 * Reminds admins a few hours before a promised time and again when it has passed. Each reminder is sent once,
 * even if several processes run this.
 */
export async function remindOfPromises(
  services: Pick<Services, 'database' | 'clock' | 'log'>,
  signal?: AbortSignal,
): Promise<void> {
  const { database, clock } = services
  for (const { payment, openCase } of await queries.findOpenDisputes(database.read)) {
    if (signal?.aborted) return
    if (!findReminder(queries.dueAtOf(payment, openCase), openCase.remindedOf, clock())) continue
    try {
      await database.transact((tx) => remind(tx, payment.id))
    } catch (error) {
      await setAside(services, 'reminder', payment.id, error)
    }
  }
}

/** The time from which a reminder is due now. Null if none is due, or if admins were reminded since then. */
export function findReminder(dueAt: Date | null, remindedOf: Date | null, now: Date): Date | null {
  if (!dueAt) return null
  const remindAt = dueAt <= now ? dueAt : new Date(dueAt.getTime() - NOTICE_MS)
  const isReminded = remindedOf !== null && remindedOf >= remindAt
  return remindAt > now || isReminded ? null : remindAt
}

/** Reminds the assigned admin, or all admins. Never a party to the deal. */
async function remind(tx: Tx, paymentId: number): Promise<void> {
  const payment = await lockPayment(tx, paymentId)
  if (!payment || !isInDispute(payment.status)) return
  const open = await findOpenCase(tx, paymentId)
  const dueAt = queries.dueAtOf(payment, open)
  const remindAt = findReminder(dueAt, open.remindedOf, tx.now)
  if (!dueAt || !remindAt) return
  await updateCase(tx, open.id, { remindedOf: remindAt })
  const admins = (await findAdmins(tx)).filter(({ userId }) => !partyIn(payment, userId))
  const assigned = admins.filter(({ userId }) => userId === open.assignedTo)
  const recipients = assigned.length > 0 ? assigned : admins
  const reminder = remindAt < dueAt ? disputeDueSoon : disputeOverdue
  await notify(tx, reminder(payment, dueAt, recipients))
  await resumePayments(tx, 'reminder', [paymentId])
}
