import { getCurrentUser } from '@sought/contract/accounts'
import { DisputeEvidence } from '@sought/contract/disputes'
import { listMessages } from '@sought/contract/messages'
import { getEmailSettings, listNotifications } from '@sought/contract/notifications'
import { listOffers } from '@sought/contract/offers'
import { listPayments } from '@sought/contract/payments'
import { listFeedback } from '@sought/contract/people'
import { listOwnWantedItems } from '@sought/contract/requests'
import { listDevices } from '@sought/contract/security'
import { getBankStatus, listPayouts } from '@sought/contract/sellers'
import * as z from 'zod/mini'
import type { Db } from '../../platform/database.ts'
import { createEncryption, type Encryption, Unreadable } from '../../platform/encryption.ts'
import { replySchema } from '../../platform/reply-schema.ts'
import type { Services } from '../../platform/services.ts'
import type { User } from '../../platform/session.ts'
import { evidenceOf } from '../disputes/evidence.ts'
import { messagesOf } from '../messages/actions.ts'
import { mailSettingsOf, notificationsOf } from '../notifications/actions.ts'
import { offersOf } from '../offers/actions.ts'
import { paymentsOf } from '../payments/actions.ts'
import { feedbackOf } from '../people/actions.ts'
import { ratingsBy } from '../ratings/actions.ts'
import { itemsOf } from '../requests/actions.ts'
import { bankStatus, payoutsOf } from '../sellers/actions.ts'
import { devicesOf } from './devices.ts'
import { asCurrentUser } from './presenters.ts'

/*
 * Everything that is stored about a person, for them to take along. Each part is what the call of the same
 * name answers, written by the same kind of serialiser, so that nothing can leave here that could not leave
 * there (ADR 16).
 */

const PAGE = 100

const RatingGiven = z.object({
  paymentId: z.int(),
  rating: z.int(),
  feedback: z.nullable(z.string()),
  createdAt: z.string(),
})

/** What each part is made of: one thing, or a list of such. */
const schemas = {
  profile: replySchema(getCurrentUser.reply),
  mailSettings: replySchema(getEmailSettings.reply),
  bankAccount: replySchema(getBankStatus.reply),
  devices: replySchema(listDevices.reply.def.element),
  requests: replySchema(listOwnWantedItems.reply.def.element),
  offers: replySchema(listOffers.reply.def.element),
  messages: replySchema(listMessages.reply.def.element),
  payments: replySchema(listPayments.reply.def.element),
  payouts: replySchema(listPayouts.reply.def.element),
  evidence: replySchema(DisputeEvidence),
  ratingsGiven: replySchema(RatingGiven),
  ratingsReceived: replySchema(listFeedback.reply.def.element),
  notifications: replySchema(listNotifications.reply.def.element),
}

type Part = object | AsyncIterable<object[]>
type Parts = Record<keyof typeof schemas, () => Promise<Part>>

function partsOf({ database, clock, config, secrets }: Services, user: User, sid: string | null): Parts {
  const db = database.read
  const encryption = createEncryption(secrets.dataKey)
  return {
    profile: async () => asCurrentUser(user),
    mailSettings: () => mailSettingsOf(db, user),
    bankAccount: () => bankAccountOf(db, encryption, user),
    devices: () => devicesOf(db, user, sid, clock()),
    requests: () => itemsOf(db, user.id),
    offers: () => offersOf(db, user),
    messages: async () => pages((before) => messagesOf(db, user, { limit: PAGE, before }), byId),
    payments: async () =>
      pages(
        (cursor) => paymentsOf(db, user, { limit: PAGE, cursor }),
        (pair) => pair.payments.id,
      ),
    payouts: async () => pages((cursor) => payoutsOf(db, user, { limit: PAGE, cursor }), byId),
    evidence: () => evidenceOf(db, user),
    ratingsGiven: () => ratingsBy(db, user),
    ratingsReceived: async () =>
      pages(
        (after) => feedbackOf(db, user.id, { limit: PAGE, after }),
        ({ paymentId }) => paymentId,
      ),
    notifications: async () =>
      pages((before) => notificationsOf(db, user, { limit: PAGE, before }, config.currency), byId),
  }
}

const byId = ({ id }: { id: number }) => id

/** The name and the last four digits. What can no longer be opened is only said to be there. */
async function bankAccountOf(db: Db, encryption: Encryption, user: User) {
  try {
    return await bankStatus(db, encryption, user)
  } catch (error) {
    if (error instanceof Unreadable) return { hasBankAccount: true, bankDetails: null }
    throw error
  }
}

async function* pages<Item extends object>(
  read: (before: number | undefined) => Promise<Item[]>,
  idOf: (item: Item) => number,
): AsyncGenerator<Item[]> {
  for (let before: number | undefined; ; ) {
    const page = await read(before)
    yield page
    const last = page.at(-1)
    if (!last || page.length < PAGE) return
    before = idOf(last)
  }
}

type Write = (thing: object) => string

/** The JSON text, in pieces: however much there is, a page of it at a time is held in memory. */
export async function* ownData(
  services: Services,
  user: User,
  sid: string | null,
  writerOf: (schema: ReturnType<typeof replySchema>) => Write,
): AsyncGenerator<string> {
  const parts = partsOf(services, user, sid)
  let before = '{'
  for (const name of Object.keys(schemas) as (keyof typeof schemas)[]) {
    yield `${before}\n${JSON.stringify(name)}: `
    before = ','
    yield* written(await parts[name](), writerOf(schemas[name]))
  }
  yield '\n}\n'
}

async function* written(part: Part, write: Write): AsyncGenerator<string> {
  if (Array.isArray(part)) yield `[${part.map(write).join(',\n')}]`
  else if (Symbol.asyncIterator in part) yield* writtenPages(part, write)
  else yield write(part)
}

async function* writtenPages(found: AsyncIterable<object[]>, write: Write): AsyncGenerator<string> {
  yield '['
  let before = ''
  for await (const page of found) {
    if (page.length === 0) break
    yield before + page.map(write).join(',\n')
    before = ',\n'
  }
  yield ']'
}
