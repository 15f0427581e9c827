import { buffer } from 'node:stream/consumers'
import type { DeliveryAddress } from '@sought/contract/delivery-address'
import { BANK_EVIDENCE_TEXTS } from '@sought/contract/disputes'
import { formatMoney } from '@sought/contract/money'
import { partyIn } from '@sought/escrow/moves'
import { createEncryption, Unreadable } from '../../../core/encryption.ts'
import { refuse } from '../../../core/errors.ts'
import type { Db, Tx } from '../../../database/database.ts'
import type { FileStore } from '../../../files/files.ts'
import { encodeJpeg, type Jpeg } from '../../../files/images.ts'
import { picturesAsPdf } from '../../../files/picture-pdf.ts'
import { textAsPdf } from '../../../files/text-pdf.ts'
import { announce } from '../../../http/events.ts'
import type { Actor } from '../../../http/session.ts'
import {
  type BankEvidence,
  type CardProvider,
  ProviderFailed,
} from '../../../providers/stripe/card-provider.ts'
import type { Services } from '../../../services.ts'
import { messagesOf } from '../../deals/messages/actions.ts'
import { openAddress } from '../../identity/addresses/sealed-addresses.ts'
import { by, recordAudit } from '../../users/audit-log.ts'
import { publicName } from '../../users/public-user.ts'
import { addTimelineEntry, recordAdminStep } from '../dispute-records/dispute-records.ts'
import { readReceipt } from '../documents/receipts.ts'
import { lockPayment } from '../payments/stored-payment.ts'
import { checkCharge } from '../payments/sync-payment.ts'
import {
  composeEvidenceText,
  describeConversation,
  describeDelivery,
  describePolicies,
  describeProduct,
} from './bank-evidence-text.ts'
import * as queries from './queries.ts'

/** Stripe accepts at most 4.5 MB of files for a dispute. The rest is for the pages of the PDF. */
const FILES_MAX_BYTES = 4_400_000
const PICTURE_SIDE_PIXELS = 1600
const MESSAGES_MAX = 500
const COMMUNICATION_MAX_LENGTH = 200_000

/**
 * Sends the bank everything we know about a payment. A bank accepts evidence only once, so a repeated call
 * returns the first result. If the provider fails, nothing is stored and the call can be repeated.
 */
export async function sendEvidence(services: Services, paymentId: number, admin: Actor) {
  const { database, clock } = services
  const row = await requireImpartial(database.read, paymentId, admin)
  await checkCharge(services, row.payment.stripePaymentIntentId)
  const open = await requireOpen(database.read, paymentId)
  const unsent = open.filter(({ evidenceSentAt }) => evidenceSentAt === null)
  const now = clock()
  const inTime = unsent.filter(({ deadline }) => deadline === null || deadline > now)
  if (unsent.length > 0 && inTime.length === 0) throw refuse('bank_deadline_passed')
  await askProvider(services, async (cards) => {
    const evidence = inTime.length > 0 ? await collectEvidence(services, cards.uploadEvidence, row) : null
    for (const { id } of inTime) {
      if (evidence) await cards.sendEvidence(id, evidence)
      await database.transact((tx) => recordSent(tx, paymentId, id, admin))
    }
  })
  const sent = await queries.findBankRecords(database.read, [paymentId])
  const times = sent.chargebacks.flatMap(({ evidenceSentAt }) => evidenceSentAt ?? [])
  return { evidenceSentAt: times.at(-1) ?? now }
}

/** What `sendEvidence` would send now. Records in the audit log who reads it. */
export async function previewEvidence(services: Services, paymentId: number, admin: Actor) {
  const { database } = services
  const row = await requireImpartial(database.read, paymentId, admin)
  await requireOpen(database.read, paymentId)
  const files: string[] = []
  const keepName: Upload = async (_, name) => {
    files.push(name)
    return name
  }
  const evidence = await collectEvidence(services, keepName, row)
  const about = { subjectId: null, details: { paymentId } }
  await database.transact((tx) => recordAudit(tx, { action: 'conversation_viewed', ...by(admin), ...about }))
  const texts = BANK_EVIDENCE_TEXTS.flatMap((name) => {
    const value = evidence[name]
    return value ? [{ name, value }] : []
  })
  return { texts, files }
}

async function requireImpartial(db: Db, paymentId: number, admin: Actor): Promise<Row> {
  const row = await queries.findPayment(db, paymentId)
  if (!row) throw refuse('dispute_not_found')
  if (partyIn(row.payment, admin.id)) throw refuse('not_impartial')
  return row
}

async function requireOpen(db: Db, paymentId: number) {
  const { chargebacks } = await queries.findBankRecords(db, [paymentId])
  const open = chargebacks.filter(({ closedAt }) => closedAt === null)
  if (open.length === 0) throw refuse('no_open_chargeback')
  return open
}

async function askProvider(
  { cards, log }: Services,
  ask: (cards: CardProvider) => Promise<void>,
): Promise<void> {
  if (!cards) throw refuse('provider_failed')
  try {
    await ask(cards)
  } catch (error) {
    if (!(error instanceof ProviderFailed)) throw error
    log.warn({ err: error }, 'could not send evidence to the bank')
    throw refuse('provider_failed')
  }
}

/** Another admin may have sent it at the same time. */
async function recordSent(tx: Tx, paymentId: number, chargebackId: string, admin: Actor): Promise<void> {
  const payment = await lockPayment(tx, paymentId)
  const { chargebacks } = await queries.findBankRecords(tx, [paymentId])
  const isSent = chargebacks.some(({ id, evidenceSentAt }) => id === chargebackId && evidenceSentAt)
  if (!payment || isSent) return
  await queries.markEvidenceSent(tx, chargebackId)
  await recordAdminStep(tx, payment)
  await addTimelineEntry(tx, paymentId, { action: 'evidence_sent', actor: admin.id })
  await recordAudit(tx, { action: 'evidence_sent', ...by(admin), subjectId: null, details: { paymentId } })
  await announce(tx, [payment.buyerId, payment.sellerId], { about: 'payments' })
}

type Row = NonNullable<Awaited<ReturnType<typeof queries.findPayment>>>
type Evidence = Awaited<ReturnType<typeof queries.findEvidence>>[number]

/** Uploads a PDF, and returns its id at the provider. Null if the provider refuses it. */
type Upload = CardProvider['uploadEvidence']

async function collectEvidence(services: Services, upload: Upload, row: Row): Promise<BankEvidence> {
  const { database, files, config } = services
  const { payment, buyer } = row
  const { buyerId, sellerId, wantedItemId } = payment
  const evidence = await queries.findEvidence(database.read, payment.id)
  const messages = await messagesOf(
    database.read,
    { id: buyerId },
    { wantedItemId, userId: sellerId, limit: MESSAGES_MAX },
  )
  const receipt = textAsPdf(await describeReceipt(services, row))
  const conversation = textAsPdf(describeConversation(row, messages, COMMUNICATION_MAX_LENGTH))
  const leftBytes = FILES_MAX_BYTES - receipt.length - conversation.length
  const { texts, attached, ...ids } = await uploadFiles(
    files,
    upload,
    sellersFirst(evidence, sellerId),
    leftBytes,
  )
  return {
    customerName: publicName(buyer),
    customerEmail: buyer.email,
    purchaseIp: payment.purchaseIp,
    productDescription: describeProduct(row),
    ...describeDelivery(row, await readAddress(services, payment)),
    ...describePolicies(row, config.publicUrl),
    receiptId: await upload(receipt, 'receipt.pdf'),
    communicationId: messages.length > 0 ? await upload(conversation, 'conversation.pdf') : null,
    text: composeEvidenceText(row, {
      statements: [...evidence.filter(({ fileUrl }) => fileUrl === null), ...texts],
      attached,
      notAttached: evidence.filter((it) => it.fileUrl !== null && !attached.includes(it)),
      messages,
    }),
    ...ids,
  }
}

/** Null if it was erased or cannot be decrypted any more. */
async function readAddress(
  { secrets }: Services,
  { id, deliveryAddress }: Row['payment'],
): Promise<DeliveryAddress | null> {
  if (!deliveryAddress) return null
  try {
    return await openAddress(createEncryption(secrets.dataKeys), deliveryAddress, `payment:${id}`)
  } catch (error) {
    if (error instanceof Unreadable) return null
    throw error
  }
}

/** The buyer's receipt as lines of text. */
async function describeReceipt(services: Services, { payment, item }: Row): Promise<string> {
  const receipt = await services.database.transact((tx) =>
    readReceipt(tx, services, payment.id, { id: payment.buyerId }),
  )
  const format = (cents: number) => formatMoney(cents, payment.currency)
  return [
    `Receipt ${receipt.number}`,
    `${receipt.issuer.name}, ${receipt.issuer.url}`,
    '',
    `Transaction ${receipt.transactionNumber}`,
    `Paid ${(payment.chargedAt ?? payment.createdAt).toISOString()}`,
    `Buyer: ${receipt.buyerName}`,
    `Seller: ${receipt.sellerName}`,
    '',
    `${item.title}: ${format(receipt.price)}`,
    ...receipt.returns.map(({ amount, at }) => `Returned ${at.toISOString()}: ${format(-amount)}`),
    `Total: ${format(receipt.total)}`,
  ].join('\n')
}

/** Not everything may fit. The seller's files come first, because the seller has to prove the delivery. */
const sellersFirst = (evidence: Evidence[], sellerId: string): Evidence[] => [
  ...evidence.filter(({ submittedBy }) => submittedBy === sellerId),
  ...evidence.filter(({ submittedBy }) => submittedBy !== sellerId),
]

interface UploadedFiles extends Pick<BankEvidence, 'picturesId' | 'documentId'> {
  /** Text files, quoted as statements. */
  texts: Evidence[]
  attached: Evidence[]
}

/**
 * Uploads all texts, one PDF, and the pictures that fit. Stripe accepts no other types, and one file for each
 * purpose.
 */
async function uploadFiles(
  store: FileStore,
  upload: Upload,
  evidence: Evidence[],
  maxBytes: number,
): Promise<UploadedFiles> {
  const uploaded: UploadedFiles = { picturesId: null, documentId: null, texts: [], attached: [] }
  const pictures: Jpeg[] = []
  let leftBytes = maxBytes
  for (const it of evidence) {
    const bytes = await readFile(store, it)
    if (!bytes) continue
    if (it.mimeType?.startsWith('text/plain')) {
      uploaded.texts.push({ ...it, content: bytes.toString('utf8') })
    } else if (it.mimeType === 'application/pdf') {
      if (uploaded.documentId || bytes.length > leftBytes) continue
      uploaded.documentId = await upload(bytes, 'document.pdf')
      if (!uploaded.documentId) continue
      leftBytes -= bytes.length
    } else if (it.mimeType?.startsWith('image/')) {
      const picture = await encodeJpeg(bytes, PICTURE_SIDE_PIXELS)
      if (picture.bytes.length > leftBytes) continue
      pictures.push(picture)
      leftBytes -= picture.bytes.length
    } else continue
    uploaded.attached.push(it)
  }
  if (pictures.length > 0) uploaded.picturesId = await upload(picturesAsPdf(pictures), 'pictures.pdf')
  return uploaded
}

async function readFile(store: FileStore, { fileUrl }: Evidence): Promise<Buffer | null> {
  const file = fileUrl === null ? null : await store.get(fileUrl)
  return file && buffer(file.stream)
}
