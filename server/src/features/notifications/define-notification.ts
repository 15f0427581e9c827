import type { NotificationKind } from '@sought/contract/notification-kinds'
import type { Keys } from '../../core/keys.ts'
import type { Db, Tx } from '../../database/database.ts'
import type { EmailContent } from './email-template.ts'
import type { NewNotification, NotificationRow } from './queries.ts'

/** One recipient of an event. */
export interface Recipient extends Omit<NewNotification, 'kind' | 'key'> {
  /** Identifies what the event is about. Nobody is notified twice of the same event with the same values. */
  about: (string | number)[]
}

/** The values that the texts of an event can contain. Names, titles and amounts are current. */
export interface NotificationFacts<Details = unknown> {
  userId: string
  /** The recipient's role. */
  role: 'buyer' | 'seller'
  /** The user who caused the event; null if no user did. */
  actorId: string | null
  actorName: string
  itemId: number
  itemTitle: string
  paymentId: number
  amountCents: number
  /** Formatted with the currency of the payment or the request. Empty if there is neither. */
  amount: string
  /** The values from the notification's key that identify what the event is about. */
  about: string[]
  createdAt: Date
  item: NotificationRow['item']
  payment: NotificationRow['payment']
  /** The details that `load` found. Null if they no longer exist. */
  details: Details | null
}

export interface EmailContext {
  sessionKeys: Keys
  marketName: string
}

/** A method, so that definitions with different details have a common type. */
type Writer<Details> = { write(facts: NotificationFacts<Details>): string }['write']

type Text<Details> = string | Writer<Details>

export const write = (text: Text<unknown>, facts: NotificationFacts) =>
  typeof text === 'string' ? text : text(facts)

interface Texts<Details> {
  /** The title and the text are used in the app, in push notifications and in the email. */
  title: Text<Details>
  text: Text<Details>
  /** The screen that the notification opens, and the label of the button in the email. */
  link(facts: NotificationFacts<Details>): { path: string; action: string }
  /** Loads what only the texts of this event need, by the ids of the notifications. */
  load?(db: Db, ids: number[]): Promise<Map<number, Details>>
  /** Changes the email. Null if it is no longer wanted. */
  email?(
    tx: Tx,
    facts: NotificationFacts<Details>,
    content: EmailContent,
    context: EmailContext,
  ): Promise<EmailContent | null> | EmailContent | null
  /**
   * Whether the email says where the money of a deal is. Such an email is sent at once. Others about the same deal are
   * collected for ten minutes (ADR 36).
   */
  isAboutMoney?: true
  /** At most one email an hour to each person, which lists all of this kind. */
  isHourly?: true
  /**
   * If defined, emails and push notifications wait while the person has a page open and are dropped once this
   * returns false. At most one email an hour is sent about the same request and person.
   */
  isUnread?(tx: Tx, facts: NotificationFacts<Details>): Promise<boolean>
}

interface Definition<Subject extends unknown[], Details> extends Texts<Details> {
  /** Who is notified. */
  to(...subject: Subject): Recipient | Recipient[]
}

/** Users switch emails on and off by kind. An event without one is a kind of its own. */
type KindOf<Event> = Event extends NotificationKind ? { kind?: NotificationKind } : { kind: NotificationKind }

export interface NotificationDefinition extends Texts<unknown> {
  event: string
  kind: NotificationKind
}

/**
 * Defines everything about an event that people are notified of. The result is a function that returns its
 * notifications, for `notify`. src/notification-events.ts must list the file.
 */
export function defineNotification<const Event extends string, Subject extends unknown[], Details>(
  event: Event,
  definition: Definition<Subject, Details> & KindOf<Event>,
) {
  const { to, kind = event as NotificationKind, isUnread } = definition
  const build = (...subject: Subject): NewNotification[] =>
    [to(...subject)].flat().map(({ about, ...recipient }) => ({
      ...recipient,
      kind,
      key: [event, ...about].join(':'),
      ...(isUnread && { whileAway: true }),
    }))
  return Object.assign(build, definition, { event, kind })
}
