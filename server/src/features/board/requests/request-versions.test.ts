import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { purgeAbandonedFiles } from '../../../files/stored-files.ts'
import { actDuringChange } from '../../../testing/blocked-statements.ts'
import { uploadOf } from '../../../testing/multipart.ts'
import { runEmailJobs } from '../../../testing/run-email-jobs.ts'
import { PASSWORD, type Person, shareWorld } from '../../../testing/world.ts'

const lamp = { title: 'Lamp', description: 'Green', category: 'Other', location: 'Ipoh', maxBudget: 50 }
const DAY_MS = 86_400_000

const shared = shareWorld()
/** For tests that move the clock by days. */
const sharedLater = shareWorld()

/** Ada requests a lamp, Bob and Cleo sell one, and Eve is not involved. */
async function openMarket(item: object = {}, world = shared()) {
  const [ada, bob, cleo, eve] = [
    await world.signUp('Ada'),
    await world.signUp('Bob'),
    await world.signUp('Cleo'),
    await world.signUp('Eve'),
  ]
  const { id } = (await ada.call('POST /api/wanted-items', { ...lamp, ...item })).json()
  const edit = (change: object) => ada.call(`PUT /api/wanted-items/${id}`, { ...lamp, ...item, ...change })
  const offer = (who = bob, change: object = {}) =>
    who.call('POST /api/offers', { wantedItemId: id, receiverId: ada.id, amount: 4500, ...change })
  const versions = async (who = ada) => (await who.call(`GET /api/wanted-items/${id}/versions`)).json()
  const keep = (offerId: number, requestVersion: number, who = bob) =>
    who.call(`PATCH /api/offers/${offerId}/keep`, { requestVersion })
  return { ...world, ada, bob, cleo, eve, id, edit, offer, versions, keep }
}

const picture = sharp({ create: { width: 40, height: 30, channels: 3, background: 'red' } })
  .png()
  .toBuffer()

async function uploadPicture(person: Person): Promise<string> {
  const reply = await person.call('POST /api/wanted-items/image', undefined, uploadOf('image', await picture))
  return reply.json().imageUrl
}

describe('the versions of a request', () => {
  test('each change of what is agreed makes one, and other changes make none', async () => {
    const { ada, id, edit, versions } = await openMarket()
    expect(await versions()).toEqual([
      {
        version: 1,
        title: 'Lamp',
        description: 'Green',
        category: 'Other',
        minBudget: 0,
        maxBudget: 50,
        currency: 'usd',
        pictures: [],
        createdAt: expect.any(String),
      },
    ])
    await edit({})
    await edit({ location: 'Penang', urgency: 'high' })
    await ada.call(`POST /api/wanted-items/${id}/close`)
    await ada.call(`POST /api/wanted-items/${id}/reopen`)
    expect(await versions()).toHaveLength(1)

    const imageUrl = await uploadPicture(ada)
    const changes = [
      { title: 'Brass lamp' },
      { title: 'Brass lamp', description: 'Red' },
      { title: 'Brass lamp', description: 'Red', category: 'Electronics' },
      { title: 'Brass lamp', description: 'Red', category: 'Electronics', minBudget: 5 },
      { title: 'Brass lamp', description: 'Red', category: 'Electronics', minBudget: 5, maxBudget: 60 },
    ]
    for (const change of changes) await edit(change)
    const last = { ...changes.at(-1), images: [{ url: imageUrl, alt: 'The lamp' }] }
    await edit(last)
    const { images: _, ...fields } = last
    const listed = await versions()
    expect(listed).toMatchObject([
      lampAt(1),
      ...changes.map((change, index) => ({ ...lampAt(index + 2), ...change })),
      { ...fields, version: 7, pictures: [{ url: imageUrl, alt: 'The lamp', width: 40, height: 30 }] },
    ])
    expect((await ada.call(`GET /api/wanted-items/${id}`)).json().version).toBe(7)
  })

  const lampAt = (version: number) => ({ version, title: 'Lamp', description: 'Green', category: 'Other' })

  test('are listed for the owner, sellers with an offer and the desk, and do not exist for others', async () => {
    const { ada, bob, eve, visitor, signUp, id, offer, sql } = await openMarket()
    await offer()
    const read = async (person: Person) =>
      (await person.call(`GET /api/wanted-items/${id}/versions`)).statusCode
    const staff = [await signUp('Root', 'admin'), await signUp('Mod', 'moderator')]
    for (const person of [ada, bob, ...staff]) expect(await read(person)).toBe(200)
    const refused = await eve.call(`GET /api/wanted-items/${id}/versions`)
    expect([refused.statusCode, refused.json().code]).toEqual([404, 'item_not_found'])
    expect((await ada.call('GET /api/wanted-items/2147483647/versions')).statusCode).toBe(404)
    expect((await visitor(`GET /api/wanted-items/${id}/versions`)).statusCode).toBe(401)
    // A request that moderators have hidden exists only for the parties of a deal and the desk.
    await sql.query("update wanted_items set hidden_at = now(), status = 'closed' where id = $1", [id])
    for (const person of [ada, bob]) expect(await read(person)).toBe(404)
    expect(await read(staff[0] ?? ada)).toBe(200)
    expect((await bob.call('GET /api/offers')).json()).toMatchObject([
      { request: { title: 'Removed request', description: '', pictures: [] } },
    ])
    await sql.query("update offers set status = 'accepted', accepted_at = now() where seller_id = $1", [
      bob.id,
    ])
    for (const person of [ada, bob]) expect(await read(person)).toBe(200)
  })

  test('cannot be changed, and an offer cannot answer a missing one', async () => {
    const { id, edit, offer, sql, ada, keep } = await openMarket()
    const { id: offerId } = (await offer()).json()
    await edit({ title: 'Rolex' })
    const change = (what: string) =>
      sql.query(`update request_versions set ${what} where wanted_item_id = ${id} and version = 1`)
    await expect(change("title = 'Rolex'")).rejects.toMatchObject({ constraint: 'request_versions_stay' })
    await expect(change('max_budget = 0')).rejects.toMatchObject({ constraint: 'request_versions_stay' })
    await expect(
      sql.query(`delete from request_versions where wanted_item_id = ${id}`),
    ).rejects.toMatchObject({
      constraint: 'offers_request_version',
    })
    await expect(
      sql.query('update offers set request_version = 9 where id = $1', [offerId]),
    ).rejects.toMatchObject({ constraint: 'offers_request_version' })
    expect((await keep(offerId, 2)).statusCode).toBe(200)
    await ada.call(`PATCH /api/offers/${offerId}/accept`)
    await expect(
      sql.query('update offers set request_version = 1 where id = $1', [offerId]),
    ).rejects.toMatchObject({ constraint: 'offers_answer_version' })
  })

  test('keep the pictures that an edit has removed if an offer answers them', async () => {
    const world = await openMarket({}, sharedLater())
    const { ada, edit, offer, versions, services, advanceClock } = world
    const imageUrl = await uploadPicture(ada)
    const unused = await uploadPicture(ada)
    await edit({ images: [{ url: imageUrl, alt: '' }] })
    await offer()
    await edit({ images: [unused, imageUrl].map((url) => ({ url, alt: '' })) })
    await edit({ images: [] })
    advanceClock(2 * DAY_MS)
    await purgeAbandonedFiles(services.database, services.files, services.clock())
    expect(await versions()).toMatchObject([
      { pictures: [] },
      { pictures: [{ url: imageUrl }] },
      { pictures: [{ url: imageUrl }] },
      { pictures: [] },
    ])
    expect((await world.visitor(`GET ${imageUrl}`)).statusCode).toBe(200)
    expect((await world.visitor(`GET ${unused}`)).statusCode).toBe(404)
  })

  test('get the copy of a picture unless an offer answers them', async () => {
    const url = 'https://example.com/lamp.jpg'
    const { id, edit, offer, versions, sql, bob } = await openMarket()
    await edit({ images: [{ url, alt: '' }] })
    const copy = (name: string) =>
      sql.query(
        `update wanted_items set images = jsonb_set(images, '{0,pictureUrl}', to_jsonb($1::text)) where id = $2`,
        [`/files/${name}.webp`, id],
      )
    await copy('lamp')
    expect(await versions()).toMatchObject([
      { version: 1, pictures: [] },
      { version: 2, pictures: [{ url: '/files/lamp.webp' }] },
    ])
    await edit({ images: [{ url: `${url}?2`, alt: '' }] })
    await offer()
    await copy('watch')
    expect((await versions()).slice(2)).toMatchObject([
      { version: 3, pictures: [] },
      { version: 4, pictures: [{ url: '/files/watch.webp' }] },
    ])
    expect((await bob.call('GET /api/offers')).json()).toMatchObject([
      { request: { version: 3, pictures: [] }, currentVersion: 4 },
    ])
  })

  test('do not show pictures that moderators have hidden', async () => {
    const { ada, edit, versions, sql } = await openMarket()
    const imageUrl = await uploadPicture(ada)
    await edit({ images: [{ url: imageUrl, alt: '' }] })
    await sql.query('update files set hidden_at = now() where id = $1', [imageUrl.replace('/files/', '')])
    expect((await versions())[1].pictures).toEqual([])
  })

  test('of a deleted account keep the texts that others answered, without pictures', async () => {
    const { ada, bob, signUp, id, edit, offer } = await openMarket()
    const imageUrl = await uploadPicture(ada)
    await offer(bob)
    await edit({ title: 'Second' })
    await edit({ title: 'Third', images: [{ url: imageUrl, alt: '' }] })
    await offer(await signUp('Dan'))
    const deleted = await ada.call('POST /api/user/delete-account', { password: PASSWORD })
    expect(deleted.statusCode, deleted.body).toBe(200)
    const root = await signUp('Root', 'admin')
    const kept = (await root.call(`GET /api/wanted-items/${id}/versions`)).json()
    expect(kept).toMatchObject([
      { version: 1, title: 'Lamp', pictures: [] },
      { version: 3, title: 'Third', pictures: [] },
      { version: 4, title: 'Third', pictures: [] },
    ])
  })
})

describe('an offer', () => {
  test('answers the current version, also as a counter-offer', async () => {
    const { ada, bob, offer, edit } = await openMarket()
    const { id: offerId } = (await offer()).json()
    await edit({ title: 'Rolex' })
    const countered = await ada.call(`POST /api/offers/${offerId}/counter`, { amount: 3000 })
    expect(countered.json()).toMatchObject({ request: { version: 2, title: 'Rolex' } })
    await edit({ title: 'Boat' })
    const accepted = await bob.call(`PATCH /api/offers/${countered.json().id}/accept`)
    expect(accepted.json()).toMatchObject({
      status: 'accepted',
      request: { version: 2, title: 'Rolex' },
      currentVersion: 3,
    })
    expect((await bob.call('GET /api/user/offers')).json()).toMatchObject([
      { request: { title: 'Rolex' }, wantedItem: { title: 'Rolex' } },
      { request: { title: 'Lamp' } },
    ])
  })

  test('that was written for an earlier version is refused', async () => {
    const { offer, edit, bob } = await openMarket()
    await edit({ title: 'Rolex' })
    const refused = await offer(bob, { requestVersion: 1 })
    expect([refused.statusCode, refused.json().code]).toEqual([409, 'request_changed'])
    expect((await offer(bob, { requestVersion: 2 })).statusCode).toBe(201)
  })

  test('made during an edit answers the version that the edit makes', async () => {
    const { id, offer, sql } = await openMarket()
    const made = await actDuringChange(
      sql,
      ["update wanted_items set title = 'Rolex' where id = $1", id],
      () => offer(),
    )
    expect(made.json().request).toMatchObject({ version: 2, title: 'Rolex' })
  })

  test('can be kept by its seller on the version they saw, and by nobody else', async () => {
    const { ada, bob, eve, offer, edit, keep } = await openMarket()
    const { id } = (await offer()).json()
    await edit({ title: 'Brass lamp' })
    await edit({ title: 'Rolex' })
    const code = async (reply: ReturnType<typeof keep>) => (await reply).json().code
    expect(await code(keep(id, 2))).toBe('request_changed')
    expect(await code(keep(id, 3, ada))).toBe('not_your_offer')
    expect(await code(keep(id, 3, eve))).toBe('offer_not_found')
    const kept = await keep(id, 3)
    expect(kept.json()).toMatchObject({ status: 'pending', request: { version: 3, title: 'Rolex' } })
    // The buyer cannot move a counter-offer that the seller is about to accept.
    const { id: counterId } = (await ada.call(`POST /api/offers/${id}/counter`, { amount: 3000 })).json()
    await edit({ title: 'Boat' })
    for (const person of [ada, bob]) expect(await code(keep(counterId, 4, person))).toBe('not_your_offer')
    await edit({ title: 'Boat', maxBudget: 20 })
    expect(await code(keep(id, 5))).toBe('offer_out_of_range')
    await ada.call(`PATCH /api/offers/${id}/reject`)
    expect(await code(keep(id, 5))).toBe('offer_not_pending')
  })
})

describe('sellers with an open offer', () => {
  const notes = async (person: Person) =>
    (await person.call('GET /api/notifications'))
      .json()
      .filter(({ kind }: { kind: string }) => kind === 'request_changed')

  test('are told of a change once for several edits, and not again after they kept their offer', async () => {
    const world = await openMarket({}, sharedLater())
    const { ada, bob, cleo, eve, offer, edit, keep, advanceClock, sql, id } = world
    const { id: offerId } = (await offer()).json()
    await offer(cleo)
    const { id: withdrawn } = (await offer(eve)).json()
    await eve.call(`PATCH /api/offers/${withdrawn}/withdraw`)
    for (let count = 1; count <= 10; count++) await edit({ title: `Lamp ${count}` })
    expect(await notes(bob)).toMatchObject([
      {
        title: '“Lamp” has changed since your offer',
        text: 'See what has changed. Then keep your offer, change it or withdraw it.',
        path: `/messages?itemId=${id}&userId=${ada.id}`,
      },
    ])
    expect(await notes(cleo)).toHaveLength(1)
    for (const person of [ada, eve]) expect(await notes(person)).toEqual([])
    await runEmailJobs(world)
    const { rows } = await sql.query(
      "select user_id from mails where kind = 'request_changed' and user_id = any($1) order by user_id",
      [[ada.id, bob.id, cleo.id, eve.id]],
    )
    expect(rows.map(({ user_id }) => user_id)).toEqual([bob.id, cleo.id].sort())

    await keep(offerId, 11)
    expect((await notes(bob))[0].readAt).not.toBeNull()
    await edit({ title: 'Lamp 10', location: 'Penang' })
    advanceClock(DAY_MS)
    await edit({ title: 'Rolex' })
    expect(await notes(bob)).toHaveLength(2)
    expect((await notes(bob))[0].title).toBe('“Lamp 10” has changed since your offer')
  })
})
