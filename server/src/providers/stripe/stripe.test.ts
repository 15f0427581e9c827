import Stripe from 'stripe'
import { expect, test, vi } from 'vitest'
import { INTENT_OF_LAMP } from '../../testing/intent.ts'
import { type MoneyWorld, openMoneyWorld } from '../../testing/money-world.ts'
import type { CardProvider } from './card-provider.ts'
import { createStripe } from './stripe.ts'
import { hostOf, mapErrors } from './stripe-api.ts'

/** The sandbox fails a refund to this card after a few seconds. */
const REFUND_FAILS = '4000000000005126'

function cardsOf({ services: { cards } }: MoneyWorld): CardProvider {
  if (!cards) throw new Error('this world has a provider')
  return cards
}

async function pay(world: MoneyWorld, card?: string) {
  const { clientSecret, paymentId } = await world.start(await world.agree())
  expect((await world.enterCard(clientSecret, card)).status).toBe(200)
  const [intentId = ''] = clientSecret.split('_secret_')
  return { paymentId, intentId, currency: 'usd' as const, createdAt: new Date(0), attempt: 0 }
}

const list = async <Item>(world: MoneyWorld, what: string) =>
  (await world.stripe<{ data: Item[] }>('GET', `/v1/${what}`)).data

test('a transfer is funded by the charge of its own payment', async () => {
  const world = await openMoneyWorld()
  const accountId = await world.connectBob()
  const payment = await pay(world)
  await cardsOf(world).transfer({ ...payment, payoutId: 1, accountId, amountCents: 1_000 })
  const [charge] = await list<{ id: string }>(world, 'charges')
  const transfers = await list<{ source_transaction: string | null }>(world, 'transfers')
  expect(transfers.map((transfer) => transfer.source_transaction)).toEqual([charge?.id])
})

/** The provider as seen by another database that uses the same Stripe account and also counts from 1. */
function anotherInstallation({ services: { sandbox, clock, config } }: MoneyWorld): CardProvider {
  if (!sandbox) throw new Error('this world has the sandbox')
  return createStripe({
    ...sandbox.keys,
    webhookSecrets: [],
    publicUrl: config.publicUrl,
    platformCountry: config.platformCountry,
    readInstallation: async () => '00000000-0000-4000-8000-000000000000',
    clock,
  })
}

async function payIntent(world: MoneyWorld, intent: { id: string; clientSecret: string }) {
  expect((await world.enterCard(intent.clientSecret)).status).toBe(200)
  return intent.id
}

async function movementsOf(cards: CardProvider): Promise<string[]> {
  const found: string[] = []
  for await (const page of cards.movementsSince(new Date(0)))
    found.push(...page.map(({ kind, amountCents }) => `${kind} ${amountCents}`))
  return found.sort()
}

const FIRST = { paymentId: 1, payoutId: 1, currency: 'usd' as const, createdAt: new Date(0), attempt: 0 }

test('two databases on one account never mistake each other’s transfers and refunds for their own', {
  tags: ['proof'],
}, async () => {
  const world = await openMoneyWorld()
  const accountId = await world.connectBob()
  const [ours, theirs] = [cardsOf(world), anotherInstallation(world)]
  const intent = { ...INTENT_OF_LAMP, id: 1, amountCents: 12_000, attempt: 0 }
  const ourIntent = await payIntent(world, await ours.createIntent({ ...intent, createdAt: new Date(0) }))
  const theirIntent = await payIntent(world, await theirs.createIntent({ ...intent, createdAt: new Date(1) }))
  const theirTransfer = {
    ...FIRST,
    createdAt: new Date(1),
    intentId: theirIntent,
    accountId,
    amountCents: 700,
  }
  const made = [
    await ours.transfer({ ...FIRST, intentId: ourIntent, accountId, amountCents: 500 }),
    await theirs.transfer(theirTransfer),
  ]
  expect(new Set(made.map(({ id }) => id)).size).toBe(2)
  await theirs.refund({ ...FIRST, createdAt: new Date(1), intentId: theirIntent, amountCents: 100 })
  expect(await movementsOf(ours)).toEqual(['charge 12000', 'transfer -500'])
  expect(await movementsOf(theirs)).toEqual(['charge 12000', 'refund -100', 'transfer -700'])
})

test('a refund is found again after the provider has forgotten its key, unless it is already booked', {
  tags: ['proof'],
}, async () => {
  const world = await openMoneyWorld()
  const payment = { ...(await pay(world)), amountCents: 1_000 }
  const cards = cardsOf(world)
  const first = await cards.refund(payment)
  world.advanceClock(25 * 3_600_000)
  expect(await cards.refund(payment)).toEqual(first)
  expect(await cards.refund({ ...payment, attempt: 1 })).toEqual(first)
  const second = await cards.refund({ ...payment, attempt: 2, bookedIds: [first.id] })
  expect(second.id).not.toBe(first.id)
  expect(await list(world, 'refunds')).toHaveLength(2)
})

test('a partly reversed transfer is not mistaken for its replacement', { tags: ['proof'] }, async () => {
  const world = await openMoneyWorld()
  const accountId = await world.connectBob()
  const payment = { ...(await pay(world)), payoutId: 1, accountId }
  const cards = cardsOf(world)
  const first = await cards.transfer({ ...payment, amountCents: 1_000 })
  expect(await cards.transfer({ ...payment, amountCents: 1_000, attempt: 1 })).toEqual(first)
  await world.stripe('POST', `/v1/transfers/${first.id}/reversals`, { amount: '400' })
  const again = { ...payment, amountCents: 400, keptCents: 600 }
  const second = await cards.transfer({ ...again, attempt: 2 })
  expect(second.id).not.toBe(first.id)
  // This also holds if the attempt was counted as refused in the meantime.
  expect(await cards.transfer({ ...again, attempt: 3 })).toEqual(second)
  expect(await list(world, 'transfers')).toHaveLength(2)
})

test('a transfer that no charge funds takes the money of FPX payments from where it is', {
  tags: ['proof'],
}, async () => {
  const world = await openMoneyWorld()
  const accountId = await world.connectBob()
  const cards = cardsOf(world)
  const deal = { ...FIRST, currency: 'myr' as const, accountId }
  const { id: intentId } = await cards.createIntent({
    ...INTENT_OF_LAMP,
    ...deal,
    id: 1,
    amountCents: 12_000,
    methods: ['fpx'],
  })
  const { next_action } = await world.stripe<{ next_action: { redirect_to_url: { url: string } } }>(
    'POST',
    `/v1/payment_intents/${intentId}/confirm`,
    {
      return_url: 'http://localhost/payment-success',
      'payment_method_data[type]': 'fpx',
      'payment_method_data[fpx][bank]': 'maybank2u',
    },
  )
  await world.press(`${new URL(next_action.redirect_to_url.url).pathname}/complete`)
  world.advanceClock(8 * 86_400_000)
  await cards.transfer({ ...deal, intentId, amountCents: 1_000, isRepeated: true })
  expect(await list(world, 'transfers')).toMatchObject([{ source_type: 'fpx', source_transaction: null }])
})

test('pending money of other deals is not asked for when a transfer is reversed', {
  tags: ['proof'],
}, async () => {
  const world = await openMoneyWorld()
  const accountId = await world.connectBob()
  const cards = cardsOf(world)
  const stripeOfBob = new Stripe(world.services.sandbox?.keys.secretKey ?? '', {
    ...hostOf(world.services.sandbox?.keys.apiUrl),
    stripeAccount: accountId,
  })
  await stripeOfBob.balanceSettings.update({ payments: { payouts: { schedule: { interval: 'manual' } } } })
  const first = await pay(world)
  const sent = { payoutId: 1, accountId, amountCents: 8_000 }
  const { id: transferId } = await cards.transfer({ ...first, ...sent })
  const reverse = (causeId: string, amountCents: number) =>
    cards.reverseTransfer({ causeId, transferId, accountId, amountCents })
  // Its own money can be reversed before it is available.
  expect(await reverse('re_1', 1_000)).toEqual({ cents: 1_000, conversions: [] })
  world.advanceClock(3 * 86_400_000)
  await stripeOfBob.payouts.create({ amount: 6_500, currency: 'usd' })
  await cards.transfer({ ...(await pay(world)), ...sent, payoutId: 2 })
  expect(await reverse('re_2', 7_000)).toEqual({ cents: 500, conversions: [] })
  expect(await reverse('re_2', 7_000)).toEqual({ cents: 500, conversions: [] })
})

test('a refund that failed at the bank is sent again', { tags: ['proof'] }, async () => {
  const world = await openMoneyWorld()
  const payment = await pay(world, REFUND_FAILS)
  const refund = (attempt: number) => cardsOf(world).refund({ ...payment, amountCents: 12_000, attempt })
  const statuses = async () =>
    (await list<{ status: string }>(world, 'refunds')).map(({ status }) => status).sort()
  await refund(0)
  world.advanceClock(10_000)
  await vi.waitFor(async () => expect(await statuses()).toEqual(['failed']), 5_000)
  await refund(1)
  expect(await statuses()).toHaveLength(2)
})

test('an unexpected error is not mistaken for an answer of the provider', async () => {
  const fail = () => Promise.reject(new TypeError('a defect'))
  await expect(mapErrors(fail)).rejects.toThrow(TypeError)
})

test('an idempotency key that was used for something else leaves the outcome unknown', async () => {
  const world = await openMoneyWorld()
  const cards = cardsOf(world)
  const payment = { ...INTENT_OF_LAMP, id: 1, createdAt: new Date(0), attempt: 0 }
  await cards.createIntent({ ...payment, amountCents: 500 })
  await expect(cards.createIntent({ ...payment, amountCents: 600 })).rejects.toMatchObject({
    outcome: 'unknown',
  })
})
