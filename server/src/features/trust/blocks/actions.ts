import { and, desc, eq, or } from 'drizzle-orm'
import { refuse } from '../../../core/errors.ts'
import type { Db, Tx } from '../../../database/database.ts'
import { blocks, users } from '../../../database/schema.ts'
import type { User } from '../../../http/session.ts'
import { areActive, lockActiveUser } from '../../identity/accounts/active-users.ts'
import { lockContact } from '../../users/blocks.ts'
import { asPublicUser, publicColumns } from '../../users/public-user.ts'

type Person = Pick<User, 'id'>

export async function blocksOf(db: Db, user: Person) {
  const found = await findBlocks(db, user.id)
  return found.map(({ person, createdAt }) => ({ user: asPublicUser(person), createdAt }))
}

/** Idempotent. Waits for messages and offers that are being sent, so that none arrives after the reply. */
export async function blockPerson(tx: Tx, otherId: string, user: Person) {
  await lockPair(tx, otherId, user)
  await lockContact(tx, user.id, otherId)
  await insertBlock(tx, user.id, otherId)
  return { ok: true as const }
}

/** Idempotent. */
export async function unblockPerson(tx: Tx, otherId: string, user: Person) {
  await lockPair(tx, otherId, user)
  await deleteBlock(tx, user.id, otherId)
  return { ok: true as const }
}

async function lockPair(tx: Tx, otherId: string, user: Person): Promise<void> {
  if (otherId === user.id) throw refuse('block_oneself')
  await lockActiveUser(tx, user.id)
  if (!(await areActive(tx, [otherId]))) throw refuse('person_not_found')
}

/** Deletes the blocks that a user made, and those against them. */
export async function deleteBlocksOf(tx: Tx, userId: string): Promise<void> {
  await deleteBlocksWith(tx, userId)
}

/** The people whom a user has blocked, latest first. */
function findBlocks(db: Db, blockerId: string) {
  return db
    .select({ person: publicColumns(users), createdAt: blocks.createdAt })
    .from(blocks)
    .innerJoin(users, eq(users.id, blocks.blockedId))
    .where(eq(blocks.blockerId, blockerId))
    .orderBy(desc(blocks.createdAt), desc(blocks.blockedId))
}

async function insertBlock(tx: Tx, blockerId: string, blockedId: string): Promise<void> {
  await tx.insert(blocks).values({ blockerId, blockedId, createdAt: tx.now }).onConflictDoNothing()
}

async function deleteBlock(tx: Tx, blockerId: string, blockedId: string): Promise<void> {
  await tx.delete(blocks).where(and(eq(blocks.blockerId, blockerId), eq(blocks.blockedId, blockedId)))
}

async function deleteBlocksWith(tx: Tx, userId: string): Promise<void> {
  await tx.delete(blocks).where(or(eq(blocks.blockerId, userId), eq(blocks.blockedId, userId)))
}
