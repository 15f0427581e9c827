import { formatMoney } from '@sought/contract/money'
import { removeDirectionMarks } from '../../core/direction-marks.ts'
import type { Db } from '../../database/database.ts'
import { asPublicUser } from '../users/public-user.ts'
import type { EmailDefinition } from './define-email.ts'
import { type NotificationDefinition, type NotificationFacts, write } from './define-notification.ts'
import type { NotificationRow } from './queries.ts'

export interface NotificationText {
  title: string
  text: string
  path: string
  action: string
  /** The number of the payment, which the email shows. */
  transactionNumber: string | null
}

export interface DescribedNotification extends NotificationRow {
  definition: NotificationDefinition
  facts: NotificationFacts
  content: NotificationText
}

/** The definitions of all features. */
export interface Notifications {
  /** Those that this release knows. A newer one that runs beside it may store others. */
  events: readonly string[]
  /** Composes the texts, which are never stored, from the current names and titles. */
  describe(db: Db, rows: NotificationRow[]): Promise<DescribedNotification[]>
  emailOf(kind: string): EmailDefinition
  /** By the key of a notification. */
  definitionOf(key: string): NotificationDefinition
}

interface Options {
  /** Replaces the titles of requests that moderators have hidden. */
  hiddenTitle: string
}

type Definitions = Record<string, NotificationDefinition | EmailDefinition>

export function createNotifications(modules: Definitions[], options: Options): Notifications {
  const all = modules.flatMap((definitions) => Object.values(definitions))
  const events = byName(all.flatMap((it) => ('event' in it ? [[it.event, it] as const] : [])))
  const emails = byName(all.flatMap((it) => ('event' in it ? [] : [[it.kind, it] as const])))
  return {
    events: [...events.keys()],
    async describe(db, rows) {
      const known = rows.map((row) => ({ row, ...definitionOf(row.notification.key, events) }))
      const details = await loadDetails(db, known)
      return known.map(({ row, definition, about }) => {
        const facts = factsOf(row, about, details.get(row.notification.id) ?? null, options)
        const transactionNumber = row.payment?.transactionNumber ?? null
        const [title, text] = [write(definition.title, facts), write(definition.text, facts)]
        const content = { title, text, ...definition.link(facts), transactionNumber }
        return { ...row, definition, facts, content }
      })
    },
    emailOf: (kind) => find(emails, kind),
    definitionOf: (key) => definitionOf(key, events).definition,
  }
}

function byName<Definition>(named: (readonly [string, Definition])[]): Map<string, Definition> {
  const map = new Map(named)
  if (map.size !== named.length) throw new Error('two definitions of notifications have the same name')
  return map
}

function find<Definition>(definitions: Map<string, Definition>, name: string): Definition {
  const found = definitions.get(name)
  if (!found) throw new Error(`unknown notification: ${name}`)
  return found
}

/** The event is the first part of the key. */
function definitionOf(key: string, events: Map<string, NotificationDefinition>) {
  const [event = '', ...about] = key.split(':')
  return { definition: find(events, event), about }
}

/** Loads the details of all notifications, with one statement for each event that has details. */
async function loadDetails(db: Db, known: { row: NotificationRow; definition: NotificationDefinition }[]) {
  const details = new Map<number, unknown>()
  for (const load of new Set(known.flatMap(({ definition }) => definition.load ?? []))) {
    const needing = known.filter(({ definition }) => definition.load === load)
    const found = await load(
      db,
      needing.map(({ row }) => row.notification.id),
    )
    for (const [id, value] of found) details.set(id, value)
  }
  return details
}

function factsOf(
  { notification, actor, item, payment }: NotificationRow,
  about: string[],
  details: unknown,
  { hiddenTitle }: Options,
): NotificationFacts {
  const { userId, actorId, paymentId, createdAt } = notification
  const amountCents = notification.amount ?? 0
  const buyerId = payment?.buyerId ?? item?.userId
  const currency = payment?.currency ?? item?.currency
  return {
    userId,
    role: userId === buyerId ? 'buyer' : 'seller',
    actorId,
    actorName: actor ? asPublicUser(actor).name : '',
    itemId: item?.id ?? 0,
    itemTitle: item?.hiddenAt && !payment ? hiddenTitle : removeDirectionMarks(item?.title ?? ''),
    paymentId: paymentId ?? 0,
    amountCents,
    amount: currency ? formatMoney(amountCents, currency) : '',
    about,
    createdAt,
    item,
    payment,
    details,
  }
}
