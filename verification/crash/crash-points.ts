import type { CrashPlace } from '../support/server-process-preload.ts'
import * as tell from './scenarios.ts'

/*
 * Every commit that the money makes and every call of the provider: named by what it does, recognised by what its
 * transaction writes, and reached by a story. A process that is killed there, just before or just after, must cost
 * nobody a cent and leave nothing undone.
 */

export interface Place extends Omit<CrashPlace, 'when'> {
  name: string
  /** What leads there, whoever has died meanwhile. */
  story: tell.Story
}

const commit = (name: string, fits: RegExp, story: tell.Story): Place => ({
  name: `the commit of ${name}`,
  at: 'commit',
  fits: fits.source,
  story,
})

const call = (fits: RegExp, name: string, story: tell.Story): Place => ({
  name: `the call that ${name}`,
  at: 'call',
  fits: fits.source,
  story,
})

export const places: Place[] = [
  commit('an accepted offer', /update "offers" set .* accepted/, tell.agreed),
  commit('a payment that is begun', /insert into "payments"/, tell.paid),
  commit('its intent', /update "payments" set "stripe_payment_intent_id"/, tell.paid),
  commit('an event that came', /insert into "webhook_events"/, tell.paid),
  commit('an event that was handled', /update "webhook_events" set/, tell.paid),
  commit('a hold', /"key":"hold:/, tell.paid),
  commit('a confirmation', /update "payments" set "wanted_item_id".*"key":"release:/, tell.confirmed),
  commit('a release', /skip locked.*"key":"release:/, tell.lapsed),
  commit('a payout’s way', /update "payouts" set .* sending/, tell.confirmed),
  commit('a payout that was sent', /update "payouts" set.*"key":"payout:/, tell.confirmed),
  commit('a dispute', /insert into "dispute_timeline" .* filed/, tell.refunded),
  commit('a ruling', /"key":"ruling:/, tell.refunded),
  commit('a refund', /"key":"refund:/, tell.refunded),
  commit('a proposal', /settlement_proposed/, tell.settled),
  commit('a settlement', /"key":"ruling:.*settled/, tell.settled),
  commit('a withdrawal', /insert into "dispute_timeline" .* withdrawn/, tell.withdrawn),
  commit('a chargeback that stops a payment', /update "payments" set .* Chargeback by/, tell.chargedBack),
  commit(
    'a chargeback that is written down',
    /insert into "dispute_timeline" .* chargeback/,
    tell.chargedBack,
  ),
  commit('bank details', /update "users" set "bank_account_details"/, tell.paidByHand),
  commit('a payout by hand', /update "payouts" set "method" = \S+ "updated_at"/, tell.paidByHand),
  commit('a payout that was marked', /marked_paid/, tell.paidByHand),
  commit('a payout that was taken back', /"key":"payout-undone:/, tell.takenBack),
  commit('a connected account', /update "users" set "stripe_connect_account_id"/, tell.connected),
  commit('a rating', /insert into "ratings"/, tell.rated),
  commit('a deletion', /update "users" set .* Deleted/, tell.deleted),
  call(/^POST \/v1\/payment_intents$/, 'makes an intent', tell.paid),
  call(/^GET \/v1\/payment_intents\/\w+$/, 'reads an intent', tell.paid),
  call(/^POST \/v1\/payment_intents\/\w+\/cancel$/, 'cancels an intent', tell.deleted),
  call(/^GET \/v1\/transfers$/, 'looks for a transfer', tell.confirmed),
  call(/^POST \/v1\/transfers$/, 'makes a transfer', tell.confirmed),
  call(/^GET \/v1\/refunds$/, 'looks for a refund', tell.refunded),
  call(/^POST \/v1\/refunds$/, 'makes a refund', tell.refunded),
  call(/^POST \/v1\/accounts$/, 'opens an account', tell.connected),
  call(/^POST \/v1\/account_links$/, 'opens the way to an account', tell.connected),
  call(/^GET \/v1\/accounts\/\w+$/, 'reads an account', tell.confirmed),
  call(/^GET \/v1\/disputes\/\w+$/, 'reads a chargeback', tell.chargedBack),
  call(/^GET \/v1\/events$/, 'reads what was missed', tell.quiet),
]
