import { EXPIRY_NOTICE_DAYS, REQUEST_OPEN_DAYS } from '@sought/contract/constants'
import { NOTIFICATION_KINDS } from '@sought/contract/notification-kinds'
import { eq, lt, sql } from 'drizzle-orm'
import type { Tx } from '../database/database.ts'
import {
  admins,
  mails,
  notifications,
  requestViews,
  type StoredImage,
  users,
  wantedItems,
} from '../database/schema.ts'
import { saveSearch } from '../features/board/saved-searches/actions.ts'
import { hashPassword } from '../features/identity/accounts/passwords.ts'
import { addReply } from '../features/money/disputes/replies.ts'
import { setMovementsAside } from '../features/money/ledger/provider-movements.ts'
import type { FileStore } from '../files/files.ts'
import { insertPublicPicture, pictureFile, storeFile } from '../files/stored-files.ts'
import { COMMAND_LINE } from '../http/request-origin.ts'
import { signedInColumns } from '../http/session.ts'
import type { Services } from '../services.ts'
import { cases } from './cases.ts'
import type { Cast } from './cast.ts'
import { conversations } from './conversations.ts'
import { deals } from './deals.ts'
import { avatarPicture, drawPictures } from './draw-pictures.ts'
import { createPastServices } from './past-services.ts'
import { payoutSetups } from './payout-setups.ts'
import { type DemoPerson, people } from './people.ts'
import { playStory, type Story } from './play-story.ts'
import { replies } from './replies.ts'
import { type DemoRequest, requests } from './requests.ts'
import { demoSignIns } from './sign-ins.ts'
import { tickets } from './tickets.ts'

const HOUR_MS = 3_600_000
const MEMBER_DAYS = 400
const NOTICE_AFTER_HOURS = (REQUEST_OPEN_DAYS - EXPIRY_NOTICE_DAYS) * 24
/** Any fixed number. It keeps two processes that start at the same time from both seeding. */
const SEED_LOCK = 7_206_835

/**
 * Fills an empty database with a demo market, and returns whether it did. Everything is one transaction: a crash
 * leaves the database empty, and the next start seeds it again.
 */
export async function seedDemo(services: Services): Promise<boolean> {
  return services.database.transact(async (tx) => {
    // On a busy machine, seeding exceeds the usual limits, and so does waiting for another process that seeds.
    await tx.execute(sql`set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0`)
    await tx.execute(sql`select pg_advisory_xact_lock(${SEED_LOCK})`)
    const [someone] = await tx.select({ id: users.id }).from(users).limit(1)
    if (someone) return false
    // Drawing is slow, so it starts now, in other threads. addPictures waits for it and throws its errors.
    drawPictures().catch(() => {})
    const itemIds = await addMarket(tx, services)
    await addPictures(tx, services.files, itemIds)
    await addViews(tx)
    await startToday(tx)
    return true
  })
}

async function addMarket(tx: Tx, services: Services): Promise<Map<string, number>> {
  for (const person of people) await addPerson(tx, person)
  const itemIds = await addRequests(tx)
  const cast = await castOf(tx, itemIds)
  await playInThePast(tx, services, cast)
  for (const reply of replies) await addReply(tx, reply, cast.userOf('admin'))
  return itemIds
}

async function addPerson(tx: Tx, person: DemoPerson): Promise<void> {
  const id = idOf(person.key)
  const signIn = demoSignIns.find(({ email }) => email === person.email)
  const joined = new Date(tx.now.getTime() - MEMBER_DAYS * 24 * HOUR_MS)
  await tx.insert(users).values({
    id,
    email: person.email,
    emailVerifiedAt: joined,
    firstName: person.firstName,
    lastName: person.lastName,
    mailOff: [...NOTIFICATION_KINDS],
    bio: person.bio,
    location: person.location,
    sellingKeywords: [...(person.selling?.keywords ?? [])],
    sellingCategories: [...(person.selling?.categories ?? [])],
    // Only people with a demo sign-in have a password.
    password: signIn ? await hashPassword(signIn.password) : null,
    createdAt: joined,
    updatedAt: joined,
  })
  for (const filters of person.savedSearches ?? []) await saveSearch(tx, { filters, alerts: 'daily' }, { id })
  if (signIn?.role === 'Admin' || person.isColleague) await tx.insert(admins).values({ userId: id })
  if (signIn?.role === 'Moderator') await tx.insert(admins).values({ userId: id, role: 'moderator' })
}

/** Adds the oldest first, so that ids grow with time as in a real market. Returns the ids by key. */
async function addRequests(tx: Tx): Promise<Map<string, number>> {
  const oldestFirst = requests.toSorted((one, two) => two.postedHoursAgo - one.postedHoursAgo)
  const added = await tx
    .insert(wantedItems)
    .values(oldestFirst.map((request) => requestRow(request, tx.now)))
    .returning({ id: wantedItems.id })
  return new Map(
    oldestFirst.map(({ key }, at) => {
      const id = added[at]?.id
      if (id === undefined) throw new Error('insert returned too few rows')
      return [key, id]
    }),
  )
}

function requestRow(request: DemoRequest, now: Date): typeof wantedItems.$inferInsert {
  const { key: _, by, pictures: __, postedHoursAgo, ...fields } = request
  const posted = new Date(now.getTime() - postedHoursAgo * HOUR_MS)
  return {
    ...fields,
    userId: idOf(by),
    createdAt: posted,
    updatedAt: posted,
    // Owners are not asked to renew immediately after the start.
    expiryNoticeAt: postedHoursAgo > NOTICE_AFTER_HOURS ? posted : null,
  }
}

/** Payments need the sandbox, because a real provider does not accept the demo's cards. */
async function playInThePast(tx: Tx, services: Services, cast: Cast): Promise<void> {
  const past = createPastServices(tx, services)
  const { sandbox, cards } = services
  if (!sandbox || !cards) {
    const withoutDeals = cases.filter(({ about }) => about.kind !== 'review')
    return playStory(past, { conversations, payoutSetups: [], tickets, cases: withoutDeals }, cast)
  }
  const story: Story = { conversations: [...conversations, ...deals], payoutSetups, tickets, cases }
  const started = await sandbox.start(null, { clock: past.services.clock })
  try {
    // Charges of an earlier, failed attempt belong to no payment.
    await setMovementsAside(tx, cards)
    await playStory(past, story, cast)
  } finally {
    await started?.stop()
  }
}

const idOf = (personKey: string) => `demo-${personKey}`
const ownerOf = (requestKey: string) => requests.find(({ key }) => key === requestKey)?.by ?? ''

async function castOf(tx: Tx, itemIds: Map<string, number>): Promise<Cast> {
  const everyone = new Map((await tx.select(signedInColumns).from(users)).map((user) => [user.id, user]))
  return {
    userOf(key) {
      const user = everyone.get(idOf(key))
      if (!user) throw new Error(`the demo has no person ${key}`)
      return { ...user, origin: COMMAND_LINE, lastWrite: null }
    },
    itemOf: (key) => ({ id: itemIds.get(key) ?? 0, ownerKey: ownerOf(key) }),
  }
}

/** Stores the pictures as uploads of the requests' owners. */
async function addPictures(tx: Tx, store: FileStore, itemIds: Map<string, number>): Promise<void> {
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
    const profileImageUrl = await add(avatarPicture(avatar), 'avatar', idOf(key))
    await tx
      .update(users)
      .set({ profileImageUrl })
      .where(eq(users.id, idOf(key)))
  }
  for (const { key, by, pictures: used } of requests) {
    const images: StoredImage[] = []
    for (const { file, alt } of used) {
      const url = await add(file, 'request_image', idOf(by))
      const { widthPixels: width, heightPixels: height } = pictureOf(file)
      images.push({ url, alt, pictureUrl: url, width, height })
    }
    await tx
      .update(wantedItems)
      .set({ images })
      .where(eq(wantedItems.id, itemIds.get(key) ?? 0))
  }
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
