import sharp from 'sharp'
import { expect, test } from 'vitest'
import { uploadOf } from '../../../testing/multipart.ts'
import { type Person, shareWorld } from '../../../testing/world.ts'

const lamp = { title: 'Lamp', description: 'Green', category: 'Other', location: 'Ipoh', maxBudget: 50 }
const shared = shareWorld()

async function form(field: string) {
  const picture = sharp({ create: { width: 90, height: 60, channels: 3, background: '#284' } })
  return uploadOf(field, await picture.png().toBuffer())
}

/** Ada requests a lamp with a picture, and Bob sends her a message with a photo. Eve is not involved. */
async function openMarket() {
  const world = shared()
  const [ada, bob, eve] = [await world.signUp('Ada'), await world.signUp('Bob'), await world.signUp('Eve')]
  const { imageUrl } = (await ada.call('POST /api/wanted-items/image', undefined, await form('image'))).json()
  const { id: itemId } = (await ada.call('POST /api/wanted-items', { ...lamp, imageUrl })).json()
  const photo = (await bob.call('POST /api/photos', undefined, await form('photo'))).json()
  const { id: messageId } = (
    await bob.call('POST /api/messages', {
      wantedItemId: itemId,
      receiverId: ada.id,
      content: 'Pay me outside',
      photoIds: [photo.id],
    })
  ).json()
  const report = (who: Person, kind: string, id: unknown, more: object = {}) =>
    who.call('POST /api/reports', { kind, id, reason: 'spam', ...more })
  const codeOf = async (...given: Parameters<typeof report>) => {
    const reply = await report(...given)
    return reply.statusCode === 201 ? 201 : reply.json().code
  }
  const casesOf = async (kind: string, id: unknown) => {
    const { rows } = await world.sql.query(
      `select person_id, severity, status,
         (select json_agg(json_build_object('by', reporter_id, 'reason', reason, 'note', note) order by id)
          from reports where case_id = moderation_cases.id) as reports
       from moderation_cases where kind = $1 and target_id = $2 order by id`,
      [kind, String(id)],
    )
    return rows
  }
  return { ...world, ada, bob, eve, itemId, imageUrl, photo, messageId, report, codeOf, casesOf }
}

test('a report opens a case about the person responsible, with the reason and the note', async () => {
  const { ada, bob, messageId, report, casesOf } = await openMarket()
  const reply = await report(ada, 'message', messageId, { reason: 'scam', note: ' Wants a bank transfer ' })
  expect([reply.statusCode, reply.json()]).toEqual([201, { ok: true }])
  expect(await casesOf('message', messageId)).toEqual([
    {
      person_id: bob.id,
      severity: 3,
      status: 'open',
      reports: [{ by: ada.id, reason: 'scam', note: 'Wants a bank transfer' }],
    },
  ])
})

test('reports about the same content join one case, whose severity can only rise', async () => {
  const { ada, bob, eve, itemId, report, casesOf, signUp, sql } = await openMarket()
  await report(bob, 'request', itemId, { reason: 'offensive' })
  await report(eve, 'request', String(itemId), { reason: 'spam' })
  // A second report by the same person changes nothing.
  expect((await report(bob, 'request', itemId, { reason: 'scam', note: 'Really' })).statusCode).toBe(201)
  const [joined, ...others] = await casesOf('request', itemId)
  expect(others).toEqual([])
  expect(joined).toMatchObject({ person_id: ada.id, severity: 2 })
  expect(joined.reports).toEqual([
    { by: bob.id, reason: 'offensive', note: null },
    { by: eve.id, reason: 'spam', note: null },
  ])
  const zoe = await signUp('Zoe')
  await report(zoe, 'request', itemId, { reason: 'prohibited' })
  expect(await casesOf('request', itemId)).toMatchObject([{ severity: 3 }])
  await sql.query(
    `update moderation_cases set status = 'decided', decided_at = now() where kind = 'request' and target_id = $1`,
    [itemId],
  )
  await report(zoe, 'request', itemId)
  expect(await casesOf('request', itemId)).toHaveLength(1)
  await report(await signUp('Yan'), 'request', itemId)
  expect(await casesOf('request', itemId)).toMatchObject([
    { status: 'decided', severity: 3 },
    { status: 'open', severity: 1 },
  ])
})

test('concurrent reports open one case', async () => {
  const { itemId, report, casesOf, signUp } = await openMarket()
  const people = await Promise.all(['Pia', 'Quin', 'Rob', 'Sue'].map((name) => signUp(name)))
  const replies = await Promise.all([...people, ...people].map((who) => report(who, 'request', itemId)))
  expect(replies.map(({ statusCode }) => statusCode)).toEqual(replies.map(() => 201))
  const cases = await casesOf('request', itemId)
  expect(cases).toHaveLength(1)
  expect(cases[0].reports).toHaveLength(people.length)
})

test('only the two people of a conversation can report its messages and photos', async () => {
  const { ada, bob, eve, photo, messageId, codeOf, casesOf } = await openMarket()
  expect(await codeOf(eve, 'message', messageId)).toBe('content_not_found')
  expect(await codeOf(eve, 'picture', photo.url)).toBe('content_not_found')
  expect(await codeOf(bob, 'message', messageId)).toBe('own_content')
  expect(await codeOf(bob, 'picture', photo.url)).toBe('own_content')
  expect(await codeOf(ada, 'picture', `${photo.url}?size=small`)).toBe(201)
  expect(await casesOf('picture', photo.url)).toMatchObject([{ person_id: bob.id }])
})

test('profiles, and pictures of requests and profiles, can be reported by everyone except their owner', async () => {
  const { ada, bob, eve, imageUrl, codeOf, casesOf, sql } = await openMarket()
  const avatar = (await ada.call('POST /api/user/upload-avatar', undefined, await form('avatar'))).json()
  for (const address of [imageUrl, avatar.profileImageUrl]) {
    expect(await codeOf(ada, 'picture', address)).toBe('own_content')
    expect(await codeOf(eve, 'picture', address)).toBe(201)
    expect(await codeOf(bob, 'picture', `${address}?size=64`)).toBe(201)
    expect(await casesOf('picture', address)).toMatchObject([{ person_id: ada.id }])
  }
  // Smaller sizes are the same picture.
  expect(await codeOf(eve, 'picture', imageUrl.replace('.webp', '.640.avif'))).toBe(201)
  expect(await codeOf(ada, 'profile', ada.id)).toBe('own_content')
  expect(await codeOf(eve, 'profile', ada.id)).toBe(201)
  await sql.query('update users set deleted_at = now() where id = $1', [bob.id])
  expect(await codeOf(eve, 'profile', bob.id)).toBe('content_not_found')
})

test('reviews can be reported once they are published', async () => {
  const { ada, bob, eve, codeOf, casesOf, given, sql } = await openMarket()
  const { paymentId } = await given.completedDeal({ buyer: ada, seller: bob })
  const { rows } = await sql.query(
    `insert into reviews (payment_id, author_id, subject_id, subject_role, rating)
     values ($1, $2, $3, 'seller', 1) returning id`,
    [paymentId, ada.id, bob.id],
  )
  const [{ id }] = rows
  expect(await codeOf(bob, 'review', id)).toBe('content_not_found')
  await sql.query(`update payments set ended_at = now() - interval '14 days' where id = $1`, [paymentId])
  expect(await codeOf(bob, 'review', id)).toBe(201)
  expect(await codeOf(ada, 'review', id)).toBe('own_content')
  await sql.query(`update payments set ended_at = now() where id = $1`, [paymentId])
  expect(await codeOf(eve, 'review', id)).toBe('content_not_found')
  await sql.query('update reviews set published_at = now() where id = $1', [id])
  expect(await codeOf(eve, 'review', id)).toBe(201)
  expect(await casesOf('review', id)).toMatchObject([{ person_id: ada.id }])
})

test('content that moderators have hidden cannot be reported', async () => {
  const { ada, eve, itemId, imageUrl, photo, messageId, codeOf, sql } = await openMarket()
  await sql.query(`update wanted_items set status = 'closed', hidden_at = now() where id = $1`, [itemId])
  await sql.query('update messages set hidden_at = now() where id = $1', [messageId])
  expect(await codeOf(eve, 'request', itemId)).toBe('content_not_found')
  expect(await codeOf(eve, 'picture', imageUrl)).toBe('content_not_found')
  expect(await codeOf(ada, 'message', messageId)).toBe('content_not_found')
  expect(await codeOf(ada, 'picture', photo.url)).toBe('content_not_found')
})

test('unknown ids are not found, and an invalid body is refused', async () => {
  const { ada, eve, itemId, report, codeOf, visitor } = await openMarket()
  for (const kind of ['request', 'message', 'review', 'profile', 'picture'])
    for (const id of [
      0,
      -1,
      1.5,
      4_000_000_000,
      'x',
      `0${itemId}`,
      '/files/none.webp',
      '/api/photos/01',
      '../..',
    ])
      expect(await codeOf(eve, kind, id)).toBe('content_not_found')
  const malformed = [
    report(eve, 'offer', itemId),
    report(eve, 'request', null),
    report(eve, 'request', itemId, { reason: 'boring' }),
    report(eve, 'request', itemId, { note: 'x'.repeat(1001) }),
  ]
  for (const { statusCode } of await Promise.all(malformed)) expect(statusCode).toBe(422)
  const body = { kind: 'profile', id: ada.id, reason: 'spam' }
  expect((await visitor('POST /api/reports', body)).statusCode).toBe(401)
})
