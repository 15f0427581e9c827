import { notificationKinds, type PushTopic } from '@sought/contract/notification-kinds'
import type { Tx } from '../../database/database.ts'
import { deleteRows } from '../../database/rows.ts'
import { pushSubscriptions } from '../../database/schema.ts'
import { enqueueAll, type Push } from '../../runtime/jobs.ts'
import type { Services } from '../../services.ts'
import type { DescribedNotification, Notifications } from './describe-notifications.ts'
import { findSubscription } from './push-queries.ts'
import * as queries from './queries.ts'
import { whenToSend } from './while-away.ts'

const DAY_MS = 86_400_000
const TTL_SECONDS = DAY_MS / 1000
/** An encrypted message can have at most 4 kB, and phones show three lines. */
const TEXT_MAX_LENGTH = 200

type Dependencies = Pick<Services, 'database' | 'push' | 'notifications'>

/**
 * One `notify` adds one job for all browsers. That job adds one job per browser, so that each is retried
 * separately.
 */
export async function sendPushes(services: Dependencies, pushes: Push[]): Promise<void> {
  const [push, ...others] = pushes
  if (push && others.length === 0) return sendPush(services, push)
  await services.database.transact((tx) => enqueuePushes(tx, pushes))
}

async function enqueuePushes(tx: Tx, pushes: Push[], runAt?: Date): Promise<void> {
  const jobs = pushes.map((push) => ({ payload: { pushes: [push] }, ...(runAt && { runAt }) }))
  await enqueueAll(tx, 'send-push', jobs)
}

/**
 * Sends a notification to one browser if it is still wanted. If it is sent twice, the browser replaces the
 * first one by its tag.
 */
async function sendPush({ database, push, notifications }: Dependencies, job: Push): Promise<void> {
  const wanted = await database.transact((tx) => findWanted(tx, job, notifications))
  if (!wanted) return
  const { subscription, described } = wanted
  const { title, text, path } = described.content
  const payload = { title, text: shorten(text), path, tag: String(described.notification.id) }
  const outcome = await push.send(subscription, { payload, ttlSeconds: TTL_SECONDS })
  if (outcome === 'gone')
    await database.transact((tx) => deleteRows(tx, pushSubscriptions, { id: subscription.id }))
}

/** Null if the notification is postponed, read, outdated or not wanted in this browser. */
async function findWanted(tx: Tx, job: Push, notifications: Notifications) {
  const found = await findSubscription(tx, job.subscriptionId)
  const row = await queries.findNotification(tx, job.notificationId)
  if (!found || !row) return null
  const { subscription, off, seenAt } = found
  const { userId, kind } = row.notification
  // The browser may belong to another person by now.
  if (subscription.userId !== userId) return null
  if ((off as PushTopic[]).includes(notificationKinds[kind].topic)) return null
  const [described] = await notifications.describe(tx, [row])
  if (!described) return null
  const when = whenToPush(described, seenAt, tx.now)
  if (when instanceof Date) await enqueuePushes(tx, [job], when)
  return when === 'now' ? { subscription, described } : null
}

/** Nobody is notified of a conversation that they are looking at. The same holds for emails. */
function whenToPush({ notification, definition }: DescribedNotification, seenAt: Date | null, now: Date) {
  const { readAt, createdAt } = notification
  if (readAt || now.getTime() - createdAt.getTime() > DAY_MS) return 'never'
  if (!definition.isUnread) return 'now'
  return whenToSend({ now, queuedAt: createdAt, unread: true, seenAt, emailedAt: null })
}

function shorten(text: string): string {
  return text.length > TEXT_MAX_LENGTH ? `${text.slice(0, TEXT_MAX_LENGTH - 1).trimEnd()}…` : text
}
