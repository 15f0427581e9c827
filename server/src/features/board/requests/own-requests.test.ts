import { describe, expect, test } from 'vitest'
import { type Person, shareWorld } from '../../../testing/world.ts'

const lamp = { title: 'Lamp', description: 'Green', category: 'Other', location: 'Ipoh', maxBudget: 50 }
const DAY_MS = 86_400_000

const shared = shareWorld()

async function post(person: Person, title: string): Promise<number> {
  return (await person.call('POST /api/wanted-items', { ...lamp, title })).json().id
}

interface Listed {
  id: number
  title: string
  rank: number
}

async function listOwn(person: Person, query = ''): Promise<Listed[]> {
  return (await person.call(`GET /api/user/requests${query}`)).json()
}

describe('the requests of a user', () => {
  test('have a next step and counts, and those that need the user’s next step come first', async () => {
    const { given, signUp, sql } = shared()
    const [ada, bob, eve] = [await signUp('Ada'), await signUp('Bob'), await signUp('Eve')]
    const offered = await post(ada, 'With offers')
    const agreed = await post(ada, 'Agreed')
    const written = await post(ada, 'With a message')
    const quiet = await post(ada, 'Quiet')
    const closed = await post(ada, 'Closed')
    await ada.call(`POST /api/wanted-items/${closed}/close`)
    const offer = async (seller: Person, wantedItemId: number) =>
      (await seller.call('POST /api/offers', { wantedItemId, receiverId: ada.id, amount: 4000 })).json().id
    await offer(bob, offered)
    const ofEve = await offer(eve, offered)
    await eve.call('POST /api/messages', { wantedItemId: offered, receiverId: ada.id, content: 'Hello' })
    await sql.query(`update offers set expires_at = now() - interval '1 day' where id = $1`, [ofEve])
    const accepted = await offer(bob, agreed)
    await ada.call(`PATCH /api/offers/${accepted}/accept`)
    await bob.call('POST /api/messages', { wantedItemId: written, receiverId: ada.id, content: 'I have it' })
    await given.heldPayment({ buyer: ada, seller: bob, request: { title: 'Held' } })
    await given.dispute({ buyer: ada, seller: bob, request: { title: 'Disputed' } })
    await given.payment({ buyer: ada, seller: bob, status: 'resolved_buyer', request: { title: 'Refunded' } })

    const all = await listOwn(ada)
    expect(all.map(({ title }) => title)).toEqual([
      'Held',
      'With a message',
      'Agreed',
      'With offers',
      'Refunded',
      'Disputed',
      'Closed',
      'Quiet',
    ])
    expect(all).toMatchObject([
      { nextStep: 'confirm_delivery', isWaiting: true, deal: { paymentStatus: 'held_in_escrow' } },
      { nextStep: 'read_messages', isWaiting: true, unreadCount: 1, offerCount: 0, deal: null },
      {
        nextStep: 'pay',
        isWaiting: true,
        deal: {
          offerId: accepted,
          amount: 4000,
          paymentId: null,
          seller: { id: bob.id, name: 'Bob Tester' },
        },
      },
      { nextStep: 'answer_offers', isWaiting: true, offerCount: 1, unreadCount: 1 },
      { nextStep: 'none', isWaiting: false, status: 'open', deal: null },
      { nextStep: 'view_dispute', isWaiting: false },
      { nextStep: 'repost', isWaiting: false, status: 'closed' },
      { nextStep: 'none', isWaiting: false, status: 'open' },
    ])
    expect(all.map(({ id }) => id)).toContain(quiet)
    expect(await listOwn(bob)).toEqual([])
  })

  test('are paged without gaps', async () => {
    const { signUp } = shared()
    const [ada, bob] = [await signUp('Ada'), await signUp('Bob')]
    const [oldest = 0] = [await post(ada, 'One'), await post(ada, 'Two'), await post(ada, 'Three')]
    await bob.call('POST /api/messages', { wantedItemId: oldest, receiverId: ada.id, content: 'Hello' })
    const first = await ada.call('GET /api/user/requests?limit=2')
    const [, next = ''] = /<(.+)>; rel="next"/.exec(String(first.headers.link)) ?? []
    const second = await ada.call(`GET ${next}`)
    const titles = [...first.json(), ...second.json()].map(({ title }: Listed) => title)
    expect(titles).toEqual(['One', 'Three', 'Two'])
  })
})

describe('renewing', () => {
  test('keeps a request open for 60 days, and moves it to the top of the board and of searches at most once in 7 days', async () => {
    const { signUp, visitor, advanceClock, sql, services } = shared()
    const { clock } = services
    const ada = await signUp('Ada')
    const [old, recent] = [await post(ada, 'Zyzzyva old'), await post(ada, 'Zyzzyva recent')]
    const ids = async (query: string) =>
      (await visitor(`GET /api/wanted-items?${query}`)).json().map(({ id }: Listed) => id)
    const renew = () => ada.call(`POST /api/wanted-items/${old}/renew`)
    advanceClock(DAY_MS)
    const extended = await renew()
    expect(extended.statusCode).toBe(200)
    expect(extended.json()).toMatchObject({ position: old, renewedAt: null, status: 'open' })
    expect(Date.parse(extended.json().expiresAt)).toBeCloseTo(clock().getTime() + 60 * DAY_MS, -4)
    expect(await ids('limit=2')).toEqual([recent, old])

    advanceClock(6 * DAY_MS)
    expect(await listOwn(ada)).toMatchObject([{ nextStep: 'renew' }, { nextStep: 'renew' }])
    const renewed = await renew()
    expect(renewed.statusCode).toBe(200)
    expect(renewed.json()).toMatchObject({ id: old, renewedAt: expect.any(String) })
    expect(renewed.json().position).toBeGreaterThan(recent)
    expect(await ids('limit=2')).toEqual([old, recent])
    expect(await ids('search=zyzzyva')).toEqual([old, recent])
    expect(await ids('search=zyzzyva other&urgency=medium')).toEqual([old, recent])
    expect(await ids(`search=zyzzyva&limit=1&cursor=${renewed.json().position}`)).toEqual([recent])
    expect(await ids(`limit=1&cursor=${renewed.json().position}`)).toEqual([recent])
    const { position } = renewed.json()
    expect((await renew()).json()).toMatchObject({ position, renewedAt: renewed.json().renewedAt })
    // The request has expired, and the sweep has recorded it.
    await sql.query(`update wanted_items set expires_at = now(), status = 'expired' where id = $1`, [old])
    expect((await renew()).json()).toMatchObject({ position, status: 'open' })

    await ada.call(`POST /api/wanted-items/${recent}/close`)
    expect((await ada.call(`POST /api/wanted-items/${recent}/renew`)).json().code).toBe('item_not_open')
    const bob = await signUp('Bob')
    expect((await bob.call(`POST /api/wanted-items/${old}/renew`)).json().code).toBe('not_your_item')
    // When a renewed request is closed, its words leave the search index.
    await ada.call(`POST /api/wanted-items/${old}/close`)
    expect(await ids('search=zyzzyva')).toEqual([])
  })
})

describe('counting', () => {
  test('stops at 100 results of a search or a category', async () => {
    const { signUp, visitor, sql } = shared()
    const ada = await signUp('Ada')
    await post(ada, 'Quokka')
    const count = async (query: string, call = visitor) =>
      (await call(`GET /api/wanted-items/count?${query}`)).json()
    expect(await count('search=quokka')).toEqual({ count: 1, isMore: false })
    expect(await count('search=quokka&category=Other')).toEqual({ count: 1, isMore: false })
    expect(await count('search=quokka&mine=hide', ada.call)).toEqual({ count: 0, isMore: false })
    await sql.query(
      `insert into wanted_items (title, description, category, location, user_id)
       select 'Quokka', '-', 'Sports', '-', $1 from generate_series(1, 100)`,
      [ada.id],
    )
    expect(await count('search=quokka')).toEqual({ count: 100, isMore: true })
    expect(await count('category=Sports')).toEqual({ count: 100, isMore: false })
    expect(await count('search=,&category=Sports')).toEqual({ count: 100, isMore: false })
  })
})
