import type { ReportKind } from '@sought/contract/reports'
import sharp from 'sharp'
import { beforeAll, expect, test } from 'vitest'
import { purgeAbandonedFiles } from '../../../files/stored-files.ts'
import { siteOf } from '../../../pages/page-head.ts'
import { actDuringChange } from '../../../testing/blocked-statements.ts'
import { uploadOf } from '../../../testing/multipart.ts'
import { createPushBrowser, openPushService } from '../../../testing/push-browser.ts'
import { runEmailJobs } from '../../../testing/run-email-jobs.ts'
import { PASSWORD, type Person, shareWorld } from '../../../testing/world.ts'
import { itemPageHead } from '../../board/requests/page-head.ts'
import { previewPath } from '../../board/requests/pictures/link-preview.ts'
import { matchSearches } from '../../board/saved-searches/match-searches.ts'
import { hideContent, restoreContent } from './hide-content.ts'

const world = shareWorld({ RATE_LIMIT: 'off' })
const DAY_MS = 86_400_000
const reason = 'It is not allowed.'

let [ada, bob, eve, mia] = [] as unknown as [Person, Person, Person, Person]
beforeAll(async () => {
  const { signUp } = world()
  ;[ada, bob, eve, mia] = [
    await signUp('Ada'),
    await signUp('Bob'),
    await signUp('Eve'),
    await signUp('Mia', 'moderator'),
  ]
})

async function upload(by: Person, call: string, field: string) {
  const picture = await sharp({ create: { width: 40, height: 40, channels: 3, background: '#284' } })
    .png()
    .toBuffer()
  return (await by.call(call, undefined, uploadOf(field, picture))).json()
}

const post = async (by: Person, changes: object = {}) => {
  const form = { title: 'Zither', description: 'Old', category: 'Music', location: 'Ipoh', ...changes }
  return (await by.call('POST /api/wanted-items', form)).json()
}

/** Reports content and decides the case. Returns a function that undoes the decision. */
async function hide(by: Person, kind: string, id: string | number) {
  const report = await by.call('POST /api/reports', { kind, id, reason: 'offensive' })
  expect(report.statusCode, report.body).toBe(201)
  const open = "select id from moderation_cases where kind = $1 and target_id = $2 and status = 'open'"
  const { rows } = await world().sql.query(open, [kind, String(id)])
  const decide = async (action: string) => {
    const reply = await mia.call(`POST /api/admin/moderation/${rows[0].id}/decide`, { action, reason })
    expect(reply.statusCode, reply.body).toBe(200)
  }
  await decide('hide')
  return { restore: () => decide('restore') }
}

const read = async (by: Person, call: string) => (await by.call(`GET ${call}`)).json()
const status = async (by: Person, call: string, body?: object) => (await by.call(call, body)).statusCode

test('a hidden request disappears everywhere, alerts nobody, and can be restored', async () => {
  const { services, sql, visitor } = world()
  const service = await openPushService()
  await eve.call('POST /api/push/subscriptions', createPushBrowser(`${service.url}/eve`).subscription)
  await eve.call('PUT /api/user/selling', { keywords: ['zither'], categories: [] })
  await eve.call('POST /api/saved-searches', {
    name: 'Zithers',
    filters: { search: 'zither' },
    alerts: 'immediately',
  })
  const daily = { name: 'Music', filters: { category: 'Music' }, alerts: 'daily' }
  await bob.call('POST /api/saved-searches', daily)
  const item = await post(ada)
  const similar = await post(ada, { title: 'Zither strings' })
  await bob.call('POST /api/offers', { wantedItemId: item.id, receiverId: ada.id, amount: 4_000 })
  await bob.call('POST /api/messages', { wantedItemId: item.id, receiverId: ada.id, content: 'Hello' })
  for (const { id } of [item, similar]) await matchSearches(services, { itemId: id, at: services.clock() })

  const mentions = async (call: string, by = visitor) =>
    (await by(`GET ${call}`)).body.includes(`"id":${item.id},`)
  const lists: [string, Person['call']][] = [
    ['/api/wanted-items?limit=100', visitor],
    ['/api/wanted-items?search=zither', visitor],
    ['/api/wanted-items?category=Music', visitor],
    [`/api/wanted-items/by-id?ids=${item.id}`, visitor],
    [`/api/wanted-items/${similar.id}/similar`, visitor],
    [`/api/users/${ada.id}/wanted-items`, visitor],
    ['/api/user/matches', eve.call],
  ]
  const counted = async () => (await read(eve, '/api/wanted-items/count?search=zither')).count
  const inSitemap = async () =>
    (await visitor('GET /sitemap/requests-0.xml')).body.includes(`/item/${item.id}<`)
  const head = () =>
    itemPageHead(services.database.read, `/item/${item.id}`, siteOf(services), services.clock())
  const isTold = async (by: Person) =>
    (await read(by, '/api/notifications')).some(
      ({ kind, title, path }: { kind: string; title: string; path: string }) =>
        kind !== 'moderation' && (title.includes('“Zither”') || path === `/item/${item.id}`),
    )
  for (const [call, by] of lists) expect([call, await mentions(call, by)]).toEqual([call, true])
  expect(await counted()).toBe(2)
  expect(await inSitemap()).toBe(true)
  expect(await isTold(ada)).toBe(true)
  expect(await isTold(eve)).toBe(true)

  const { restore } = await hide(bob, 'request', item.id)
  for (const [call, by] of lists) expect([call, await mentions(call, by)]).toEqual([call, false])
  expect(await counted()).toBe(1)
  expect(await inSitemap()).toBe(false)
  for (const by of [ada, bob]) {
    const reply = await by.call(`GET /api/wanted-items/${item.id}`)
    expect([reply.statusCode, reply.json().code]).toEqual([404, 'item_not_found'])
  }
  expect(await head()).toBe('gone')
  expect((await visitor(`GET ${previewPath(item, { name: 'Sought', accentColor: null })}`)).statusCode).toBe(
    404,
  )
  expect(await status(bob, `GET /api/wanted-items/${item.id}/similar`)).toBe(404)

  // Nobody is notified about it any more, and its owner cannot change it.
  await runEmailJobs(world(), { overdue: true })
  const { rows: mails } = await sql.query(
    "select kind, subject from mails where text like '%“Zither”%' or text like $1",
    [`%/item/${item.id}\n%`],
  )
  expect(mails).toEqual([{ kind: 'moderation', subject: 'We removed your request “Zither”' }])
  expect(service.received).toHaveLength(1)
  expect(await isTold(eve)).toBe(false)
  expect((await read(eve, '/api/notifications/unread')).unread).toBe(1)
  const form = { title: 'Zither', description: 'Old', category: 'Music', location: 'Ipoh' }
  expect(await status(ada, `PUT /api/wanted-items/${item.id}`, form)).toBe(404)
  for (const action of ['close', 'reopen', 'renew'])
    expect([action, await status(ada, `POST /api/wanted-items/${item.id}/${action}`)]).toEqual([action, 404])
  const own = await read(ada, '/api/user/requests')
  expect(own.find(({ id }: { id: number }) => id === item.id)).toMatchObject({
    isHidden: true,
    status: 'closed',
    title: 'Zither',
  })
  const about = { wantedItemId: item.id, receiverId: ada.id }
  expect(await status(eve, 'POST /api/messages', { ...about, content: 'Hi' })).toBe(404)
  expect(await status(eve, 'POST /api/offers', { ...about, amount: 100 })).toBe(404)
  expect(await status(bob, 'POST /api/reports', { kind: 'request', id: item.id, reason: 'spam' })).toBe(404)

  await restore()
  for (const [call, by] of lists) expect([call, await mentions(call, by)]).toEqual([call, true])
  expect(await read(bob, `/api/wanted-items/${item.id}`)).toMatchObject({ status: 'open' })
  expect(await head()).toMatchObject({ title: 'Wanted: Zither' })
})

test('a deal about a hidden request continues, and its end does not show the request again', async () => {
  const { given, sql } = world()
  const request = { title: 'Harp' }
  const { paymentId, itemId } = await given.heldPayment({
    buyer: ada,
    seller: bob,
    request,
    delivery: 'shipping',
  })
  const { restore } = await hide(bob, 'request', itemId)
  expect(JSON.stringify(await read(ada, '/api/payments'))).toContain('Harp')
  await sql.query(
    `insert into reviews (payment_id, author_id, subject_id, subject_role, rating, text, published_at)
     values ($1, $2, $3, 'seller', 5, 'Rude words', now())`,
    [paymentId, ada.id, bob.id],
  )
  const [review] = await read(eve, `/api/users/${bob.id}/reviews`)
  expect(review).toMatchObject({ itemTitle: 'Removed request', text: 'Rude words' })
  const hiddenReview = await hide(bob, 'review', review.id)
  expect(await read(eve, `/api/users/${bob.id}/reviews`)).toEqual([])
  await hiddenReview.restore()
  expect(await read(eve, `/api/users/${bob.id}/reviews`)).toHaveLength(1)
  await bob.call(`POST /api/payments/${paymentId}/cancel`, { reason: 'Sold' })
  const { rows: after } = await sql.query('select status, was_open from wanted_items where id = $1', [itemId])
  expect(after).toEqual([{ status: 'closed', was_open: true }])
  await restore()
  expect(await read(bob, `/api/wanted-items/${itemId}`)).toMatchObject({ status: 'open' })
})

test('hiding waits for a change that is not committed yet', async () => {
  const { sql } = world()
  const { id } = await post(ada, { title: 'Flute' })
  const close = "update wanted_items set status = 'closed' where id = $1"
  const { restore } = await actDuringChange(sql, [close, id], () => hide(bob, 'request', id))
  await restore()
  expect(await read(bob, `/api/wanted-items/${id}`)).toMatchObject({ status: 'closed' })

  const urls: string[] = []
  for (let count = 0; count < 2; count++)
    urls.push((await upload(ada, 'POST /api/wanted-items/image', 'image')).imageUrl)
  const item = await post(ada, { title: 'Oboe', images: urls.map((url) => ({ url, alt: '' })) })
  const describe = "update wanted_items set images = jsonb_set(images, '{0,alt}', '\"Black\"') where id = $1"
  await actDuringChange(sql, [describe, item.id], () => hide(bob, 'picture', urls[1] ?? ''))
  expect((await read(bob, `/api/wanted-items/${item.id}`)).images).toEqual([{ url: urls[0], alt: 'Black' }])
})

test('a hidden message loses its text and photos for both people, and notifies nobody', async () => {
  const { sql } = world()
  const { id: wantedItemId } = await post(ada, { title: 'Drum' })
  const { id: photoId } = await upload(bob, 'POST /api/photos', 'photo')
  const form = { wantedItemId, receiverId: ada.id, content: 'Pay me elsewhere', photoIds: [photoId] }
  const { id } = (await bob.call('POST /api/messages', form)).json()
  const photo = `GET /api/photos/${photoId}`
  expect(await status(mia, photo)).toBe(404)

  const report = await ada.call('POST /api/reports', { kind: 'message', id, reason: 'scam' })
  expect(report.statusCode).toBe(201)
  const { rows } = await sql.query(
    "select id from moderation_cases where kind = 'message' and target_id = $1",
    [String(id)],
  )
  const claimed = (await mia.call(`POST /api/admin/moderation/${rows[0].id}/claim`)).json()
  expect(claimed.content.pictures).toEqual([`/api/photos/${photoId}`])
  expect(await status(mia, photo)).toBe(200)
  const decision = { action: 'hide', reason }
  await mia.call(`POST /api/admin/moderation/${rows[0].id}/decide`, decision)

  for (const by of [ada, bob]) {
    const [message] = await read(by, `/api/messages?wantedItemId=${wantedItemId}`)
    expect(message).toMatchObject({ id, content: '', photos: [], isHidden: true })
    const found = await read(by, '/api/conversations')
    const conversation = found.find(
      (one: { wantedItem: { id: number } }) => one.wantedItem.id === wantedItemId,
    )
    expect(conversation).toMatchObject({
      lastMessage: { content: '', photoCount: 0, isHidden: true },
      unreadCount: 0,
    })
    expect(await status(by, photo)).toBe(404)
  }
  expect(await status(mia, photo)).toBe(404)
  await runEmailJobs(world(), { overdue: true })
  const { rows: mails } = await sql.query(
    "select from mails where user_id = $1 and kind = 'message' and text like '%Drum%'",
    [ada.id],
  )
  expect(mails).toEqual([])
  expect((await ada.call('GET /api/user/data')).body).not.toContain('Pay me elsewhere')
})

test('a hidden profile loses its text and picture for other people', async () => {
  const bio = 'Call me for cheap watches'
  await bob.call('PUT /api/user/profile', { firstName: 'Bob', lastName: 'Tester', email: bob.email, bio })
  await upload(bob, 'POST /api/user/upload-avatar', 'avatar')
  const { profileImageUrl: url } = await read(bob, '/api/auth/user')
  const { id } = await post(bob, { title: 'Watch' })
  const { restore } = await hide(ada, 'profile', bob.id)
  expect(await read(ada, `/api/users/${bob.id}`)).toMatchObject({ bio: null, profileImageUrl: null })
  expect(await read(ada, `/api/wanted-items/${id}`)).toMatchObject({ user: { profileImageUrl: null } })
  expect((await ada.call('GET /api/conversations')).body).not.toContain(url)
  expect(await read(bob, '/api/auth/user')).toMatchObject({ bio })
  for (const size of ['', '?size=64']) expect(await status(ada, `GET ${url}${size}`)).toBe(404)
  await restore()
  expect(await read(ada, `/api/users/${bob.id}`)).toMatchObject({ bio, profileImageUrl: url })
  expect(await status(ada, `GET ${url}`)).toBe(200)
})

test('a hidden picture is removed from requests and profiles, and restored to its place', async () => {
  const { services, advanceClock } = world()
  const urls: string[] = []
  for (let count = 0; count < 3; count++)
    urls.push((await upload(ada, 'POST /api/wanted-items/image', 'image')).imageUrl)
  const images = urls.map((url) => ({ url, alt: '' }))
  const { id } = await post(ada, { title: 'Piano', images })
  const shown = async () =>
    (await read(bob, `/api/wanted-items/${id}`)).images.map(({ url }: { url: string }) => url)
  expect(await shown()).toEqual(urls)
  const { restore } = await hide(bob, 'picture', urls[1] ?? '')
  expect(await shown()).toEqual([urls[0], urls[2]])
  expect(await status(bob, `GET ${urls[1]}`)).toBe(404)
  expect(await status(bob, `GET ${urls[0]}`)).toBe(200)
  const form = { title: 'Piano', description: 'Old', category: 'Music', location: 'Ipoh', images }
  expect(await status(ada, `PUT /api/wanted-items/${id}`, form)).toBe(422)
  // The file must still exist after an appeal.
  await purgeAbandonedFiles(
    services.database,
    services.files,
    new Date(services.clock().getTime() + 2 * DAY_MS),
  )
  await restore()
  expect(await shown()).toEqual(urls)
  expect(await status(bob, `GET ${urls[1]}`)).toBe(200)
  advanceClock(1000)

  await upload(ada, 'POST /api/user/upload-avatar', 'avatar')
  const { profileImageUrl: avatar } = await read(ada, '/api/auth/user')
  const hidden = await hide(bob, 'picture', avatar)
  expect(await read(ada, '/api/auth/user')).toMatchObject({ profileImageUrl: null })
  expect(await status(bob, `GET ${avatar}?size=64`)).toBe(404)
  await hidden.restore()
  expect(await read(bob, `/api/users/${ada.id}`)).toMatchObject({ profileImageUrl: avatar })
})

test('only visible content can be hidden, and only hidden content restored', async () => {
  const { services, signUp } = world()
  const fay = await signUp('Fay')
  const { id: wantedItemId } = await post(ada, { title: 'Harp' })
  const form = { wantedItemId, receiverId: ada.id, content: 'Pay me elsewhere' }
  const { id: messageId } = (await bob.call('POST /api/messages', form)).json()
  const { imageUrl } = await upload(fay, 'POST /api/wanted-items/image', 'image')
  const change = (act: typeof hideContent | typeof restoreContent, kind: ReportKind, targetId: string) =>
    services.database.transact<unknown>((tx) => act(tx, { kind, targetId }, {}))
  const refused = { code: 'not_hideable' }
  const shown: [ReportKind, string][] = [
    ['request', String(wantedItemId)],
    ['message', String(messageId)],
    ['profile', fay.id],
    ['picture', imageUrl],
  ]
  for (const [kind, targetId] of shown) {
    if (kind !== 'picture')
      await expect(change(restoreContent, kind, targetId)).rejects.toMatchObject(refused)
    await change(hideContent, kind, targetId)
    await expect(change(hideContent, kind, targetId)).rejects.toMatchObject(refused)
  }
  const missing: [ReportKind, string][] = [
    ['request', '999999'],
    ['message', '999999'],
    ['review', '999999'],
    ['profile', 'nobody'],
    ['picture', imageUrl.replace(/[^/]+$/, 'a'.repeat(32))],
  ]
  for (const [kind, targetId] of missing)
    await expect(change(hideContent, kind, targetId)).rejects.toMatchObject(refused)
})

test('a hidden picture is visible again to moderators while they decide an appeal, and to nobody else', async () => {
  const cid = await world().signUp('Cid')
  const { imageUrl } = await upload(cid, 'POST /api/wanted-items/image', 'image')
  await post(cid, { images: [{ url: imageUrl, alt: '' }] })
  await hide(bob, 'picture', imageUrl)
  expect(await status(mia, `GET ${imageUrl}`)).toBe(404)
  const [{ id }] = await read(cid, '/api/user/decisions')
  expect(await status(cid, `POST /api/user/decisions/${id}/appeal`, { text: 'Why?' })).toBe(201)
  const seen = await mia.call(`GET ${imageUrl}`)
  expect([seen.statusCode, seen.headers['cache-control']]).toEqual([200, 'private, no-store'])
  for (const person of [cid, bob]) expect(await status(person, `GET ${imageUrl}`)).toBe(404)
})

test('decisions about a person are in the person’s export, and lose their texts when the account is deleted', async () => {
  const { signUp, sql } = world()
  const zoe = await signUp('Zoe')
  const [first, second] = [await post(zoe, { title: 'Lute' }), await post(zoe, { title: 'Lyre' })]
  await hide(bob, 'request', first.id)
  const [decision] = await read(zoe, '/api/user/decisions')
  await zoe.call(`POST /api/user/decisions/${decision.id}/appeal`, { text: 'It was my own lute' })
  await bob.call('POST /api/reports', { kind: 'request', id: second.id, reason: 'spam' })
  const data = await read(zoe, '/api/user/data')
  expect(data.moderationDecisions).toMatchObject([
    { action: 'hide', about: 'Lute', reason, appeal: { text: 'It was my own lute', outcome: 'open' } },
  ])
  expect(await status(zoe, 'POST /api/user/delete-account', { password: PASSWORD })).toBe(200)
  const { rows } = await sql.query(
    'select action, reason, appeal, undo from moderation_decisions where person_id = $1',
    [zoe.id],
  )
  expect(rows).toEqual([{ action: 'hide', reason: '', appeal: '', undo: {} }])
  const { rows: cases } = await sql.query('select status from moderation_cases where person_id = $1', [
    zoe.id,
  ])
  expect(cases.map((found) => found.status)).toEqual(['decided', 'decided', 'decided'])
})
