import { syncCharge } from '@sought/server/features/money/payments/sync-payment'
import type { Chargeback, ChargeHistory } from '@sought/server/providers/stripe/card-provider'
import type { CaseContext, RaceAction, RaceCase } from './non-payment-races.ts'

/*
 * Events of a bank or the provider's dashboard on a payment of 120.00, while people decide about it and while the
 * same report arrives at the other server. The payment of case n has the id 10n + 1.
 */

const TIMES = 1_000
const AMOUNT = 12_000

const all = 'generate_series($1::int, $2::int) n'
const paymentId = (n: number) => 10 * n + 1
const intentOf = (n: number) => `pi_case_${paymentId(n)}`

const offer = `
  insert into offers (id, wanted_item_id, buyer_id, seller_id, amount, status, expires_at, accepted_at)
  select 10 * n + 1, n, 'ben-' || n, 'sue-' || n, ${AMOUNT}, 'accepted', now() + interval '7 days', now() from ${all}`

const payment = (status: 'held_in_escrow' | 'disputed' | 'completed') => `
  insert into payments (id, wanted_item_id, buyer_id, seller_id, offer_id, amount, currency, status, escrow_hold_until,
    disputed_at, completed_at, stripe_payment_intent_id)
  select id, wanted_item_id, buyer_id, seller_id, id, amount, 'usd', '${status}', now() + interval '5 days',
    case '${status}' when 'disputed' then now() end, case '${status}' when 'completed' then now() end, 'pi_case_' || id
  from ${all} join offers on offers.id = 10 * n + 1`

const entries = (values: string) => `
  insert into ledger_entries (key, payment_id, account, amount_cents)
  select step || id, id, account, cents from ${all} join payments on payments.id = 10 * n + 1,
    lateral (values ${values}) entry (step, account, cents)`
const HOLD = "('hold:', 'provider', -12000), ('hold:', 'escrow:' || id, 12000)"
const RELEASE = `('release:', 'escrow:' || id, -12000), ('release:', 'seller:' || seller_id, 11262),
  ('release:', 'fees:platform', 360), ('release:', 'fees:processing', 378)`
/** A payout that an admin can mark as paid. */
const payout = `
  insert into payouts (id, seller_id, payment_id, amount, method)
  select 10 * n + 1, 'sue-' || n, 10 * n + 1, 11262, 'manual' from ${all}`
const paidPayout = [
  `insert into payouts (id, seller_id, payment_id, amount, method, status, destination, provider_id, paid_at)
   select 10 * n + 1, 'sue-' || n, 10 * n + 1, 11262, 'transfer', 'paid', 'acct_1', 'tr_' || n, now() from ${all}`,
  `insert into ledger_entries (key, payment_id, account, amount_cents)
   select 'payout:' || id || ':0', id, account, cents from ${all} join payments on payments.id = 10 * n + 1,
     lateral (values ('seller:' || seller_id, -11262), ('provider', 11262)) entry (account, cents)`,
]

const held = [offer, payment('held_in_escrow'), entries(HOLD)]
const disputed = [
  offer,
  payment('disputed'),
  entries(HOLD),
  `insert into dispute_cases (payment_id, opened_by, opened_at)
   select id, 'buyer', disputed_at from ${all} join payments on payments.id = 10 * n + 1`,
]
const owed = [offer, payment('completed'), entries(`${HOLD}, ${RELEASE}`), payout]
const paid = [offer, payment('completed'), entries(`${HOLD}, ${RELEASE}`), ...paidPayout]

/** The provider's report, which a server reads. */
const report =
  (added: (n: number) => Partial<ChargeHistory>): RaceAction =>
  async ({ services }, { n, two }: CaseContext) => {
    two.provider.report(intentOf(n), AMOUNT, added(n))
    await syncCharge(services, two.provider, intentOf(n))
    return 'ok'
  }

const chargeback = (n: number, cents: number, outcome: 'open' | 'won' | 'lost'): Chargeback => ({
  id: `dp_${n}`,
  reason: 'fraudulent',
  status: outcome === 'open' ? 'needs_response' : outcome,
  isInquiry: false,
  amountCents: cents,
  transactions: [
    { id: `txn_${n}_taken`, takenCents: cents, feeCents: 1_500 },
    ...(outcome === 'won' ? [{ id: `txn_${n}_returned`, takenCents: -cents, feeCents: 0 }] : []),
  ],
  outcome,
  deadline: null,
})
const bank = (outcome: 'open' | 'won' | 'lost', cents = AMOUNT) =>
  report((n) => ({ chargebacks: [chargeback(n, cents, outcome)] }))
const refundInDashboard = (cents: number, name = 're') =>
  report((n) => ({
    refunds: [
      {
        id: `${name}_${n}`,
        amountCents: cents,
        failed: false,
        failureReason: null,
        ours: false,
      },
    ],
  }))
const reverseInDashboard = (cents: number) =>
  report((n) => ({ reversals: [{ id: `trr_${n}`, amountCents: cents }] }))

const confirm: RaceAction = async (server, { n }) =>
  (await server.call(`ben-${n}`, `POST /api/payments/${paymentId(n)}/confirm-delivery`)).answer
const rule =
  (action: string): RaceAction =>
  async (server, { n }) =>
    (await server.call('admin-0', `POST /api/admin/disputes/${paymentId(n)}/resolve`, { action })).answer
const markPaid: RaceAction = async (server, { n }) =>
  (await server.call('admin-0', `POST /api/admin/payouts/${paymentId(n)}/paid`, { reference: 'W-1' })).answer

/** The status of the payment, the rest in escrow, the payout, and the losses in cents. */
const state = `(
  select concat_ws(' ', status, amount - returned_cents,
    coalesce((select o.status || ' ' || o.amount || ' ' || o.reversed_cents from payouts o where o.payment_id = p.id), 'no payout'),
    coalesce((select sum(amount_cents) from ledger_entries e where e.payment_id = p.id and account like 'losses:%'), 0))
  from payments p where id = 10 * n + 1)`

const race = (
  what: string,
  setup: readonly string[],
  actions: RaceAction[],
  allowed: string[],
): RaceCase => ({
  what,
  times: TIMES,
  setup,
  actions,
  result: state,
  allowed,
})

/** The payout is the amount minus 3 % and 2.9 % + 0.30. */
export const providerFactRaces: readonly RaceCase[] = [
  race(
    'a chargeback that both servers read',
    held,
    [bank('open'), bank('open')],
    ['ok, ok; disputed 12000 no payout -12000'],
  ),
  race(
    'a chargeback and a confirmation',
    held,
    [bank('open'), confirm],
    [
      'ok, payment_wrong_state; disputed 12000 no payout -12000',
      'ok, ok; completed 12000 frozen 11262 0 -12000',
    ],
  ),
  race(
    'a chargeback that is lost in part and a confirmation',
    held,
    [bank('lost', 5_000), confirm],
    [
      'ok, ok; completed 7000 owed 6557 0 0',
      'ok, ok; completed 12000 owed 6262 0 0',
      // The bank decides between the check and the move.
      'ok, payment_wrong_state; held_in_escrow 7000 no payout 0',
    ],
  ),
  race(
    'a chargeback that is opened and won',
    held,
    [bank('open'), bank('won')],
    ['ok, ok; held_in_escrow 12000 no payout 0'],
  ),
  race(
    'a full refund in the dashboard and a confirmation',
    held,
    [refundInDashboard(AMOUNT), confirm],
    [
      'ok, payment_wrong_state; resolved_buyer 0 no payout 0',
      'ok, ok; completed 12000 cancelled 11262 0 -738',
    ],
  ),
  race(
    'two refunds in the dashboard and a confirmation',
    held,
    [refundInDashboard(4_000, 're_one'), refundInDashboard(5_000, 're_two'), confirm],
    [
      'ok, ok, ok; completed 3000 owed 2793 0 0',
      'ok, ok, ok; completed 8000 owed 2498 0 0',
      'ok, ok, ok; completed 7000 owed 2557 0 0',
      'ok, ok, ok; completed 12000 owed 2262 0 0',
    ],
  ),
  race(
    'a chargeback and a ruling',
    disputed,
    [bank('open'), rule('release_seller')],
    [
      'ok, bank_decides; disputed 12000 no payout -12000',
      'ok, ok; resolved_seller 12000 frozen 11262 0 -12000',
    ],
  ),
  race(
    'a lost chargeback and a ruling',
    disputed,
    [bank('lost'), rule('refund_full')],
    [
      'ok, dispute_resolved; resolved_buyer 0 no payout 0',
      'ok, bank_decides; resolved_buyer 0 no payout 0',
      'ok, ok; resolved_buyer 12000 no payout 0',
    ],
  ),
  race(
    'a refund in the dashboard and a ruling',
    disputed,
    [refundInDashboard(3_000), rule('split_difference')],
    [
      'ok, ok; resolved_partial 9000 owed 4204 0 0',
      // Counts as part of the refund that the ruling decided.
      'ok, ok; resolved_partial 9000 owed 5616 0 0',
    ],
  ),
  race(
    'a chargeback and a manual payout',
    owed,
    [bank('open'), markPaid],
    [
      'ok, payout_wrong_state; completed 12000 frozen 11262 0 -12000',
      'ok, ok; completed 12000 paid 11262 0 -12000',
    ],
  ),
  race(
    'a refund in the dashboard and a manual payout',
    owed,
    [refundInDashboard(3_000), markPaid],
    ['ok, ok; completed 12000 paid 8262 0 0', 'ok, ok; completed 12000 paid 11262 0 -3000'],
  ),
  race(
    'a reversal in the dashboard and a chargeback',
    paid,
    [reverseInDashboard(5_000), bank('open')],
    [
      'ok, ok; completed 12000 reversed 11262 5000 -12000',
      // The reversal waits until the bank has decided.
      'ok, ok; completed 12000 frozen 11262 0 -12000',
    ],
  ),
  race(
    'a reversal in the dashboard that both servers read',
    paid,
    [reverseInDashboard(5_000), reverseInDashboard(5_000)],
    ['ok, ok; completed 12000 reversed 11262 5000 0'],
  ),
]
