import { EMAIL_UNDO_HOURS } from '@sought/contract/security'
import { and, eq, gt, gte, isNull, ne, sql } from 'drizzle-orm'
import type { Keys } from '../../core/keys.ts'
import { createSignedId, readSignedId } from '../../core/signed-tokens.ts'
import type { Db, Tx } from '../../database/database.ts'
import { findRow } from '../../database/rows.ts'
import { emailChanges, users } from '../../database/schema.ts'

/*
 * Changes of email addresses that can be undone with the link sent to the old address (ADR 43). The token in the link
 * is the id of the change and our signature.
 */

const HOUR_MS = 3_600_000
const TOKEN_CONTEXT = 'sought/undo-email/v1'

export type EmailChange = typeof emailChanges.$inferSelect

/** A hash, so that the change does not keep bank details that the user has replaced. */
const payoutMethodsHash = sql<string>`md5(concat_ws(':', ${users.stripeConnectAccountId}, ${users.bankAccountDetails}))`

/** Must be called before the account changes, because it records the previous state. */
export async function recordEmailChange(tx: Tx, userId: string, oldEmail: string): Promise<void> {
  const [before] = await tx
    .select({ providerId: users.providerId, payoutMethodsHash })
    .from(users)
    .where(eq(users.id, userId))
  if (!before) throw new Error(`no user ${userId}`)
  await tx.insert(emailChanges).values({ userId, oldEmail, ...before, createdAt: tx.now })
}

export async function findEmailChange(db: Db, id: number): Promise<EmailChange | undefined> {
  return findRow(db, emailChanges, { id })
}

export async function findEmailChangeAt(db: Db, userId: string, at: Date): Promise<number | undefined> {
  const found = await findRow(db, emailChanges, { userId, createdAt: at }, ['id'])
  return found?.id
}

export const isUndoOver = ({ createdAt }: EmailChange, now: Date) =>
  now.getTime() - createdAt.getTime() > EMAIL_UNDO_HOURS * HOUR_MS

/**
 * Invalidates the links of this change and of all later ones. Links of earlier changes still work: an intruder who
 * changes the address twice can undo only their own second change.
 */
export async function markUndone(tx: Tx, { id, userId }: EmailChange): Promise<void> {
  await tx
    .update(emailChanges)
    .set({ undoneAt: tx.now })
    .where(and(eq(emailChanges.userId, userId), gte(emailChanges.id, id), isNull(emailChanges.undoneAt)))
}

export async function hasOtherPayoutMethods(tx: Tx, change: EmailChange): Promise<boolean> {
  const found = await tx
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, change.userId), ne(payoutMethodsHash, change.payoutMethodsHash)))
  return found.length > 0
}

/** Keeps the recorded hashes right when the same bank details were encrypted again. */
export async function keepPayoutMethodsHash(
  tx: Tx,
  userId: string,
  details: { before: string; after: string },
): Promise<void> {
  const hashWith = (text: string) =>
    sql`(select md5(concat_ws(':', ${users.stripeConnectAccountId}, ${text}::text)) from ${users} where ${eq(users.id, userId)})`
  await tx
    .update(emailChanges)
    .set({ payoutMethodsHash: hashWith(details.after) })
    .where(
      and(
        eq(emailChanges.userId, userId),
        sql`${emailChanges.payoutMethodsHash} = ${hashWith(details.before)}`,
      ),
    )
}

/** Whether another user can still restore this address. As long as they can, no other account can take it. */
export async function isReservedEmail(db: Db, email: string, now: Date, userId = ''): Promise<boolean> {
  const found = await db
    .select({ id: emailChanges.id })
    .from(emailChanges)
    .innerJoin(users, and(eq(users.id, emailChanges.userId), isNull(users.deletedAt)))
    .where(
      and(
        eq(sql`lower(${emailChanges.oldEmail})`, email.toLowerCase()),
        ne(emailChanges.userId, userId),
        isNull(emailChanges.undoneAt),
        gt(emailChanges.createdAt, new Date(now.getTime() - EMAIL_UNDO_HOURS * HOUR_MS)),
      ),
    )
    .limit(1)
  return found.length > 0
}

export async function deleteEmailChanges(tx: Tx, userId: string): Promise<void> {
  await tx.delete(emailChanges).where(eq(emailChanges.userId, userId))
}

export function createUndoToken(changeId: number, sessionKeys: Keys): string {
  return createSignedId(changeId, TOKEN_CONTEXT, sessionKeys)
}

/** The id of the change; null if the signature does not match. */
export function readUndoToken(token: string, sessionKeys: Keys): number | null {
  return readSignedId(token, TOKEN_CONTEXT, sessionKeys)
}
