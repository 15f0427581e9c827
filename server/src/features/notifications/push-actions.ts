import type { PushTopic } from '@sought/contract/notification-kinds'
import type { PushSubscription } from '@sought/contract/push'
import { refuse } from '../../core/errors.ts'
import type { Db, Tx } from '../../database/database.ts'
import { updateRows } from '../../database/rows.ts'
import { users } from '../../database/schema.ts'
import type { User } from '../../http/session.ts'
import type { PushService } from '../../providers/push/push-service.ts'
import * as pushQueries from './push-queries.ts'

type Person = Pick<User, 'id'>

/** The subscription belongs to the session, so signing out ends it. */
export async function subscribeToPush(
  tx: Tx,
  subscription: PushSubscription,
  { id: userId }: Person,
  sid: string,
  push: PushService,
) {
  if (!push.accepts(subscription.endpoint)) throw refuse('push_service_refused')
  if (!(await pushQueries.lockSession(tx, sid))) throw refuse('signed_out')
  await pushQueries.savePushSubscription(tx, subscription, { userId, sid })
  await pushQueries.deleteOldSubscriptions(tx, userId, pushQueries.BROWSERS_MAX)
  return { ok: true as const }
}

export async function unsubscribeFromPush(tx: Tx, sid: string) {
  await pushQueries.deletePushSubscription(tx, sid)
  return { ok: true as const }
}

export async function pushSettingsOf(db: Db, user: Person, sid: string) {
  const { off, subscriptionId } = await pushQueries.findPushSettings(db, user.id, sid)
  return { off: off as PushTopic[], subscribed: subscriptionId !== null }
}

export async function changePushSettings(tx: Tx, off: PushTopic[], user: Person, sid: string) {
  await updateRows(tx, users, { id: user.id }, { pushOff: [...new Set(off)] })
  return pushSettingsOf(tx, user, sid)
}
