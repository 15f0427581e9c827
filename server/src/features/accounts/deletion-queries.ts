import { eq } from 'drizzle-orm'
import type { Tx } from '../../platform/database.ts'
import { mails, notifications, presence } from '../../platform/schema.ts'

export async function deleteMails(tx: Tx, userId: string): Promise<void> {
  await tx.delete(mails).where(eq(mails.userId, userId))
}

export async function deleteNotifications(tx: Tx, userId: string): Promise<void> {
  await tx.delete(notifications).where(eq(notifications.userId, userId))
}

export async function deletePresence(tx: Tx, userId: string): Promise<void> {
  await tx.delete(presence).where(eq(presence.userId, userId))
}
