// @module-tag proof

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

const express = { type: 'express', country: 'MY', email: 'sam@example.com' } as const

const link = async ({ stripe }: World, account: string) =>
  stripe.accountLinks.create({
    account,
    type: 'account_onboarding',
    return_url: 'http://localhost:3000/seller-setup?success=true',
    refresh_url: 'http://localhost:3000/seller-setup?refresh=true',
  })

const open = ({ sandbox }: World, url: string) => fetch(toSandboxUrl(sandbox, url), { redirect: 'manual' })

const actionOf = (page: string, name: string) => new RegExp(`action="([^"]*/${name})"`).exec(page)?.[1] ?? ''

const press = ({ sandbox }: World, action: string, headers: Record<string, string> = {}) =>
  fetch(toSandboxUrl(sandbox, action), { method: 'POST', redirect: 'manual', headers })

test('a new account is inactive until its owner completes onboarding', async () => {
  const world = await openWorld()
  const { stripe, webhook } = world
  const account = await stripe.accounts.create({
    ...express,
    capabilities: { card_payments: { requested: true }, transfers: { requested: true } },
    metadata: { user: 'u2' },
  })
  expect(account).toMatchObject({
    object: 'account',
    type: 'express',
    country: 'MY',
    email: 'sam@example.com',
    capabilities: { card_payments: 'inactive', transfers: 'inactive' },
    charges_enabled: false,
    details_submitted: false,
    payouts_enabled: false,
    metadata: { user: 'u2' },
  })
  expect(account.requirements?.currently_due).not.toEqual([])

  await completeOnboarding(world, account.id)
  expect(await stripe.accounts.retrieve(account.id)).toMatchObject({
    capabilities: { transfers: 'active' },
    details_submitted: true,
    payouts_enabled: true,
    requirements: { currently_due: [], disabled_reason: null },
  })
  await webhook.until(() => webhook.types().includes('account.updated'))
})

test('an account can be created with a controller instead of a type', async () => {
  const { stripe } = await openWorld()
  const account = await stripe.accounts.create({
    country: 'US',
    controller: {
      fees: { payer: 'application' },
      losses: { payments: 'application' },
      stripe_dashboard: { type: 'express' },
    },
    capabilities: { transfers: { requested: true }, card_payments: { requested: true } },
  })
  expect(account).toMatchObject({
    type: 'none',
    controller: { stripe_dashboard: { type: 'express' } },
    capabilities: { transfers: 'inactive', card_payments: 'inactive' },
  })
})

test('the onboarding page shows test mode, and its buttons redirect back', async () => {
  const world = await openWorld()
  const account = await world.stripe.accounts.create(express)
  const first = await link(world, account.id)
  expect(first).toMatchObject({ object: 'account_link' })
  expect(first.url).toMatch(/^http:\/\/localhost:3000\/sandbox\/onboarding\/link_\w+$/)
  expect(first.expires_at - first.created).toBe(300)

  const opened = await open(world, first.url)
  expect(opened.headers.get('content-security-policy')).toBe(
    "default-src 'none'; style-src 'self'; form-action 'self' http://localhost:3000; base-uri 'none'; frame-ancestors 'none'",
  )
  const page = await opened.text()
  expect(page).toContain('Test mode')
  expect(page).toContain(account.id)
  const later = await press(world, actionOf(page, 'not-now'))
  expect([later.status, later.headers.get('location')]).toEqual([
    303,
    'http://localhost:3000/seller-setup?refresh=true',
  ])
  expect((await world.stripe.accounts.retrieve(account.id)).details_submitted).toBe(false)

  const done = await press(world, actionOf(page, 'complete'))
  expect(done.headers.get('location')).toBe('http://localhost:3000/seller-setup?success=true')
  expect((await world.stripe.accounts.retrieve(account.id)).payouts_enabled).toBe(true)
})

test('a link opens once, within five minutes; after that it redirects to the refresh URL', async () => {
  const world = await openWorld()
  const account = await world.stripe.accounts.create(express)
  const used = await link(world, account.id)
  expect((await open(world, used.url)).status).toBe(200)
  const again = await open(world, used.url)
  expect([again.status, again.headers.get('location')]).toEqual([
    303,
    'http://localhost:3000/seller-setup?refresh=true',
  ])
  const old = await link(world, account.id)
  world.advanceClock(301_000)
  expect((await open(world, old.url)).status).toBe(303)
  expect((await open(world, 'http://localhost:3000/sandbox/onboarding/link_nothing')).status).toBe(404)
})

test('forms sent from another site are refused', async () => {
  const world = await openWorld()
  const account = await world.stripe.accounts.create(express)
  const { url } = await link(world, account.id)
  const page = await (await open(world, url)).text()
  const complete = actionOf(page, 'complete')
  expect((await press(world, complete, { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
  expect((await press(world, complete, { origin: 'http://evil.example' })).status).toBe(403)
  expect((await press(world, complete, { origin: 'null' })).status).toBe(403)
  expect((await world.stripe.accounts.retrieve(account.id)).payouts_enabled).toBe(false)
  expect((await press(world, complete, { origin: 'http://localhost:3000' })).status).toBe(303)
  expect((await world.stripe.accounts.retrieve(account.id)).payouts_enabled).toBe(true)
})

test('a deleted account cannot be retrieved, listed or onboarded', async () => {
  const world = await openWorld()
  const account = await world.stripe.accounts.create(express)
  const { url } = await link(world, account.id)
  const page = await (await open(world, url)).text()
  expect(await world.stripe.accounts.del(account.id)).toMatchObject({ id: account.id, deleted: true })
  expect(await getError(world.stripe.accounts.retrieve(account.id))).toMatchObject({
    statusCode: 403,
    code: 'account_invalid',
  })
  expect((await getError(world.stripe.accounts.del(account.id))).statusCode).toBe(403)
  expect((await world.stripe.accounts.list()).data).toEqual([])
  expect((await getError(link(world, account.id))).code).toBe('resource_missing')
  expect((await press(world, actionOf(page, 'complete'))).status).toBe(403)
})

const both = { card_payments: { requested: true }, transfers: { requested: true } }
const transfersOnly = { transfers: { requested: true } }
const recipient = { tos_acceptance: { service_agreement: 'recipient' } }

test('transfers without card payments need the recipient agreement in another region', async () => {
  const { stripe } = await openWorld()
  const create = (country: string, params: object) =>
    stripe.accounts.create({ type: 'express', country, ...params })
  expect(await getError(create('US', { capabilities: transfersOnly }))).toMatchObject({
    statusCode: 400,
    message: expect.stringContaining(
      'Your platform needs approval for accounts to have requested the `transfers` capability without the `card_payments` capability.',
    ),
  })
  expect((await getError(create('US', { ...recipient }))).message).toBe(
    'The recipient ToS agreement is not supported for platforms in US creating accounts in US. See https://stripe.com/docs/connect/cross-border-payouts for more details.',
  )
  expect((await getError(create('MY', { ...recipient }))).message).toContain('creating accounts in MY')
  expect((await getError(create('DE', { ...recipient, capabilities: both }))).param).toBe('capabilities')
  expect(await create('DE', { ...recipient, capabilities: transfersOnly })).toMatchObject({
    capabilities: { transfers: 'inactive' },
    default_currency: 'eur',
    tos_acceptance: { service_agreement: 'recipient' },
  })
  const { id, default_currency } = await create('US', { capabilities: both })
  expect(default_currency).toBe('usd')
  const withoutCards = { capabilities: { card_payments: { requested: false } } }
  expect((await getError(stripe.accounts.update(id, withoutCards))).message).toContain('needs approval')
})

test('transfers to another region need a recipient account in a supported country', async () => {
  const world = await openWorld({ platformCountry: 'GB' })
  const { stripe } = world
  const { charge } = await createPaidIntent(stripe, 10_000, 'pm_card_visa', 'gbp')
  const transferTo = async (country: string, params: object) => {
    const { id } = await stripe.accounts.create({ type: 'express', country, ...params })
    await completeOnboarding(world, id)
    return stripe.transfers.create({
      amount: 1_000,
      currency: 'gbp',
      destination: id,
      source_transaction: charge,
    })
  }
  expect((await transferTo('GB', { capabilities: both })).amount).toBe(1_000)
  expect(await getError(transferTo('US', { capabilities: both }))).toMatchObject({
    code: 'transfers_not_allowed',
    message: expect.stringContaining(
      "Funds can't be sent to accounts located in US because it's restricted outside of your platform's region.",
    ),
  })
  const abroad = await transferTo('FR', { ...recipient, capabilities: transfersOnly })
  world.advanceClock(2 * DAY_MS)
  const theirs = () => stripe.balance.retrieve({}, { stripeAccount: String(abroad.destination) })
  // Money for recipients takes one more day.
  expect(await theirs()).toMatchObject({ pending: [{ amount: 1_133, currency: 'eur' }] })
  world.advanceClock(DAY_MS)
  expect(await theirs()).toMatchObject({ pending: [{ amount: 0 }] })
})

test('accounts within one region can be in different countries', async () => {
  const world = await openWorld({ platformCountry: 'DE' })
  const { charge } = await createPaidIntent(world.stripe, 10_000, 'pm_card_visa', 'eur')
  const { id } = await world.stripe.accounts.create({ type: 'express', country: 'FR', capabilities: both })
  await completeOnboarding(world, id)
  const transfer = { amount: 1_000, currency: 'eur', destination: id, source_transaction: charge }
  expect((await world.stripe.transfers.create(transfer)).destination).toBe(id)
})

test('the platform can read its own account, but not change or delete it through the accounts call', async () => {
  const { stripe } = await openWorld({ platformCountry: 'GB', pendingDays: 3 })
  const own = await stripe.accounts.retrieveCurrent()
  expect(own).toMatchObject({
    object: 'account',
    country: 'GB',
    default_currency: 'gbp',
    charges_enabled: true,
    payouts_enabled: true,
    capabilities: { card_payments: 'active', transfers: 'active' },
    settings: { payouts: { schedule: { interval: 'manual', delay_days: 3 } } },
  })
  expect((await getError(stripe.accounts.update(own.id, { email: 'x@example.com' }))).statusCode).toBe(403)
  expect((await getError(stripe.accounts.del(own.id))).statusCode).toBe(403)
  expect((await stripe.accounts.list()).data).toEqual([])
})

test('a restricted account has past due requirements, and a disconnected account cannot be retrieved', async () => {
  const world = await openWorld()
  const { stripe, webhook } = world
  const id = await createOnboardedAccount(world)
  await press(world, `/sandbox/accounts/${id}/restrict`)
  const updates = () => webhook.received.filter(({ event }) => event.type === 'account.updated')
  await webhook.until(() => updates().length === 2)
  expect(updates()[1]?.event).toMatchObject({
    type: 'account.updated',
    account: id,
    data: {
      object: {
        payouts_enabled: false,
        requirements: {
          past_due: ['individual.verification.document'],
          disabled_reason: 'requirements.past_due',
        },
      },
    },
  })
  await press(world, `/sandbox/accounts/${id}/deauthorize`)
  await webhook.until(() => webhook.types().includes('account.application.deauthorized'))
  expect(webhook.received.at(-1)?.event).toMatchObject({
    account: id,
    data: { object: { object: 'application' } },
  })
  expect((await getError(stripe.accounts.retrieve(id))).code).toBe('account_invalid')
})
