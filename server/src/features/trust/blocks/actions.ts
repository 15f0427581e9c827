import { refuse } from '../../../core/errors.ts'
import type { Db, Tx } from '../../../database/database.ts'
import type { User } from '../../../http/session.ts'
import { areActive, lockActiveUser } from '../../identity/accounts/active-users.ts'
import { lockContact } from '../../users/blocks.ts'
import { asPublicUser } from '../../users/public-user.ts'
import { deleteBlock, deleteBlocksWith, findBlocks, insertBlock } from './queries.ts'

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
