import { expect, onTestFinished, test, vi } from 'vitest'
import { createEncryption } from '../../../core/encryption.ts'
import { COMMAND_LINE } from '../../../http/request-origin.ts'
import type { Actor } from '../../../http/session.ts'
import { type CardProvider, ProviderFailed } from '../../../providers/stripe/card-provider.ts'
import { eventually } from '../../../testing/eventually.ts'
import { type MoneyWorld, shareMoneyWorld } from '../../../testing/money-world.ts'
import type { Person } from '../../../testing/world.ts'
import { cancelCheckouts } from './account-deletion.ts'
import { checkMove } from './apply-move.ts'
import { fetchMissedEvents } from './missed-events.ts'
import { startPayment } from './start-payment.ts'
import type { Payment } from './stored-payment.ts'

const open = shareMoneyWorld()

const cardsOf = ({ services: { cards } }: MoneyWorld): CardProvider => {
  if (!cards) throw new Error('this test needs the sandbox')
  return cards
}

/** Replaces methods of the card provider, or all of it, until the test has finished. */
function replaceCards(world: MoneyWorld, change: Partial<CardProvider> | null): void {
  const cards = cardsOf(world)
  onTestFinished(() => void Object.assign(world.services, { cards }))
  world.services.cards = change && { ...cards, ...change }
}

async function answerTo(person: Person, call: string, body?: object) {
  const { statusCode, json } = await person.call(call, body)
  return [statusCode, json().code]
}

test('without a card provider, payments can be neither started nor synced', async () => {
  const world = await open()
  const deal = await world.agree()
  const { paymentId } = await world.start(deal)
  replaceCards(world, null)
  const refused = [503, 'provider_failed']
  expect(await answerTo(world.ada, 'POST /api/create-escrow-payment', deal)).toEqual(refused)
  expect(await answerTo(world.ada, `POST /api/payments/${paymentId}/submitted`)).toEqual(refused)
})

test('a payment is refused if its intent stays busy at the provider', { tags: ['proof'] }, async () => {
  const world = await open()
  const deal = await world.agree()
  let tries = 0
  const createIntent = () => {
    tries++
    return Promise.reject(new ProviderFailed('busy', null))
  }
  replaceCards(world, { createIntent })
  expect(await answerTo(world.ada, 'POST /api/create-escrow-payment', deal)).toEqual([503, 'provider_failed'])
  expect(tries).toBe(5)
})

test('the buyer never gets an intent that a concurrent call has replaced', async () => {
  const world = await open()
  const deal = await world.agree()
  const cards = cardsOf(world)
  const createIntent: CardProvider['createIntent'] = async (payment) => {
    const replace = "update payments set stripe_payment_intent_id = 'pi_other' where id = $1"
    await world.sql.query(replace, [payment.id])
    return cards.createIntent(payment)
  }
  replaceCards(world, { createIntent })
  expect(await answerTo(world.ada, 'POST /api/create-escrow-payment', deal)).toEqual([
    409,
    'payment_wrong_state',
  ])
})

test('the buyer never gets an intent that is paid while a second start reads it', async () => {
  const world = await open()
  const deal = await world.agree()
  const { clientSecret, paymentId } = await world.start(deal)
  const cards = cardsOf(world)
  const readIntent = vi.fn(cards.readIntent).mockImplementationOnce(async (id) => {
    const unpaid = await cards.readIntent(id)
    await world.enterCard(clientSecret)
    await eventually(async () => expect(await world.statusOf(paymentId)).toBe('held_in_escrow'))
    return unpaid
  })
  replaceCards(world, { readIntent })
  expect(await answerTo(world.ada, 'POST /api/create-escrow-payment', deal)).toEqual([
    409,
    'offer_already_paid',
  ])
})

test('unexpected errors are not reported as provider failures', async () => {
  const world = await open()
  const { itemId, offerId, amount } = await world.agree()
  const deal = { itemId, offerId, amount }
  await world.start(deal)
  const bug = () => Promise.reject(new TypeError('a bug'))
  replaceCards(world, { readIntent: bug, createIntent: bug, listEvents: bug })
  const { services, ada } = world
  const encryption = createEncryption(services.secrets.dataKeys)
  await expect(
    startPayment(services, encryption, deal, { ...ada, origin: COMMAND_LINE } as unknown as Actor),
  ).rejects.toThrow('a bug')
  await expect(fetchMissedEvents(services)).rejects.toThrow('a bug')
  await expect(cancelCheckouts(services, ada.id)).rejects.toThrow('a bug')
  const broken = {
    status: 'held_in_escrow',
    get escrowHoldUntil(): Date {
      throw new TypeError('a bug')
    },
  }
  const lapse = () => checkMove(broken as unknown as Payment, { name: 'lapse', actor: 'clock' }, new Date())
  expect(lapse).toThrow('a bug')
})
