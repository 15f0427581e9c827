import { getCurrentUser } from '@sought/contract/accounts'
import { getDeliveryAddress } from '@sought/contract/addresses'
import { listOwnAuditLog } from '@sought/contract/audit'
import { POLICIES } from '@sought/contract/constants'
import { Debt } from '@sought/contract/debts'
import { DeliveryAddress } from '@sought/contract/delivery-address'
import { Appeal, DisputeEvidence } from '@sought/contract/disputes'
import { getReceipt, getStatement } from '@sought/contract/documents'
import { getSharingSettings, listMessages } from '@sought/contract/messages'
import { OwnDecision } from '@sought/contract/moderation'
import { getEmailDelivery, getEmailSettings, listNotifications } from '@sought/contract/notifications'
import { listOffers } from '@sought/contract/offers'
import { listPayments } from '@sought/contract/payments'
import { getPushSettings } from '@sought/contract/push'
import { listBlocks, ReportKind, ReportReason } from '@sought/contract/reports'
import { listOwnWantedItems, listRequestVersions } from '@sought/contract/requests'
import { Review } from '@sought/contract/reviews'
import { SavedSearch } from '@sought/contract/saved-searches'
import { getSecondFactors } from '@sought/contract/second-factors'
import { listDevices } from '@sought/contract/security'
import { getBankStatus, listPayouts, PayoutAccount } from '@sought/contract/sellers'
import { SupportTicket } from '@sought/contract/support'
import * as z from 'zod/mini'
import { createEncryption, type Encryption, Unreadable } from '../../../core/encryption.ts'
import type { Db } from '../../../database/database.ts'
import { replySchema } from '../../../http/reply-schema.ts'
import type { User } from '../../../http/session.ts'
import type { Services } from '../../../services.ts'
import { itemsOf } from '../../board/requests/actions.ts'
import { versionsOfRequests } from '../../board/requests/request-versions.ts'
import { searchesOf } from '../../board/saved-searches/actions.ts'
import { messagesOf } from '../../deals/messages/actions.ts'
import { sharingSettingsOf } from '../../deals/messages/sharing.ts'
import { offersOf } from '../../deals/offers/actions.ts'
import { ownAuditLog } from '../../desk/audit/actions.ts'
import { ownDecisions } from '../../desk/moderation/appeals.ts'
import { readTicket, ticketsOf } from '../../desk/support/actions.ts'
import { reviewsBy, reviewsOf } from '../../fulfilment/reviews/actions.ts'
import { devicesOf } from '../../identity/accounts/devices.ts'
import { asCurrentUser } from '../../identity/accounts/profile.ts'
import { readSavedAddress } from '../../identity/addresses/actions.ts'
import { consentsOf } from '../../identity/policies/actions.ts'
import { readSecondFactors } from '../../identity/second-factors/actions.ts'
import { readDebts } from '../../money/debts/actions.ts'
import { listAppealsBy } from '../../money/disputes/appeals.ts'
import { listEvidenceBy } from '../../money/disputes/evidence.ts'
import { readReceipt, receiptsOf } from '../../money/documents/receipts.ts'
import { readStatement, statementsOf } from '../../money/documents/statements.ts'
import { goodwillFor } from '../../money/goodwill/actions.ts'
import { readPayments } from '../../money/payments/actions.ts'
import { addressesOf } from '../../money/payments/read-details.ts'
import { readPayoutAccount } from '../../money/payouts/account-health.ts'
import { listPayoutsOf, readBankStatus } from '../../money/sellers/actions.ts'
import { emailSettingsOf, notificationsOf } from '../../notifications/actions.ts'
import { pushSettingsOf } from '../../notifications/push-actions.ts'
import { undeliverableOf } from '../../notifications/suppression.ts'
import { blocksOf } from '../../trust/blocks/actions.ts'
import { reportsBy } from '../../trust/reports/actions.ts'

/*
 * The download of everything stored about a user. Each part has the content of the API call of the same name and
 * uses the same serializer, so the export cannot contain more than the API returns (ADR 16).
 */

const PAGE_SIZE = 100

const ReviewWritten = z.omit(Review, { by: true, itemTitle: true })

const OwnVersion = z.extend(listRequestVersions.reply.def.element, { wantedItemId: z.int() })

const PurchaseAddress = z.object({
  paymentId: z.int(),
  deliveryAddress: z.nullable(DeliveryAddress),
  /** The IP address from which the purchase was paid. */
  purchaseIp: z.nullable(z.string()),
})

const PolicyConsent = z.object({ policy: z.enum(POLICIES), version: z.int(), createdAt: z.string() })

const GoodwillReceived = z.object({
  paymentId: z.int(),
  amountCents: z.int(),
  createdAt: z.string(),
  paidAt: z.nullable(z.string()),
})

const ReportMade = z.object({
  kind: ReportKind,
  targetId: z.string(),
  reason: ReportReason,
  note: z.nullable(z.string()),
  createdAt: z.string(),
})

/** The schema of each part: of the object, or of one element if the part is a list. */
const schemas = {
  profile: replySchema(getCurrentUser.reply),
  mailSettings: replySchema(getEmailSettings.reply),
  emailDelivery: replySchema(getEmailDelivery.reply),
  pushSettings: replySchema(getPushSettings.reply),
  sharingSettings: replySchema(getSharingSettings.reply),
  bankAccount: replySchema(getBankStatus.reply),
  deliveryAddress: replySchema(getDeliveryAddress.reply),
  devices: replySchema(listDevices.reply.def.element),
  secondFactors: replySchema(getSecondFactors.reply),
  requests: replySchema(listOwnWantedItems.reply.def.element),
  requestVersions: replySchema(OwnVersion),
  policyConsents: replySchema(PolicyConsent),
  savedSearches: replySchema(SavedSearch),
  offers: replySchema(listOffers.reply.def.element),
  messages: replySchema(listMessages.reply.def.element),
  payments: replySchema(listPayments.reply.def.element),
  purchaseAddresses: replySchema(PurchaseAddress),
  payouts: replySchema(listPayouts.reply.def.element),
  payoutAccounts: replySchema(PayoutAccount),
  debts: replySchema(Debt),
  receipts: replySchema(getReceipt.reply),
  statements: replySchema(getStatement.reply),
  evidence: replySchema(DisputeEvidence),
  appeals: replySchema(Appeal),
  goodwillReceived: replySchema(GoodwillReceived),
  reviewsWritten: replySchema(ReviewWritten),
  reviewsReceived: replySchema(Review),
  reports: replySchema(ReportMade),
  blocks: replySchema(listBlocks.reply.def.element),
  moderationDecisions: replySchema(OwnDecision),
  supportTickets: replySchema(SupportTicket),
  notifications: replySchema(listNotifications.reply.def.element),
  auditLog: replySchema(listOwnAuditLog.reply.def.element),
}

type Part = object | AsyncIterable<object[]>
type Parts = Record<keyof typeof schemas, () => Promise<Part>>

function partsOf(services: Services, user: User, sid: string | null): Parts {
  const { database, clock, secrets } = services
  const { read: db, transact } = database
  const encryption = createEncryption(secrets.dataKeys)
  return {
    profile: async () => asCurrentUser(user),
    mailSettings: () => emailSettingsOf(db, user),
    emailDelivery: () => undeliverableOf(db, user),
    pushSettings: () => pushSettingsOf(db, user, sid ?? ''),
    sharingSettings: () => sharingSettingsOf(db, user),
    bankAccount: () => bankAccountOf(db, encryption, user, clock()),
    deliveryAddress: () => readSavedAddress(db, encryption, user),
    devices: () => devicesOf(db, user, sid, clock()),
    secondFactors: () => readSecondFactors(db, user.id),
    requests: async () =>
      readPages((before) => itemsOf(db, user.id, clock(), { limit: PAGE_SIZE, before }), byId),
    requestVersions: async () => readVersions(db, user, clock()),
    policyConsents: () => consentsOf(db, user.id),
    savedSearches: () => searchesOf(db, user),
    offers: async () => readPages((cursor) => offersOf(db, user, { limit: PAGE_SIZE, cursor }), byId),
    messages: async () => readPages((before) => messagesOf(db, user, { limit: PAGE_SIZE, before }), byId),
    payments: async () =>
      readPages(
        (cursor) => readPayments(db, user, { limit: PAGE_SIZE, cursor }),
        (pair) => pair.payments.id,
      ),
    purchaseAddresses: () => addressesOf(db, encryption, user),
    payouts: async () =>
      readPages((cursor) => listPayoutsOf(db, user, { limit: PAGE_SIZE, cursor }, clock()), byId),
    payoutAccounts: async () => [await readPayoutAccount(db, user.id)].filter((it) => it !== null),
    debts: async () =>
      readPages((cursor) => readDebts(db, { userId: user.id }, { limit: PAGE_SIZE, cursor }), byId),
    // Only issued documents: an export does not issue numbers.
    receipts: async () =>
      readEach(await receiptsOf(db, user), (id) => transact((tx) => readReceipt(tx, services, id, user))),
    statements: async () =>
      readEach(await statementsOf(db, user), (month) =>
        transact((tx) => readStatement(tx, services, month, user)),
      ),
    evidence: () => listEvidenceBy(db, user),
    appeals: () => listAppealsBy(db, user),
    goodwillReceived: () => goodwillFor(db, user.id),
    reviewsWritten: async () =>
      readPages((cursor) => reviewsBy(db, user, { limit: PAGE_SIZE, cursor }), byId),
    // Leaves out reviews that are not published yet.
    reviewsReceived: async () =>
      readPages((cursor) => reviewsOf(db, user.id, { limit: PAGE_SIZE, cursor }, clock()), byId),
    reports: () => reportsBy(db, user),
    blocks: () => blocksOf(db, user),
    moderationDecisions: () => ownDecisions(db, user),
    supportTickets: async () => readTickets(db, user),
    notifications: async () =>
      readPages(
        (before) => notificationsOf(db, user, { limit: PAGE_SIZE, before }, services.notifications),
        byId,
      ),
    auditLog: async () => readPages((cursor) => ownAuditLog(db, user, { limit: PAGE_SIZE, cursor }), byId),
  }
}

/** What the user's requests have said. */
async function* readVersions(db: Db, user: User, now: Date) {
  const pages = readPages((before) => itemsOf(db, user.id, now, { limit: PAGE_SIZE, before }), byId)
  for await (const page of pages) yield await versionsOfRequests(db, page.map(byId))
}

/** The support tickets with all their messages. */
async function* readTickets(db: Db, user: User) {
  const pages = readPages((cursor) => ticketsOf(db, user, { limit: PAGE_SIZE, cursor }), byId)
  for await (const page of pages)
    for (const { id } of page) yield [await readTicket(db, id, { user, linkedId: null })]
}

const byId = ({ id }: { id: number }) => id

/** The holder's name and the last four digits. If the details cannot be decrypted, only that they exist. */
async function bankAccountOf(db: Db, encryption: Encryption, user: User, now: Date) {
  try {
    return await readBankStatus(db, encryption, user, now)
  } catch (error) {
    if (error instanceof Unreadable) return { hasBankAccount: true, bankDetails: null }
    throw error
  }
}

async function* readEach<Key, Item extends object>(
  keys: Key[],
  read: (key: Key) => Promise<Item>,
): AsyncGenerator<Item[]> {
  for (const key of keys) yield [await read(key)]
}

async function* readPages<Item extends object>(
  read: (before: number | undefined) => Promise<Item[]>,
  idOf: (item: Item) => number,
): AsyncGenerator<Item[]> {
  for (let before: number | undefined; ; ) {
    const page = await read(before)
    yield page
    const last = page.at(-1)
    if (!last || page.length < PAGE_SIZE) return
    before = idOf(last)
  }
}

type Serialize = (item: object) => string

/** Yields the JSON text in chunks, so that only one page of rows is in memory at a time. */
export async function* exportData(
  services: Services,
  user: User,
  sid: string | null,
  serializerOf: (schema: ReturnType<typeof replySchema>) => Serialize,
): AsyncGenerator<string> {
  const parts = partsOf(services, user, sid)
  let separator = '{'
  for (const name of Object.keys(schemas) as (keyof typeof schemas)[]) {
    yield `${separator}\n${JSON.stringify(name)}: `
    separator = ','
    yield* serializePart(await parts[name](), serializerOf(schemas[name]))
  }
  yield '\n}\n'
}

async function* serializePart(part: Part, serialize: Serialize): AsyncGenerator<string> {
  if (Array.isArray(part)) yield `[${part.map(serialize).join(',\n')}]`
  else if (Symbol.asyncIterator in part) yield* serializePages(part, serialize)
  else yield serialize(part)
}

async function* serializePages(pages: AsyncIterable<object[]>, serialize: Serialize): AsyncGenerator<string> {
  yield '['
  let separator = ''
  for await (const page of pages) {
    if (page.length === 0) break
    yield separator + page.map(serialize).join(',\n')
    separator = ',\n'
  }
  yield ']'
}
