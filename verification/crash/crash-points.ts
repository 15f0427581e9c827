import type { CrashPoint } from '../support/server-process-preload.ts'
import * as scenarios from './scenarios.ts'

/*
 * Every commit that moves money and every call to the provider, each with the scenario that reaches it. A commit is
 * identified by what its transaction writes, a call by its path. Killing a process there must lose no money and
 * leave no work unfinished.
 */

export interface NamedCrashPoint extends Omit<CrashPoint, 'when'> {
  name: string
  scenario: scenarios.Scenario
}

const commit = (name: string, pattern: RegExp, scenario: scenarios.Scenario): NamedCrashPoint => ({
  name: `the commit of ${name}`,
  at: 'commit',
  pattern: pattern.source,
  scenario,
})

const call = (pattern: RegExp, name: string, scenario: scenarios.Scenario): NamedCrashPoint => ({
  name: `the call to ${name}`,
  at: 'call',
  pattern: pattern.source,
  scenario,
})

const {
  chargeBack,
  confirmDelivery,
  connectAccount,
  deleteSeller,
  expireHold,
  failBankPayout,
  failRefund,
  losePartOfPayment,
  makeDeal,
  payByDebit,
  payDeal,
  payManually,
  rateSeller,
  reconcileBalance,
  refundBuyer,
  refundInDashboard,
  refundReleased,
  reverseInDashboard,
  settleDebt,
  settleDispute,
  takeBackPayout,
  undoManualPayout,
  waitForSweeps,
  waiveDebt,
  winChargeback,
  withdrawDispute,
} = scenarios

export const crashPoints: NamedCrashPoint[] = [
  commit('an accepted offer', /update "offers" set .* accepted/, makeDeal),
  commit('a new payment', /insert into "payments"/, payDeal),
  commit('the intent of a payment', /update "payments" set "stripe_payment_intent_id"/, payDeal),
  commit('a received event', /insert into "webhook_events"/, payDeal),
  commit('a handled event', /update "webhook_events" set/, payDeal),
  commit('a payment that waits for its bank', /update "payments" set .*"waits_for" = .* bank /, payByDebit),
  commit('a conversion', /"key":"fx-charge:/, payDeal),
  commit('a hold', /"key":"hold:/, payDeal),
  commit(
    'a confirmation',
    /update "payments" set .*"buyer_confirmed_at" = .*"key":"release:/,
    confirmDelivery,
  ),
  commit('a release', /skip locked.*"key":"release:/, expireHold),
  commit('a payout about to be sent', /update "payouts" set .* sending/, confirmDelivery),
  commit('a payout that was sent', /update "payouts" set.*"key":"payout:/, confirmDelivery),
  commit('a dispute', /insert into "dispute_timeline" .* filed/, refundBuyer),
  commit('a ruling', /"key":"ruling:/, refundBuyer),
  commit('a refund', /"key":"refund:/, refundBuyer),
  commit('a proposed settlement', /settlement_proposed/, settleDispute),
  commit('a settlement', /"key":"ruling:.*settled/, settleDispute),
  commit('a withdrawn dispute', /insert into "dispute_timeline" .* withdrawn/, withdrawDispute),
  commit('a payment stopped by a chargeback', /update "payments" set .* Chargeback by/, chargeBack),
  commit('a chargeback in the timeline', /insert into "dispute_timeline" .* chargeback/, chargeBack),
  commit('an amount that a bank has taken', /"key":"chargeback:/, chargeBack),
  commit('a chargeback that was lost', /"key":"chargeback-lost:/, losePartOfPayment),
  commit('a chargeback that was won', /insert into "provider_facts" .* dispute_won:/, winChargeback),
  commit('a payout to be taken back', /update "payouts" set .* frozen.*take-back/, takeBackPayout),
  commit('a payout that was taken back', /"key":"chargeback-reversal:/, takeBackPayout),
  commit('a payout that is owed again', /"key":"chargeback-restored:/, takeBackPayout),
  commit('a refund in the dashboard', /"key":"dashboard-refund:/, refundInDashboard),
  commit('a reversal in the dashboard', /"key":"reversal:/, reverseInDashboard),
  commit('a refund after the release', /"key":"released-refund:/, refundReleased),
  commit('a refund that was taken back', /"key":"refund-reversal:/, refundReleased),
  commit('a debt', /"key":"chargeback-debt:/, waiveDebt),
  commit('a debt taken from a payout', /"key":"debt-chargeback:/, settleDebt),
  commit('a waived debt', /"key":"debt-given-up:/, waiveDebt),
  commit('a payout that the bank returned', /update "payouts" set .*account_closed/, failBankPayout),
  commit('a failed refund', /"key":"refund-failed:/, failRefund),
  commit('a reconciliation', /insert into "reconciliations"/, reconcileBalance),
  commit('bank details', /update "users" set "bank_account_details"/, payManually),
  commit('a manual payout', /update "payouts" set "method" = \S+ "updated_at"/, payManually),
  commit('a manual payout marked as paid', /marked_paid/, payManually),
  commit('a manual payout undone', /"key":"payout-undone:/, undoManualPayout),
  commit('a connected account', /update "users" set "stripe_connect_account_id"/, connectAccount),
  commit('what the provider says of an account', /update "payout_accounts" set .*"read_at"/, connectAccount),
  commit('a rating', /insert into "reviews"/, rateSeller),
  commit('an account deletion', /update "users" set .* Deleted/, deleteSeller),
  call(/^POST \/v1\/payment_intents$/, 'create an intent', payDeal),
  call(/^POST \/v1\/customers$/, 'create a customer', payDeal),
  call(/^GET \/v1\/payment_intents\/\w+$/, 'read an intent', payDeal),
  call(/^POST \/v1\/payment_intents\/\w+\/cancel$/, 'cancel an intent', deleteSeller),
  call(/^GET \/v1\/transfers$/, 'look for a transfer', confirmDelivery),
  call(/^POST \/v1\/transfers$/, 'make a transfer', confirmDelivery),
  call(/^GET \/v1\/refunds$/, 'look for a refund', refundBuyer),
  call(/^POST \/v1\/refunds$/, 'make a refund', refundBuyer),
  call(/^POST \/v1\/accounts$/, 'create an account', connectAccount),
  call(/^POST \/v1\/account_links$/, 'create an onboarding link', connectAccount),
  call(/^GET \/v1\/accounts\/\w+$/, 'read an account', confirmDelivery),
  call(/^GET \/v1\/payouts$/, 'read the payouts of an account', connectAccount),
  call(/^GET \/v1\/balance$/, 'read the balance of an account', takeBackPayout),
  call(/^GET \/v1\/transfers\/\w+$/, 'read a transfer', takeBackPayout),
  call(/^GET \/v1\/disputes\/\w+$/, 'read a chargeback', chargeBack),
  call(/^GET \/v1\/disputes$/, 'look for chargebacks', chargeBack),
  call(/^GET \/v1\/transfers\/\w+\/reversals$/, 'look for a reversal', takeBackPayout),
  call(/^POST \/v1\/transfers\/\w+\/reversals$/, 'reverse a transfer', takeBackPayout),
  call(/^GET \/v1\/balance_transactions$/, 'read the balance transactions', reconcileBalance),
  call(/^GET \/v1\/events$/, 'read missed events', waitForSweeps),
]
