import { expect, test } from 'vitest'
import { type Person, shareWorld } from '../../../testing/world.ts'
import { recordPresence } from '../../users/presence.ts'
import { sharingSettingsOf } from './sharing.ts'

const lamp = { title: 'Lamp', description: 'Green', category: 'Other', location: 'Ipoh', maxBudget: 50 }
const ALL = { typing: true, presence: true, readReceipts: true }
const shared = shareWorld()

/** Bob has written to Ada about her lamp. Eve is not involved. */
async function openConversation() {
  const world = shared()
  const [ada, bob, eve] = [await world.signUp('Ada'), await world.signUp('Bob'), await world.signUp('Eve')]
  const { id: wantedItemId } = (await ada.call('POST /api/wanted-items', lamp)).json()
  await bob.call('POST /api/messages', { content: 'Hello', wantedItemId, receiverId: ada.id })
  const share = (who: Person, settings: Partial<typeof ALL>) =>
    who.call('PUT /api/user/sharing-settings', { ...ALL, ...settings })
  return { ...world, ada, bob, eve, wantedItemId, share }
}

/** Reads the announcements to all users. */
async function listen(sql: ReturnType<typeof shared>['sql']) {
  const read = async () => {
    const { rows } = await sql.query<{ announced: { to: string[]; change: { about: string } } }>(
      `with new as (delete from announcements returning *)
       select payload::json as announced from new where channel = 'changes' order by id`,
    )
    return rows.map(({ announced }) => announced)
  }
  await read()
  return { read }
}

test('users share everything until they switch it off', async () => {
  const { ada, visitor, share } = await openConversation()
  const read = async () => (await ada.call('GET /api/user/sharing-settings')).json()
  expect(await read()).toEqual(ALL)
  expect((await share(ada, { presence: false })).json()).toEqual({ ...ALL, presence: false })
  expect(await read()).toEqual({ ...ALL, presence: false })
  expect((await ada.call('GET /api/user/data')).json().sharingSettings).toEqual({ ...ALL, presence: false })
  expect((await ada.call('PUT /api/user/sharing-settings', { typing: true })).statusCode).toBe(422)
  expect((await visitor('GET /api/user/sharing-settings')).statusCode).toBe(401)
})

test('changing the settings of an account that was just deleted is refused like an ended session', async () => {
  const { read } = shared().services.database
  await expect(sharingSettingsOf(read, { id: 'removed' })).rejects.toMatchObject({ code: 'signed_out' })
})

test('senders see when a message was read only if both share read receipts', async () => {
  const { ada, bob, wantedItemId, share, sql } = await openConversation()
  const channel = await listen(sql)
  const receipt = async (who: Person) => {
    const [{ isRead, readAt }] = (await who.call(`GET /api/messages?wantedItemId=${wantedItemId}`)).json()
    return isRead && readAt !== null
  }
  await share(ada, { readReceipts: false })
  await channel.read()
  await ada.call('PATCH /api/messages/mark-read', { wantedItemId, senderId: bob.id })
  // Bob's pages do not even learn that something changed.
  expect((await channel.read()).map(({ to }) => to)).toEqual([[ada.id], [ada.id]])
  expect([await receipt(ada), await receipt(bob)]).toEqual([true, false])
  const [{ unreadCount }] = (await ada.call('GET /api/conversations')).json()
  expect(unreadCount).toBe(0)
  expect((await bob.call('GET /api/user/data')).json().messages[0]).toMatchObject({
    isRead: false,
    readAt: null,
  })

  await share(ada, {})
  expect(await receipt(bob)).toBe(true)
  await share(bob, { readReceipts: false })
  expect(await receipt(bob)).toBe(false)

  await share(bob, {})
  await bob.call('POST /api/messages', { content: 'Again', wantedItemId, receiverId: ada.id })
  await channel.read()
  await ada.call('PATCH /api/messages/mark-read', { wantedItemId, senderId: bob.id })
  expect(await channel.read()).toContainEqual({ to: [ada.id, bob.id], change: { about: 'messages' } })
})

test('typing is announced to the other person of an existing conversation, if both share it', async () => {
  const { ada, bob, eve, wantedItemId, share, sql, visitor } = await openConversation()
  const channel = await listen(sql)
  const type = async (who: Person, receiver: Person, about = wantedItemId) => {
    const reply = await who.call('POST /api/conversations/typing', {
      wantedItemId: about,
      receiverId: receiver.id,
    })
    expect([reply.statusCode, reply.json()]).toEqual([200, { ok: true }])
    return channel.read()
  }
  const toAda = { to: [ada.id], change: { about: 'typing', wantedItemId, userId: bob.id } }
  expect(await type(bob, ada)).toEqual([toAda])
  expect(await type(ada, bob)).toEqual([
    { to: [bob.id], change: { about: 'typing', wantedItemId, userId: ada.id } },
  ])
  const { id: otherId } = (await ada.call('POST /api/wanted-items', lamp)).json()
  expect(await type(eve, ada)).toEqual([])
  expect(await type(bob, eve)).toEqual([])
  expect(await type(bob, bob)).toEqual([])
  expect(await type(bob, ada, otherId)).toEqual([])
  for (const who of [ada, bob]) {
    await share(who, { typing: false })
    expect(await type(bob, ada)).toEqual([])
    await share(who, {})
  }
  expect(await type(bob, ada)).toEqual([toAda])
  expect(
    (await visitor('POST /api/conversations/typing', { wantedItemId, receiverId: ada.id })).statusCode,
  ).toBe(401)
})

test('typing can be announced forty times a minute', { tags: ['proof'] }, async () => {
  const { ada, bob, wantedItemId } = await openConversation()
  const body = { wantedItemId, receiverId: ada.id }
  const replies = await Promise.all(
    Array.from({ length: 41 }, () => bob.call('POST /api/conversations/typing', body)),
  )
  expect(replies.filter(({ statusCode }) => statusCode === 200)).toHaveLength(40)
  expect(replies.filter(({ statusCode }) => statusCode === 429)).toHaveLength(1)
})

test('presence is shown to people with a common conversation, if both share it', async () => {
  const { ada, bob, eve, share, services, visitor } = await openConversation()
  const presence = async (who: Person, of = ada.id) =>
    (await who.call(`GET /api/conversations/presence?userId=${of}`)).json()
  const unknown = { online: false, lastSeenAt: null }
  expect(await presence(bob)).toEqual(unknown)
  const now = services.clock().getTime()
  const toMinute = (at: number) => new Date(Math.floor(at / 60_000) * 60_000).toISOString()
  await recordPresence(services.database.read, [ada.id], new Date(now - 10_000))
  expect(await presence(bob)).toEqual({ online: true, lastSeenAt: toMinute(now - 10_000) })
  await recordPresence(services.database.read, [ada.id], new Date(now - 60_000))
  const offline = { online: false, lastSeenAt: toMinute(now - 60_000) }
  expect(await presence(bob)).toEqual(offline)
  expect(await presence(eve)).toEqual(unknown)
  expect(await presence(bob, 'nobody')).toEqual(unknown)
  expect((await visitor(`GET /api/conversations/presence?userId=${ada.id}`)).statusCode).toBe(401)
  for (const who of [ada, bob]) {
    await share(who, { presence: false })
    expect(await presence(bob)).toEqual(unknown)
    await share(who, {})
  }
  expect(await presence(bob)).toEqual(offline)
})
