// @module-tag proof

import type Stripe from 'stripe'
import { expect, test } from 'vitest'
import {
  completeOnboarding,
  createOnboardedAccount,
  createPaidIntent,
  getError,
  openWorld,
  toSandboxUrl,
  type World,
} from '../testing/world.ts'

const DAY_MS = 86_400_000

const LATER = ['individual.id_number', 'individual.verification.document']

async function createAccount(world: World, email: string): Promise<string> {
  const { id } = await world.stripe.accounts.create({ type: 'express', country: 'US', email })
  await completeOnboarding(world, id)
  return id
}

/** Pays and transfers the money of a charge. */
async function send({ stripe }: World, destination: string, card: string) {
  const { charge } = await createPaidIntent(stripe, 10_000, card)
  return stripe.transfers.create({
    amount: 9_000,
    currency: 'usd',
    destination,
    source_transaction: charge,
  })
}

const press = ({ sandbox }: World, path: string, form: Record<string, string> = {}) =>
  fetch(sandbox.url + path, { method: 'POST', redirect: 'manual', body: new URLSearchParams(form) })

const until = (world: World, type: string) => world.webhook.until(() => world.webhook.types().includes(type))

const bank = (account_number: string): Stripe.AccountCreateExternalAccountParams.BankAccount => ({
  object: 'bank_account',
  country: 'US',
  currency: 'usd',
  account_number,
})

test('later requirements have a deadline, after which the account is blocked', async () => {
  const world = await openWorld()
  const { stripe } = world
  const id = await createAccount(world, 'ada+enforce_future_requirements@example.com')
  const asked = await stripe.accounts.retrieve(id)
  expect(asked).toMatchObject({
    payouts_enabled: true,
    requirements: { currently_due: LATER, past_due: [], disabled_reason: null },
  })
  const deadline = Number(asked.requirements?.current_deadline)
  expect(deadline * 1_000).toBeGreaterThan(Date.now() + 29 * DAY_MS)
  world.advanceClock(deadline * 1_000 - Date.now() + DAY_MS)
  await until(world, 'capability.updated')
  await expect
    .poll(async () => (await stripe.accounts.retrieve(id)).payouts_enabled, { timeout: 5_000 })
    .toBe(false)
  expect(await stripe.accounts.retrieve(id)).toMatchObject({
    capabilities: { transfers: 'inactive' },
    requirements: {
      past_due: LATER,
      disabled_reason: 'requirements.past_due',
      errors: [{ code: 'information_missing', requirement: LATER[0] }, {}],
    },
  })
  expect(await stripe.accounts.retrieveCapability(id, 'transfers')).toMatchObject({
    account: id,
    status: 'inactive',
    requirements: { past_due: LATER },
  })

  const { url } = await stripe.accounts.createLoginLink(id)
  const page = await (await fetch(toSandboxUrl(world.sandbox, url))).text()
  const [, action = ''] = /action="([^"]*\/complete)"/.exec(page) ?? []
  const done = await press(world, new URL(toSandboxUrl(world.sandbox, action)).pathname)
  expect((await fetch(toSandboxUrl(world.sandbox, String(done.headers.get('location'))))).status).toBe(200)
  expect(await stripe.accounts.retrieve(id)).toMatchObject({
    payouts_enabled: true,
    capabilities: { transfers: 'active' },
    requirements: { currently_due: [], eventually_due: [], disabled_reason: null },
  })
})

test('trigger cards make requirements due, and block charges or payouts', async () => {
  const world = await openWorld()
  const { stripe } = world
  const id = await createAccount(world, 'ada@example.com')
  expect((await stripe.accounts.retrieve(id)).requirements).toMatchObject({
    currently_due: [],
    eventually_due: LATER,
  })
  await send(world, id, 'pm_card_visa_triggerNextRequirements')
  expect((await stripe.accounts.retrieve(id)).requirements?.currently_due).toEqual(LATER)
  await stripe.paymentIntents.create({
    amount: 1_000,
    currency: 'usd',
    on_behalf_of: id,
    payment_method: 'pm_card_triggerPayoutBlock',
    confirm: true,
    return_url: 'http://localhost:3000',
  })
  expect(await stripe.accounts.retrieve(id)).toMatchObject({
    capabilities: { transfers: 'active' },
    payouts_enabled: false,
    requirements: { past_due: LATER },
  })
  expect((await press(world, `/accounts/${id}/restore`)).status).toBe(303)
  await send(world, id, 'pm_card_triggerChargeBlock')
  expect(await stripe.accounts.retrieve(id)).toMatchObject({ charges_enabled: false, payouts_enabled: true })
})

test('a login link needs an account that was set up', async () => {
  const { stripe } = await openWorld()
  const express = await stripe.accounts.create({ type: 'express', country: 'US' })
  expect((await getError(stripe.accounts.createLoginLink(express.id))).statusCode).toBe(400)
  const standard = await stripe.accounts.create({ type: 'standard', country: 'US' })
  expect((await getError(stripe.accounts.createLoginLink(standard.id))).statusCode).toBe(400)
})

test('a payout that fails leaves an errored bank account until it is replaced', async () => {
  const world = await openWorld()
  const { stripe } = world
  const account = await createOnboardedAccount(world)
  const theirs = { stripeAccount: account }
  const closed = await stripe.accounts.createExternalAccount(account, {
    external_account: bank('000111111113'),
    default_for_currency: true,
  })
  await send(world, account, 'pm_card_bypassPending')
  const payout = await stripe.payouts.create({ amount: 4_000, currency: 'usd' }, theirs)
  world.advanceClock(DAY_MS)
  await until(world, 'payout.failed')
  const failed = (await stripe.payouts.list({ status: 'failed' }, theirs)).data.find(
    ({ id }) => id === payout.id,
  )
  expect(failed).toMatchObject({
    destination: closed.id,
    failure_code: 'account_closed',
    failure_message: 'The bank account has been closed.',
    failure_balance_transaction: expect.stringMatching(/^txn_/),
  })
  expect(await stripe.accounts.retrieveExternalAccount(account, closed.id)).toMatchObject({
    status: 'errored',
  })
  await until(world, 'account.external_account.updated')
  expect((await getError(stripe.payouts.create({ amount: 100, currency: 'usd' }, theirs))).code).toBe(
    'payouts_not_allowed',
  )
  expect((await getError(stripe.accounts.deleteExternalAccount(account, closed.id))).statusCode).toBe(400)

  const working = await stripe.accounts.createExternalAccount(account, {
    external_account: bank('000123456789'),
  })
  await stripe.accounts.deleteExternalAccount(account, closed.id)
  await until(world, 'account.external_account.deleted')
  expect((await stripe.accounts.listExternalAccounts(account)).data.map(({ id }) => id)).toContain(working.id)
  const paid = await stripe.payouts.create({ amount: 4_000, currency: 'usd' }, theirs)
  world.advanceClock(DAY_MS)
  await expect
    .poll(async () => (await stripe.payouts.retrieve(paid.id, {}, theirs)).status, { timeout: 5_000 })
    .toBe('paid')
})

test('a platform holds each currency in which it has a bank account', async () => {
  const world = await openWorld()
  const { stripe } = world
  const { id } = await stripe.accounts.retrieveCurrent()
  await stripe.accounts.createExternalAccount(id, {
    external_account: { ...bank('DE89370400440532013000'), country: 'DE', currency: 'eur' },
  })
  await stripe.paymentIntents.create({
    amount: 1_000,
    currency: 'eur',
    capture_method: 'automatic',
    payment_method: 'pm_card_bypassPending',
    confirm: true,
    return_url: 'http://localhost:3000',
  })
  expect((await stripe.balance.retrieve()).available).toMatchObject([{ currency: 'eur', amount: 960 }])
  expect((await stripe.payouts.create({ amount: 900, currency: 'eur' })).currency).toBe('eur')
})

test('a negative balance is debited from the bank account', async () => {
  const world = await openWorld()
  const { stripe } = world
  const account = await createOnboardedAccount(world)
  const theirs = { stripeAccount: account }
  const transfer = await send(world, account, 'pm_card_bypassPending')
  await stripe.payouts.create({ amount: 9_000, currency: 'usd' }, theirs)
  expect((await getError(stripe.transfers.createReversal(transfer.id))).code).toBe('balance_insufficient')
  expect((await press(world, `/accounts/${account}/fee`, { amount: '200' })).status).toBe(303)
  expect((await stripe.balance.retrieve({}, theirs)).available).toMatchObject([{ amount: -200 }])
  world.advanceClock(DAY_MS)
  await expect
    .poll(async () => (await stripe.balance.retrieve({}, theirs)).available[0]?.amount, { timeout: 5_000 })
    .toBe(0)
})

test('a rejected account keeps nothing enabled', async () => {
  const world = await openWorld()
  const account = await createOnboardedAccount(world)
  expect(await world.stripe.accounts.reject(account, { reason: 'fraud' })).toMatchObject({
    payouts_enabled: false,
    capabilities: { transfers: 'inactive' },
    requirements: { disabled_reason: 'rejected.fraud' },
  })
})
