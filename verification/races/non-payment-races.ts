import { setTimeout as wait } from 'node:timers/promises'
import { releaseDue } from '@sought/server/features/money/payments/release-payments'
import type { DealState } from './recorded-deals.ts'
import type { Server, TwoServers } from './two-servers.ts'

/*
 * Races that are not about moves of a payment. Each case has a number n and its own users: ben-n posted request n,
 * sue-n and tom-n are sellers. Its offers and payments have the ids 10n + 1, 10n + 2 and so on.
 */

export interface CaseContext {
  n: number
  two: TwoServers
}

export type RaceAction = (server: Server, one: CaseContext) => Promise<string>

/** Sets up a case through calls, and returns its actions. */
export type PrepareActions = (server: Server, one: CaseContext) => Promise<readonly RaceAction[]>

export interface RaceCase {
  what: string
  /** The number of repetitions in a full run. */
  times: number
  /** An action affects all cases in the database, so only those that run are inserted. */
  affectsAllCases?: true
  /** Deals, and statements for all n from $1 to $2. */
  setup: readonly (DealSetup | string)[]
  actions: readonly RaceAction[] | PrepareActions
  /** An SQL expression for the final state of case n. */
  result: string
  /** The allowed results: the answers in the order of the actions, and the final state. */
  allowed: readonly string[]
}

const MANY = 1_000
const LATE_MS = 25
/** For races that hash passwords. */
const FEWER = 200

export const as =
  (who: 'ben' | 'sue' | 'tom', call: (n: number) => string, body?: (n: number) => object): RaceAction =>
  async (server, { n }) =>
    (await server.call(`${who}-${n}`, call(n), body?.(n))).answer
const asAdmin =
  (admin: string, call: (n: number) => string, body?: object): RaceAction =>
  async (server, { n }) =>
    (await server.call(admin, call(n), body)).answer
const asVisitor =
  (call: string, body: (n: number) => object): RaceAction =>
  async (server, { n }) =>
    (await server.call(null, call, body(n))).answer

const all = 'generate_series($1::int, $2::int) n'

/** A deal of case n between Ben and a seller, about request n. The ids of its offer and payment are 10n + place. */
export interface DealSetup {
  place: number
  state: DealState
  seller: 'sue' | 'tom'
  /** Without it, the provider knows no intent of the payment. */
  intentOf?: (paymentId: number) => string
}

export const deal = (
  place: number,
  state: DealState,
  { seller = 'sue', intentOf }: Partial<DealSetup> = {},
): DealSetup => ({ place, state, seller, ...(intentOf && { intentOf }) })

/** An open checkout. `hold` charges its card. */
const checkout = (place: number, seller: 'sue' | 'tom' = 'sue') =>
  deal(place, 'checkout open', { seller, intentOf })
const intentOf = (paymentId: number) => `pi_race_${paymentId}`

/** The first deal is completed, and Sue is owed a manual payout. */
export const completed = [
  deal(1, 'completed'),
  `update payouts set method = 'manual' from ${all} where payouts.id = 10 * n + 1`,
]

/** Payments of Sue and Tom for one request that are due. */
const due = [
  ...[1, 2, 3, 4].map((place) => deal(place, 'held', { seller: place % 2 ? 'sue' : 'tom' })),
  `update payments set escrow_hold_until = now() - interval '1 second' where wanted_item_id between $1 and $2`,
]

const message = [
  `insert into messages (id, wanted_item_id, sender_id, receiver_id, content)
   select 10 * n + 1, n, 'sue-' || n, 'ben-' || n, 'Still looking?' from ${all}`,
  `insert into notifications (user_id, kind, key, actor_id, wanted_item_id)
   select 'ben-' || n, 'message', 'message:' || 10 * n + 1 || ':0', 'sue-' || n, n from ${all}`,
]

/** Both users change to the same email address and have the link that verifies it. */
const sameNewAddress = [
  `update users set pending_email = 'new-' || n || '@example.com' from ${all}
   where users.id in ('ben-' || n, 'sue-' || n)`,
  `insert into account_tokens (hash, user_id, purpose, email, expires_at)
   select translate(encode(sha256(('token-' || who || '-' || n)::bytea), 'base64'), '+/=', '-_'), who || '-' || n,
     'verify_email', 'new-' || n || '@example.com', now() + interval '1 hour'
   from ${all}, (values ('ben'), ('sue')) both_people (who)`,
]

const offersOfCase = `(select string_agg(status, ' ' order by id) from offers where wanted_item_id = n)`
const paymentsOfCase = `(select string_agg(status, ' ' order by id) from payments where wanted_item_id = n)`
const requestOfCase = '(select status from wanted_items where id = n)'
const deletionState = (who: string) =>
  `(select case when deleted_at is null then 'active' else 'deleted' end from users where id = '${who}-' || n)`
/** A deleted user must have no notifications and no emails, which contain the address. */
const leftovers = (who: string) =>
  `((select count(*) from notifications where user_id = '${who}-' || n) + (select count(*) from mails where user_id = '${who}-' || n))`

const accept = (place: number, who: 'ben' | 'sue' = 'ben') =>
  as(who, (n) => `PATCH /api/offers/${10 * n + place}/accept`)
const counter = as(
  'ben',
  (n) => `POST /api/offers/${10 * n + 1}/counter`,
  () => ({ amount: 9_000 }),
)
const makeOffer = as(
  'sue',
  () => 'POST /api/offers',
  (n) => ({ wantedItemId: n, receiverId: `ben-${n}`, amount: 12_000 }),
)
const close = as('ben', (n) => `POST /api/wanted-items/${n}/close`)
const edit = as(
  'ben',
  (n) => `PUT /api/wanted-items/${n}`,
  () => ({ title: 'Candle', description: 'Red', category: 'Other', location: 'Ipoh' }),
)
const deleteAccount = (who: 'ben' | 'sue') =>
  as(
    who,
    () => 'POST /api/user/delete-account',
    (n) => ({ email: `${who}-${n}@example.com` }),
  )
const confirm = (place: number) => as('ben', (n) => `POST /api/payments/${10 * n + place}/confirm-delivery`)
const send = as(
  'sue',
  () => 'POST /api/messages',
  (n) => ({ wantedItemId: n, receiverId: `ben-${n}`, content: 'Or a candle?', clientId: `mark-${n}-of-sue` }),
)
const verify = (who: string) =>
  asVisitor('POST /api/auth/verify-email', (n) => ({ token: `token-${who}-${n}` }))
const signUp = (email: (n: number) => string) =>
  asVisitor('POST /api/auth/signup', (n) => ({
    email: email(n),
    password: 'correct horse',
    firstName: 'Race',
    lastName: 'Tester',
  }))

/** Opens the checkout and charges a card. */
const pay =
  (place: number): RaceAction =>
  async (server, { n, two }) => {
    const terms = { itemId: n, offerId: 10 * n + place, amount: 12_000 }
    const { answer, body } = await server.call(`ben-${n}`, 'POST /api/create-escrow-payment', terms)
    if (answer !== 'ok') return answer
    const [intentId = ''] = (body as { clientSecret: string }).clientSecret.split('_secret_')
    return two.provider.charge(intentId) ? 'ok' : 'not charged'
  }

/** The card of an open checkout is charged, and the provider reports it. */
const hold =
  (place: number): RaceAction =>
  async (server, { n, two }) => {
    const intentId = intentOf(10 * n + place)
    two.provider.addIntent(intentId, 12_000, 'paid')
    return server.deliver(intentId)
  }

/** A sweep releases all cases. It usually starts late. Otherwise it would always come before the confirmations. */
const sweep: RaceAction = async ({ services }, { n }) => {
  if (n % 30 !== 0) await wait(LATE_MS)
  await releaseDue(services)
  return 'ok'
}

export const raceCases: readonly RaceCase[] = [
  {
    what: 'making two offers as one seller',
    times: MANY,
    setup: [],
    actions: [makeOffer, makeOffer],
    result: offersOfCase,
    allowed: ['ok, ok; withdrawn pending'],
  },
  {
    what: 'making another offer and accepting the open one',
    times: MANY,
    setup: [deal(1, 'offered')],
    actions: [makeOffer, accept(1)],
    // The id of the new offer is assigned by the database, below all of ours.
    result: offersOfCase,
    allowed: ['ok, offer_not_pending; pending withdrawn', 'ok, ok; pending accepted'],
  },
  {
    what: 'accepting offers of two sellers',
    times: MANY,
    setup: [deal(1, 'offered'), deal(2, 'offered', { seller: 'tom' })],
    actions: [accept(1), accept(2)],
    result: offersOfCase,
    allowed: ['ok, ok; accepted accepted'],
  },
  {
    what: 'accepting an offer and its counter-offer',
    times: MANY,
    setup: [deal(1, 'countered')],
    actions: [accept(1), accept(2, 'sue')],
    result: offersOfCase,
    allowed: ['ok, offer_not_pending; accepted withdrawn', 'offer_not_pending, ok; withdrawn accepted'],
  },
  {
    what: 'countering, withdrawing and accepting an offer',
    times: MANY,
    setup: [deal(1, 'offered')],
    actions: [counter, as('sue', (n) => `PATCH /api/offers/${10 * n + 1}/withdraw`), accept(1)],
    // The id of the counter-offer is assigned by the database, below all of ours.
    result: offersOfCase,
    allowed: [
      'ok, ok, offer_not_pending; pending withdrawn',
      'ok, offer_not_pending, ok; withdrawn accepted',
      'offer_not_pending, ok, offer_not_pending; withdrawn',
      'offer_not_pending, offer_not_pending, ok; accepted',
    ],
  },
  {
    what: 'closing a request and making an offer',
    times: MANY,
    setup: [],
    actions: [close, makeOffer],
    result: `(select status from wanted_items where id = n) || ' ' || coalesce(${offersOfCase}, 'none')`,
    allowed: ['ok, ok; closed pending', 'ok, item_not_open; closed none'],
  },
  {
    what: 'closing a request and accepting an offer',
    times: MANY,
    setup: [deal(1, 'offered')],
    actions: [close, accept(1)],
    result: `(select status from wanted_items where id = n) || ' ' || ${offersOfCase}`,
    allowed: ['ok, ok; closed accepted', 'ok, item_not_open; closed pending'],
  },
  {
    what: 'closing a request and confirming its delivery',
    times: MANY,
    setup: [deal(1, 'held')],
    actions: [close, confirm(1)],
    result: '(select status from wanted_items where id = n)',
    allowed: ['item_reserved, ok; fulfilled', 'item_fulfilled, ok; fulfilled'],
  },
  {
    what: 'two card payments for one request',
    times: MANY,
    setup: [checkout(1), checkout(2, 'tom')],
    actions: [hold(1), hold(2)],
    result: `${paymentsOfCase} || ' ' || ${requestOfCase} || ', owed '
      || (select coalesce(sum(refund_cents), 0) from payments where wanted_item_id = n)`,
    allowed: [
      'ok, ok; held_in_escrow refunded reserved, owed 12000',
      'ok, ok; refunded held_in_escrow reserved, owed 12000',
    ],
  },
  {
    what: 'a card payment, and opening the checkout of another offer on the request',
    times: MANY,
    setup: [checkout(1), deal(2, 'agreed', { seller: 'tom' })],
    actions: [hold(1), pay(2)],
    // The id of the second payment is assigned by the database, below all of ours.
    result: `${paymentsOfCase} || ' ' || ${requestOfCase}`,
    allowed: [
      'ok, ok; pending held_in_escrow reserved',
      'ok, item_reserved; held_in_escrow reserved',
      'ok, item_reserved; pending held_in_escrow reserved',
    ],
  },
  {
    what: 'a card payment, and accepting another offer on the request',
    times: MANY,
    setup: [checkout(1), deal(2, 'offered', { seller: 'tom' })],
    actions: [hold(1), accept(2)],
    result: `${paymentsOfCase} || ' ' || ${requestOfCase} || ', ' || ${offersOfCase}`,
    allowed: [
      'ok, ok; held_in_escrow reserved, accepted accepted',
      'ok, item_reserved; held_in_escrow reserved, accepted pending',
    ],
  },
  {
    what: 'a card payment, and editing its request',
    times: MANY,
    setup: [checkout(1)],
    actions: [hold(1), edit],
    result: `${requestOfCase} || ' ' || (select title from wanted_items where id = n)`,
    allowed: ['ok, ok; reserved Candle', 'ok, item_reserved; reserved Lamp'],
  },
  {
    what: 'a card payment, and closing its request',
    times: MANY,
    setup: [checkout(1)],
    actions: [hold(1), close],
    result: `${paymentsOfCase} || ' ' || ${requestOfCase}`,
    allowed: ['ok, ok; held_in_escrow reserved', 'ok, item_reserved; held_in_escrow reserved'],
  },
  {
    what: 'deleting the seller and accepting the offer',
    times: MANY,
    setup: [deal(1, 'offered')],
    actions: [deleteAccount('sue'), accept(1)],
    result: `${offersOfCase} || ' ' || ${deletionState('sue')} || ' ' || ${leftovers('sue')}`,
    allowed: ['ok, ok; withdrawn deleted 0', 'ok, offer_not_pending; withdrawn deleted 0'],
  },
  {
    what: 'deleting the buyer and accepting the offer',
    times: MANY,
    setup: [deal(1, 'offered')],
    actions: [deleteAccount('ben'), accept(1)],
    result: `${offersOfCase} || ' ' || ${deletionState('ben')}`,
    allowed: [
      'ok, ok; withdrawn deleted',
      'ok, offer_not_pending; rejected deleted',
      // The deletion has ended the session.
      'ok, signed_out; rejected deleted',
    ],
  },
  {
    what: 'deleting the seller and countering the offer',
    times: MANY,
    setup: [deal(1, 'offered')],
    actions: [deleteAccount('sue'), counter],
    result: `${offersOfCase} || ' ' || ${deletionState('sue')} || ' ' || ${leftovers('sue')}`,
    allowed: ['ok, ok; rejected withdrawn deleted 0', 'ok, offer_not_pending; withdrawn deleted 0'],
  },
  {
    what: 'deleting the buyer and making an offer',
    times: MANY,
    setup: [],
    actions: [deleteAccount('ben'), makeOffer],
    result: `coalesce(${offersOfCase}, 'none') || ' ' || ${deletionState('ben')} || ' ' || ${leftovers('ben')}`,
    allowed: ['ok, ok; rejected deleted 0', 'ok, item_not_open; none deleted 0'],
  },
  {
    what: 'deleting the seller and making an offer',
    times: MANY,
    setup: [],
    actions: [deleteAccount('sue'), makeOffer],
    result: `coalesce(${offersOfCase}, 'none') || ' ' || ${deletionState('sue')}`,
    allowed: ['ok, ok; withdrawn deleted', 'ok, signed_out; none deleted'],
  },
  {
    what: 'deleting the buyer and posting a request',
    times: MANY,
    setup: [],
    actions: [
      deleteAccount('ben'),
      as(
        'ben',
        () => 'POST /api/wanted-items',
        () => ({ title: 'Candle', description: 'Red', category: 'Other', location: 'Ipoh' }),
      ),
    ],
    result: `(select string_agg(status, ' ' order by id) from wanted_items where user_id = 'ben-' || n) || ' ' || ${deletionState('ben')}`,
    allowed: ['ok, ok; closed closed deleted', 'ok, signed_out; closed deleted'],
  },
  {
    what: 'deleting the buyer and reopening a request',
    times: MANY,
    setup: [`update wanted_items set status = 'closed' where id between $1 and $2`],
    actions: [deleteAccount('ben'), as('ben', (n) => `POST /api/wanted-items/${n}/reopen`)],
    result: `(select status from wanted_items where id = n) || ' ' || ${deletionState('ben')}`,
    allowed: ['ok, ok; closed deleted', 'ok, signed_out; closed deleted'],
  },
  {
    what: 'deleting the buyer and sending them a message',
    times: MANY,
    setup: [],
    actions: [deleteAccount('ben'), send],
    result: `${deletionState('ben')} || ' ' || ${leftovers('ben')}`,
    allowed: ['ok, ok; deleted 0', 'ok, conversation_not_allowed; deleted 0'],
  },
  {
    what: 'deleting the seller and paying',
    times: MANY,
    setup: [deal(1, 'agreed')],
    actions: [deleteAccount('sue'), pay(1)],
    result: `${offersOfCase} || ' ' || ${deletionState('sue')}`,
    allowed: [
      'money_open, ok; accepted active',
      'ok, offer_not_accepted; withdrawn deleted',
      'ok, not charged; withdrawn deleted',
    ],
  },
  {
    what: 'confirming the delivery and deleting the buyer',
    times: MANY,
    setup: [deal(1, 'held')],
    actions: [confirm(1), deleteAccount('ben')],
    result: `(select status from payments where wanted_item_id = n) || ' ' || ${deletionState('ben')}`,
    allowed: ['ok, money_open; completed active', 'ok, ok; completed deleted'],
  },
  {
    what: 'confirming the delivery and deleting the seller',
    times: MANY,
    setup: [deal(1, 'held')],
    actions: [confirm(1), deleteAccount('sue')],
    result: `(select status from payments where wanted_item_id = n) || ' ' || ${deletionState('sue')}`,
    allowed: ['ok, money_open; completed active'],
  },
  {
    what: 'changing and accepting a settlement',
    times: MANY,
    setup: [deal(1, 'proposed')],
    actions: [
      as(
        'sue',
        (n) => `POST /api/disputes/${10 * n + 1}/settlement`,
        () => ({ refundAmount: 4_000 }),
      ),
      as(
        'ben',
        (n) => `POST /api/disputes/${10 * n + 1}/settlement/accept`,
        () => ({ refundAmount: 3_000 }),
      ),
    ],
    result: `(select status || ' ' || coalesce(refund_cents, settlement_cents) from payments where wanted_item_id = n)`,
    allowed: ['dispute_resolved, ok; resolved_partial 3000', 'ok, settlement_changed; disputed 4000'],
  },
  {
    what: 'rating a payment twice',
    times: MANY,
    setup: completed,
    actions: [5, 2].map((rating) =>
      as(
        'ben',
        (n) => `POST /api/payments/${10 * n + 1}/submit-rating`,
        () => ({ rating }),
      ),
    ),
    result: `(select rating_sum || ' of ' || rating_count from users where id = 'sue-' || n)`,
    allowed: ['ok, already_rated; 5 of 1', 'already_rated, ok; 2 of 1'],
  },
  {
    what: 'reviewing each other',
    times: MANY,
    setup: completed,
    actions: [
      as(
        'ben',
        (n) => `POST /api/payments/${10 * n + 1}/review`,
        () => ({ rating: 5 }),
      ),
      as(
        'sue',
        (n) => `POST /api/payments/${10 * n + 1}/review`,
        () => ({ rating: 2 }),
      ),
    ],
    result: `(select string_agg(rating_sum || ' of ' || rating_count, ', ' order by id) from users
        where id in ('ben-' || n, 'sue-' || n))
      || ', published ' || (select count(*) from reviews where payment_id = 10 * n + 1 and published_at is not null)`,
    allowed: ['ok, ok; 2 of 1, 5 of 1, published 2'],
  },
  {
    what: 'marking a payout as paid twice and undoing it',
    times: MANY,
    setup: completed,
    actions: [
      asAdmin('admin-0', (n) => `POST /api/admin/payouts/${10 * n + 1}/paid`, { reference: 'W-1' }),
      asAdmin('admin-1', (n) => `POST /api/admin/payouts/${10 * n + 1}/paid`, { reference: 'W-2' }),
      asAdmin('admin-2', (n) => `POST /api/admin/payouts/${10 * n + 1}/undo`),
    ],
    result: `(select o.status || ', ' || (select string_agg(key, ' ' order by id) from ledger_entries
        where payment_id = o.payment_id and account = 'provider' and key like 'payout%')
      from payouts o where o.payment_id = 10 * n + 1)`,
    allowed: [
      'ok, payout_wrong_state, ok; owed, payout payout-undone',
      'payout_wrong_state, ok, ok; owed, payout payout-undone',
      'ok, payout_wrong_state, payout_wrong_state; paid, payout',
      'payout_wrong_state, ok, payout_wrong_state; paid, payout',
      'ok, ok, ok; paid, payout payout-undone payout',
    ],
  },
  {
    what: 'reading a conversation and sending a message to it',
    times: MANY,
    setup: message,
    actions: [
      as(
        'ben',
        () => 'PATCH /api/messages/mark-read',
        (n) => ({ wantedItemId: n }),
      ),
      send,
    ],
    result: `(select count(*) from messages where wanted_item_id = n and not is_read) || ' unread, notified '
      || (select count(*) from notifications where user_id = 'ben-' || n and read_at is null)`,
    allowed: ['ok, ok; 0 unread, notified 0', 'ok, ok; 1 unread, notified 1'],
  },
  {
    what: 'sending a message twice with one client id',
    times: MANY,
    setup: [],
    actions: [send, send],
    result: `(select count(*) from messages where wanted_item_id = n) || ' notified '
      || (select count(*) from notifications where user_id = 'ben-' || n)`,
    allowed: ['ok, ok; 1 notified 1'],
  },
  {
    what: 'two users verifying the same email address',
    times: MANY,
    setup: sameNewAddress,
    actions: [verify('ben'), verify('sue')],
    result: `(select string_agg(id, ' ') from users where email = 'new-' || n || '@example.com')`,
    allowed: ['ok, email_taken; ben', 'email_taken, ok; sue'],
  },
  {
    what: 'using a link twice',
    times: MANY,
    setup: sameNewAddress,
    actions: [verify('ben'), verify('ben')],
    result: `(select string_agg(id, ' ') from users where email = 'new-' || n || '@example.com')`,
    allowed: ['ok, link_expired; ben', 'link_expired, ok; ben'],
  },
  {
    what: 'signing up twice with one email address',
    times: FEWER,
    setup: [],
    actions: [signUp((n) => `twin-${n}@example.com`), signUp((n) => `Twin-${n}@Example.com`)],
    result: `(select count(*) from users where lower(email) = 'twin-' || n || '@example.com')`,
    allowed: ['ok, email_taken; 1', 'email_taken, ok; 1'],
  },
  {
    what: 'releasing due payments on two servers and confirming two of them',
    times: MANY,
    affectsAllCases: true,
    setup: due,
    actions: [sweep, sweep, confirm(1), confirm(4)],
    result: `(select string_agg(status, ' ') from payments where wanted_item_id = n)
      || ' ' || (select status from wanted_items where id = n)`,
    allowed: [
      'ok, ok, ok, ok; completed completed completed completed fulfilled',
      'ok, ok, ok, payment_wrong_state; completed completed completed completed fulfilled',
      'ok, ok, payment_wrong_state, ok; completed completed completed completed fulfilled',
      'ok, ok, payment_wrong_state, payment_wrong_state; completed completed completed completed fulfilled',
    ],
  },
]
