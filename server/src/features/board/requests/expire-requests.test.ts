import { describe, expect, test } from 'vitest'
import { openWorld, type Person, type World } from '../../../testing/world.ts'
import { claimExpiring, expireRequests, notifyRequestsExpiring } from './expire-requests.ts'
import { moveToTop } from './queries.ts'

const DAY_MS = 86_400_000
const lamp = { title: 'Brass lamp', description: 'Green', category: 'Other', location: 'Ipoh', maxBudget: 50 }

/** Moves the clock, and keeps everybody signed in. */
async function advance({ sql, advanceClock }: World, byMs: number): Promise<void> {
  await sql.query(`update sessions set expire = expire + $1 * interval '1 ms'`, [byMs])
  advanceClock(byMs)
}

async function post(person: Person, title = lamp.title): Promise<number> {
  return (await person.call('POST /api/wanted-items', { ...lamp, title })).json().id
}

async function offer(seller: Person, buyer: Person, wantedItemId: number) {
  return seller.call('POST /api/offers', { wantedItemId, receiverId: buyer.id, amount: 4000 })
}

const write = (from: Person, to: Person, wantedItemId: number) =>
  from.call('POST /api/messages', { wantedItemId, receiverId: to.id, content: 'Hello' })

const lists = [
  'GET /api/wanted-items',
  'GET /api/wanted-items?category=Other',
  'GET /api/wanted-items?search=lamp',
  'GET /api/wanted-items?search=brass%20lamp',
  'GET /api/wanted-items?search=lmap',
  'GET /api/wanted-items?search=lamp&urgency=medium',
]

async function idsOf({ visitor }: World, ownerId: string) {
  const found = await Promise.all(
    [...lists, `GET /api/users/${ownerId}/wanted-items`].map(async (list) => (await visitor(list)).json()),
  )
  return found.map((items: { id: number }[]) => items.map(({ id }) => id))
}

describe('a request that was neither renewed nor closed for 60 days', () => {
  test('leaves every list at once, and accepts no offers, agreements or first messages', async () => {
    const world = await openWorld()
    const { signUp, visitor, services, sql } = world
    const [ada, bob, eve] = [await signUp('Ada'), await signUp('Bob'), await signUp('Eve')]
    const old = await post(ada)
    const { createdAt, expiresAt } = (await visitor(`GET /api/wanted-items/${old}`)).json()
    expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(60 * DAY_MS)
    await advance(world, 57 * DAY_MS)
    const recent = await post(ada)
    const pending = (await offer(bob, ada, old)).json().id
    expect(await idsOf(world, ada.id)).toEqual(Array(lists.length + 1).fill([recent, old]))

    await advance(world, 3 * DAY_MS)
    // The result is the same before and after the sweep.
    for (const sweep of [async () => {}, () => expireRequests(services)]) {
      await sweep()
      expect(await idsOf(world, ada.id)).toEqual(Array(lists.length + 1).fill([recent]))
      for (const query of ['', 'search=lamp', 'search=brass%20lamp&category=Other'])
        expect((await visitor(`GET /api/wanted-items/count?${query}`)).json().count).toBe(1)
      const map = (await visitor('GET /sitemap/requests-0.xml')).body
      expect([map.includes(`/item/${recent}<`), map.includes(`/item/${old}<`)]).toEqual([true, false])
      const page = await visitor(`GET /api/wanted-items/${old}`)
      expect([page.statusCode, page.json().status]).toEqual([200, 'expired'])
      expect((await offer(eve, ada, old)).json().code).toBe('item_expired')
      expect((await write(eve, ada, old)).json().code).toBe('item_expired')
      expect((await ada.call(`PATCH /api/offers/${pending}/accept`)).json().code).toBe('item_expired')
      expect((await ada.call(`POST /api/offers/${pending}/counter`, { amount: 3000 })).json().code).toBe(
        'item_expired',
      )
      expect((await write(bob, ada, old)).statusCode).toBe(201)
      expect((await ada.call('GET /api/user/requests')).json()).toMatchObject([
        { id: old, status: 'expired', nextStep: 'read_messages' },
        { id: recent, status: 'open', nextStep: 'none' },
      ])
    }
    expect((await sql.query('select status from wanted_items order by id')).rows).toEqual([
      { status: 'expired' },
      { status: 'open' },
    ])
  })

  test('is renewed by its owner with one call, or by reopening it', { tags: ['proof'] }, async () => {
    const world = await openWorld()
    const { signUp, services } = world
    const ada = await signUp('Ada')
    const [closed, old, swept] = [await post(ada), await post(ada), await post(ada)]
    await ada.call(`POST /api/wanted-items/${closed}/close`)
    const renew = async (id: number) => (await ada.call(`POST /api/wanted-items/${id}/renew`)).json()
    await advance(world, 60 * DAY_MS)
    expect(await renew(old)).toMatchObject({ status: 'open', renewedAt: expect.any(String) })
    await expireRequests(services)
    const { status, renewedAt, expiresAt } = await renew(swept)
    expect(status).toBe('open')
    expect(Date.parse(expiresAt) - Date.parse(renewedAt)).toBe(60 * DAY_MS)
    expect((await renew(closed)).code).toBe('item_not_open')
    const reopened = await ada.call(`POST /api/wanted-items/${closed}/reopen`)
    expect(reopened.json()).toMatchObject({ status: 'open', renewedAt: expect.any(String) })
    expect(await idsOf(world, ada.id)).toEqual([
      ...Array(lists.length).fill([closed, swept, old]),
      [swept, old, closed],
    ])
  })

  test('stays open if it is renewed while the sweep runs', async () => {
    const world = await openWorld()
    const { signUp, services, sql } = world
    const id = await post(await signUp('Ada'))
    await advance(world, 60 * DAY_MS)
    await services.database.transact(async (tx) => {
      await moveToTop(tx, id)
      await Promise.race([expireRequests(services), new Promise((resolve) => setTimeout(resolve, 300))])
    })
    await expireRequests(services)
    expect((await sql.query('select status from wanted_items')).rows).toEqual([{ status: 'open' }])
  })

  test('can still be paid if its offer was accepted before the expiry', async () => {
    const world = await openWorld()
    const { signUp, services } = world
    const [ada, bob] = [await signUp('Ada'), await signUp('Bob')]
    const id = await post(ada)
    const { id: offerId } = (await offer(bob, ada, id)).json()
    await ada.call(`PATCH /api/offers/${offerId}/accept`)
    await advance(world, 60 * DAY_MS)
    await expireRequests(services)
    expect((await ada.call('GET /api/user/requests')).json()).toMatchObject([
      { nextStep: 'pay', status: 'expired' },
    ])
    expect((await bob.call('GET /api/user/offers')).json()).toMatchObject([{ state: 'awaiting_payment' }])
    const started = await ada.call('POST /api/create-payment-intent', { itemId: id, offerId, amount: 4000 })
    expect(started.json().code).not.toMatch(/^item_/)
  })
})

describe('the renewal reminder a week before the expiry', () => {
  test('is sent once for each period, with a link that renews the request', async () => {
    const world = await openWorld()
    const { signUp, services, sql } = world
    const ada = await signUp('Ada')
    const id = await post(ada)
    const closed = await post(ada)
    await ada.call(`POST /api/wanted-items/${closed}/close`)
    const asked = async () => {
      await Promise.all([notifyRequestsExpiring(services), notifyRequestsExpiring(services)])
      await notifyRequestsExpiring(services)
      return (await ada.call('GET /api/notifications')).json().length
    }
    await advance(world, 52 * DAY_MS)
    expect(await asked()).toBe(0)
    await advance(world, DAY_MS)
    expect(await asked()).toBe(1)
    expect((await ada.call('GET /api/notifications')).json()).toMatchObject([
      {
        kind: 'request_expiring',
        title: 'Are you still looking for “Brass lamp”?',
        path: `/my-requests?renew=${id}`,
      },
    ])
    expect((await sql.query(`select from mails where kind = 'request_expiring'`)).rowCount).toBe(1)
    const renew = () => ada.call(`POST /api/wanted-items/${id}/renew`)
    await renew()
    expect(await asked()).toBe(1)
    await advance(world, DAY_MS)
    await renew()
    await advance(world, 52 * DAY_MS)
    expect(await asked()).toBe(1)
    await advance(world, DAY_MS)
    expect(await asked()).toBe(2)
    await advance(world, 7 * DAY_MS)
    await expireRequests(services)
    expect(await asked()).toBe(2)
  })

  test('is not sent by a sweep while another sweep sends it', async () => {
    const world = await openWorld()
    const { signUp, services, sql } = world
    const id = await post(await signUp('Ada'))
    await advance(world, 53 * DAY_MS)
    const sweep = await services.database.transact(async (tx) => {
      expect(await claimExpiring(tx, 10)).toMatchObject([{ id }])
      const ended = notifyRequestsExpiring(services)
      await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 300))])
      return { ended }
    })
    await sweep.ended
    expect((await sql.query('select from notifications')).rowCount).toBe(0)
  })
})
