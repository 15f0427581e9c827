import { randomInt } from 'node:crypto'
import { PHONE_CODE_ATTEMPTS, PHONE_CODE_MINUTES } from '@sought/contract/phone'
import { and, eq, gt, lt, sql } from 'drizzle-orm'
import type { Encryption } from '../../../core/encryption.ts'
import { refuse } from '../../../core/errors.ts'
import type { Database, Db, Tx } from '../../../database/database.ts'
import { deleteRows, findRow } from '../../../database/rows.ts'
import { phoneCodes, users } from '../../../database/schema.ts'
import type { Actor, User } from '../../../http/session.ts'
import type { PhoneProvider } from '../../../providers/phone/phone-provider.ts'
import { by, recordAudit } from '../../users/audit-log.ts'
import * as queries from './queries.ts'

type Person = Pick<User, 'id'>

const CODES = 1_000_000
const MINUTE_MS = 60_000

export async function phoneOf(db: Db, { id }: Person, provider: PhoneProvider | null) {
  const { phone, verifiedPhone } = await findPhone(db, id)
  return { phone, isVerified: phone !== null && phone === verifiedPhone, isAvailable: provider !== null }
}

/** Only the latest code is valid. It is stored before it is sent, so that every code that arrives can be used. */
export async function sendPhoneCode(
  { transact }: Database,
  encryption: Encryption,
  provider: PhoneProvider,
  phone: string,
  { id: userId }: Person,
  marketName: string,
) {
  const code = String(randomInt(CODES)).padStart(6, '0')
  const codeHash = await encryption.hash(codeText(userId, phone, code))
  await transact((tx) => {
    const expiresAt = new Date(tx.now.getTime() + PHONE_CODE_MINUTES * MINUTE_MS)
    return replacePhoneCode(tx, { userId, phone, codeHash, expiresAt })
  })
  await provider.send(
    phone,
    `${code} is your ${marketName} code. It is valid for ${PHONE_CODE_MINUTES} minutes. Never give it to anyone.`,
  )
  return { ok: true as const }
}

/** Counts the attempt in its own transaction before comparing the code, so that refused attempts count. */
export async function verifyPhone(
  { transact }: Database,
  encryption: Encryption,
  code: string,
  user: Pick<Actor, 'id' | 'origin'>,
) {
  const sent = await transact((tx) => countPhoneAttempt(tx, user.id, PHONE_CODE_ATTEMPTS))
  if (!sent) throw refuse('wrong_code')
  const { phone, codeHash } = sent
  if (!(await encryption.isHashOf(codeHash, codeText(user.id, phone, code)))) throw refuse('wrong_code')
  return transact(async (tx) => {
    // Refuses the second of two concurrent uses.
    if (!(await takePhoneCode(tx, user.id, codeHash))) throw refuse('wrong_code')
    await queries.updateUser(tx, user.id, { phone, verifiedPhone: phone })
    await recordAudit(tx, { action: 'phone_verified', ...by(user) })
    return { ok: true as const }
  })
}

const codeText = (userId: string, phone: string, code: string) => `phone-code:${userId}:${phone}:${code}`

async function findPhone(db: Db, userId: string) {
  const found = await findRow(db, users, { id: userId }, ['phone', 'verifiedPhone'])
  if (!found) throw new Error(`no user ${userId}`)
  return found
}

async function replacePhoneCode(
  tx: Tx,
  code: Pick<typeof phoneCodes.$inferInsert, 'userId' | 'phone' | 'codeHash' | 'expiresAt'>,
): Promise<void> {
  const row = { ...code, attempts: 0, createdAt: tx.now }
  await tx.insert(phoneCodes).values(row).onConflictDoUpdate({ target: phoneCodes.userId, set: row })
}

/** Undefined if there is no valid code or if there were too many attempts. */
async function countPhoneAttempt(tx: Tx, userId: string, max: number) {
  const [counted] = await tx
    .update(phoneCodes)
    .set({ attempts: sql`${phoneCodes.attempts} + 1` })
    .where(and(eq(phoneCodes.userId, userId), gt(phoneCodes.expiresAt, tx.now), lt(phoneCodes.attempts, max)))
    .returning({ phone: phoneCodes.phone, codeHash: phoneCodes.codeHash })
  return counted
}

/** Deletes the code. Returns false if it no longer exists. */
async function takePhoneCode(tx: Tx, userId: string, codeHash: string): Promise<boolean> {
  return deleteRows(tx, phoneCodes, { userId, codeHash })
}

export async function deletePhoneCode(tx: Tx, userId: string): Promise<void> {
  await tx.delete(phoneCodes).where(eq(phoneCodes.userId, userId))
}
