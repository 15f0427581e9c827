import { type PushTopic, pushTopicOf } from '@sought/contract/notification-kinds'
import type { Tx } from '../../database/database.ts'
import { enqueueAll, type Push } from '../../runtime/jobs.ts'
import type { Services } from '../../services.ts'
import { describeNotification } from './actions.ts'
import { whenToEmail } from './message-email-timing.ts'
import { deleteSubscriptionById, findSubscription } from './push-queries.ts'
import { findNotification, type StoredNotification } from './queries.ts'

const DAY_MS = 86_400_000
const TTL_SECONDS = DAY_MS / 1000
/** An encrypted message can have at most 4 kB, and phones show three lines. */
const TEXT_MAX_LENGTH = 200

type Dependencies = Pick<Services, 'database' | 'push' | 'config'>

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
async function sendPush({ database, push, config }: Dependencies, job: Push): Promise<void> {
  const wanted = await database.transact((tx) => findWanted(tx, job))
  if (!wanted) return
  const { subscription, stored } = wanted
  const { title, text, path } = describeNotification(stored, config.currency)
  const payload = { title, text: shorten(text), path, tag: String(stored.notification.id) }
  const outcome = await push.send(subscription, { payload, ttlSeconds: TTL_SECONDS })
  if (outcome === 'gone') await database.transact((tx) => deleteSubscriptionById(tx, subscription.id))
}

/** Null if the notification is postponed, read, outdated or not wanted in this browser. */
async function findWanted(tx: Tx, job: Push) {
  const found = await findSubscription(tx, job.subscriptionId)
  const stored = await findNotification(tx, job.notificationId)
  if (!found || !stored) return null
  const { subscription, off, seenAt } = found
  const { userId, kind } = stored.notification
  // The browser may belong to another person by now.
  if (subscription.userId !== userId) return null
  if ((off as PushTopic[]).includes(pushTopicOf[kind])) return null
  const when = whenToPush(stored, seenAt, tx.now)
  if (when instanceof Date) await enqueuePushes(tx, [job], when)
  return when === 'now' ? { subscription, stored } : null
}

/** Messages follow the same rule as emails: nobody is notified of a conversation that they are looking at. */
function whenToPush({ notification }: StoredNotification, seenAt: Date | null, now: Date) {
  const { kind, readAt, createdAt } = notification
  if (readAt || now.getTime() - createdAt.getTime() > DAY_MS) return 'never'
  if (kind !== 'message') return 'now'
  return whenToEmail({ now, queuedAt: createdAt, unread: true, seenAt, emailedAt: null })
}

function shorten(text: string): string {
  return text.length > TEXT_MAX_LENGTH ? `${text.slice(0, TEXT_MAX_LENGTH - 1).trimEnd()}…` : text
}
