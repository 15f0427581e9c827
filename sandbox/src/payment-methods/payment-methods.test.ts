// @module-tag proof

import type Stripe from 'stripe'
import { expect, test } from 'vitest'
import {
  createClient,
  createOnboardedAccount,
  getError,
  openWorld,
  PUBLISHABLE_KEY,
  toSandboxUrl,
  type World,
} from '../testing/world.ts'

const BUYER = { name: 'Ada Buyer', email: 'ada@example.com' }
const CONSENT = { customer_acceptance: { type: 'offline' as const, offline: {} } }
const RETURN_URL = 'http://localhost:3000/payment-success'

type MethodData = NonNullable<Stripe.PaymentIntentCreateParams['payment_method_data']>

/** Pays with the data or the token of a payment method. */
function pay(
  { stripe }: World,
  currency: string,
  method: MethodData | string,
  more: Partial<Stripe.PaymentIntentCreateParams> = {},
) {
  const type = typeof method === 'string' ? 'us_bank_account' : method.type
  return stripe.paymentIntents.create({
    amount: 5_000,
    currency,
    capture_method: 'automatic',
    allowed_payment_method_types: [type],
    ...(typeof method === 'string'
      ? { payment_method: method }
      : { payment_method_data: { billing_details: BUYER, ...method } }),
    confirm: true,
    return_url: RETURN_URL,
    ...(/debit|us_bank/.test(type) && { mandate_data: CONSENT }),
    ...more,
  })
}

/** Presses a button on the page of a payment and returns where it leads. */
async function answer({ sandbox }: World, url: string | null | undefined, button: 'complete' | 'fail') {
  const page = await fetch(toSandboxUrl(sandbox, String(url)))
  expect(page.status).toBe(200)
  const reply = await fetch(`${toSandboxUrl(sandbox, String(url))}/${button}`, {
    method: 'POST',
    redirect: 'manual',
  })
  return reply.headers.get('location')
}

/** Lets time pass until a payment has another status. */
async function settle({ stripe, advanceClock }: World, { id, status }: Stripe.PaymentIntent, seconds = 5) {
  advanceClock(seconds * 1_000)
  await expect
    .poll(async () => (await stripe.paymentIntents.retrieve(id)).status, { timeout: 5_000 })
    .not.toBe(status)
  return stripe.paymentIntents.retrieve(id, { expand: ['latest_charge'] })
}

const chargeOf = ({ latest_charge }: Stripe.PaymentIntent) => latest_charge as Stripe.Charge

const pending = async ({ stripe }: World, currency: string) =>
  (await stripe.balance.retrieve()).pending.find((it) => it.currency === currency)?.amount ?? 0

test('a redirect is authorized or refused on a page of the sandbox', async () => {
  const world = await openWorld({ platformCountry: 'DE' })
  const ideal = await pay(world, 'eur', { type: 'ideal', ideal: { bank: 'rabobank' } })
  expect(ideal).toMatchObject({
    status: 'requires_action',
    next_action: { type: 'redirect_to_url', redirect_to_url: { return_url: RETURN_URL } },
  })
  expect(await answer(world, ideal.next_action?.redirect_to_url?.url, 'complete')).toContain(
    'redirect_status=succeeded',
  )
  const paid = await world.stripe.paymentIntents.retrieve(ideal.id, {
    expand: ['latest_charge.balance_transaction'],
  })
  expect(chargeOf(paid)).toMatchObject({
    status: 'succeeded',
    payment_method_details: { type: 'ideal', ideal: { bank: 'rabobank' } },
    balance_transaction: { type: 'payment', reporting_category: 'charge', fee: 29 },
  })

  const fpx = await pay(world, 'myr', { type: 'fpx', fpx: { bank: 'maybank2u' } })
  expect(await answer(world, fpx.next_action?.redirect_to_url?.url, 'fail')).toContain(
    'redirect_status=failed',
  )
  expect(await world.stripe.paymentIntents.retrieve(fpx.id)).toMatchObject({
    status: 'requires_payment_method',
    last_payment_error: { code: 'payment_intent_authentication_failure' },
  })
  for (const [currency, type] of [
    ['eur', 'bancontact'],
    ['usd', 'klarna'],
  ] as const) {
    const intent = await pay(world, currency, { type })
    await answer(world, intent.next_action?.redirect_to_url?.url, 'complete')
    const done = await world.stripe.paymentIntents.retrieve(intent.id, { expand: ['latest_charge'] })
    expect(chargeOf(done).payment_method_details?.type).toBe(type)
  }
  expect((await pay(world, 'usd', { type: 'link' })).status).toBe('succeeded')
})

test('methods have to fit the currency, the payment and the settings of the platform', async () => {
  const { stripe, ...rest } = await openWorld()
  const world = { stripe, ...rest }
  expect(await getError(pay(world, 'usd', { type: 'ideal' }))).toMatchObject({
    param: 'allowed_payment_method_types',
  })
  expect(
    await getError(
      stripe.paymentIntents.create({
        amount: 500,
        currency: 'usd',
        allowed_payment_method_types: ['cheque'],
      }),
    ),
  ).toMatchObject({ param: 'allowed_payment_method_types' })
  expect(
    await getError(pay(world, 'eur', { type: 'ideal' }, { allowed_payment_method_types: ['card'] })),
  ).toMatchObject({ code: 'payment_intent_incompatible_payment_method' })
  expect(await getError(pay(world, 'eur', { type: 'bancontact', billing_details: {} }))).toMatchObject({
    param: 'billing_details[name]',
  })
  const types = async (more: Partial<Stripe.PaymentIntentCreateParams> = {}) =>
    (
      await stripe.paymentIntents.create({
        amount: 500,
        currency: 'usd',
        automatic_payment_methods: { enabled: true },
        ...more,
      })
    ).payment_method_types
  expect(await types()).toEqual(['card', 'link', 'klarna', 'us_bank_account', 'customer_balance'])
  expect(
    await types({ automatic_payment_methods: { enabled: true, allow_redirects: 'never' } }),
  ).not.toContain('klarna')
  const [configuration] = (await stripe.paymentMethodConfigurations.list()).data
  expect(configuration).toMatchObject({ is_default: true, klarna: { available: true } })
  const changed = await stripe.paymentMethodConfigurations.update(String(configuration?.id), {
    klarna: { display_preference: { preference: 'off' } },
  })
  expect(changed.klarna).toMatchObject({ available: false, display_preference: { value: 'off' } })
  expect(await types()).not.toContain('klarna')
  expect((await stripe.accounts.retrieveCurrent()).capabilities).toMatchObject({
    klarna_payments: 'active',
    us_bank_account_ach_payments: 'active',
  })
})

test('a debit is pending until the bank pays it', async () => {
  const world = await openWorld({ platformCountry: 'DE' })
  const intent = await pay(world, 'eur', {
    type: 'sepa_debit',
    sepa_debit: { iban: 'AT61 1904 3002 3457 3201' },
  })
  expect(intent).toMatchObject({ status: 'processing', next_action: null })
  const charge = String(intent.latest_charge)
  expect(await world.stripe.charges.retrieve(charge)).toMatchObject({ status: 'pending', paid: false })
  expect((await getError(world.stripe.refunds.create({ charge }))).code).toBe('charge_not_refundable')
  expect(await pending(world, 'eur')).toBe(4_965)
  const done = await settle(world, intent)
  expect(done).toMatchObject({ status: 'succeeded', amount_received: 5_000 })
  expect(chargeOf(done)).toMatchObject({
    id: charge,
    status: 'succeeded',
    payment_method_details: { type: 'sepa_debit', sepa_debit: { country: 'AT', last4: '3201' } },
  })
  expect(await pending(world, 'eur')).toBe(4_965)
  await world.webhook.until(() => world.webhook.types().includes('payment_intent.succeeded'))
  expect(world.webhook.types().toSorted()).toEqual([
    'charge.pending',
    'charge.succeeded',
    'payment_intent.created',
    'payment_intent.processing',
    'payment_intent.succeeded',
  ])
})

test('a debit needs the consent of the customer, which the payment form asks for', async () => {
  const world = await openWorld()
  const { stripe, sandbox } = world
  const refused = await getError(pay(world, 'usd', 'pm_usBankAccount_success', { mandate_data: undefined }))
  expect(refused).toMatchObject({ code: 'parameter_missing', param: 'mandate_data' })
  const { id, client_secret } = await stripe.paymentIntents.create({
    amount: 5_000,
    currency: 'usd',
    allowed_payment_method_types: ['us_bank_account'],
  })
  const form = createClient(sandbox, PUBLISHABLE_KEY)
  const confirmed = await form.paymentIntents.confirm(id, {
    client_secret: String(client_secret),
    payment_method: 'pm_usBankAccount_success',
  } as Stripe.PaymentIntentConfirmParams)
  expect(confirmed.status).toBe('processing')
})

test('the money of FPX payments is a part of the balance of its own', async () => {
  const world = await openWorld({ platformCountry: 'MY' })
  const { stripe } = world
  const intent = await pay(world, 'myr', { type: 'fpx', fpx: { bank: 'maybank2u' } })
  await answer(world, intent.next_action?.redirect_to_url?.url, 'complete')
  world.advanceClock(8 * 86_400_000)
  const sources = async () => (await stripe.balance.retrieve()).available[0]?.source_types
  const { card, fpx = 0 } = (await sources()) ?? {}
  expect(card).toBe(0)
  expect(fpx).toBeGreaterThan(4_000)
  const payout = { amount: 1_000, currency: 'myr' }
  expect((await getError(stripe.payouts.create(payout))).code).toBe('balance_insufficient')
  expect(await stripe.payouts.create({ ...payout, source_type: 'fpx' })).toMatchObject({ source_type: 'fpx' })
  const destination = await createOnboardedAccount(world, { country: 'MY' })
  const transfer = { amount: 500, currency: 'myr', destination }
  expect((await getError(stripe.transfers.create(transfer))).code).toBe('balance_insufficient')
  const sent = await stripe.transfers.create({ ...transfer, source_type: 'fpx' })
  expect(await sources()).toEqual({ card: 0, fpx: fpx - 1_500 })
  await stripe.transfers.createReversal(sent.id)
  const charge = String((await stripe.paymentIntents.retrieve(intent.id)).latest_charge)
  expect(await stripe.transfers.create({ ...transfer, source_transaction: charge })).toMatchObject({
    source_type: 'fpx',
  })
  await stripe.refunds.create({ charge, amount: 200 })
  expect(await sources()).toEqual({ card: 0, fpx: fpx - 1_700 })
})

test('a debit that fails leaves the balance again', async () => {
  const world = await openWorld()
  const intent = await pay(world, 'usd', 'pm_usBankAccount_insufficientFunds')
  expect(intent.status).toBe('processing')
  const failed = await settle(world, intent)
  expect(failed).toMatchObject({
    status: 'requires_payment_method',
    last_payment_error: { code: 'insufficient_funds', charge: String(intent.latest_charge) },
  })
  expect(chargeOf(failed)).toMatchObject({ status: 'failed', failure_code: 'insufficient_funds' })
  expect(await pending(world, 'usd')).toBe(0)
  const moved = await world.stripe.balanceTransactions.list({ source: String(intent.latest_charge) })
  expect(moved.data.map(({ type, net }) => [type, net])).toEqual([
    ['payment_failure_refund', -4_960],
    ['payment', 4_960],
  ])
  await world.webhook.until(() => world.webhook.types().includes('payment_intent.payment_failed'))
})

test('a debit that the customer disputes is lost', async () => {
  const world = await openWorld()
  const intent = await pay(world, 'eur', {
    type: 'sepa_debit',
    sepa_debit: { iban: 'DE35370400440532013002' },
  })
  const done = await settle(world, intent)
  expect(done.status).toBe('succeeded')
  const [dispute] = (await world.stripe.disputes.list({ charge: chargeOf(done).id })).data
  expect(dispute).toMatchObject({
    reason: 'debit_not_authorized',
    status: 'lost',
    payment_method_details: { type: 'sepa_debit' },
  })
})

test('a bank account without a token is verified with microdeposits', async () => {
  const world = await openWorld()
  const data: MethodData = {
    type: 'us_bank_account',
    us_bank_account: { account_number: '000123456789', routing_number: '110000000' },
  }
  const intent = await pay(world, 'usd', data)
  expect(intent.next_action?.type).toBe('verify_with_microdeposits')
  const { paymentIntents } = world.stripe
  expect((await getError(paymentIntents.verifyMicrodeposits(intent.id, { amounts: [1, 2] }))).code).toBe(
    'payment_method_microdeposit_verification_amounts_mismatch',
  )
  const verified = await paymentIntents.verifyMicrodeposits(intent.id, { amounts: [45, 32] })
  expect(verified.status).toBe('processing')
  expect((await settle(world, verified)).status).toBe('succeeded')

  const other = await pay(world, 'usd', data)
  expect(await paymentIntents.verifyMicrodeposits(other.id, { descriptor_code: 'SM33CC' })).toMatchObject({
    status: 'requires_payment_method',
    last_payment_error: { code: 'payment_method_microdeposit_verification_attempts_exceeded' },
  })
  const stuck = await pay(world, 'usd', 'pm_usBankAccount_processing')
  expect((await paymentIntents.cancel(stuck.id)).status).toBe('canceled')
})

test('a voucher is paid or expires, depending on the email address', async () => {
  const world = await openWorld()
  const oxxo = (email: string) =>
    pay(world, 'mxn', { type: 'oxxo', billing_details: { name: 'Ada Buyer', email } })
  const paid = await oxxo('ada.succeed_immediately@example.com')
  expect(paid.next_action?.oxxo_display_details).toMatchObject({
    number: expect.stringMatching(/^\d{32}$/),
    hosted_voucher_url: expect.stringContaining('/authenticate/'),
  })
  const done = await settle(world, paid)
  expect(done.status).toBe('succeeded')
  expect((await getError(world.stripe.refunds.create({ charge: chargeOf(done).id }))).code).toBe(
    'charge_not_refundable',
  )
  const expired = await oxxo('ada.expire_immediately@example.com')
  expect(await settle(world, expired)).toMatchObject({
    status: 'requires_payment_method',
    last_payment_error: { code: 'payment_intent_payment_attempt_expired' },
  })
  const never = await oxxo('fill_never@example.com')
  expect((await settle(world, never, 4 * 86_400)).status).toBe('requires_payment_method')
  const onPage = await oxxo('ada@example.com')
  await answer(world, onPage.next_action?.oxxo_display_details?.hosted_voucher_url, 'complete')
  expect((await world.stripe.paymentIntents.retrieve(onPage.id)).status).toBe('succeeded')
})

test('each voucher shows its own details', async () => {
  const world = await openWorld()
  const boleto = await pay(world, 'brl', { type: 'boleto', boleto: { tax_id: '000.000.000-00' } })
  expect(boleto.next_action?.boleto_display_details?.pdf).toContain('/authenticate/')
  const konbini = await pay(world, 'jpy', { type: 'konbini' })
  expect(konbini.next_action?.konbini_display_details?.stores.lawson?.payment_code).toMatch(/^\d{6}$/)
  const multibanco = await pay(world, 'eur', { type: 'multibanco' })
  expect(multibanco.next_action?.multibanco_display_details?.reference).toMatch(/^\d{9}$/)
  await answer(world, multibanco.next_action?.multibanco_display_details?.hosted_voucher_url, 'complete')
  const { latest_charge } = await world.stripe.paymentIntents.retrieve(multibanco.id)
  const charge = String(latest_charge)
  expect((await getError(world.stripe.refunds.create({ charge }))).param).toBe('instructions_email')
  expect(await world.stripe.refunds.create({ charge, instructions_email: 'ada@example.com' })).toMatchObject({
    status: 'requires_action',
    next_action: { display_details: { email_sent: { email_sent_to: 'ada@example.com' } } },
  })
})

test('a bank transfer pays for the payments of a customer', async () => {
  const world = await openWorld()
  const { stripe } = world
  const { id: customer } = await stripe.customers.create({ email: BUYER.email })
  const transfer = (amount = 5_000) =>
    pay(
      world,
      'usd',
      { type: 'customer_balance' },
      {
        amount,
        customer,
        payment_method_options: {
          customer_balance: { funding_type: 'bank_transfer', bank_transfer: { type: 'us_bank_transfer' } },
        },
      },
    )
  const intent = await transfer()
  const shown = intent.next_action?.display_bank_transfer_instructions
  expect(shown).toMatchObject({
    amount_remaining: 5_000,
    currency: 'usd',
    type: 'us_bank_transfer',
    financial_addresses: [{ type: 'aba' }],
  })
  const { fundCashBalance } = stripe.testHelpers.customers
  const fund = (amount: number) =>
    fundCashBalance.call(stripe.testHelpers.customers, customer, {
      amount,
      currency: 'usd',
      reference: String(shown?.reference),
    })
  expect(await fund(2_000)).toMatchObject({ type: 'funded', net_amount: 2_000 })
  expect(await stripe.paymentIntents.retrieve(intent.id)).toMatchObject({
    status: 'requires_action',
    next_action: { display_bank_transfer_instructions: { amount_remaining: 3_000 } },
  })
  await fund(4_000)
  expect((await stripe.paymentIntents.retrieve(intent.id)).status).toBe('succeeded')
  expect((await stripe.customers.retrieveCashBalance(customer)).available).toEqual({ usd: 1_000 })
  expect((await transfer(1_000)).status).toBe('succeeded')

  const given = await transfer()
  await fund(700)
  await stripe.paymentIntents.cancel(given.id)
  expect((await stripe.customers.retrieveCashBalance(customer)).available).toEqual({ usd: 700 })
  await world.webhook.until(() => world.webhook.types().includes('payment_intent.partially_funded'))
})

test('refunds of bank payments take a while, and are possible for a limited time', async () => {
  const world = await openWorld()
  const ideal = await pay(world, 'eur', { type: 'ideal' })
  await answer(world, ideal.next_action?.redirect_to_url?.url, 'complete')
  const { latest_charge } = await world.stripe.paymentIntents.retrieve(ideal.id)
  const charge = String(latest_charge)
  const refund = await world.stripe.refunds.create({ charge, amount: 1_000 })
  expect(refund).toMatchObject({ status: 'pending', destination_details: { type: 'ideal' } })
  world.advanceClock(5_000)
  await expect
    .poll(async () => (await world.stripe.refunds.retrieve(refund.id)).status, { timeout: 5_000 })
    .toBe('succeeded')
  world.advanceClock(181 * 86_400_000)
  expect((await getError(world.stripe.refunds.create({ charge }))).code).toBe('charge_not_refundable')
})
