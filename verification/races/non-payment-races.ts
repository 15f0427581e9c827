import { setTimeout as wait } from 'node:timers/promises'
import { releaseDue } from '@sought/server/features/payments/release-payments'
import type { Server, TwoServers } from './two-servers.ts'

/*
 * Races beside the money's own: what else two people, or one in two windows, may do at the same moment. Each case
 * is a number n with people of its own, ben-n who wants a lamp and sue-n and tom-n who may have one, and a request
 * of that number. Offers and payments have the numbers 10n + 1, 10n + 2 and so on.
 */

export interface Case {
  n: number
  two: TwoServers
}

type Act = (server: Server, one: Case) => Promise<string>

export interface Story {
  what: string
  /** How often in a whole run. */
  times: number
  /** Whether an act touches all cases that there are: then only those under way are written down. */
  allTogether?: true
  /** Statements that write it down, for all n from $1 to $2. */
  given: readonly string[]
  acts: readonly Act[]
  /** One value a case, as `is` for `n`. */
  look: string
  /** The answers in the order of the acts, and what is there in the end. */
  may: readonly string[]
}

const MANY = 1_000
const LATE_MS = 25
/** Where passwords are hashed. */
const FEWER = 200

const as =
  (who: 'ben' | 'sue' | 'tom', call: (n: number) => string, body?: (n: number) => object): Act =>
  async (server, { n }) =>
    (await server.call(`${who}-${n}`, call(n), body?.(n))).answer
const asAdmin =
  (admin: string, call: (n: number) => string, body?: object): Act =>
  async (server, { n }) =>
    (await server.call(admin, call(n), body)).answer
const asVisitor =
  (call: string, body: (n: number) => object): Act =>
  async (server, { n }) =>
    (await server.call(null, call, body(n))).answer

const all = 'generate_series($1::int, $2::int) n'

const offer = (place: number, { seller = 'sue', status = 'pending' } = {}) => `
  insert into offers (id, wanted_item_id, buyer_id, seller_id, amount, status, expires_at, accepted_at)
  select 10 * n + ${place}, n, 'ben-' || n, '${seller}-' || n, 12000, '${status}', now() + interval '7 days',
    case '${status}' when 'accepted' then now() end from ${all}`

const counterOffer = (place: number) => `
  insert into offers (id, wanted_item_id, buyer_id, seller_id, amount, expires_at, proposed_by, counter_of)
  select 10 * n + ${place}, n, 'ben-' || n, 'sue-' || n, 9000, now() + interval '7 days', 'buyer', 10 * n + 1
  from ${all}`

/** The payment of the offer in that place, with what is in escrow for it. */
const payment = (place: number, status: 'held_in_escrow' | 'disputed', hold = "interval '5 days'") => [
  `insert into payments (id, wanted_item_id, buyer_id, seller_id, offer_id, amount, status, escrow_hold_until,
     disputed_at, settlement_cents, settlement_by, settlement_at)
   select id, wanted_item_id, buyer_id, seller_id, id, amount, '${status}', now() + ${hold},
     case '${status}' when 'disputed' then now() end, case '${status}' when 'disputed' then 3000 end,
     case '${status}' when 'disputed' then 'seller' end, case '${status}' when 'disputed' then now() end
   from ${all} join offers on offers.id = 10 * n + ${place}`,
  `insert into ledger_entries (key, payment_id, account, amount_cents)
   select 'hold:' || id, id, account, cents from ${all} join payments on payments.id = 10 * n + ${place},
     lateral (values ('provider', -amount), ('escrow:' || id, amount)) entry (account, cents)`,
]

/** The payment of the first offer, released, and the seller still to be paid by hand. */
const completed = [
  offer(1, { status: 'accepted' }),
  `insert into payments (id, wanted_item_id, buyer_id, seller_id, offer_id, amount, status, escrow_hold_until, completed_at)
   select id, wanted_item_id, buyer_id, seller_id, id, amount, 'completed', now(), now()
   from ${all} join offers on offers.id = 10 * n + 1`,
  `insert into ledger_entries (key, payment_id, account, amount_cents)
   select step || id, id, account, cents from ${all} join payments on payments.id = 10 * n + 1, lateral (values
     ('hold:', 'provider', -12000), ('hold:', 'escrow:' || id, 12000), ('release:', 'escrow:' || id, -12000),
     ('release:', 'seller:' || seller_id, 11262), ('release:', 'fees:platform', 360),
     ('release:', 'fees:processing', 378)) entry (step, account, cents)`,
  `insert into payouts (id, seller_id, payment_id, amount, method)
   select 10 * n + 1, 'sue-' || n, 10 * n + 1, 11262, 'manual' from ${all}`,
]

const message = [
  `insert into messages (id, wanted_item_id, sender_id, receiver_id, content)
   select 10 * n + 1, n, 'sue-' || n, 'ben-' || n, 'Still looking?' from ${all}`,
  `insert into notifications (user_id, kind, key, actor_id, wanted_item_id)
   select 'ben-' || n, 'message', 'message:' || 10 * n + 1 || ':0', 'sue-' || n, n from ${all}`,
]

/** Both want to be reached at the same address, and have the link that proves it. */
const sameNewAddress = [
  `update users set pending_email = 'new-' || n || '@example.com' from ${all}
   where users.id in ('ben-' || n, 'sue-' || n)`,
  `insert into account_tokens (hash, user_id, purpose, email, expires_at)
   select translate(encode(sha256(('token-' || who || '-' || n)::bytea), 'base64'), '+/=', '-_'), who || '-' || n,
     'verify_email', 'new-' || n || '@example.com', now() + interval '1 hour'
   from ${all}, (values ('ben'), ('sue')) both_people (who)`,
]

const offersOfCase = `(select string_agg(status, ' ' order by id) from offers where wanted_item_id = n)`
const isGone = (who: string) =>
  `(select case when deleted_at is null then 'here' else 'gone' end from users where id = '${who}-' || n)`
/** Nothing of a person who has left may be left: neither news nor a mail, which would hold their address. */
const leftOver = (who: string) =>
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
const leave = (who: 'ben' | 'sue') =>
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

/** Opens the checkout and enters a card. */
const pay: Act = async (server, { n, two }) => {
  const terms = { itemId: n, offerId: 10 * n + 1, amount: 12_000 }
  const { answer, body } = await server.call(`ben-${n}`, 'POST /api/create-escrow-payment', terms)
  if (answer !== 'ok') return answer
  const [intentId = ''] = (body as { clientSecret: string }).clientSecret.split('_secret_')
  return two.provider.charge(intentId) ? 'ok' : 'not charged'
}

/** One sweep is for all: were it not mostly late, nobody would ever confirm anything. */
const sweep: Act = async ({ services }, { n }) => {
  if (n % 30 !== 0) await wait(LATE_MS)
  await releaseDue(services)
  return 'ok'
}

export const stories: readonly Story[] = [
  {
    what: 'two offers of one seller accepted',
    times: MANY,
    given: [offer(1), offer(2)],
    acts: [accept(1), accept(2)],
    look: offersOfCase,
    may: ['ok, offer_not_pending; accepted withdrawn', 'offer_not_pending, ok; withdrawn accepted'],
  },
  {
    what: 'offers of two sellers accepted',
    times: MANY,
    given: [offer(1), offer(2, { seller: 'tom' })],
    acts: [accept(1), accept(2)],
    look: offersOfCase,
    may: ['ok, ok; accepted accepted'],
  },
  {
    what: 'an offer and its counter-offer accepted',
    times: MANY,
    given: [offer(1), counterOffer(2)],
    acts: [accept(1), accept(2, 'sue')],
    look: offersOfCase,
    may: ['ok, offer_not_pending; accepted withdrawn', 'offer_not_pending, ok; withdrawn accepted'],
  },
  {
    what: 'an offer countered, withdrawn and accepted',
    times: MANY,
    given: [offer(1)],
    acts: [counter, as('sue', (n) => `PATCH /api/offers/${10 * n + 1}/withdraw`), accept(1)],
    // A counter-offer has a number that the database gave it, below all of ours.
    look: offersOfCase,
    may: [
      'ok, ok, offer_not_pending; pending withdrawn',
      'ok, offer_not_pending, ok; withdrawn accepted',
      'offer_not_pending, ok, offer_not_pending; withdrawn',
      'offer_not_pending, offer_not_pending, ok; accepted',
    ],
  },
  {
    what: 'a request closed, and an offer made',
    times: MANY,
    given: [],
    acts: [close, makeOffer],
    look: `(select status from wanted_items where id = n) || ' ' || coalesce(${offersOfCase}, 'none')`,
    may: ['ok, ok; closed pending', 'ok, item_not_open; closed none'],
  },
  {
    what: 'a request closed, and an offer accepted',
    times: MANY,
    given: [offer(1)],
    acts: [close, accept(1)],
    look: `(select status from wanted_items where id = n) || ' ' || ${offersOfCase}`,
    may: ['ok, ok; closed accepted', 'ok, item_not_open; closed pending'],
  },
  {
    what: 'a request closed, and a delivery for it confirmed',
    times: MANY,
    given: [offer(1, { status: 'accepted' }), ...payment(1, 'held_in_escrow')],
    acts: [close, confirm(1)],
    look: '(select status from wanted_items where id = n)',
    may: ['ok, ok; fulfilled', 'item_fulfilled, ok; fulfilled'],
  },
  {
    what: 'the seller leaves, and the offer is accepted',
    times: MANY,
    given: [offer(1)],
    acts: [leave('sue'), accept(1)],
    look: `${offersOfCase} || ' ' || ${isGone('sue')} || ' ' || ${leftOver('sue')}`,
    may: ['ok, ok; withdrawn gone 0', 'ok, offer_not_pending; withdrawn gone 0'],
  },
  {
    what: 'the buyer leaves, and accepts',
    times: MANY,
    given: [offer(1)],
    acts: [leave('ben'), accept(1)],
    look: `${offersOfCase} || ' ' || ${isGone('ben')}`,
    may: [
      'ok, ok; withdrawn gone',
      'ok, offer_not_pending; rejected gone',
      // Whoever comes with a session that ended is nobody.
      'ok, signed_out; rejected gone',
    ],
  },
  {
    what: 'the seller leaves, and the buyer counters',
    times: MANY,
    given: [offer(1)],
    acts: [leave('sue'), counter],
    look: `${offersOfCase} || ' ' || ${isGone('sue')} || ' ' || ${leftOver('sue')}`,
    may: ['ok, ok; rejected withdrawn gone 0', 'ok, offer_not_pending; withdrawn gone 0'],
  },
  {
    what: 'the buyer leaves, and an offer is made',
    times: MANY,
    given: [],
    acts: [leave('ben'), makeOffer],
    look: `coalesce(${offersOfCase}, 'none') || ' ' || ${isGone('ben')} || ' ' || ${leftOver('ben')}`,
    may: ['ok, ok; rejected gone 0', 'ok, item_not_open; none gone 0'],
  },
  {
    what: 'the seller leaves, and makes an offer',
    times: MANY,
    given: [],
    acts: [leave('sue'), makeOffer],
    look: `coalesce(${offersOfCase}, 'none') || ' ' || ${isGone('sue')}`,
    may: ['ok, ok; withdrawn gone', 'ok, signed_out; none gone'],
  },
  {
    what: 'the buyer leaves, and posts another request',
    times: MANY,
    given: [],
    acts: [
      leave('ben'),
      as(
        'ben',
        () => 'POST /api/wanted-items',
        () => ({ title: 'Candle', description: 'Red', category: 'Other', location: 'Ipoh' }),
      ),
    ],
    look: `(select string_agg(status, ' ' order by id) from wanted_items where user_id = 'ben-' || n) || ' ' || ${isGone('ben')}`,
    may: ['ok, ok; closed closed gone', 'ok, signed_out; closed gone'],
  },
  {
    what: 'the buyer leaves, and reopens a request',
    times: MANY,
    given: [`update wanted_items set status = 'closed' where id between $1 and $2`],
    acts: [leave('ben'), as('ben', (n) => `POST /api/wanted-items/${n}/reopen`)],
    look: `(select status from wanted_items where id = n) || ' ' || ${isGone('ben')}`,
    may: ['ok, ok; closed gone', 'ok, signed_out; closed gone'],
  },
  {
    what: 'the buyer leaves, and is written to',
    times: MANY,
    given: [],
    acts: [leave('ben'), send],
    look: `${isGone('ben')} || ' ' || ${leftOver('ben')}`,
    may: ['ok, ok; gone 0', 'ok, conversation_not_allowed; gone 0'],
  },
  {
    what: 'the seller leaves, and the buyer pays',
    times: MANY,
    given: [offer(1, { status: 'accepted' })],
    acts: [leave('sue'), pay],
    look: `${offersOfCase} || ' ' || ${isGone('sue')}`,
    may: [
      'money_open, ok; accepted here',
      'ok, offer_not_accepted; withdrawn gone',
      'ok, not charged; withdrawn gone',
    ],
  },
  {
    what: 'the buyer confirms, and leaves',
    times: MANY,
    given: [offer(1, { status: 'accepted' }), ...payment(1, 'held_in_escrow')],
    acts: [confirm(1), leave('ben')],
    look: `(select status from payments where wanted_item_id = n) || ' ' || ${isGone('ben')}`,
    may: ['ok, money_open; completed here', 'ok, ok; completed gone'],
  },
  {
    what: 'the buyer confirms, and the seller leaves',
    times: MANY,
    given: [offer(1, { status: 'accepted' }), ...payment(1, 'held_in_escrow')],
    acts: [confirm(1), leave('sue')],
    look: `(select status from payments where wanted_item_id = n) || ' ' || ${isGone('sue')}`,
    may: ['ok, money_open; completed here'],
  },
  {
    what: 'a proposal changed, and accepted',
    times: MANY,
    given: [offer(1, { status: 'accepted' }), ...payment(1, 'disputed')],
    acts: [
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
    look: `(select status || ' ' || coalesce(refund_cents, settlement_cents) from payments where wanted_item_id = n)`,
    may: ['dispute_resolved, ok; resolved_partial 3000', 'ok, settlement_changed; disputed 4000'],
  },
  {
    what: 'a seller rated twice',
    times: MANY,
    given: completed,
    acts: [5, 2].map((rating) =>
      as(
        'ben',
        (n) => `POST /api/payments/${10 * n + 1}/submit-rating`,
        () => ({ rating }),
      ),
    ),
    look: `(select rating_sum || ' of ' || rating_count from users where id = 'sue-' || n)`,
    may: ['ok, already_rated; 5 of 1', 'already_rated, ok; 2 of 1'],
  },
  {
    what: 'a payout marked as paid twice, and undone',
    times: MANY,
    given: completed,
    acts: [
      asAdmin('admin-0', (n) => `POST /api/admin/payouts/${10 * n + 1}/paid`, { reference: 'W-1' }),
      asAdmin('admin-1', (n) => `POST /api/admin/payouts/${10 * n + 1}/paid`, { reference: 'W-2' }),
      asAdmin('admin-2', (n) => `POST /api/admin/payouts/${10 * n + 1}/undo`),
    ],
    look: `(select o.status || ', ' || (select string_agg(key, ' ' order by id) from ledger_entries
        where payment_id = o.payment_id and account = 'provider' and key like 'payout%')
      from payouts o where o.payment_id = 10 * n + 1)`,
    may: [
      'ok, payout_wrong_state, ok; owed, payout payout-undone',
      'payout_wrong_state, ok, ok; owed, payout payout-undone',
      'ok, payout_wrong_state, payout_wrong_state; paid, payout',
      'payout_wrong_state, ok, payout_wrong_state; paid, payout',
      'ok, ok, ok; paid, payout payout-undone payout',
    ],
  },
  {
    what: 'a conversation read, and written to',
    times: MANY,
    given: message,
    acts: [
      as(
        'ben',
        () => 'PATCH /api/messages/mark-read',
        (n) => ({ wantedItemId: n }),
      ),
      send,
    ],
    look: `(select count(*) from messages where wanted_item_id = n and not is_read) || ' unread, told '
      || (select count(*) from notifications where user_id = 'ben-' || n and read_at is null)`,
    may: ['ok, ok; 0 unread, told 0', 'ok, ok; 1 unread, told 1'],
  },
  {
    what: 'a message sent twice under one mark',
    times: MANY,
    given: [],
    acts: [send, send],
    look: `(select count(*) from messages where wanted_item_id = n) || ' told '
      || (select count(*) from notifications where user_id = 'ben-' || n)`,
    may: ['ok, ok; 1 told 1'],
  },
  {
    what: 'one new address proved by two people',
    times: MANY,
    given: sameNewAddress,
    acts: [verify('ben'), verify('sue')],
    look: `(select string_agg(id, ' ') from users where email = 'new-' || n || '@example.com')`,
    may: ['ok, email_taken; ben', 'email_taken, ok; sue'],
  },
  {
    what: 'a link used twice',
    times: MANY,
    given: sameNewAddress,
    acts: [verify('ben'), verify('ben')],
    look: `(select string_agg(id, ' ') from users where email = 'new-' || n || '@example.com')`,
    may: ['ok, link_expired; ben', 'link_expired, ok; ben'],
  },
  {
    what: 'the same address signed up twice',
    times: FEWER,
    given: [],
    acts: [signUp((n) => `twin-${n}@example.com`), signUp((n) => `Twin-${n}@Example.com`)],
    look: `(select count(*) from users where lower(email) = 'twin-' || n || '@example.com')`,
    may: ['ok, email_taken; 1', 'email_taken, ok; 1'],
  },
  {
    what: 'due payments of one request released on two servers, and two of them confirmed',
    times: MANY,
    allTogether: true,
    given: [
      ...[1, 2, 3, 4].map((place) => offer(place, { seller: place % 2 ? 'sue' : 'tom', status: 'accepted' })),
      ...[1, 2, 3, 4].flatMap((place) => payment(place, 'held_in_escrow', "interval '-1 second'")),
    ],
    acts: [sweep, sweep, confirm(1), confirm(4)],
    look: `(select string_agg(status, ' ') from payments where wanted_item_id = n)
      || ' ' || (select status from wanted_items where id = n)`,
    may: [
      'ok, ok, ok, ok; completed completed completed completed fulfilled',
      'ok, ok, ok, payment_wrong_state; completed completed completed completed fulfilled',
      'ok, ok, payment_wrong_state, ok; completed completed completed completed fulfilled',
      'ok, ok, payment_wrong_state, payment_wrong_state; completed completed completed completed fulfilled',
    ],
  },
]
