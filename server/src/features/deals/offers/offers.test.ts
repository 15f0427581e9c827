import { describe, expect, test } from 'vitest'
import { actDuringChange } from '../../../testing/blocked-statements.ts'
import { shareWorld } from '../../../testing/world.ts'

const lamp = { title: 'Lamp', description: 'Green', category: 'Other', location: 'Ipoh', maxBudget: 50 }
const DAY_MS = 86_400_000

const shared = shareWorld()
/** For tests that move the clock by days. */
const sharedLater = shareWorld()

/** Ada requests a lamp for at most 50, Bob sells one, and Eve is not involved. */
async function openMarket(item: object = {}, world = shared()) {
  const [ada, bob, eve] = [await world.signUp('Ada'), await world.signUp('Bob'), await world.signUp('Eve')]
  const { id } = (await ada.call('POST /api/wanted-items', { ...lamp, ...item })).json()
  const offer = (who = bob, change: object = {}) =>
    who.call('POST /api/offers', { wantedItemId: id, receiverId: ada.id, amount: 4500, ...change })
  /** All offers of these people, on any request. */
  const stored = async () => {
    const { rows } = await world.sql.query(
      'select id, status from offers where wanted_item_id = $1 or seller_id = any($2) order by id',
      [id, [ada.id, bob.id, eve.id]],
    )
    return rows
  }
  return { ...world, ada, bob, eve, id, offer, stored }
}

describe('making an offer', () => {
  test('shows the offer only to the buyer and the seller', async () => {
    const { ada, bob, eve, visitor, id, offer } = await openMarket()
    const made = await offer(bob, { message: 'Like new' })
    expect(made.statusCode).toBe(201)
    expect(made.json()).toMatchObject({
      wantedItemId: id,
      buyerId: ada.id,
      sellerId: bob.id,
      amount: 4500,
      message: 'Like new',
      status: 'pending',
      proposedBy: 'seller',
      counterOf: null,
      buyer: { name: 'Ada Tester' },
      seller: { name: 'Bob Tester' },
    })
    const { createdAt, expiresAt } = made.json()
    expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(7 * DAY_MS)
    expect((await ada.call('GET /api/offers')).json()).toEqual([made.json()])
    expect((await bob.call('GET /api/offers')).json()).toEqual([made.json()])
    expect((await eve.call('GET /api/offers')).json()).toEqual([])
    expect((await visitor('GET /api/offers')).statusCode).toBe(401)
    expect(made.body).not.toContain('@example.com')
  })

  test('replaces the open offer of the same seller, which then names its replacement', async () => {
    const { ada, bob, eve, offer, stored, sql, id } = await openMarket()
    const first = (await offer()).json()
    const ofEve = (await offer(eve)).json()
    // A refused offer does not replace the open one.
    expect((await offer(bob, { amount: 5001 })).json().code).toBe('offer_out_of_range')
    const second = (await offer(bob, { amount: 4000 })).json()
    expect(await stored()).toEqual([
      { id: first.id, status: 'withdrawn' },
      { id: ofEve.id, status: 'pending' },
      { id: second.id, status: 'pending' },
    ])
    expect((await bob.call('GET /api/offers')).json()).toMatchObject([
      { id: second.id, replacedBy: null },
      { id: first.id, replacedBy: second.id },
    ])
    expect((await ada.call(`PATCH /api/offers/${first.id}/accept`)).json().code).toBe('offer_not_pending')
    const duplicate = `insert into offers (wanted_item_id, buyer_id, seller_id, amount, expires_at)
      values ($1, $2, $3, 100, now())`
    await expect(sql.query(duplicate, [id, ada.id, bob.id])).rejects.toMatchObject({
      constraint: 'offers_one_open',
    })
    expect((await ada.call(`PATCH /api/offers/${second.id}/accept`)).json().status).toBe('accepted')
    expect((await offer()).statusCode).toBe(201)
  })

  test('leaves only one of twenty concurrent offers of a seller open', { tags: ['proof'] }, async () => {
    const { offer, stored } = await openMarket()
    const made = await Promise.all(Array.from({ length: 20 }, () => offer()))
    expect(made.map(({ statusCode }) => statusCode)).toEqual(Array(20).fill(201))
    const open = (await stored()).filter(({ status }) => status === 'pending')
    expect(open).toHaveLength(1)
  })

  test('adds it to the paged list, which can be filtered by request and by person', async () => {
    const { ada, bob, eve, id, offer } = await openMarket()
    const other = (await ada.call('POST /api/wanted-items', lamp)).json().id
    await offer(eve)
    for (let round = 0; round < 4; round++) await offer(bob)
    await offer(bob, { wantedItemId: other })
    const list = async (query: string, who = ada) => {
      const reply = await who.call(`GET /api/offers?${query}`)
      const next = /<(.*)>; rel="next"/.exec(String(reply.headers.link))?.[1]
      return { offers: reply.json(), next }
    }
    expect((await list(`wantedItemId=${id}`)).offers).toHaveLength(5)
    expect((await list(`wantedItemId=${id}&userId=${eve.id}`)).offers).toMatchObject([{ sellerId: eve.id }])
    expect((await list(`userId=${bob.id}`, eve)).offers).toEqual([])
    const first = await list(`wantedItemId=${id}&limit=3`)
    expect(first.offers).toHaveLength(3)
    const second = await ada.call(`GET ${first.next}`)
    expect(second.json()).toHaveLength(2)
    expect(second.headers.link).toBeUndefined()
    expect((await ada.call('GET /api/offers?limit=101')).statusCode).toBe(422)
  })

  test.each([
    ['an amount of zero', { amount: 0 }, 422, 'invalid'],
    ['a negative amount', { amount: -100 }, 422, 'invalid'],
    ['half a cent', { amount: 4500.5 }, 422, 'invalid'],
    ['an amount as text', { amount: '4500' }, 422, 'invalid'],
    ['an amount below the minimum', { amount: 99 }, 422, 'offer_out_of_range'],
    ['a cent over the budget', { amount: 5001 }, 422, 'offer_out_of_range'],
    ['an amount that is too large to store', { amount: 3_000_000_000 }, 422, 'invalid'],
    ['a message that is too long', { message: 'x'.repeat(1001) }, 422, 'invalid'],
    ['an unknown request', { wantedItemId: 999 }, 404, 'item_not_found'],
    ['a receiver other than the owner', { receiverId: 'somebody' }, 403, 'conversation_not_allowed'],
  ])('with %s is refused and stores nothing', async (_, change, status, code) => {
    const { bob, stored, offer } = await openMarket()
    const reply = await offer(bob, change)
    expect([reply.statusCode, reply.json().code]).toEqual([status, code])
    expect(await stored()).toEqual([])
  })

  test('is possible for the minimum and for the exact budget', async () => {
    const { bob, offer } = await openMarket()
    expect((await offer(bob, { amount: 100 })).statusCode).toBe(201)
    expect((await offer(bob, { amount: 5000 })).statusCode).toBe(201)
  })

  test('is possible for any amount from the minimum if the budget is open', async () => {
    const { bob, offer } = await openMarket({ maxBudget: 0 })
    expect((await offer(bob, { amount: 99 })).statusCode).toBe(422)
    expect((await offer(bob, { amount: 1_000_000 })).statusCode).toBe(201)
  })

  test('is refused on one’s own request, on a closed request and for visitors', async () => {
    const { ada, bob, visitor, stored, id, offer } = await openMarket()
    const own = await offer(ada)
    expect([own.statusCode, own.json().code]).toEqual([403, 'own_item'])
    const body = { wantedItemId: id, receiverId: ada.id, amount: 4500 }
    expect((await visitor('POST /api/offers', body)).statusCode).toBe(401)
    await ada.call(`POST /api/wanted-items/${id}/close`)
    const late = await offer(bob)
    expect([late.statusCode, late.json().code]).toEqual([409, 'item_not_open'])
    expect(await stored()).toEqual([])
  })
})

describe('answering', () => {
  test('the buyer can accept or reject once', async () => {
    const { ada, offer } = await openMarket()
    const one = (await offer()).json().id
    const rejected = await ada.call(`PATCH /api/offers/${one}/reject`)
    expect(rejected.json()).toMatchObject({ status: 'rejected', acceptedAt: null })
    expect(rejected.json().rejectedAt).not.toBeNull()
    const two = (await offer()).json().id
    const accepted = await ada.call(`PATCH /api/offers/${two}/accept`)
    expect(accepted.json()).toMatchObject({ status: 'accepted', rejectedAt: null })
    for (const id of [one, two]) {
      for (const answer of ['accept', 'reject', 'withdraw']) {
        const again = await ada.call(`PATCH /api/offers/${id}/${answer}`)
        expect(again.statusCode).toBe(answer === 'withdraw' ? 403 : 409)
      }
    }
  })

  test.each(['accept', 'reject'])('only the buyer can %s', async (answer) => {
    const { bob, eve, visitor, stored, offer } = await openMarket()
    const { id } = (await offer()).json()
    expect((await bob.call(`PATCH /api/offers/${id}/${answer}`)).json().code).toBe('not_your_offer')
    // Other users get exactly the same reply as for an offer that does not exist.
    const strangers = await eve.call(`PATCH /api/offers/${id}/${answer}`)
    const missing = await eve.call(`PATCH /api/offers/999/${answer}`)
    expect([strangers.statusCode, strangers.json().code]).toEqual([404, 'offer_not_found'])
    expect(strangers.body).toBe(missing.body)
    expect((await visitor(`PATCH /api/offers/${id}/${answer}`)).statusCode).toBe(401)
    expect((await bob.call(`PATCH /api/offers/one/${answer}`)).statusCode).toBe(422)
    expect(await stored()).toEqual([{ id, status: 'pending' }])
  })

  test.each(['accept', 'reject'])('only the seller can %s a counter-offer', async (answer) => {
    const { ada, bob, eve, visitor, offer } = await openMarket()
    const { id } = (await offer()).json()
    const made = (await ada.call(`POST /api/offers/${id}/counter`, { amount: 3000 })).json()
    expect((await ada.call(`PATCH /api/offers/${made.id}/${answer}`)).json().code).toBe('not_your_offer')
    expect((await eve.call(`PATCH /api/offers/${made.id}/${answer}`)).json().code).toBe('offer_not_found')
    expect((await visitor(`PATCH /api/offers/${made.id}/${answer}`)).statusCode).toBe(401)
    expect((await bob.call(`PATCH /api/offers/${made.id}/${answer}`)).json().status).toBe(`${answer}ed`)
  })

  test('offers on a closed or fulfilled request can be rejected but not accepted', async () => {
    const { ada, sql, id, offer, stored } = await openMarket()
    const made = (await offer()).json()
    for (const status of ['closed', 'fulfilled']) {
      await sql.query('update wanted_items set status = $1 where id = $2', [status, id])
      const accepted = await ada.call(`PATCH /api/offers/${made.id}/accept`)
      expect([accepted.statusCode, accepted.json().code]).toEqual([409, 'item_not_open'])
      const countered = await ada.call(`POST /api/offers/${made.id}/counter`, { amount: 3000 })
      expect([countered.statusCode, countered.json().code]).toEqual([409, 'item_not_open'])
    }
    expect(await stored()).toEqual([{ id: made.id, status: 'pending' }])
    expect((await ada.call(`PATCH /api/offers/${made.id}/reject`)).json().status).toBe('rejected')
  })

  test('an offer above a lowered budget cannot be accepted', async () => {
    const { ada, sql, id, offer } = await openMarket()
    const made = (await offer()).json()
    await sql.query('update wanted_items set max_budget = 44.99 where id = $1', [id])
    const reply = await ada.call(`PATCH /api/offers/${made.id}/accept`)
    expect([reply.statusCode, reply.json().code]).toEqual([422, 'offer_out_of_range'])
    await sql.query('update wanted_items set max_budget = 45 where id = $1', [id])
    expect((await ada.call(`PATCH /api/offers/${made.id}/accept`)).json().status).toBe('accepted')
  })

  test('expired offers and counter-offers can be neither accepted nor countered', async () => {
    const { ada, bob, stored, offer, advanceClock } = await openMarket({}, sharedLater())
    const { id } = (await offer()).json()
    const counter = (await ada.call(`POST /api/offers/${id}/counter`, { amount: 3000 })).json()
    advanceClock(7 * DAY_MS)
    const expired = { code: 'offer_expired', message: 'Offer expired' }
    expect((await ada.call(`PATCH /api/offers/${id}/accept`)).json()).toEqual(expired)
    expect((await ada.call(`POST /api/offers/${id}/counter`, { amount: 3100 })).json()).toEqual(expired)
    expect((await bob.call(`PATCH /api/offers/${counter.id}/accept`)).json()).toEqual(expired)
    expect(await stored()).toMatchObject([{ status: 'pending' }, { status: 'pending' }])
  })

  test('an offer can be accepted up to the moment before it expires', async () => {
    const { ada, offer, advanceClock } = await openMarket({}, sharedLater())
    const { id } = (await offer()).json()
    advanceClock(7 * DAY_MS - 60_000)
    expect((await ada.call(`PATCH /api/offers/${id}/accept`)).json().status).toBe('accepted')
  })

  test('only one of concurrent accept, reject and withdraw succeeds, the others are refused', {
    tags: ['proof'],
  }, async () => {
    const { ada, bob, sql, offer } = await openMarket()
    for (let round = 0; round < 8; round++) {
      const { id } = (await offer()).json()
      const replies = await Promise.all([
        ada.call(`PATCH /api/offers/${id}/accept`),
        ada.call(`PATCH /api/offers/${id}/reject`),
        bob.call(`PATCH /api/offers/${id}/withdraw`),
        ada.call(`PATCH /api/offers/${id}/accept`),
      ])
      expect(replies.map((reply) => reply.statusCode).sort()).toEqual([200, 409, 409, 409])
      const { rows } = await sql.query(
        'select (accepted_at is not null)::int + (rejected_at is not null)::int + (withdrawn_at is not null)::int as ends from offers where id = $1',
        [id],
      )
      expect(rows).toEqual([{ ends: 1 }])
    }
  })

  test('accepting while the request is being closed either happens first or is refused', {
    tags: ['proof'],
  }, async () => {
    const { ada, sql, id, offer } = await openMarket()
    for (let round = 0; round < 10; round++) {
      const made = (await offer()).json()
      const [accepted, closed] = await Promise.all([
        ada.call(`PATCH /api/offers/${made.id}/accept`),
        ada.call(`POST /api/wanted-items/${id}/close`),
      ])
      expect(closed.statusCode).toBe(200)
      expect([200, 409]).toContain(accepted.statusCode)
      const { rows } = await sql.query('select status from offers where id = $1', [made.id])
      expect(rows).toEqual([{ status: accepted.statusCode === 200 ? 'accepted' : 'pending' }])
      await ada.call(`POST /api/wanted-items/${id}/reopen`)
    }
  })

  test('an offer cannot be accepted on a request that is being closed', async () => {
    const { ada, sql, id, offer } = await openMarket()
    const made = (await offer()).json()
    const closing = "update wanted_items set status = 'closed' where id = $1"
    const accepted = await actDuringChange(sql, [closing, id], () =>
      ada.call(`PATCH /api/offers/${made.id}/accept`),
    )
    expect([accepted.statusCode, accepted.json().code]).toEqual([409, 'item_not_open'])
  })
})

describe('withdrawing', () => {
  test('the seller can withdraw a pending offer', async () => {
    const { ada, bob, eve, visitor, offer } = await openMarket()
    const { id } = (await offer()).json()
    expect((await ada.call(`PATCH /api/offers/${id}/withdraw`)).json().code).toBe('not_your_offer')
    expect((await eve.call(`PATCH /api/offers/${id}/withdraw`)).json().code).toBe('offer_not_found')
    expect((await visitor(`PATCH /api/offers/${id}/withdraw`)).statusCode).toBe(401)
    expect((await bob.call(`PATCH /api/offers/${id}/withdraw`)).json().status).toBe('withdrawn')
    expect((await ada.call(`PATCH /api/offers/${id}/accept`)).json().code).toBe('offer_not_pending')
  })
})

describe('a counter-offer', () => {
  test('can be accepted by the seller, which withdraws the original offer', async () => {
    const { ada, bob, offer } = await openMarket()
    const { id } = (await offer()).json()
    const countered = await ada.call(`POST /api/offers/${id}/counter`, { amount: 3800 })
    expect(countered.statusCode).toBe(201)
    expect(countered.json()).toMatchObject({
      amount: 3800,
      proposedBy: 'buyer',
      counterOf: id,
      status: 'pending',
      sellerId: bob.id,
    })
    const counterId = countered.json().id
    expect((await ada.call(`PATCH /api/offers/${counterId}/accept`)).json().code).toBe('not_your_offer')
    expect((await bob.call(`PATCH /api/offers/${counterId}/accept`)).json().status).toBe('accepted')
    const states = (await bob.call('GET /api/offers')).json()
    expect(states).toMatchObject([
      { id: counterId, status: 'accepted', replacedBy: null },
      { id, status: 'withdrawn', replacedBy: counterId },
    ])
  })

  test('replaces an earlier counter-offer, and the original offer can still be accepted', async () => {
    const { ada, eve, offer } = await openMarket()
    const { id } = (await offer()).json()
    const other = (await offer(eve)).json()
    const first = (await ada.call(`POST /api/offers/${id}/counter`, { amount: 3000 })).json()
    const second = (await ada.call(`POST /api/offers/${id}/counter`, { amount: 3500 })).json()
    const offers = (await ada.call('GET /api/offers')).json()
    expect(offers.find((it: { id: number }) => it.id === first.id)).toMatchObject({
      status: 'withdrawn',
      replacedBy: second.id,
    })
    expect(offers.find((it: { id: number }) => it.id === other.id).status).toBe('pending')
    expect((await ada.call(`PATCH /api/offers/${id}/accept`)).json().status).toBe('accepted')
  })

  test('can be made only by the buyer, on a seller’s offer, within the budget', async () => {
    const { ada, bob, eve, visitor, stored, offer } = await openMarket()
    const { id } = (await offer()).json()
    const counter = (who: typeof ada, amount: number, to = id) =>
      who.call(`POST /api/offers/${to}/counter`, { amount })
    expect((await counter(bob, 3000)).json().code).toBe('not_your_offer')
    expect((await counter(eve, 3000)).json().code).toBe('offer_not_found')
    expect((await visitor(`POST /api/offers/${id}/counter`, { amount: 3000 })).statusCode).toBe(401)
    expect((await counter(ada, 5001)).json().code).toBe('offer_out_of_range')
    expect((await counter(ada, 99)).json().code).toBe('offer_out_of_range')
    const same = await counter(ada, 4500)
    expect([same.statusCode, same.json().code]).toEqual([422, 'same_amount'])
    for (const amount of [0, -3000, 3000.5]) {
      expect((await counter(ada, amount)).json().code, String(amount)).toBe('invalid')
    }
    expect(await stored()).toEqual([{ id, status: 'pending' }])
    const made = (await counter(ada, 3000)).json()
    expect((await counter(ada, 2000, made.id)).json().code).toBe('not_your_offer')
    expect((await counter(ada, 2000, 999)).json().code).toBe('offer_not_found')
  })
})

describe('comparing offers', () => {
  test('the owner sees open and accepted offers, lowest first, with the record of each seller', async () => {
    const { ada, bob, eve, id, offer, given, sql, signUp } = await openMarket()
    const [joe, kim] = [await signUp('Joe'), await signUp('Kim')]
    await given.completedDeal({ buyer: eve, seller: bob })
    await given.heldPayment({ buyer: eve, seller: bob })
    await sql.query('update users set rating_sum = 9, rating_count = 2 where id = $1', [bob.id])
    const ofBob = (await offer(bob, { amount: 4500, message: 'Like new' })).json()
    const ofEve = (await offer(eve, { amount: 3000 })).json()
    const ofJoe = (await offer(joe, { amount: 2000 })).json()
    const ofKim = (await offer(kim, { amount: 1000 })).json()
    await ada.call(`POST /api/offers/${ofBob.id}/counter`, { amount: 4000 })
    await ada.call(`PATCH /api/offers/${ofJoe.id}/reject`)
    await sql.query(`update offers set expires_at = now() - interval '1 day' where id = $1`, [ofKim.id])
    expect((await ada.call(`GET /api/wanted-items/${id}/offers`)).json()).toMatchObject([
      { id: ofEve.id, counterAmount: null, seller: { id: eve.id, ratingCount: 0, completedDeals: 0 } },
      {
        id: ofBob.id,
        message: 'Like new',
        counterAmount: 4000,
        seller: { id: bob.id, rating: 4.5, ratingCount: 2, completedDeals: 1 },
      },
    ])
    expect((await bob.call(`GET /api/wanted-items/${id}/offers`)).json().code).toBe('not_your_item')
    expect((await ada.call('GET /api/wanted-items/2147483647/offers')).json().code).toBe('item_not_found')
  })
})

describe('the offers of a seller', () => {
  test('have a state and a next step, and those that need the seller’s next step come first', async () => {
    const { ada, bob, eve, id, offer, given } = await openMarket()
    const state = async () => {
      const listed: Listed[] = (await bob.call('GET /api/user/offers')).json()
      return listed.map((it) => [it.amount, it.state, it.nextStep, it.isWaiting])
    }
    await offer(bob, { amount: 4500 })
    const second = (await offer(bob, { amount: 4400 })).json()
    expect(await state()).toEqual([
      [4400, 'pending', 'none', false],
      [4500, 'replaced', 'none', false],
    ])
    const counter = (await ada.call(`POST /api/offers/${second.id}/counter`, { amount: 4000 })).json()
    expect((await state())[0]).toEqual([4000, 'countered', 'answer_counter', true])
    await bob.call(`PATCH /api/offers/${counter.id}/accept`)
    expect((await state())[0]).toEqual([4000, 'awaiting_payment', 'none', false])
    await ada.call('POST /api/messages', { wantedItemId: id, receiverId: bob.id, content: 'I pay now' })
    expect((await state())[0]).toEqual([4000, 'awaiting_payment', 'read_messages', true])
    await given.heldPayment({ buyer: ada, seller: bob, amount: 100 })
    await given.completedDeal({ buyer: ada, seller: bob, amount: 200 })
    await given.payment({ buyer: ada, seller: bob, status: 'under_review', amount: 300 })
    expect(await state()).toEqual([
      [100, 'paid', 'ship', true],
      [4000, 'awaiting_payment', 'read_messages', true],
      [300, 'disputed', 'view_dispute', false],
      [200, 'completed', 'none', false],
      [4400, 'replaced', 'none', false],
      [4500, 'replaced', 'none', false],
    ])
    const [first] = (await bob.call('GET /api/user/offers?limit=1')).json()
    expect(first).toMatchObject({ wantedItem: { title: 'Lamp' }, buyer: { id: ada.id } })
    const rest = (await bob.call(`GET /api/user/offers?limit=2&cursor=${first.rank}`)).json()
    expect(rest.map(({ amount }: Listed) => amount)).toEqual([4000, 300])
    expect((await eve.call('GET /api/user/offers')).json()).toEqual([])
  })

  test('can be repeated after a refusal or an expiry, while the request is open', async () => {
    const { ada, bob, id, offer, sql } = await openMarket()
    const latest = async () => (await bob.call('GET /api/user/offers?limit=1')).json()[0]
    const { id: rejected } = (await offer()).json()
    await ada.call(`PATCH /api/offers/${rejected}/reject`)
    expect(await latest()).toMatchObject({ state: 'rejected', nextStep: 'offer_again' })
    const { id: expired } = (await offer()).json()
    await sql.query(`update offers set expires_at = now() - interval '1 day' where id = $1`, [expired])
    expect(await latest()).toMatchObject({ state: 'expired', nextStep: 'offer_again' })
    await ada.call(`POST /api/wanted-items/${id}/close`)
    expect(await latest()).toMatchObject({ state: 'request_closed', nextStep: 'none' })
  })
})

interface Listed {
  amount: number
  state: string
  nextStep: string
  isWaiting: boolean
}
