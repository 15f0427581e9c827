import { saveReply } from '@sought/contract/casework'
import { NOTIFICATION_KINDS } from '@sought/contract/notification-kinds'
import { saveSearch } from '@sought/contract/saved-searches'
import { lt, sql } from 'drizzle-orm'
import type { Tx } from '../database/database.ts'
import { updateRows } from '../database/rows.ts'
import {
  mails,
  notifications,
  requestViews,
  type StoredImage,
  users,
  wantedItems,
} from '../database/schema.ts'
import { hashPassword } from '../features/identity/accounts/passwords.ts'
import { setMovementsAside } from '../features/money/ledger/provider-movements.ts'
import type { FileStore } from '../files/files.ts'
import { insertPublicPicture, pictureFile, storeFile } from '../files/stored-files.ts'
import { insertPeople } from '../market-builder/insert-people.ts'
import { createInProcessSend } from '../market-builder/send-in-process.ts'
import { createServicesWithin, type ServicesWithin } from '../market-builder/services-within.ts'
import type { Services } from '../services.ts'
import { cases } from './cases.ts'
import type { Cast } from './cast.ts'
import { conversations } from './conversations.ts'
import { deals } from './deals.ts'
import { avatarPicture, drawPictures } from './draw-pictures.ts'
import { insertRequests, personId } from './insert-requests.ts'
import { payoutSetups } from './payout-setups.ts'
import { type DemoPerson, people } from './people.ts'
import { playStory, type Story } from './play-story.ts'
import { requests } from './requests.ts'
import { demoSignIns } from './sign-ins.ts'
import { tickets } from './tickets.ts'

const HOUR_MS = 3_600_000
const MEMBER_DAYS = 400
/**
 * The key of an advisory lock, so that only one of two processes that start at the same time seeds. Any fixed
 * number.
 */
const SEED_LOCK = 7_206_835

/**
 * Fills an empty database with a demo market, and returns whether it did. Everything is one transaction: a crash
 * leaves the database empty, and the next start seeds it again.
 */
export async function seedDemo(services: Services): Promise<boolean> {
  return services.database.transact(async (tx) => {
    // On a busy machine, seeding takes longer than the usual timeouts, and so does waiting for another process
    // that seeds.
    await tx.execute(sql`set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0`)
    await tx.execute(sql`select pg_advisory_xact_lock(${SEED_LOCK})`)
    const [someone] = await tx.select({ id: users.id }).from(users).limit(1)
    if (someone) return false
    await addMarket(tx, services)
    await addViews(tx)
    await startToday(tx)
    return true
  })
}

async function addMarket(tx: Tx, services: Services): Promise<void> {
  await addPeople(tx)
  const itemIds = await insertRequests(tx, await addPictures(tx, services.files))
  const within = createServicesWithin(tx, services)
  const cast = castOf(within.services, itemIds)
  for (const { key, savedSearches = [] } of people as readonly DemoPerson[])
    for (const filters of savedSearches) await cast.personOf(key).send(saveSearch, { body: { filters } })
  await playInThePast(tx, services, within, cast)
  for (const reply of replies) await cast.personOf('admin').send(saveReply, { body: reply })
}

async function addPeople(tx: Tx): Promise<void> {
  const joined = new Date(tx.now.getTime() - MEMBER_DAYS * 24 * HOUR_MS)
  const rows = (people as readonly DemoPerson[]).map(async (person) => {
    const { key, email, firstName, lastName, bio, location, selling, isColleague } = person
    const signIn = demoSignIns.find((it) => it.email === email)
    return {
      id: personId(key),
      email,
      emailVerifiedAt: joined,
      firstName,
      lastName,
      mailOff: [...NOTIFICATION_KINDS],
      bio,
      location,
      sellingKeywords: selling?.keywords ?? [],
      sellingCategories: selling?.categories ?? [],
      // Only people with a demo sign-in have a password.
      password: signIn ? await hashPassword(signIn.password) : null,
      role: isColleague ? ('admin' as const) : ROLES[signIn?.role ?? 'Buyer'],
    }
  })
  await insertPeople(tx, await Promise.all(rows), { now: tx.now, joined })
}

const ROLES = { Buyer: undefined, Seller: undefined, Admin: 'admin', Moderator: 'moderator' } as const

/** Payments need the sandbox, because a real provider does not accept the demo's cards. */
async function playInThePast(tx: Tx, services: Services, past: ServicesWithin, cast: Cast): Promise<void> {
  const { sandbox, cards } = services
  if (!sandbox || !cards) {
    const withoutDeals = cases.filter(({ about }) => about.kind !== 'review')
    return playStory(past, { conversations, payoutSetups: [], tickets, cases: withoutDeals }, cast)
  }
  const story: Story = { conversations: [...conversations, ...deals], payoutSetups, tickets, cases }
  const started = await sandbox.start(null, { clock: past.services.clock })
  try {
    // Charges of an earlier, failed attempt belong to no payment, so they must not be compared with the ledger.
    await setMovementsAside(tx, cards)
    await playStory(past, story, cast)
  } finally {
    await started?.stop()
  }
}

const ownerOf = (requestKey: string) => requests.find(({ key }) => key === requestKey)?.by ?? ''

function castOf(services: Services, itemIds: Map<string, number>): Cast {
  const sendAs = createInProcessSend(services)
  return {
    personOf: (key) => ({ id: personId(key), send: sendAs(personId(key)) }),
    visitor: { id: '', send: sendAs(null) },
    itemOf: (key) => ({ id: itemIds.get(key) ?? 0, ownerKey: ownerOf(key) }),
  }
}

/** Stores the pictures as uploads of the requests' owners. Returns them by the key of the request. */
async function addPictures(tx: Tx, store: FileStore): Promise<Map<string, StoredImage[]>> {
  const pictures = await drawPictures()
  const pictureOf = (name: string) => {
    const picture = pictures.get(name)
    if (!picture) throw new Error(`the demo has no picture ${name}`)
    return picture
  }
  const add = (name: string, kind: 'avatar' | 'request_image', ownerId: string) =>
    storeFile(store, pictureFile(pictureOf(name)), (stored) => insertPublicPicture(tx, stored, kind, ownerId))
  for (const { key, avatar } of people) {
    if (!avatar) continue
    const profileImageUrl = await add(avatarPicture(avatar), 'avatar', personId(key))
    await updateRows(tx, users, { id: personId(key) }, { profileImageUrl })
  }
  const imagesOf = new Map<string, StoredImage[]>()
  for (const { key, by, pictures: used } of requests) {
    const images: StoredImage[] = []
    for (const { file, alt } of used) {
      const url = await add(file, 'request_image', personId(by))
      const { widthPixels: width, heightPixels: height } = pictureOf(file)
      images.push({ url, alt, pictureUrl: url, width, height })
    }
    imagesOf.set(key, images)
  }
  return imagesOf
}

/** More views than contacts, so that the figures are plausible. */
async function addViews(tx: Tx): Promise<void> {
  await tx.execute(sql`
    insert into ${requestViews} (wanted_item_id, count) select id, 9 + id * 13 % 40 from ${wantedItems}`)
}

/** Marks notifications older than a day as read, and switches on emails, which were off while seeding. */
async function startToday(tx: Tx): Promise<void> {
  const yesterday = new Date(tx.now.getTime() - 24 * HOUR_MS)
  await tx.update(notifications).set({ readAt: yesterday }).where(lt(notifications.createdAt, yesterday))
  await tx.update(users).set({ mailOff: [] })
  // Emails about accounts cannot be switched off.
  await tx.delete(mails)
}
/** Saved replies for disputes. */
const replies = [
  {
    title: 'Ask for photos',
    text: 'Hello {buyer}, please add two photos of “{item}” to the dispute: one of the whole item and one of the damage. {seller} and we can see them there.',
  },
  {
    title: 'Parcel lost',
    text: 'The carrier confirms that the parcel is lost. {buyer} gets {amount} back. The transaction number is {transaction}.',
  },
] as const
