// biome-ignore-all lint/suspicious/noTemplateCurlyInString: what is taken out is code, as it stands there.
import type { Edit, Guard } from './guard.ts'

const FEATURES = 'server/src/features'
const TABLES = 'server/migrations/0000_tables.sql'
const STRIPE = 'server/src/providers/stripe/stripe.ts'

/** The index stays, and takes the same thing twice. */
const plainIndex = (file: string, name: string): Edit => ({
  file,
  take: `CREATE UNIQUE INDEX "${name}"`,
  put: `CREATE INDEX "${name}"`,
})

/** What can be there once, in the database and at the provider. */
export const keys: Guard[] = [
  {
    what: 'unique: an account of the ledger under one key',
    edits: [plainIndex(TABLES, 'ledger_entries_key_account_unique')],
    noticedBy: { file: 'schema.test.ts', test: 'takes a key once' },
  },
  {
    what: 'unique: the payment of an offer',
    edits: [
      plainIndex(TABLES, 'payments_offer_unique'),
      {
        file: `${FEATURES}/payments/queries.ts`,
        take: '.onConflictDoNothing({ target: payments.offerId })',
        put: '',
      },
    ],
    noticedBy: { file: 'payments.test.ts', test: 'starting a payment twice, and at once' },
  },
  {
    what: 'unique: the payment of an intent',
    edits: [plainIndex(TABLES, 'payments_intent_unique')],
    noticedBy: { file: 'schema.test.ts', test: 'a second payment of an intent' },
  },
  {
    what: 'unique: the payout of a payment',
    edits: [plainIndex(TABLES, 'payouts_payment_unique')],
    noticedBy: { file: 'schema.test.ts', test: 'a second payout of a payment' },
  },
  {
    what: 'unique: the payout of a transfer',
    edits: [plainIndex(TABLES, 'payouts_provider_unique')],
    noticedBy: { file: 'schema.test.ts', test: 'a second payout of a transfer' },
  },
  {
    what: 'unique: an e-mail address, in whatever case',
    edits: [plainIndex(TABLES, 'users_email_unique')],
    noticedBy: { file: 'accounts.test.ts', test: 'twenty at once with one e-mail' },
  },
  {
    what: 'unique: a Google account',
    edits: [plainIndex(TABLES, 'users_provider_id_unique')],
    noticedBy: { file: 'schema.test.ts', test: 'two people with one Google account' },
  },
  {
    what: 'unique: a connected account',
    edits: [plainIndex(TABLES, 'users_stripe_connect_account_id_unique')],
    noticedBy: { file: 'schema.test.ts', test: 'two people with one connected account' },
  },
  {
    what: 'unique: the mark of a message',
    edits: [
      plainIndex('server/migrations/0005_conversations.sql', 'messages_client_unique'),
      {
        file: `${FEATURES}/messages/queries.ts`,
        take: '.onConflictDoNothing({ target: [messages.senderId, messages.clientId] })',
        put: '',
      },
    ],
    noticedBy: { file: 'messages.test.ts', test: 'under the same mark sends once' },
  },
  {
    what: 'unique: what somebody is told',
    edits: [
      {
        file: 'server/migrations/0010_people.sql',
        take: '\tCONSTRAINT "notifications_once" UNIQUE("user_id","key"),\n',
        put: '',
      },
      {
        file: `${FEATURES}/notifications/queries.ts`,
        take: 'on conflict (user_id, key) do nothing',
        put: '',
      },
    ],
    noticedBy: { file: 'notifications.test.ts', test: 'told of the same thing by many at once' },
  },
  {
    what: 'unique: the mail of what somebody is told',
    edits: [plainIndex('server/migrations/0010_people.sql', 'mails_notification_unique')],
    noticedBy: { file: 'schema.test.ts', test: 'two mails of one notification' },
  },
  {
    what: 'unique: the rating of a payment',
    edits: [
      {
        file: TABLES,
        take: '"payment_id" integer PRIMARY KEY NOT NULL',
        put: '"payment_id" integer NOT NULL',
      },
    ],
    noticedBy: { file: 'ratings.test.ts', test: 'fifty ratings of one payment' },
  },
  {
    what: 'unique: an event of the provider',
    edits: [
      {
        file: TABLES,
        take: '"id" text PRIMARY KEY NOT NULL,\n\t"type" text NOT NULL,\n\t"object_id"',
        put: '"id" text NOT NULL,\n\t"type" text NOT NULL,\n\t"object_id"',
      },
    ],
    noticedBy: { file: 'model/wounds.test.ts', test: 'an event that was handled is not looked into again' },
  },
  {
    what: 'the payment’s terms are the offer’s',
    edits: [
      {
        file: TABLES,
        take: 'ALTER TABLE "payments" ADD CONSTRAINT "payments_offer_terms" FOREIGN KEY ("offer_id","wanted_item_id","buyer_id","seller_id","amount") REFERENCES "public"."offers"("id","wanted_item_id","buyer_id","seller_id","amount") ON DELETE no action ON UPDATE no action;--> statement-breakpoint\n',
        put: '',
      },
    ],
    noticedBy: { file: 'schema.test.ts', test: 'another amount than the offer’s' },
  },
  {
    what: 'a second start of a payment finds the first, instead of failing',
    edits: [
      {
        file: `${FEATURES}/payments/queries.ts`,
        take: '    .onConflictDoNothing({ target: payments.offerId })\n',
        put: '',
      },
    ],
    noticedBy: { file: 'payments.test.ts', test: 'starting a payment twice, and at once' },
  },
  {
    what: 'a second copy of an event is known, instead of failing',
    edits: [{ file: `${FEATURES}/payments/event-queries.ts`, take: '    .onConflictDoNothing()\n', put: '' }],
    noticedBy: { file: 'webhook.test.ts', test: 'three copies of one event at once' },
  },
  {
    what: 'a second rating is refused, instead of failing',
    edits: [{ file: `${FEATURES}/ratings/queries.ts`, take: '    .onConflictDoNothing()\n', put: '' }],
    noticedBy: { file: 'ratings.test.ts', test: 'a second time is refused' },
  },
  {
    what: 'a second message under one mark finds the first, instead of failing',
    edits: [
      {
        file: `${FEATURES}/messages/queries.ts`,
        take: '    .onConflictDoNothing({ target: [messages.senderId, messages.clientId] })\n',
        put: '',
      },
    ],
    noticedBy: { file: 'messages.test.ts', test: 'under the same mark sends once' },
  },
  {
    what: 'what somebody was told before is left out, instead of failing',
    edits: [
      {
        file: `${FEATURES}/notifications/queries.ts`,
        take: '      on conflict (user_id, key) do nothing\n',
        put: '',
      },
    ],
    noticedBy: { file: 'notifications.test.ts', test: 'told of the same thing by many at once' },
  },
  {
    what: 'a second account with an e-mail is refused, instead of failing',
    edits: [
      {
        file: `${FEATURES}/accounts/queries.ts`,
        take: '    .onConflictDoNothing()\n    .returning(signedInColumns)',
        put: '    .returning(signedInColumns)',
      },
    ],
    noticedBy: { file: 'accounts.test.ts', test: 'an e-mail is taken whatever its case' },
  },
  {
    what: 'who is an admin can be made one again',
    edits: [
      {
        file: `${FEATURES}/accounts/queries.ts`,
        take: 'values({ userId, grantedAt: tx.now }).onConflictDoNothing()',
        put: 'values({ userId, grantedAt: tx.now })',
      },
    ],
    noticedBy: { file: 'accounts.test.ts', test: 'a person is one when there is a row for them' },
  },
  {
    what: 'an address that was taken before it was proved is refused, instead of failing',
    edits: [
      {
        file: `${FEATURES}/accounts/security.ts`,
        take: "throw violates(error, 'users_email_unique') ? refuse('email_taken') : error",
        put: 'throw error',
      },
    ],
    noticedBy: { file: 'profile.test.ts', test: 'of two who want the same one' },
  },
  {
    what: 'who has a page open a second time is noted again, instead of failing',
    edits: [
      {
        file: 'server/src/platform/presence.ts',
        take: '\n    on conflict (user_id) do update set seen_at = excluded.seen_at',
        put: '',
      },
    ],
    noticedBy: { file: 'events.test.ts', test: 'who is here is known by when they were last seen' },
  },
  {
    what: 'a process that says a second time that it lives is believed, instead of failing',
    edits: [
      {
        file: 'server/src/jobs/heartbeat.ts',
        take: '\n     on conflict (id) do update set seen_at = excluded.seen_at',
        put: '',
      },
    ],
    noticedBy: { file: 'payouts.test.ts', test: 'a process says as often as it likes that it lives' },
  },
  {
    what: 'the idempotency key of an intent',
    edits: [{ file: STRIPE, take: "            keyed('intent', id, createdAt, attempt),\n", put: '' }],
    noticedBy: { file: 'payments.test.ts', test: 'starting a payment twice, and at once' },
  },
  {
    what: 'the idempotency key of a refund',
    edits: [{ file: STRIPE, take: "          keyed('refund', paymentId, createdAt, attempt),\n", put: '' }],
    noticedBy: { file: 'payouts.test.ts', test: 'asked of the provider many times at once' },
  },
  {
    what: 'the idempotency key of a transfer',
    edits: [{ file: STRIPE, take: "          keyed('payout', payoutId, createdAt, attempt),\n", put: '' }],
    noticedBy: { file: 'payouts.test.ts', test: 'asked of the provider many times at once' },
  },
  {
    what: 'the idempotency key of a try is another one after a refusal',
    edits: [
      {
        file: STRIPE,
        take: '`${effect}:${id}:${createdAt.getTime()}:${attempt}`',
        put: '`${effect}:${id}:${createdAt.getTime()}`',
      },
    ],
    noticedBy: { file: 'model/wounds.test.ts', test: 'a refund is refused, and what refused it is over' },
  },
  {
    what: 'looking for a refund that was made under a key which the provider has forgotten',
    edits: [
      {
        file: STRIPE,
        take: 'if (made.some((refund) => refund.metadata?.paymentId === String(paymentId) && isAlive(refund))) return',
        put: 'void made',
      },
    ],
    noticedBy: { file: 'payouts.test.ts', test: 'when the provider has forgotten its keys' },
  },
  {
    what: 'looking for a transfer that was made under a key which the provider has forgotten',
    edits: [{ file: STRIPE, take: '        if (found) return found.id\n', put: '' }],
    noticedBy: { file: 'payouts.test.ts', test: 'when the provider has forgotten its keys' },
  },
]
