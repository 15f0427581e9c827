import type { Guard } from './guard.ts'

const TABLES = 'server/migrations/0000_tables.sql'
const LEDGER = 'server/migrations/0001_ledger_guards.sql'
const WORDS = 'server/migrations/0004_search_triggers.sql'
const ESCROW = 'server/migrations/0007_escrow.sql'

/** A constraint that stands in its table, with others after it. */
const inTable = (what: string, name: string, check: string): Guard => ({
  what,
  edits: [
    { file: TABLES, take: `CONSTRAINT "${name}" CHECK (${check})`, put: `CONSTRAINT "${name}" CHECK (true)` },
  ],
  noticedBy: { file: 'schema.test.ts', test: 'the database itself refuses' },
})

const added = (what: string, file: string, name: string, check: string): Guard => ({
  what,
  edits: [{ file, take: `"${name}" CHECK (${check})`, put: `"${name}" CHECK (true)` }],
  noticedBy: { file: 'schema.test.ts', test: 'the database itself refuses' },
})

/** What the database itself refuses, whatever the code does. */
export const triggers: Guard[] = [
  {
    what: 'trigger: entries of the ledger sum to zero under their key',
    edits: [
      {
        file: LEDGER,
        take: `create constraint trigger ledger_entries_balance
  after insert on ledger_entries
  deferrable initially deferred
  for each row execute function ledger_key_must_balance();
--> statement-breakpoint
`,
        put: '',
      },
    ],
    noticedBy: { file: 'schema.test.ts', test: 'refuses the transaction whose entries do not' },
  },
  {
    what: 'trigger: entries of the ledger are never changed or removed',
    edits: [
      {
        file: LEDGER,
        take: `--> statement-breakpoint
create trigger ledger_entries_append_only
  before update or delete or truncate on ledger_entries
  for each statement execute function ledger_is_append_only();
`,
        put: '',
      },
    ],
    noticedBy: { file: 'schema.test.ts', test: 'never:' },
  },
  {
    what: 'trigger: a payment’s status fits what is in its escrow',
    edits: [
      {
        file: 'server/migrations/0008_escrow_guards.sql',
        take: `--> statement-breakpoint
create constraint trigger payments_match_escrow
  after update of status on payments
  deferrable initially deferred
  for each row when (old.status is distinct from new.status)
  execute function payment_must_match_its_escrow();
`,
        put: '',
      },
    ],
    noticedBy: { file: 'schema.test.ts', test: 'has what a payment’s status says' },
  },
  {
    what: 'trigger: the end of a session is told to its streams',
    edits: [
      {
        file: 'server/migrations/0006_session_ended.sql',
        take: `--> statement-breakpoint
create trigger sessions_ended after delete on sessions
  for each row execute function tell_session_ended();
`,
        put: '',
      },
    ],
    noticedBy: { file: 'events.test.ts', test: 'a stream ends at once when its session does' },
  },
  {
    what: 'trigger: the words of a new request are found',
    edits: [
      {
        file: WORDS,
        take: `create trigger wanted_items_insert_words after insert on wanted_items
  referencing new table as new_items for each statement execute function add_search_words();
--> statement-breakpoint
`,
        put: '',
      },
    ],
    noticedBy: { file: 'search.test.ts', test: 'when it is edited' },
  },
  {
    what: 'trigger: the words of a request follow its changes',
    edits: [
      {
        file: WORDS,
        take: `create trigger wanted_items_update_words after update on wanted_items
  referencing old table as old_items new table as new_items for each statement execute function change_search_words();
--> statement-breakpoint
`,
        put: '',
      },
    ],
    noticedBy: { file: 'search.test.ts', test: 'when it is edited' },
  },
  {
    what: 'trigger: the words of a deleted request are forgotten',
    edits: [
      {
        file: WORDS,
        take: `create trigger wanted_items_delete_words after delete on wanted_items
  referencing old table as old_items for each statement execute function remove_search_words();
--> statement-breakpoint
`,
        put: '',
      },
    ],
    noticedBy: { file: 'search.test.ts', test: 'when it is deleted' },
  },
  inTable('constraint: no entry of nothing', 'ledger_entries_amount', '"ledger_entries"."amount_cents" <> 0'),
  inTable(
    'constraint: only known accounts of the ledger',
    'ledger_entries_account',
    `"ledger_entries"."account" ~ '^(provider|escrow:[0-9]+|seller:.+|buyer:.+|fees:platform|fees:processing)$'`,
  ),
  inTable('constraint: no offer of nothing', 'offers_amount', '"offers"."amount" > 0'),
  inTable(
    'constraint: no offer to oneself',
    'offers_two_people',
    '"offers"."buyer_id" <> "offers"."seller_id"',
  ),
  inTable(
    'constraint: an accepted offer says when',
    'offers_accepted',
    `("offers"."status" = 'accepted') = ("offers"."accepted_at" is not null)`,
  ),
  inTable(
    'constraint: only known states of a payment',
    'payments_status',
    `"payments"."status" in ('pending', 'held_in_escrow', 'completed', 'disputed', 'under_review', 'resolved_buyer', 'resolved_seller', 'resolved_partial')`,
  ),
  inTable(
    'constraint: a hold has an end',
    'payments_held',
    `"payments"."status" = 'pending' or "payments"."escrow_hold_until" is not null`,
  ),
  inTable('constraint: no payout of nothing', 'payouts_amount', '"payouts"."amount" > 0'),
  inTable(
    'constraint: only known states of a payout',
    'payouts_status',
    `"payouts"."status" in ('owed', 'sending', 'paid')`,
  ),
  inTable('constraint: one to five stars', 'ratings_range', '"ratings"."rating" between 1 and 5'),
  inTable(
    'constraint: no message to oneself',
    'messages_two_people',
    '"messages"."sender_id" <> "messages"."receiver_id"',
  ),
  added(
    'constraint: no refund of more than was paid',
    ESCROW,
    'payments_refund',
    '"payments"."refund_cents" between 0 and "payments"."amount"',
  ),
  added(
    'constraint: a payout that is being sent has a destination',
    ESCROW,
    'payouts_sending',
    `"payouts"."status" <> 'sending' or "payouts"."destination" is not null`,
  ),
  added(
    'constraint: a payout that was paid says when',
    ESCROW,
    'payouts_paid',
    `("payouts"."status" = 'paid') = ("payouts"."paid_at" is not null)`,
  ),
  added(
    'constraint: a settlement is of less than all, and by one of the two',
    'server/migrations/0009_disputes.sql',
    'payments_settlement',
    `num_nulls("payments"."settlement_cents", "payments"."settlement_by", "payments"."settlement_at") in (0, 3) and "payments"."settlement_cents" > 0 and "payments"."settlement_cents" < "payments"."amount" and "payments"."settlement_by" in ('buyer', 'seller')`,
  ),
]
