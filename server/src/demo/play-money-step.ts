import { readFile } from 'node:fs/promises'
import { eq } from 'drizzle-orm'
import sharp from 'sharp'
import { createEncryption, type Encryption } from '../core/encryption.ts'
import { payments, payouts } from '../database/schema.ts'
import { cancel, deliver, ship } from '../features/fulfilment/deliveries/actions.ts'
import { reviewDeal } from '../features/fulfilment/reviews/actions.ts'
import { addAnswer, fileDispute, propose } from '../features/money/disputes/actions.ts'
import { appeal } from '../features/money/disputes/appeals.ts'
import { addNote, assign } from '../features/money/disputes/casework.ts'
import { resolve } from '../features/money/disputes/desk.ts'
import { addFile } from '../features/money/disputes/evidence.ts'
import { create as createGoodwill } from '../features/money/goodwill/actions.ts'
import { confirm } from '../features/money/payments/actions.ts'
import { fetchMissedEvents } from '../features/money/payments/provider-events.ts'
import { startPayment } from '../features/money/payments/start-payment.ts'
import { syncPayment } from '../features/money/payments/sync-payment.ts'
import { lookUpBank, markPaid } from '../features/money/payouts/manual-payouts.ts'
import { publicName } from '../features/users/public-user.ts'
import type { Actor, User } from '../http/session.ts'
import type { Services } from '../services.ts'
import type { DemoCard, DemoStep } from './conversations.ts'
import type { Deal, TalkStep } from './play-talk-step.ts'
import { openSandboxBrowser } from './sandbox-browser.ts'

export async function playMoneyStep(
  services: Services,
  step: Exclude<DemoStep, TalkStep>,
  deal: Deal,
  person: Actor,
): Promise<void> {
  const { database, files, secrets } = services
  const { transact } = database
  const { paymentId } = deal
  const encryption = createEncryption(secrets.dataKey)
  switch (step.does) {
    case 'pay':
      await pay(services, encryption, deal, step, person)
      return
    case 'ship': {
      const { carrier, trackingNumber, words: note } = step
      await ship(services, paymentId, { carrier, trackingNumber, note }, undefined, person)
      return
    }
    case 'deliver':
      await deliver(services, paymentId, undefined, person)
      return
    case 'cancel':
      await transact((tx) => cancel(tx, paymentId, { reason: step.words }, person))
      return
    case 'charge-back':
      await chargeBack(services, paymentId)
      return
    case 'confirm':
      await transact((tx) => confirm(tx, paymentId, person))
      return
    case 'review': {
      const review = { rating: step.stars, tags: step.tags ?? [], text: step.words }
      await transact((tx) => reviewDeal(tx, paymentId, review, person))
      return
    }
    case 'dispute':
      await transact((tx) => fileDispute(tx, paymentId, step.words, person))
      return
    case 'state':
      await transact((tx) => addAnswer(tx, paymentId, step.words, person))
      return
    case 'show': {
      const picture = { bytes: await drawPhoto(step.picture), name: step.fileName }
      await addFile(database, files, paymentId, picture, step.words, person)
      return
    }
    case 'propose':
      await transact((tx) => propose(tx, paymentId, step.refundCents, person))
      return
    case 'rule': {
      const ruling = {
        disputeId: paymentId,
        action: step.action,
        note: step.words,
        refundAmount: step.refundCents,
      }
      await transact((tx) => resolve(tx, paymentId, ruling, person))
      return
    }
    case 'take-over':
      await transact((tx) => assign(tx, paymentId, person.id, person))
      return
    case 'note':
      await transact((tx) => addNote(tx, paymentId, step.words, person))
      return
    case 'appeal':
      await transact((tx) => appeal(tx, paymentId, step.words, person))
      return
    case 'give-goodwill': {
      const goodwill = { paymentId, to: 'buyer', amount: step.amountCents, reason: step.words } as const
      await transact((tx) => createGoodwill(tx, goodwill, person))
      return
    }
    case 'look-up-account':
      await lookUpBank(database, encryption, await payoutOf(services, paymentId), person)
      return
    case 'mark-paid':
      await markPaid(database, encryption, await payoutOf(services, paymentId), step.reference, person)
      return
  }
}

const CARDS = {
  visa: '4242424242424242',
  mastercard: '5555555555554444',
  unapproved: '4000002760003184',
} as const satisfies Record<DemoCard, string>

async function pay(
  services: Services,
  encryption: Encryption,
  deal: Deal,
  { card = 'visa', address }: Extract<DemoStep, { does: 'pay' }>,
  buyer: User,
): Promise<void> {
  const { itemId, offerId, amountCents: amount } = deal
  const { cards } = services
  if (!cards) throw new Error('nobody can pay without a card provider')
  const name = publicName(buyer)
  const deliveryAddress = address && { line2: '', region: '', ...address, name }
  const terms = { itemId, offerId, amount, deliveryAddress }
  const { clientSecret, paymentId } = await startPayment(services, encryption, terms, buyer)
  deal.paymentId = paymentId
  await sandboxBrowser(services).enterCard(clientSecret, CARDS[card])
  await syncPayment(services, cards, await intentOf(services, paymentId))
}

async function chargeBack(services: Services, paymentId: number): Promise<void> {
  await sandboxBrowser(services).chargeBack(await intentOf(services, paymentId))
  await fetchMissedEvents(services)
}

function sandboxBrowser({ sandbox }: Services) {
  if (!sandbox) throw new Error('only the sandbox takes the cards of the demo')
  return openSandboxBrowser(sandbox)
}

async function intentOf({ database }: Services, paymentId: number): Promise<string> {
  const [payment] = await database.read
    .select({ intentId: payments.stripePaymentIntentId })
    .from(payments)
    .where(eq(payments.id, paymentId))
  if (!payment?.intentId) throw new Error(`payment ${paymentId} has no intent`)
  return payment.intentId
}

async function payoutOf({ database }: Services, paymentId: number): Promise<number> {
  const [payout] = await database.read
    .select({ id: payouts.id })
    .from(payouts)
    .where(eq(payouts.paymentId, paymentId))
  if (!payout) throw new Error(`payment ${paymentId} has no payout`)
  return payout.id
}

async function drawPhoto(name: string): Promise<Buffer> {
  const svg = await readFile(new URL(`./pictures/evidence/${name}`, import.meta.url))
  return sharp(svg).jpeg().toBuffer()
}
