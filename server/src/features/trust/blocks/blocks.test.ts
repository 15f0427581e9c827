import { expect, test, vi } from 'vitest'
import { waitUntilBlocked } from '../../../testing/blocked-statements.ts'
import { runEmailJobs } from '../../../testing/run-email-jobs.ts'
import { PASSWORD, type Person, shareWorld } from '../../../testing/world.ts'
import { matchSearches } from '../../board/saved-searches/match-searches.ts'
import { sendDigests } from '../../board/saved-searches/send-digests.ts'
import { sendMessage } from '../../deals/messages/actions.ts'
import { requestReserved } from '../../deals/offers/notifications.ts'
import { notify } from '../../notifications/actions.ts'
import { recordPresence } from '../../users/presence.ts'
import { blockPerson } from './actions.ts'

const lamp = { title: 'Lamp', description: 'Green', category: 'Other', location: 'Ipoh', maxBudget: 500 }
const HOUR_MS = 3_600_000
const shared = shareWorld()

/** Ada requests a lamp, and Bob has written to her. */
async function openMarket() {
  const world = shared()
  const [ada, bob] = [await world.signUp('Ada'), await world.signUp('Bob')]
  const { id: wantedItemId } = (await ada.call('POST /api/wanted-items', lamp)).json()
  const write = (from: Person, to: Person) =>
    from.call('POST /api/messages', { content: 'Hello', wantedItemId, receiverId: to.id })
  const offer = (amount = 4_000) => bob.call('POST /api/offers', { wantedItemId, receiverId: ada.id, amount })
  await write(bob, ada)
  const block = (who: Person, whom: Person) => who.call(`POST /api/blocks/${whom.id}`)
  const unblock = (who: Person, whom: Person) => who.call(`DELETE /api/blocks/${whom.id}`)
  const notificationsOf = async ({ id }: Person) => {
    const { rows } = await world.sql.query('select kind from notifications where user_id = $1 order by id', [
      id,
    ])
    return rows.map(({ kind }) => kind)
  }
  return { ...world, ada, bob, wantedItemId, write, offer, block, unblock, notificationsOf }
}

const codeOf = (reply: { statusCode: number; json(): { code: string } }) =>
  reply.statusCode < 400 ? reply.statusCode : reply.json().code

test('blocking and unblocking are idempotent, and only the person who blocked sees the block', async () => {
  const { ada, bob, block, unblock, visitor } = await openMarket()
  const blocksOf = async (who: Person) => (await who.call('GET /api/blocks')).json()
  for (const _ of [1, 2]) expect((await block(ada, bob)).json()).toEqual({ ok: true })
  expect(await blocksOf(ada)).toEqual([
    { user: expect.objectContaining({ id: bob.id, name: 'Bob Tester' }), createdAt: expect.any(String) },
  ])
  expect(await blocksOf(bob)).toEqual([])
  for (const _ of [1, 2]) expect((await unblock(ada, bob)).json()).toEqual({ ok: true })
  expect(await blocksOf(ada)).toEqual([])
  expect((await visitor(`POST /api/blocks/${bob.id}`)).statusCode).toBe(401)
})

test('people cannot block themselves or someone who does not exist', async () => {
  const { ada, bob, block, unblock, sql } = await openMarket()
  const oneself = await block(ada, ada)
  expect([oneself.statusCode, oneself.json().code]).toEqual([422, 'block_oneself'])
  expect(codeOf(await unblock(ada, ada))).toBe('block_oneself')
  expect(codeOf(await ada.call('POST /api/blocks/nobody'))).toBe('person_not_found')
  await sql.query('update users set deleted_at = now() where id = $1', [bob.id])
  const deleted = await block(ada, bob)
  expect([deleted.statusCode, deleted.json().code]).toEqual([404, 'person_not_found'])
})

test.each([
  ['the buyer', (ada: Person, bob: Person) => [ada, bob] as const],
  ['the seller', (ada: Person, bob: Person) => [bob, ada] as const],
])('if %s has blocked the other, neither can contact the other', async (_, roles) => {
  const { ada, bob, offer, write, block, unblock, notificationsOf } = await openMarket()
  const { id: offerId } = (await offer()).json()
  await ada.call('PATCH /api/notifications/mark-read', {})
  const before = [await notificationsOf(ada), await notificationsOf(bob)]
  const [blocker, blocked] = roles(ada, bob)
  await block(blocker, blocked)
  const replies = [
    await write(ada, bob),
    await write(bob, ada),
    await offer(5_000),
    await ada.call(`POST /api/offers/${offerId}/counter`, { amount: 3_000 }),
    await ada.call(`PATCH /api/offers/${offerId}/accept`),
  ]
  expect(replies.map((reply) => [reply.statusCode, reply.json().code])).toEqual(
    replies.map(() => [403, 'blocked']),
  )
  // The refused offer did not replace the first one, which can still be rejected.
  expect((await ada.call(`PATCH /api/offers/${offerId}/reject`)).json().status).toBe('rejected')
  expect([await notificationsOf(ada), await notificationsOf(bob)]).toEqual(before)
  await unblock(blocker, blocked)
  expect(codeOf(await offer())).toBe(201)
  expect(codeOf(await write(bob, ada))).toBe(201)
})

test('a seller cannot accept a counter-offer of a person whom they have blocked', async () => {
  const { ada, bob, offer, block } = await openMarket()
  const { id } = (await offer()).json()
  const counter = (await ada.call(`POST /api/offers/${id}/counter`, { amount: 3_000 })).json()
  await block(bob, ada)
  expect(codeOf(await bob.call(`PATCH /api/offers/${counter.id}/accept`))).toBe('blocked')
  expect(codeOf(await bob.call(`PATCH /api/offers/${id}/withdraw`))).toBe(200)
})

test('a message that is being sent arrives before the block, later ones are refused', async () => {
  const { ada, bob, wantedItemId, write, block, services, sql } = await openMarket()
  const { transact } = services.database

  const [written, commit] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const message = { content: 'In time', wantedItemId, receiverId: ada.id, photoIds: [] }
  const sending = transact(async (tx) => {
    await sendMessage(tx, message, bob, services.config.publicUrl)
    written.resolve()
    await commit.promise
  })
  await written.promise
  const blockEnded = vi.fn()
  const blocking = block(ada, bob).finally(blockEnded)
  await waitUntilBlocked(sql)
  expect(blockEnded).not.toHaveBeenCalled()
  commit.resolve()
  await Promise.all([sending, blocking])

  await ada.call(`DELETE /api/blocks/${bob.id}`)
  const [blocked, commitBlock] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const blockingAgain = transact(async (tx) => {
    await blockPerson(tx, bob.id, ada)
    blocked.resolve()
    await commitBlock.promise
  })
  await blocked.promise
  const late = write(bob, ada)
  await waitUntilBlocked(sql)
  commitBlock.resolve()
  await blockingAgain
  expect(codeOf(await late)).toBe('blocked')
})

test('typing, presence and read receipts are hidden between blocked people', async () => {
  const { ada, bob, wantedItemId, block, services, sql } = await openMarket()
  await recordPresence(services.database.read, [ada.id, bob.id], services.clock())
  const presenceOf = async (who: Person, whom: Person) =>
    (await who.call(`GET /api/conversations/presence?userId=${whom.id}`)).json().online
  expect(await presenceOf(bob, ada)).toBe(true)
  await block(ada, bob)
  expect(await presenceOf(bob, ada)).toBe(false)
  expect(await presenceOf(ada, bob)).toBe(false)
  await sql.query('delete from announcements')
  const typing = { wantedItemId, receiverId: ada.id }
  expect((await bob.call('POST /api/conversations/typing', typing)).json()).toEqual({ ok: true })
  await ada.call('PATCH /api/messages/mark-read', { wantedItemId })
  const { rows: announced } = await sql.query("select payload from announcements where channel = 'changes'")
  expect(announced.filter(({ payload }) => JSON.parse(payload).to.includes(bob.id))).toEqual([])
  expect(announced.filter(({ payload }) => payload.includes('typing'))).toEqual([])
  const [sent] = (await bob.call('GET /api/messages')).json()
  expect(sent).toMatchObject({ isRead: false, readAt: null })
})

test('queued emails about messages and offers are not sent between blocked people', async () => {
  const { ada, bob, offer, block, sql } = await openMarket()
  await offer()
  await block(ada, bob)
  await runEmailJobs(shared(), { overdue: true })
  const { rows } = await sql.query(
    `select kind, subject, done_at is not null as is_done from mails where user_id = $1 and notification_id is not null
     order by kind`,
    [ada.id],
  )
  expect(rows).toEqual([
    { kind: 'message', subject: null, is_done: true },
    { kind: 'offer_made', subject: null, is_done: true },
  ])
})

test('people are still notified of their accepted offers', async () => {
  const { ada, bob, offer, block, notificationsOf, sql } = await openMarket()
  const { id: offerId } = (await offer()).json()
  await ada.call(`PATCH /api/offers/${offerId}/accept`)
  await block(bob, ada)
  await runEmailJobs(shared(), { overdue: true })
  const { rows } = await sql.query(
    `select subject is not null as is_sent from mails where user_id = $1 and kind = 'offer_accepted'`,
    [bob.id],
  )
  expect(rows).toEqual([{ is_sent: true }])
  expect(await notificationsOf(bob)).toEqual(['offer_accepted'])
})

test('saved searches and matches leave out requests of blocked people', async () => {
  const { services, signUp, block, unblock, notificationsOf, advanceClock, sql } = await openMarket()
  const [owner, instant, daily] = [await signUp('Owner'), await signUp('Instant'), await signUp('Daily')]
  const save = (who: Person, alerts: string) =>
    who.call('POST /api/saved-searches', { filters: { search: 'theremin' }, alerts })
  await save(instant, 'immediately')
  await save(daily, 'daily')
  await instant.call('PUT /api/user/selling', { keywords: ['theremin'], categories: [] })
  const post = async () =>
    (await owner.call('POST /api/wanted-items', { ...lamp, title: 'Theremin' })).json().id
  const match = async (itemId: number) => matchSearches(services, { itemId, at: services.clock() })
  const matchesOf = async (who: Person) =>
    (await who.call('GET /api/user/matches')).json().map(({ id }: { id: number }) => id)

  await block(owner, instant)
  const first = await post()
  await match(first)
  expect(await notificationsOf(instant)).toEqual([])
  expect(await matchesOf(instant)).toEqual([])
  await unblock(owner, instant)
  expect(await matchesOf(instant)).toEqual([first])
  await match(await post())
  expect(await notificationsOf(instant)).toEqual(['search_match'])

  // The digest was already waiting when the block started.
  await block(daily, owner)
  advanceClock(25 * HOUR_MS)
  await sendDigests(services)
  expect(await notificationsOf(daily)).toEqual([])

  // A digest created before the block is not sent either.
  await unblock(daily, owner)
  await match(await post())
  advanceClock(25 * HOUR_MS)
  await sendDigests(services)
  expect(await notificationsOf(daily)).toEqual(['search_digest'])
  await block(owner, daily)
  await runEmailJobs(shared(), { overdue: true })
  const { rows } = await sql.query(
    `select subject from mails where user_id = $1 and kind = 'search_digest'`,
    [daily.id],
  )
  expect(rows).toEqual([{ subject: null }])
})

test('sellers are not notified of requests of a blocked person', async () => {
  const { ada, bob, wantedItemId, offer, block, notificationsOf, services } = await openMarket()
  await offer()
  await block(ada, bob)
  const reserved = { id: 1, wantedItemId }
  await services.database.transact((tx) => notify(tx, requestReserved(reserved, [bob.id])))
  expect(await notificationsOf(bob)).toEqual([])
})

test('the export contains blocks and reports; deleting the account deletes the blocks and keeps the reports', async () => {
  const { ada, bob, block, sql } = await openMarket()
  await block(ada, bob)
  await block(bob, ada)
  await ada.call('POST /api/reports', { kind: 'profile', id: bob.id, reason: 'scam', note: 'A fraud' })
  const { blocks, reports } = (await ada.call('GET /api/user/data')).json()
  expect(blocks).toMatchObject([{ user: { id: bob.id } }])
  const reported = { kind: 'profile', targetId: bob.id, reason: 'scam', note: 'A fraud' }
  expect(reports).toEqual([{ ...reported, createdAt: expect.any(String) }])

  expect((await ada.call('POST /api/user/delete-account', { password: PASSWORD })).statusCode).toBe(200)
  const count = async (statement: string) => (await sql.query(statement, [ada.id])).rowCount
  expect(await count('select from blocks where $1 in (blocker_id, blocked_id)')).toBe(0)
  expect(await count('select from reports where reporter_id = $1')).toBe(1)
})
