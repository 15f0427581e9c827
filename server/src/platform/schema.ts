import { EMAIL_KINDS, NOTIFICATION_KINDS } from '@sought/contract/notification-kinds'
import { PAYMENT_STATUSES, UNDISPUTED_STATUSES } from '@sought/escrow/payment-status'
import { sql } from 'drizzle-orm'
import {
  type AnyPgColumn,
  bigint,
  boolean,
  check,
  customType,
  doublePrecision,
  foreignKey,
  index,
  integer,
  jsonb,
  numeric,
  pgTable,
  primaryKey,
  smallint,
  text,
  timestamp,
  unique,
  uniqueIndex,
} from 'drizzle-orm/pg-core'

/*
 * Every table of the product. The names are the spec's, in snake_case (ADR 1). What must never be
 * wrong is a constraint here, not only a check in an action: the database is the last guard.
 * An index for "newest first" is ascending: PostgreSQL reads it backwards (ADR 30).
 */

const id = () => integer().generatedByDefaultAsIdentity().primaryKey()
/** Milliseconds, so that a moment survives the way through JavaScript's Date unchanged. */
const moment = () => timestamp({ withTimezone: true, precision: 3 })
const createdAt = () => moment().notNull().defaultNow()
const updatedAt = () => moment().notNull().defaultNow()
const cents = () => integer()
const budget = () => numeric({ precision: 12, scale: 2, mode: 'number' })
/** Words as search compares them: byte by byte, in whatever language the database was made for (ADR 30). */
const word = customType<{ data: string }>({ dataType: () => 'text COLLATE "C"' })
/** Constants for `in (…)`, written out because a migration cannot have parameters. */
const quoteAll = (values: readonly string[]) => sql.raw(values.map((value) => `'${value}'`).join(', '))

export const users = pgTable(
  'users',
  {
    id: text().primaryKey(),
    /** Null once the account is deleted, and never before. */
    email: text(),
    /** When the owner of the address proved it. An unproven address gives nobody a claim (ADR 15). */
    emailVerifiedAt: moment(),
    /** Where mail shall go once its owner has proved it. Until then `email` counts. */
    pendingEmail: text(),
    /** The kinds of mail that the person has switched off. */
    mailOff: text().array().notNull().default(sql`'{}'`),
    firstName: text(),
    lastName: text(),
    profileImageUrl: text(),
    /** An argon2id hash. Null for who signs in with Google only. */
    password: text(),
    /** How the account was opened; providerId is Google's subject once the two are linked. */
    provider: text({ enum: ['email', 'google'] })
      .notNull()
      .default('email'),
    providerId: text(),
    bio: text(),
    location: text(),
    phone: text(),
    ratingSum: integer().notNull().default(0),
    ratingCount: integer().notNull().default(0),
    /** The average, worked out by the database so that it can never disagree with its parts. */
    rating: doublePrecision()
      .notNull()
      .generatedAlwaysAs(
        sql`case when rating_count = 0 then 0 else rating_sum::double precision / rating_count end`,
      ),
    stripeCustomerId: text(),
    stripeConnectAccountId: text(),
    /** AES-256-GCM ciphertext under DATA_KEY. */
    bankAccountDetails: text(),
    deletedAt: moment(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (it) => [
    uniqueIndex('users_email_unique').on(sql`lower(${it.email})`),
    uniqueIndex('users_provider_id_unique').on(it.providerId),
    uniqueIndex('users_stripe_connect_account_id_unique').on(it.stripeConnectAccountId),
    check('users_email_present', sql`${it.email} is not null or ${it.deletedAt} is not null`),
    check('users_provider', sql`${it.provider} in ('email', 'google')`),
    check('users_rating', sql`${it.ratingSum} between ${it.ratingCount} and 5 * ${it.ratingCount}`),
  ],
)

export const admins = pgTable('admins', {
  userId: text()
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  grantedAt: createdAt(),
})

interface SessionData {
  userId: string
  createdAt: string
  /** What the browser called itself at sign-in, and when it was last heard of, give or take an hour. */
  userAgent?: string
  seenAt?: string
}

export const sessions = pgTable(
  'sessions',
  {
    sid: text().primaryKey(),
    sess: jsonb().$type<SessionData>().notNull(),
    expire: moment().notNull(),
  },
  (it) => [index('sessions_expire').on(it.expire), index('sessions_user').on(sql`(${it.sess} ->> 'userId')`)],
)

/** How many tries a key has made; the columns are those of rate-limiter-flexible. */
export const rateLimits = pgTable(
  'rate_limits',
  { key: text().primaryKey(), points: integer().notNull().default(0), expire: bigint({ mode: 'number' }) },
  (it) => [index('rate_limits_expire').on(it.expire)],
)

/** One row for each stored upload. The id is unguessable and is also its name on disk. */
export const files = pgTable(
  'files',
  {
    id: text().primaryKey(),
    ownerId: text().references(() => users.id, { onDelete: 'set null' }),
    kind: text({ enum: ['request_image', 'avatar', 'evidence'] }).notNull(),
    mimeType: text().notNull(),
    sizeBytes: integer().notNull(),
    createdAt: createdAt(),
  },
  (it) => [
    index('files_owner').on(it.ownerId),
    check('files_kind', sql`${it.kind} in ('request_image', 'avatar', 'evidence')`),
    check('files_size', sql`${it.sizeBytes} > 0`),
  ],
)

export const wantedItems = pgTable(
  'wanted_items',
  {
    id: id(),
    title: text().notNull(),
    description: text().notNull(),
    category: text().notNull(),
    minBudget: budget().notNull().default(0),
    /** 0 means an open budget (ADR 20). */
    maxBudget: budget().notNull().default(0),
    location: text().notNull(),
    urgency: text({ enum: ['low', 'medium', 'high'] })
      .notNull()
      .default('medium'),
    imageUrl: text(),
    userId: text()
      .notNull()
      .references(() => users.id),
    status: text({ enum: ['open', 'fulfilled', 'closed'] })
      .notNull()
      .default('open'),
    /** What search finds it by. */
    words: text()
      .array()
      .notNull()
      .generatedAlwaysAs(sql`search_words_of(title, description, category, location, urgency)`),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (it) => [
    index('wanted_items_open').on(it.id).where(sql`${it.status} = 'open'`),
    index('wanted_items_open_category').on(it.category, it.id).where(sql`${it.status} = 'open'`),
    index('wanted_items_open_urgency').on(it.urgency, it.id).where(sql`${it.status} = 'open'`),
    index('wanted_items_open_urgent_category')
      .on(it.category, it.id)
      .where(sql`${it.status} = 'open' and ${it.urgency} = 'high'`),
    index('wanted_items_open_words')
      .using('gin', it.words)
      .with({ fastupdate: 'off' })
      .where(sql`${it.status} = 'open'`),
    index('wanted_items_user').on(it.userId, it.id),
    check('wanted_items_text', sql`${it.title} <> '' and ${it.description} <> '' and ${it.location} <> ''`),
    check(
      'wanted_items_budget',
      sql`${it.minBudget} >= 0 and ${it.maxBudget} >= 0 and (${it.maxBudget} = 0 or ${it.minBudget} <= ${it.maxBudget})`,
    ),
    check('wanted_items_urgency', sql`${it.urgency} in ('low', 'medium', 'high')`),
    check('wanted_items_status', sql`${it.status} in ('open', 'fulfilled', 'closed')`),
  ],
)

/** The newest open requests of each word, kept by a trigger on wanted_items (ADR 30). */
export const wantedItemWords = pgTable(
  'wanted_item_words',
  { word: word().notNull(), itemId: integer().notNull() },
  (it) => [primaryKey({ columns: [it.word, it.itemId] })],
)

/**
 * Every word that a request ever had, to find those that a part of a word means. Not unique: two people who
 * post the same new word at once need not wait for each other.
 */
export const searchWords = pgTable('search_words', { word: word().notNull() }, (it) => [
  index('search_words_word').on(it.word),
  index('search_words_part').using('gin', sql`${it.word} gin_trgm_ops`).with({ fastupdate: 'off' }),
])

export const messages = pgTable(
  'messages',
  {
    id: id(),
    wantedItemId: integer()
      .notNull()
      .references(() => wantedItems.id),
    senderId: text()
      .notNull()
      .references(() => users.id),
    receiverId: text()
      .notNull()
      .references(() => users.id),
    content: text().notNull(),
    isRead: boolean().notNull().default(false),
    readAt: moment(),
    /** The sender's own mark: the same one twice is the same message. */
    clientId: text(),
    createdAt: createdAt(),
  },
  (it) => [
    uniqueIndex('messages_client_unique').on(it.senderId, it.clientId),
    index('messages_thread').on(it.wantedItemId, it.senderId, it.receiverId, it.id),
    index('messages_sent').on(it.senderId, it.id),
    index('messages_received').on(it.receiverId, it.id),
    index('messages_unread').on(it.receiverId).where(sql`not ${it.isRead}`),
    check('messages_content', sql`btrim(${it.content}) <> ''`),
    check('messages_two_people', sql`${it.senderId} <> ${it.receiverId}`),
    check('messages_read', sql`${it.isRead} = (${it.readAt} is not null)`),
  ],
)

export const offers = pgTable(
  'offers',
  {
    id: id(),
    wantedItemId: integer()
      .notNull()
      .references(() => wantedItems.id),
    buyerId: text()
      .notNull()
      .references(() => users.id),
    sellerId: text()
      .notNull()
      .references(() => users.id),
    amount: cents().notNull(),
    message: text(),
    status: text({ enum: ['pending', 'accepted', 'rejected', 'withdrawn'] })
      .notNull()
      .default('pending'),
    /** Who named the amount: the seller in an offer, the buyer in a counter-offer. */
    proposedBy: text({ enum: ['seller', 'buyer'] })
      .notNull()
      .default('seller'),
    counterOf: integer().references((): AnyPgColumn => offers.id),
    expiresAt: moment().notNull(),
    acceptedAt: moment(),
    rejectedAt: moment(),
    withdrawnAt: moment(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (it) => [
    // What a payment must agree with, so that its foreign key can name all of it.
    unique('offers_terms').on(it.id, it.wantedItemId, it.buyerId, it.sellerId, it.amount),
    index('offers_pair').on(it.wantedItemId, it.sellerId, it.id),
    index('offers_bought').on(it.buyerId, it.id),
    index('offers_sold').on(it.sellerId, it.id),
    check('offers_amount', sql`${it.amount} > 0`),
    check('offers_two_people', sql`${it.buyerId} <> ${it.sellerId}`),
    check('offers_status', sql`${it.status} in ('pending', 'accepted', 'rejected', 'withdrawn')`),
    check('offers_accepted', sql`(${it.status} = 'accepted') = (${it.acceptedAt} is not null)`),
    check('offers_withdrawn', sql`(${it.status} = 'withdrawn') = (${it.withdrawnAt} is not null)`),
    check('offers_proposed_by', sql`${it.proposedBy} in ('seller', 'buyer')`),
    check('offers_counter', sql`(${it.proposedBy} = 'buyer') = (${it.counterOf} is not null)`),
    check('offers_rejected', sql`(${it.status} = 'rejected') = (${it.rejectedAt} is not null)`),
  ],
)

/** Payments that the admins' desk shows. */
const everDisputed = (status: AnyPgColumn) => sql`${status} not in (${quoteAll(UNDISPUTED_STATUSES)})`

export const payments = pgTable(
  'payments',
  {
    id: id(),
    wantedItemId: integer().notNull(),
    buyerId: text().notNull(),
    sellerId: text().notNull(),
    offerId: integer().notNull(),
    amount: cents().notNull(),
    stripePaymentIntentId: text(),
    /** How many tries to make an intent have ended in doubt; each has a key of its own (ADR 6). */
    intentAttempt: integer().notNull().default(0),
    status: text({ enum: PAYMENT_STATUSES }).notNull().default('pending'),
    escrowHoldUntil: moment(),
    buyerConfirmedAt: moment(),
    sellerAcceptedAt: moment(),
    fundsReleasedAt: moment(),
    completedAt: moment(),
    disputeReason: text(),
    /** When the dispute under way was filed: it stopped the hold's clock (ADR 10). */
    disputedAt: moment(),
    /** Whether the buyer's bank has yet to decide about the charge: until then the two cannot settle it themselves. */
    bankDecides: boolean().notNull().default(false),
    /** What one party has proposed to the other, while the dispute lasts. */
    settlementCents: cents(),
    settlementBy: text({ enum: ['buyer', 'seller'] }),
    settlementAt: moment(),
    /** What the desk looks for: the item's title, the reason and the two people's ids, in small letters. */
    disputeWords: text(),
    /** What a ruling gives back to the buyer, and when the provider had done so. */
    refundCents: cents(),
    refundedAt: moment(),
    /** How many refunds the provider has turned down for good; each try has a key of its own (ADR 11). */
    refundAttempt: integer().notNull().default(0),
    /** When to ask the provider next about a payment that is pending. */
    askAt: createdAt(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (it) => [
    // A payment is of one offer, on exactly that offer's terms, and an offer has at most one payment.
    foreignKey({
      name: 'payments_offer_terms',
      columns: [it.offerId, it.wantedItemId, it.buyerId, it.sellerId, it.amount],
      foreignColumns: [offers.id, offers.wantedItemId, offers.buyerId, offers.sellerId, offers.amount],
    }),
    uniqueIndex('payments_offer_unique').on(it.offerId),
    uniqueIndex('payments_intent_unique').on(it.stripePaymentIntentId),
    index('payments_bought').on(it.buyerId, it.id),
    index('payments_sold').on(it.sellerId, it.id),
    index('payments_item').on(it.wantedItemId),
    index('payments_due').on(it.escrowHoldUntil).where(sql`${it.status} = 'held_in_escrow'`),
    index('payments_refund_due').on(it.id).where(sql`${it.refundCents} > 0 and ${it.refundedAt} is null`),
    index('payments_unconfirmed').on(it.askAt).where(sql`${it.status} = 'pending'`),
    index('payments_disputes').on(it.id).where(everDisputed(it.status)),
    index('payments_disputes_by_status').on(it.status, it.id).where(everDisputed(it.status)),
    index('payments_dispute_words')
      .using('gin', sql`${it.disputeWords} gin_trgm_ops`)
      .where(everDisputed(it.status)),
    check('payments_amount', sql`${it.amount} > 0`),
    check('payments_status', sql`${it.status} in (${quoteAll(PAYMENT_STATUSES)})`),
    check('payments_held', sql`${it.status} = 'pending' or ${it.escrowHoldUntil} is not null`),
    check('payments_completed', sql`${it.status} <> 'completed' or ${it.completedAt} is not null`),
    check(
      'payments_settlement',
      sql`num_nulls(${it.settlementCents}, ${it.settlementBy}, ${it.settlementAt}) in (0, 3) and ${it.settlementCents} > 0 and ${it.settlementCents} < ${it.amount} and ${it.settlementBy} in ('buyer', 'seller')`,
    ),
    check('payments_refund', sql`${it.refundCents} between 0 and ${it.amount}`),
    check(
      'payments_disputed',
      sql`${it.status} not in ('disputed', 'under_review') or ${it.disputedAt} is not null`,
    ),
  ],
)

export const disputeEvidence = pgTable(
  'dispute_evidence',
  {
    id: id(),
    disputeId: integer()
      .notNull()
      .references(() => payments.id),
    submittedBy: text().notNull(),
    type: text().notNull(),
    fileName: text(),
    fileUrl: text(),
    fileSize: integer(),
    mimeType: text(),
    description: text(),
    content: text(),
    createdAt: createdAt(),
  },
  (it) => [index('dispute_evidence_dispute').on(it.disputeId, it.id)],
)

export const disputeTimeline = pgTable(
  'dispute_timeline',
  {
    id: id(),
    disputeId: integer()
      .notNull()
      .references(() => payments.id),
    action: text().notNull(),
    actor: text().notNull(),
    details: text(),
    timestamp: createdAt(),
  },
  (it) => [index('dispute_timeline_dispute').on(it.disputeId, it.id)],
)

export const ratings = pgTable(
  'ratings',
  {
    paymentId: integer()
      .primaryKey()
      .references(() => payments.id),
    buyerId: text()
      .notNull()
      .references(() => users.id),
    sellerId: text()
      .notNull()
      .references(() => users.id),
    rating: smallint().notNull(),
    feedback: text(),
    createdAt: createdAt(),
  },
  (it) => [
    index('ratings_seller').on(it.sellerId, it.createdAt),
    check('ratings_range', sql`${it.rating} between 1 and 5`),
  ],
)

export const payouts = pgTable(
  'payouts',
  {
    id: id(),
    sellerId: text()
      .notNull()
      .references(() => users.id),
    paymentId: integer()
      .notNull()
      .references(() => payments.id),
    amount: cents().notNull(),
    method: text({ enum: ['transfer', 'manual'] }),
    status: text({ enum: ['owed', 'sending', 'paid'] })
      .notNull()
      .default('owed'),
    /** The connected account it is sent to, settled when sending begins: a retry goes nowhere else. */
    destination: text(),
    /** How many transfers the provider has turned down for good; each try has a key of its own (ADR 11). */
    attempt: integer().notNull().default(0),
    providerId: text(),
    /** When to try next to send what is owed. */
    tryAt: createdAt(),
    paidAt: moment(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (it) => [
    uniqueIndex('payouts_payment_unique').on(it.paymentId),
    uniqueIndex('payouts_provider_unique').on(it.providerId),
    index('payouts_seller').on(it.sellerId, it.id),
    index('payouts_open').on(it.status, it.id).where(sql`${it.status} <> 'paid'`),
    index('payouts_manual').on(it.status, it.id).where(sql`${it.method} = 'manual'`),
    index('payouts_try')
      .on(it.tryAt)
      .where(sql`${it.status} <> 'paid' and ${it.method} is distinct from 'manual'`),
    check('payouts_amount', sql`${it.amount} > 0`),
    check('payouts_method', sql`${it.method} in ('transfer', 'manual')`),
    check('payouts_status', sql`${it.status} in ('owed', 'sending', 'paid')`),
    check('payouts_sending', sql`${it.status} <> 'sending' or ${it.destination} is not null`),
    check('payouts_paid', sql`(${it.status} = 'paid') = (${it.paidAt} is not null)`),
  ],
)

/** What admins did about payouts by hand. Nothing here is ever changed. */
export const payoutSteps = pgTable(
  'payout_steps',
  {
    id: id(),
    payoutId: integer()
      .notNull()
      .references(() => payouts.id),
    action: text({ enum: ['looked_up', 'marked_paid', 'undone'] }).notNull(),
    adminId: text()
      .notNull()
      .references(() => users.id),
    reference: text(),
    createdAt: createdAt(),
  },
  (it) => [
    index('payout_steps_payout').on(it.payoutId, it.id),
    check('payout_steps_action', sql`${it.action} in ('looked_up', 'marked_paid', 'undone')`),
  ],
)

/**
 * Double entry, append-only. The next migration adds the triggers: the entries of a key sum to zero
 * when their transaction ends, and none is ever changed or removed.
 */
export const ledgerEntries = pgTable(
  'ledger_entries',
  {
    id: bigint({ mode: 'number' }).generatedByDefaultAsIdentity().primaryKey(),
    key: text().notNull(),
    paymentId: integer()
      .notNull()
      .references(() => payments.id),
    account: text().notNull(),
    amountCents: bigint({ mode: 'number' }).notNull(),
    createdAt: createdAt(),
  },
  (it) => [
    uniqueIndex('ledger_entries_key_account_unique').on(it.key, it.account),
    index('ledger_entries_account').on(it.account),
    index('ledger_entries_payment').on(it.paymentId),
    check('ledger_entries_amount', sql`${it.amountCents} <> 0`),
    check(
      'ledger_entries_account',
      sql`${it.account} ~ '^(provider|escrow:[0-9]+|seller:.+|buyer:.+|fees:platform|fees:processing)$'`,
    ),
  ],
)

/** Each of the provider's events once. A parked one waits for a row that does not exist yet. */
export const webhookEvents = pgTable(
  'webhook_events',
  {
    id: text().primaryKey(),
    type: text().notNull(),
    objectId: text().notNull(),
    status: text({ enum: ['parked', 'handled'] }).notNull(),
    receivedAt: createdAt(),
    handledAt: moment(),
  },
  (it) => [
    index('webhook_events_parked').on(it.receivedAt).where(sql`${it.status} = 'parked'`),
    check('webhook_events_status', sql`${it.status} in ('parked', 'handled')`),
  ],
)

/** A link that was mailed: only the hash of its token is kept, and it works once. */
export const accountTokens = pgTable(
  'account_tokens',
  {
    hash: text().primaryKey(),
    userId: text()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    purpose: text({ enum: ['verify_email', 'reset_password'] }).notNull(),
    /** The address that it was sent to, and that its use proves. */
    email: text().notNull(),
    expiresAt: moment().notNull(),
    createdAt: createdAt(),
  },
  (it) => [
    index('account_tokens_user').on(it.userId),
    index('account_tokens_expires').on(it.expiresAt),
    check('account_tokens_purpose', sql`${it.purpose} in ('verify_email', 'reset_password')`),
  ],
)

/**
 * What a person is told, in the page and by mail. It points at what it is about instead of quoting it, so
 * that names and titles are those of today. The key makes telling the same thing twice harmless.
 */
export const notifications = pgTable(
  'notifications',
  {
    id: id(),
    userId: text()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    kind: text({ enum: NOTIFICATION_KINDS }).notNull(),
    key: text().notNull(),
    /** Who did it, if a person did. */
    actorId: text().references(() => users.id, { onDelete: 'set null' }),
    wantedItemId: integer().references(() => wantedItems.id, { onDelete: 'cascade' }),
    paymentId: integer().references(() => payments.id, { onDelete: 'cascade' }),
    amount: cents(),
    readAt: moment(),
    createdAt: createdAt(),
  },
  (it) => [
    unique('notifications_once').on(it.userId, it.key),
    index('notifications_latest').on(it.userId, it.id),
    index('notifications_unread').on(it.userId).where(sql`${it.readAt} is null`),
    index('notifications_wanted_item').on(it.wantedItemId),
    index('notifications_payment').on(it.paymentId),
    check('notifications_kind', sql`${it.kind} in (${quoteAll(NOTIFICATION_KINDS)})`),
  ],
)

/**
 * The mails that are to be sent, one row each. What one says is written when it is sent; the words are
 * kept only where no mail server is set up, to be shown to developers.
 */
export const mails = pgTable(
  'mails',
  {
    id: id(),
    userId: text()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    address: text().notNull(),
    kind: text({ enum: EMAIL_KINDS }).notNull(),
    notificationId: integer().references(() => notifications.id, { onDelete: 'cascade' }),
    /** Whoever sends it holds it until then: nobody else sends it meanwhile. */
    heldUntil: moment(),
    /** When the mail server took it, or when it turned out that it need not be sent. */
    doneAt: moment(),
    subject: text(),
    text: text(),
    html: text(),
    createdAt: createdAt(),
  },
  (it) => [
    uniqueIndex('mails_notification_unique').on(it.notificationId),
    index('mails_user').on(it.userId, it.id),
    index('mails_created').on(it.createdAt),
    check('mails_kind', sql`${it.kind} in (${quoteAll(EMAIL_KINDS)})`),
  ],
)

/** When a person was last seen with a page open. */
export const presence = pgTable('presence', {
  userId: text()
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  seenAt: moment().notNull(),
})

/** The job workers of all processes, with their last sign of life: whoever falls silent loses its jobs to others. */
export const jobWorkers = pgTable('job_workers', {
  id: text().primaryKey(),
  seenAt: moment().notNull(),
})
