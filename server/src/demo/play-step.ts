import { readFile } from 'node:fs/promises'
import { appealRuling, assignDispute, noteDispute } from '@sought/contract/casework'
import { cancelPayment, markDelivered, shipItem } from '@sought/contract/deliveries'
import {
  answerDispute,
  initiateDispute,
  proposeSettlement,
  resolveDispute,
  uploadEvidence,
} from '@sought/contract/disputes'
import { createGoodwill } from '@sought/contract/goodwill'
import { markMessagesRead, sendMessage } from '@sought/contract/messages'
import { acceptOffer, counterOffer, makeOffer, rejectOffer, withdrawOffer } from '@sought/contract/offers'
import { confirmDelivery, createEscrowPayment, submitPayment } from '@sought/contract/payments'
import { lookUpBankDetails, markPayoutPaid } from '@sought/contract/payouts'
import { uploadPhoto } from '@sought/contract/photos'
import { reviewPayment } from '@sought/contract/reviews'
import { eq } from 'drizzle-orm'
import sharp from 'sharp'
import { payments, payouts, users } from '../database/schema.ts'
import { fetchMissedEvents } from '../features/money/payments/missed-events.ts'
import { publicName } from '../features/users/public-user.ts'
import { cardBrowserOf, VISA } from '../market-builder/card-browser.ts'
import type { Person } from '../market-builder/send.ts'
import type { Services } from '../services.ts'
import type { DemoCard, DemoStep } from './conversations.ts'

/** The state of a conversation: its latest offer, and the payment of that offer. */
export interface Deal {
  itemId: number
  offerId: number
  amount: number
  paymentId: number
}

interface Scene {
  services: Services
  deal: Deal
  by: Person
  other: Person
}

type Does = DemoStep['does']

const CARDS: Record<DemoCard, string> = {
  visa: VISA,
  mastercard: '5555555555554444',
  unapproved: '4000002760003184',
  mastercard_series: '2223003122003222',
  diners: '3056930009020004',
  discover: '6011111111111117',
  discover_alternate: '6011000990139424',
  jcb: '3566002020360505',
  mastercard_debit: '5200828282828210',
  unionpay: '6200000000000005',
  visa_alternate: '4012888888881881',
  visa_debit: '4000056655665556',
}
const PHOTO_PIXELS = 1000

const onOffer = ({ deal }: Scene) => ({ params: { id: deal.offerId } })
const onPayment = ({ deal }: Scene) => ({ params: { id: deal.paymentId } })
const onDispute = ({ deal }: Scene) => ({ params: { paymentId: deal.paymentId } })

/** How each step is played, with the calls that the product's own pages make. */
const plays: { [Of in Does]: (scene: Scene, step: DemoStep & { does: Of }) => Promise<unknown> } = {
  read: async () => {},
  async say({ deal, by, other }, { words, photos }) {
    const photoIds = await uploadPhotos(by, photos)
    const addressed = { wantedItemId: deal.itemId, receiverId: other.id }
    await by.send(sendMessage, { body: { ...addressed, content: words, photoIds } })
  },
  async offer({ deal, by, other }, { amountCents: amount, words: message, delivery = 'arranged', photos }) {
    const photoIds = await uploadPhotos(by, photos)
    const terms = { wantedItemId: deal.itemId, receiverId: other.id, amount, message, delivery, photoIds }
    setOffer(deal, await by.send(makeOffer, { body: terms }))
  },
  async counter(scene, { amountCents: amount, words: message, photos }) {
    const photoIds = await uploadPhotos(scene.by, photos)
    const terms = { ...onOffer(scene), body: { amount, message, photoIds } }
    setOffer(scene.deal, await scene.by.send(counterOffer, terms))
  },
  accept: (scene) => scene.by.send(acceptOffer, onOffer(scene)),
  reject: (scene) => scene.by.send(rejectOffer, onOffer(scene)),
  withdraw: (scene) => scene.by.send(withdrawOffer, onOffer(scene)),

  async pay(scene, { card = 'visa', address }) {
    const { services, deal, by } = scene
    const { itemId, offerId, amount } = deal
    const name = await nameOf(services, by)
    const deliveryAddress = address && { line2: '', region: '', ...address, name }
    const body = { itemId, offerId, amount, deliveryAddress }
    const { clientSecret, paymentId } = await by.send(createEscrowPayment, { body })
    deal.paymentId = paymentId
    await cardBrowserOf(services).enterCard(clientSecret, CARDS[card])
    await by.send(submitPayment, onPayment(scene))
  },
  ship: (scene, { carrier, trackingNumber, words: note }) =>
    scene.by.send(shipItem, { ...onPayment(scene), fields: { carrier, trackingNumber, note } }),
  deliver: (scene) => scene.by.send(markDelivered, { ...onPayment(scene), fields: {} }),
  cancel: (scene, { words: reason }) =>
    scene.by.send(cancelPayment, { ...onPayment(scene), body: { reason } }),
  confirm: (scene) => scene.by.send(confirmDelivery, onPayment(scene)),
  review: (scene, { stars: rating, tags = [], words: text }) =>
    scene.by.send(reviewPayment, { ...onPayment(scene), body: { rating, tags, text } }),
  async 'charge-back'({ services, deal }) {
    const [payment] = await services.database.read
      .select({ intentId: payments.stripePaymentIntentId })
      .from(payments)
      .where(eq(payments.id, deal.paymentId))
    await cardBrowserOf(services).press(`/payments/${payment?.intentId}/dispute`)
    await fetchMissedEvents(services)
  },

  dispute: ({ deal: { paymentId }, by }, { words: reason }) =>
    by.send(initiateDispute, { body: { paymentId, reason } }),
  state: (scene, { words: content }) =>
    scene.by.send(answerDispute, { ...onDispute(scene), body: { content } }),
  async show(scene, { picture, fileName: name, words: description }) {
    const file = { bytes: await (await readDrawing(`evidence/${picture}`)).jpeg().toBuffer(), name }
    await scene.by.send(uploadEvidence, { ...onDispute(scene), fields: { description }, file })
  },
  propose: (scene, { refundCents: refundAmount }) =>
    scene.by.send(proposeSettlement, { ...onDispute(scene), body: { refundAmount } }),
  rule: (scene, { action, words: note, refundCents: refundAmount }) =>
    scene.by.send(resolveDispute, { ...onPayment(scene), body: { action, note, refundAmount } }),
  'take-over': (scene) =>
    scene.by.send(assignDispute, { ...onPayment(scene), body: { adminId: scene.by.id } }),
  note: (scene, { words: text }) => scene.by.send(noteDispute, { ...onPayment(scene), body: { text } }),
  appeal: (scene, { words: reason }) =>
    scene.by.send(appealRuling, { ...onDispute(scene), body: { reason } }),
  'give-goodwill': ({ deal: { paymentId }, by }, { amountCents: amount, words: reason }) =>
    by.send(createGoodwill, { body: { paymentId, to: 'buyer', amount, reason } }),
  'look-up-account': async (scene) => scene.by.send(lookUpBankDetails, await onPayout(scene)),
  'mark-paid': async (scene, { reference }) =>
    scene.by.send(markPayoutPaid, { ...(await onPayout(scene)), body: { reference } }),
}

const TALK: readonly Does[] = ['say', 'offer', 'counter', 'accept', 'reject', 'withdraw', 'read']

/** Before these steps, people read what the other one has written. */
export const isTalk = ({ does }: DemoStep) => TALK.includes(does)

export async function playStep(scene: Scene, step: DemoStep): Promise<void> {
  const { deal, by, other } = scene
  if (isTalk(step))
    await by.send(markMessagesRead, { body: { wantedItemId: deal.itemId, senderId: other.id } })
  const play: (scene: Scene, step: never) => Promise<unknown> = plays[step.does]
  await play(scene, step as never)
}

const setOffer = (deal: Deal, { id, amount }: { id: number; amount: number }) =>
  Object.assign(deal, { offerId: id, amount })

async function uploadPhotos(by: Person, names: readonly string[] = []): Promise<number[]> {
  const ids: number[] = []
  for (const name of names) {
    const bytes = await (await readDrawing(name)).resize(PHOTO_PIXELS).png().toBuffer()
    ids.push((await by.send(uploadPhoto, { file: { bytes, name } })).id)
  }
  return ids
}

const readDrawing = async (name: string) =>
  sharp(await readFile(new URL(`./pictures/${name}`, import.meta.url)))

async function nameOf({ database }: Services, { id }: Person): Promise<string> {
  const [user] = await database.read
    .select({ id: users.id, firstName: users.firstName, lastName: users.lastName })
    .from(users)
    .where(eq(users.id, id))
  return user ? publicName(user) : ''
}

async function onPayout({ services, deal }: Scene) {
  const [payout] = await services.database.read
    .select({ id: payouts.id })
    .from(payouts)
    .where(eq(payouts.paymentId, deal.paymentId))
  return { params: { id: payout?.id ?? 0 } }
}
