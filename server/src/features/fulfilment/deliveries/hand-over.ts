import { timingSafeEqual } from 'node:crypto'
import { HANDOVER_LOCK_MINUTES, HANDOVER_MAX_ATTEMPTS } from '@sought/escrow/delivery'
import type { Encryption } from '../../../core/encryption.ts'
import { type Refused, refuse } from '../../../core/errors.ts'
import type { Tx } from '../../../database/database.ts'
import { updateRows } from '../../../database/rows.ts'
import { payments } from '../../../database/schema.ts'
import type { User } from '../../../http/session.ts'
import type { Services } from '../../../services.ts'
import { applyMove, checkMove } from '../../money/payments/apply-move.ts'
import { openHandoverCode } from '../../money/payments/read-details.ts'
import { lockOwnPayment } from '../../money/payments/stored-payment.ts'
import { checkCharge } from '../../money/payments/sync-payment.ts'

const MINUTE_MS = 60_000

/** The seller enters the buyer's code. This counts as the buyer's confirmation, so the provider is asked first. */
export async function checkAndHandOver(
  services: Services,
  encryption: Encryption,
  id: number,
  code: string,
  seller: User,
): Promise<void> {
  const { database } = services
  const checked = await database.transact((tx) => checkCode(tx, encryption, id, code, seller))
  // Thrown after the commit, so that the wrong code stays counted.
  if (checked.refusal) throw checked.refusal
  await checkCharge(services, checked.intentId)
  await database.transact(async (tx) => {
    const { payment, party } = await lockForHandover(tx, id, seller)
    await applyMove(tx, payment, { name: 'hand_over', actor: party })
  })
}

async function lockForHandover(tx: Tx, id: number, user: User) {
  const { payment, party } = await lockOwnPayment(tx, id, user)
  checkMove(payment, { name: 'hand_over', actor: party }, tx.now)
  if (payment.needsCheck) throw refuse('payment_needs_check')
  return { payment, party }
}

/** Wrong codes are counted under the payment's lock, so that concurrent guesses cannot exceed the limit. */
async function checkCode(
  tx: Tx,
  encryption: Encryption,
  id: number,
  code: string,
  user: User,
): Promise<{ refusal: Refused | null; intentId: string | null }> {
  const { payment } = await lockForHandover(tx, id, user)
  const { handoverLockedUntil: lockedUntil, stripePaymentIntentId: intentId } = payment
  if (lockedUntil && lockedUntil > tx.now) {
    const retryAfterSeconds = Math.ceil((lockedUntil.getTime() - tx.now.getTime()) / 1000)
    throw refuse('handover_locked', { retryAfterSeconds })
  }
  if (areEqual(code, await openHandoverCode(encryption, payment))) return { refusal: null, intentId }
  const failures = payment.handoverFailures + 1
  const isLast = failures >= HANDOVER_MAX_ATTEMPTS
  await updateRows(
    tx,
    payments,
    { id },
    {
      handoverFailures: isLast ? 0 : failures,
      handoverLockedUntil: isLast ? new Date(tx.now.getTime() + HANDOVER_LOCK_MINUTES * MINUTE_MS) : null,
    },
  )
  return { refusal: refuse('handover_code_wrong'), intentId }
}

function areEqual(given: string, code: string | null): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(code ?? '')]
  return one.length === other.length && timingSafeEqual(one, other)
}
