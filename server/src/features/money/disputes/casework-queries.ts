import { and, asc, count, eq, isNull, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../../database/database.ts'
import { insertRow } from '../../../database/rows.ts'
import { admins, disputeNotes, savedReplies, users } from '../../../database/schema.ts'
import { publicColumns } from '../../users/public-user.ts'

export function findNotes(db: Db, paymentId: number) {
  return db
    .select({ note: disputeNotes, author: publicColumns(users) })
    .from(disputeNotes)
    .innerJoin(users, eq(users.id, disputeNotes.authorId))
    .where(eq(disputeNotes.paymentId, paymentId))
    .orderBy(asc(disputeNotes.id))
}

export async function insertNote(
  tx: Tx,
  note: Pick<typeof disputeNotes.$inferInsert, 'paymentId' | 'authorId' | 'text'>,
) {
  return insertRow(tx, disputeNotes, { ...note, createdAt: tx.now })
}

/** Active members of the team who can rule on disputes. */
export async function findAdminPeople(db: Db) {
  const found = await db
    .select({ person: publicColumns(users) })
    .from(admins)
    .innerJoin(users, eq(users.id, admins.userId))
    .where(and(isNull(users.deletedAt), sql`coalesce(${admins.role}, 'admin') = 'admin'`))
    .orderBy(asc(users.firstName), asc(users.lastName), asc(users.id))
  return found.map(({ person }) => person)
}

export function findReplies(db: Db) {
  return db.select().from(savedReplies).orderBy(asc(savedReplies.title), asc(savedReplies.id))
}

export async function countReplies(tx: Tx): Promise<number> {
  const [found] = await tx.select({ saved: count() }).from(savedReplies)
  return found?.saved ?? 0
}

type ReplyForm = Pick<typeof savedReplies.$inferInsert, 'title' | 'text'>

export async function updateSavedReply(tx: Tx, id: number, form: ReplyForm) {
  const [updated] = await tx.update(savedReplies).set(form).where(eq(savedReplies.id, id)).returning()
  return updated
}
