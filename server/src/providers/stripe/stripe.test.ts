import { expect, test, vi } from 'vitest'
import { type MoneyWorld, openMoneyWorld } from '../../testing/money-world.ts'
import type { CardProvider } from './card-provider.ts'

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
  return { paymentId, intentId, createdAt: new Date(0), attempt: 0 }
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

test('a refund that failed at the bank is made again', async () => {
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

test('an idempotency key that was used for something else leaves the outcome unknown', async () => {
  const world = await openMoneyWorld()
  const cards = cardsOf(world)
  const payment = { id: 1, createdAt: new Date(0), attempt: 0 }
  await cards.createIntent({ ...payment, amountCents: 500 })
  await expect(cards.createIntent({ ...payment, amountCents: 600 })).rejects.toMatchObject({
    outcome: 'unknown',
  })
})
