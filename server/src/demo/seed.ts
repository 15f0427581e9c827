import { readFile } from 'node:fs/promises'
import { NOTIFICATION_KINDS } from '@sought/contract/notification-kinds'
import { lt, sql } from 'drizzle-orm'
import sharp from 'sharp'
import { hashPassword } from '../features/accounts/passwords.ts'
import type { Database, Tx } from '../platform/database.ts'
import type { FileStore } from '../platform/files.ts'
import { admins, notifications, users, wantedItems } from '../platform/schema.ts'
import { storePublicPicture } from '../platform/stored-files.ts'
import { conversations } from './conversations.ts'
import { converse } from './converse.ts'
import { type DemoPerson, people } from './people.ts'
import { type DemoRequest, requests } from './requests.ts'
import { demoSignIns } from './sign-ins.ts'

const HOUR_MS = 3_600_000
const MEMBER_DAYS = 400
/** Any fixed number; it keeps two processes that start at once from both seeding. */
const SEED_LOCK = 7_206_835

/** Fills an empty database with a living market. Returns whether it did. */
export async function seedDemo({ transact }: Database, store: FileStore): Promise<boolean> {
  return transact(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${SEED_LOCK})`)
    const [someone] = await tx.select({ id: users.id }).from(users).limit(1)
    if (someone) return false
    for (const person of people) await addPerson(tx, store, person)
    const itemIds = await addRequests(tx, store)
    await converse(tx, conversations, {
      personOf: (key) => ({ id: idOf(key) }),
      itemOf: (key) => ({ id: itemIds.get(key) ?? 0, ownerKey: ownerOf(key) }),
    })
    await wakeUp(tx)
    return true
  })
}

/** Nobody is mailed about what happened before they were there, and what is older than a day they have seen. */
async function wakeUp(tx: Tx): Promise<void> {
  const yesterday = new Date(tx.now.getTime() - 24 * HOUR_MS)
  await tx.update(notifications).set({ readAt: yesterday }).where(lt(notifications.createdAt, yesterday))
  await tx.update(users).set({ mailOff: [] })
}

const idOf = (personKey: string) => `demo-${personKey}`
const ownerOf = (requestKey: string) => requests.find(({ key }) => key === requestKey)?.by ?? ''

async function addPerson(tx: Tx, store: FileStore, person: DemoPerson): Promise<void> {
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
    // Nobody but the three sign-ins can sign in.
    password: signIn ? await hashPassword(signIn.password) : null,
    createdAt: joined,
    updatedAt: joined,
  })
  if (signIn?.role === 'Admin') await tx.insert(admins).values({ userId: id })
  if (person.avatar) {
    const profileImageUrl = await addPicture(tx, store, `avatars/${person.avatar}`, 256, 'avatar', id)
    await tx.update(users).set({ profileImageUrl }).where(sql`${users.id} = ${id}`)
  }
}

/** Posts them oldest first, so that ids grow with time as they do when people post. Gives each one's id by its key. */
async function addRequests(tx: Tx, store: FileStore): Promise<Map<string, number>> {
  const oldestFirst = requests.toSorted((one, two) => two.postedHoursAgo - one.postedHoursAgo)
  const ids = new Map<string, number>()
  for (const request of oldestFirst) ids.set(request.key, await addRequest(tx, store, request))
  return ids
}

async function addRequest(tx: Tx, store: FileStore, request: DemoRequest): Promise<number> {
  const userId = idOf(request.by)
  const posted = new Date(tx.now.getTime() - request.postedHoursAgo * HOUR_MS)
  const imageUrl =
    request.picture && (await addPicture(tx, store, request.picture, 800, 'request_image', userId))
  const [added] = await tx
    .insert(wantedItems)
    .values({
      title: request.title,
      description: request.description,
      category: request.category,
      minBudget: request.minBudget,
      maxBudget: request.maxBudget,
      location: request.location,
      urgency: request.urgency,
      imageUrl,
      userId,
      createdAt: posted,
      updatedAt: posted,
    })
    .returning({ id: wantedItems.id })
  if (!added) throw new Error('insert returned no row')
  return added.id
}

/** Draws a picture and stores it as any upload is stored. */
async function addPicture(
  tx: Tx,
  store: FileStore,
  drawing: string,
  widthPixels: number,
  kind: 'avatar' | 'request_image',
  ownerId: string,
): Promise<string> {
  const svg = await readFile(new URL(`./pictures/${drawing}`, import.meta.url))
  const bytes = await sharp(svg).resize(widthPixels).webp({ quality: 88 }).toBuffer()
  return storePublicPicture(tx, store, bytes, kind, ownerId)
}
