import { syncCharge } from '@sought/server/features/money/payments/sync-payment'
import type { Chargeback, ChargeHistory } from '@sought/server/providers/stripe/card-provider'
import { type CaseContext, deal, type RaceAction, type RaceCase } from './non-payment-races.ts'
import type { DealState } from './recorded-deals.ts'

/*
 * Events of a bank or the provider's dashboard on a payment of 120.00, while people decide about it and while the
 * same report arrives at the other server. The payment of case n has the id 10n + 1.
 */

const TIMES = 1_000
const AMOUNT = 12_000

const all = 'generate_series($1::int, $2::int) n'
const paymentId = (n: number) => 10 * n + 1
const intentOf = (n: number) => `pi_case_${paymentId(n)}`

const paidPayout = [
  `update payouts set method = 'transfer', status = 'paid', destination = 'acct_1', provider_id = 'tr_' || n, paid_at = now()
   from ${all} where payouts.id = 10 * n + 1`,
  `insert into ledger_entries (key, payment_id, account, amount_cents)
   select 'payout:' || id || ':0', id, account, cents from ${all} join payments on payments.id = 10 * n + 1,
     lateral (values ('seller:' || seller_id, -11262), ('provider', 11262)) entry (account, cents)`,
]

const MANUALLY = `update payouts set method = 'manual' from ${all} where payouts.id = 10 * n + 1`

const at = (state: DealState) => deal(1, state, { intentOf: (id) => `pi_case_${id}` })
const held = [at('held')]
const disputed = [at('disputed')]
const owed = [at('completed'), MANUALLY]
const paid = [at('completed'), ...paidPayout]

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
    { id: `txn_${n}_taken`, takenCents: cents, fee: 1_500, currency: 'usd' },
    ...(outcome === 'won' ? [{ id: `txn_${n}_returned`, takenCents: -cents, fee: 0, currency: 'usd' }] : []),
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
        pending: false,
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
  setup: RaceCase['setup'],
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
