import { type Call, fillPath } from '@sought/contract/call'
import { calls } from '@sought/contract/calls'
import { PaymentStatus } from '@sought/contract/payments'
import { openMoneyWorld } from '@sought/server/testing/money-world'
import { shareWorld, type World } from '@sought/server/testing/world'
import { beforeAll, describe, expect, test } from 'vitest'
import { access } from './access-table.ts'
import { upload, walkIn } from './check-call.ts'
import { givenIn } from './fixtures.ts'
import { commonLists, listsOfPages, ownLists } from './list-owners.ts'
import { belongingsOf } from './owned-rows.ts'
import { leaksIn, type Person, peopleMaker } from './people.ts'

/*
 * Who may call what, tried with every declared call by everybody. What is expected stands in access/table.ts.
 */

const market = shareWorld()

const declared = new Map(Object.values(calls).map((call) => [`${call.method} ${call.path}`, call]))

test('every call has its row in the table, and every row its call', () => {
  expect([...access.keys()].sort()).toEqual([...declared.keys()].sort())
})

test('each call answers each as the table has it; a refusal changes nothing, and no answer tells too much', async () => {
  const walk = walkIn(await openMoneyWorld({ env: { RATE_LIMIT: 'off' } }))
  const left = [...declared]
  const wrong: string[] = []
  const walkOn = async () => {
    for (let next = left.pop(); next; next = left.pop()) {
      const [name, call] = next
      const row = access.get(name)
      wrong.push(...(row ? await walk.tryAs(name, call, row) : [`${name} has no row`]))
    }
  }
  // Each call has people of its own, so that several can be tried at the same time.
  await Promise.all(Array.from({ length: 4 }, walkOn))
  expect(wrong).toEqual([])
}, 60_000)

test('every secret would be noticed in an answer, wherever it stood', async () => {
  const [ada, bob] = await peopleMaker(market())(2)
  if (!ada || !bob) throw new Error('somebody is missing')
  for (const secret of [...ada.hidden, ada.accountNumber]) {
    const answer = JSON.stringify({ deep: [{ down: `x${secret}x` }] })
    for (const reader of [null, ada, bob]) expect(leaksIn(answer, [ada, bob], reader)).toEqual([secret])
    expect(leaksIn(answer, [ada, bob], bob, { isAdmin: true })).toEqual([secret])
  }
  for (const contact of ada.contacts) {
    const answer = JSON.stringify({ contact })
    for (const reader of [null, bob]) expect(leaksIn(answer, [ada, bob], reader)).toEqual([contact])
    expect(leaksIn(answer, [ada, bob], ada)).toEqual([])
  }
  // The people are what they seem: each can be told who they are, and has an account to be paid to.
  expect((await ada.call('GET /api/auth/user')).json()).toMatchObject({
    email: ada.email,
    googleLinked: true,
  })
  expect((await bob.call('GET /api/seller/bank-status')).json()).toMatchObject({
    bankDetails: { account_number_last4: '4711' },
  })
})

/** Five people, each of whom has asked, offered, written, bought, sold and rated with each of the others. */
async function makeBusy(world: World): Promise<Person[]> {
  const given = givenIn(world)
  const people = await peopleMaker(world)(5)
  for (const buyer of people) {
    for (const seller of people.filter((person) => person !== buyer)) {
      const pair = { buyer, seller }
      const { itemId } = await given.offer(pair)
      await given.message(itemId, seller, buyer)
      await given.notification(buyer, seller, itemId)
      await given.payment(pair, 'held_in_escrow')
      await given.payout(pair, 'owed')
      await given.rated(pair)
    }
  }
  return people
}

const idsOf = async ({ sql }: World, { theirs }: { theirs: string }, { id }: Person) =>
  (await sql.query(theirs, [id])).rows.map((row) => row.id).sort()

describe('who has no part in it', () => {
  interface Thing {
    paymentId: number
    offerId: number
    itemId: number
  }
  const NOTHING: Thing = { paymentId: 999_999, offerId: 999_999, itemId: 999_999 }

  /** Calls of which the table says that a stranger does not get to know whether there is anything, but for one's devices. */
  const hidden = [...declared].filter(
    ([name, { access: whom }]) =>
      access.get(name)?.stranger === 404 && whom === 'user' && !name.includes('/devices/'),
  )

  /** Naming this payment and this offer in every way that the calls know, with whatever else they ask for. */
  const naming = ({ paymentId, offerId, itemId }: Thing, name: string) => ({
    params: { id: name.includes('/api/offers/') ? offerId : paymentId, paymentId },
    body: {
      paymentId,
      offerId,
      itemId,
      amount: 12_000,
      reason: 'It is blue',
      content: 'It is blue',
      rating: 1,
      refundAmount: 5,
    },
    ...(name.includes('upload') && {
      file: { field: 'file', name: 'note.txt', bytes: Buffer.from('It came on Monday.') },
    }),
  })

  test('hears of it, in whatever state it is, what they would hear of nothing', async () => {
    const walk = walkIn(market())
    const [ada, bob, eve] = await walk.makePeople(3)
    if (!ada || !bob || !eve) throw new Error('somebody is missing')
    const pair = { buyer: ada, seller: bob }
    const things: (Thing & { what: string })[] = []
    for (const status of PaymentStatus.options) {
      things.push({ what: status, ...(await walk.given.payment(pair, status)) })
    }
    for (const status of ['pending', 'accepted', 'rejected'] as const) {
      things.push({ ...NOTHING, what: `an offer ${status}`, ...(await walk.given.offer(pair, status)) })
    }
    const before = await belongingsOf(market().sql, [ada, bob])
    const heard = async (name: string, call: Call, thing: Thing) => {
      const { statusCode, body } = await walk.send(call, naming(thing, name), eve)
      return { statusCode, body }
    }
    expect(hidden.length).toBeGreaterThan(15)
    for (const [name, call] of hidden) {
      const ofNothing = await heard(name, call, NOTHING)
      expect(ofNothing.statusCode, name).toBe(404)
      const ofThings = await Promise.all(things.map((thing) => heard(name, call, thing)))
      for (const [index, ofThing] of ofThings.entries()) {
        expect(ofThing, `${name} of ${things[index]?.what}`).toEqual(ofNothing)
      }
    }
    expect(await belongingsOf(market().sql, [ada, bob])).toEqual(before)
  })
})

describe('lists', () => {
  let people: Person[]
  beforeAll(async () => {
    people = await makeBusy(market())
  })

  test('every list has its rule', () => {
    const lists = [...declared].filter(
      ([, { reply }]) => typeof reply !== 'string' && reply._zod.def.type === 'array',
    )
    const ruled = [...Object.keys(ownLists), ...Object.keys(listsOfPages), ...commonLists]
    expect(lists.map(([name]) => name).sort()).toEqual(ruled.sort())
  })

  test('hold all that is theirs and nothing of anybody else’s', async () => {
    const world = market()
    for (const person of people) {
      for (const [name, rule] of Object.entries(ownLists)) {
        const rows: never[] = (await person.call(`${name}?limit=100`)).json()
        const theirs = await idsOf(world, rule, person)
        expect(theirs.length, name).toBeGreaterThan(0)
        expect(rows.map(rule.idOf).sort(), `${name} of ${person.id}`).toEqual(theirs)
      }
      for (const [name, rule] of Object.entries(listsOfPages)) {
        const rows: never[] = (await world.visitor(`${fillPath(name, { id: person.id })}?limit=100`)).json()
        expect(rows.map(rule.idOf).sort(), `${name} of ${person.id}`).toEqual(
          await idsOf(world, rule, person),
        )
      }
      const others = (await person.call('GET /api/wanted-items?mine=hide&limit=100')).json()
      expect(others.length).toBeGreaterThan(0)
      expect(others.filter(({ userId }: { userId: string }) => userId === person.id)).toEqual([])
    }
  })

  test('a copy of one’s own data is one’s own', async () => {
    const world = market()
    const parts = {
      requests: 'GET /api/user/wanted-items',
      messages: 'GET /api/messages',
      offers: 'GET /api/offers',
      payments: 'GET /api/payments',
      notifications: 'GET /api/notifications',
      payouts: 'GET /api/seller/payouts',
      devices: 'GET /api/user/devices',
    }
    for (const person of people.slice(0, 2)) {
      const reply = await person.call('GET /api/user/data')
      for (const [part, name] of Object.entries(parts)) {
        const rule = ownLists[name]
        if (!rule) throw new Error(`${name} has no rule`)
        expect(reply.json()[part].map(rule.idOf).sort(), part).toEqual(await idsOf(world, rule, person))
      }
      expect(leaksIn(reply.body, people, person)).toEqual([])
    }
  })

  test('asked for another’s, by item, person, intent or cursor, they hold nothing of it', async () => {
    const world = market()
    const given = givenIn(world)
    const [ada, bob, eve] = people
    if (!ada || !bob || !eve) throw new Error('somebody is missing')
    const pair = { buyer: ada, seller: bob }
    const { itemId, paymentId, intentId } = await given.payment(pair, 'held_in_escrow')
    const messageId = await given.message(itemId, bob, ada)
    const noted = await given.notification(ada, bob, itemId)
    const { payoutId } = await given.payout(pair, 'owed')
    const nothing = [
      `GET /api/messages?wantedItemId=${itemId}`,
      `GET /api/messages?wantedItemId=${itemId}&userId=${ada.id}`,
      `GET /api/payments?wantedItemId=${itemId}`,
      `GET /api/payments?paymentIntent=${intentId}`,
      `GET /api/payments?paymentIntent=${intentId}&wantedItemId=${itemId}`,
    ]
    for (const call of nothing) {
      expect((await bob.call(call)).json(), call).not.toEqual([])
      expect((await eve.call(call)).json(), call).toEqual([])
    }
    const cursors = {
      'GET /api/messages': messageId,
      'GET /api/payments': paymentId,
      'GET /api/notifications': noted,
      'GET /api/seller/payouts': payoutId,
    }
    for (const [name, cursor] of Object.entries(cursors)) {
      const rule = ownLists[name]
      if (!rule) throw new Error(`${name} has no rule`)
      const rows: never[] = (await eve.call(`${name}?cursor=${cursor}&limit=100`)).json()
      expect(await idsOf(world, rule, eve), name).toEqual(rows.map(rule.idOf).sort())
    }
    const withBob: { senderId: string; receiverId: string }[] = (
      await eve.call(`GET /api/messages?userId=${bob.id}`)
    ).json()
    for (const { senderId, receiverId } of withBob) {
      expect([senderId, receiverId].sort()).toEqual([bob.id, eve.id].sort())
    }
  })
})

describe('an id of somebody else’s in a body', () => {
  /** New people on the same market. */
  async function openMarket() {
    const world = market()
    const given = givenIn(world)
    const [ada, bob, eve, mia, root] = await peopleMaker(world)(5)
    if (!ada || !bob || !eve || !mia || !root) throw new Error('somebody is missing')
    await given.admin(root)
    /** Does it, and fails if anything of these people's is another than before. */
    async function leavesAlone(people: Person[], act: () => Promise<void>) {
      const before = await belongingsOf(world.sql, people)
      await act()
      expect(await belongingsOf(world.sql, people)).toEqual(before)
    }
    return { world, given, ada, bob, eve, mia, root, leavesAlone }
  }
  const form = { title: 'Lamp', description: 'Green', category: 'Other', location: 'Ipoh', maxBudget: 200 }

  test('userId: a request is its sender’s, when it is posted and when it is changed', async () => {
    const { ada, eve, leavesAlone } = await openMarket()
    await leavesAlone([ada], async () => {
      const posted = await eve.call('POST /api/wanted-items', { ...form, userId: ada.id, id: 1 })
      expect(posted.json()).toMatchObject({ userId: eve.id, user: { id: eve.id } })
      const { id } = posted.json()
      const edited = await eve.call(`PUT /api/wanted-items/${id}`, {
        ...form,
        userId: ada.id,
        status: 'fulfilled',
      })
      expect(edited.json()).toMatchObject({ id, userId: eve.id, status: 'open' })
    })
  })

  test('senderId and receiverId: a message comes from its sender, and goes to who may have it', async () => {
    const { given, ada, bob, eve, leavesAlone } = await openMarket()
    const itemId = await given.item(ada)
    await given.message(itemId, bob, ada)
    await leavesAlone([bob], async () => {
      const body = { content: 'Hello', wantedItemId: itemId, receiverId: ada.id, senderId: bob.id }
      expect((await eve.call('POST /api/messages', body)).json()).toMatchObject({ senderId: eve.id })
      const toBob = await eve.call('POST /api/messages', { ...body, receiverId: bob.id, senderId: ada.id })
      expect(toBob.json().code).toBe('conversation_not_allowed')
      const asAda = { content: 'Hello', wantedItemId: itemId, receiverId: eve.id, senderId: ada.id }
      expect((await eve.call('POST /api/messages', asAda)).json().code).toBe('conversation_not_allowed')
    })
  })

  test('receiverId, buyerId, sellerId, status: an offer is its sender’s, to the owner, and waits for an answer', async () => {
    const { given, ada, bob, eve, leavesAlone } = await openMarket()
    const itemId = await given.item(ada)
    const terms = { wantedItemId: itemId, receiverId: ada.id, amount: 5_000 }
    await leavesAlone([bob], async () => {
      const forged = { ...terms, sellerId: bob.id, buyerId: bob.id, status: 'accepted', proposedBy: 'buyer' }
      expect((await eve.call('POST /api/offers', forged)).json()).toMatchObject({
        buyerId: ada.id,
        sellerId: eve.id,
        status: 'pending',
        proposedBy: 'seller',
      })
      const toBob = await eve.call('POST /api/offers', { ...terms, receiverId: bob.id })
      expect([toBob.statusCode, toBob.json().code]).toEqual([403, 'conversation_not_allowed'])
    })
  })

  test('itemId and offerId: only an offer of one’s own on that very item is paid', async () => {
    const { given, ada, bob, eve, mia, leavesAlone } = await openMarket()
    const theirs = await given.offer({ buyer: ada, seller: bob }, 'accepted')
    const own = await given.offer({ buyer: eve, seller: mia }, 'accepted')
    await leavesAlone([ada, bob, eve, mia], async () => {
      for (const body of [
        theirs,
        { ...theirs, itemId: own.itemId },
        { ...own, offerId: theirs.offerId },
        { ...own, itemId: theirs.itemId },
        { ...theirs, buyerId: eve.id, userId: eve.id },
      ]) {
        const reply = await eve.call('POST /api/create-escrow-payment', body)
        expect([reply.statusCode, reply.json().code], JSON.stringify(body)).toEqual([404, 'offer_not_found'])
      }
    })
  })

  test('a stranger hears the same of an offer that is there as of one that is not', async () => {
    const { given, ada, bob, eve } = await openMarket()
    const { itemId, offerId, amount } = await given.offer({ buyer: ada, seller: bob }, 'accepted')
    const missing = { itemId, offerId: 999_999, amount }
    const [there, not] = [{ itemId, offerId, amount }, missing].map((body) =>
      eve.call('POST /api/create-escrow-payment', body),
    )
    expect((await there)?.body).toBe((await not)?.body)
    for (const path of ['accept', 'reject', 'withdraw']) {
      const one = await eve.call(`PATCH /api/offers/${offerId}/${path}`)
      expect(one.body).toBe((await eve.call(`PATCH /api/offers/999999/${path}`)).body)
    }
  })

  test('disputeId: a ruling and a file are of the dispute that the address names', async () => {
    const { given, world, ada, bob, eve, mia, root, leavesAlone } = await openMarket()
    const one = await given.dispute({ buyer: ada, seller: bob })
    const two = await given.dispute({ buyer: eve, seller: mia })
    await leavesAlone([ada, bob], async () => {
      const file = upload({
        field: 'file',
        name: 'note.txt',
        bytes: Buffer.from('It came on Monday.'),
        fields: { disputeId: one.paymentId },
      })
      const added = await world.visitor(`POST /api/disputes/${two.paymentId}/upload-evidence`, undefined, {
        ...file,
        headers: { ...file.headers, cookie: eve.cookie },
      })
      expect(added.json()).toMatchObject({ disputeId: two.paymentId, submittedBy: eve.id })
      const answered = await eve.call(`POST /api/disputes/${two.paymentId}/answer`, {
        content: 'Mine',
        disputeId: one.paymentId,
        submittedBy: ada.id,
      })
      expect(answered.json()).toMatchObject({ disputeId: two.paymentId, submittedBy: eve.id })
      const ruled = await root.call(`POST /api/admin/disputes/${two.paymentId}/resolve`, {
        action: 'refund_full',
        disputeId: one.paymentId,
      })
      expect(ruled.json()).toMatchObject({ id: two.paymentId, status: 'resolved_buyer' })
    })
  })

  test('a file of evidence is found under its own dispute alone, and has no public address', async () => {
    const { given, world, ada, bob, eve, mia, root } = await openMarket()
    const one = await given.dispute({ buyer: ada, seller: bob })
    const two = await given.dispute({ buyer: eve, seller: mia })
    const statusOf = async (who: Person, dispute: number, piece: number) =>
      (await who.call(`GET /api/disputes/${dispute}/evidence/${piece}`)).statusCode
    expect(await statusOf(eve, two.paymentId, two.evidenceId)).toBe(200)
    for (const who of [eve, mia, root]) expect(await statusOf(who, two.paymentId, one.evidenceId)).toBe(404)
    expect(await statusOf(eve, one.paymentId, one.evidenceId)).toBe(404)
    for (const { call } of [ada, eve, root, { call: world.visitor }]) {
      expect((await call(`GET /files/${one.fileName}`)).statusCode).toBe(404)
    }
  })

  test('imageUrl: a picture that another has uploaded, or a file of evidence, is no picture of a request', async () => {
    const { given, world, ada, bob, eve, leavesAlone } = await openMarket()
    const bytes = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')
    const image = (who: Person) =>
      world.visitor('POST /api/wanted-items/image', undefined, {
        ...upload({ field: 'image', name: 'lamp.gif', bytes }, { cookie: who.cookie }),
      })
    const { imageUrl } = (await image(ada)).json()
    const { fileName } = await given.dispute({ buyer: ada, seller: bob })
    await leavesAlone([ada, eve], async () => {
      for (const address of [imageUrl, `/files/${fileName}`]) {
        const reply = await eve.call('POST /api/wanted-items', { ...form, imageUrl: address })
        expect(reply.json().code).toBe('image_not_found')
      }
    })
    expect((await ada.call('POST /api/wanted-items', { ...form, imageUrl })).statusCode).toBe(201)
  })

  test('an admin who is a party rules on nothing of their own, and pays nobody of theirs', async () => {
    const { given, ada, root, leavesAlone } = await openMarket()
    const pairs = [
      { buyer: root, seller: ada },
      { buyer: ada, seller: root },
    ]
    for (const pair of pairs) {
      const { paymentId } = await given.dispute(pair)
      const owed = await given.payout(pair, 'owed')
      const paid = await given.payout(pair, 'paid')
      await leavesAlone([ada, root], async () => {
        const replies = [
          await root.call(`POST /api/admin/disputes/${paymentId}/resolve`, { action: 'refund_full' }),
          await root.call(`POST /api/admin/disputes/${paymentId}/evidence`, { type: 'call' }),
          await root.call(`POST /api/admin/payouts/${owed.payoutId}/bank-details`),
          await root.call(`POST /api/admin/payouts/${owed.payoutId}/paid`, { reference: 'wire' }),
          await root.call(`POST /api/admin/payouts/${paid.payoutId}/undo`),
        ]
        for (const reply of replies) expect(reply.json().code).toBe('not_impartial')
      })
    }
  })
})
