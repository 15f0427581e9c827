import { and, desc, eq, or } from 'drizzle-orm'
import type { Db, Tx } from '../../../database/database.ts'
import { blocks, users } from '../../../database/schema.ts'
import { publicColumns } from '../../users/public-user.ts'

/** The people whom a user has blocked, latest first. */
export function findBlocks(db: Db, blockerId: string) {
  return db
    .select({ person: publicColumns(users), createdAt: blocks.createdAt })
    .from(blocks)
    .innerJoin(users, eq(users.id, blocks.blockedId))
    .where(eq(blocks.blockerId, blockerId))
    .orderBy(desc(blocks.createdAt), desc(blocks.blockedId))
}

export async function insertBlock(tx: Tx, blockerId: string, blockedId: string): Promise<void> {
  await tx.insert(blocks).values({ blockerId, blockedId, createdAt: tx.now }).onConflictDoNothing()
}

export async function deleteBlock(tx: Tx, blockerId: string, blockedId: string): Promise<void> {
  await tx.delete(blocks).where(and(eq(blocks.blockerId, blockerId), eq(blocks.blockedId, blockedId)))
}

export async function deleteBlocksWith(tx: Tx, userId: string): Promise<void> {
  await tx.delete(blocks).where(or(eq(blocks.blockerId, userId), eq(blocks.blockedId, userId)))
}
