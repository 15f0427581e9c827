import { type Call, fillPath } from '@sought/contract/call'
import { calls } from '@sought/contract/calls'
import { PaymentStatus } from '@sought/contract/payments'
import { knowCharges } from '@sought/server/testing/known-charges'
import { openMoneyWorld } from '@sought/server/testing/money-world'
import { shareWorld, type World } from '@sought/server/testing/world'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { access } from './access-table.ts'
import { createAccessChecker, onlyReadsHistory, type Prepared, upload } from './check-call.ts'
import { createFixtures } from './fixtures.ts'
import { commonLists, ownLists, profileLists } from './list-owners.ts'
import { hashOwnedRows } from './owned-rows.ts'
import { createPeopleFactory, findLeaks, type Person } from './people.ts'

// Each test makes hundreds of calls, which takes long on a busy machine.
vi.setConfig({ testTimeout: 120_000 })

const sharedWorld = shareWorld()

beforeAll(() => void knowCharges(sharedWorld()))

const declared = new Map(Object.values(calls).map((call) => [`${call.method} ${call.path}`, call]))

test('the table has exactly one row for every declared call', () => {
  expect([...access.keys()].sort()).toEqual([...declared.keys()].sort())
})

/** These calls notify all admins, and so write rows of admins whom other calls use. */
const NOTIFIES_ALL_ADMINS = new Set(['POST /api/disputes/:paymentId/appeal'])

/** Also checks that refusals change nothing, and that no reply reveals a secret. */
async function expectAsInTable(all: [string, Call][]): Promise<void> {
  const checker = createAccessChecker(knowCharges(await openMoneyWorld({ env: { RATE_LIMIT: 'off' } })))
  const violations: string[] = []
  const work = async (left: [string, Call][], prepared?: Prepared) => {
    for (let next = left.pop(); next; next = left.pop()) {
      const [name, call] = next
      const row = access.get(name)
      violations.push(...(row ? await checker.checkCall(name, call, row, prepared) : [`${name} has no row`]))
    }
  }
  const reads = all.filter(([name, call]) => onlyReadsHistory(name, call))
  const last = all.filter(([name]) => NOTIFIES_ALL_ADMINS.has(name))
  // Each call has its own users, so that several can run concurrently.
  const concurrent = all.filter((it) => !reads.includes(it) && !last.includes(it))
  const [[anyRead = ''] = []] = reads
  await Promise.all([
    work(reads, await checker.prepare(anyRead)),
    ...Array.from({ length: 4 }, () => work(concurrent)),
  ])
  await work(last)
  expect(violations).toEqual([])
}

test('every call answers each role with the status in the table', { timeout: 300_000 }, async () => {
  await expectAsInTable([...declared])
})

test('the check finds a secret anywhere in a reply', async () => {
  const [ada, bob] = await createPeopleFactory(sharedWorld())(2)
  if (!ada || !bob) throw new Error('a user is missing')
  for (const secret of [...ada.hidden, ada.accountNumber]) {
    const answer = JSON.stringify({ deep: [{ down: `x${secret}x` }] })
    for (const reader of [null, ada, bob]) expect(findLeaks(answer, [ada, bob], reader)).toEqual([secret])
    expect(findLeaks(answer, [ada, bob], bob, { isAdmin: true })).toEqual([secret])
  }
  for (const contact of ada.contacts) {
    const answer = JSON.stringify({ contact })
    for (const reader of [null, bob]) expect(findLeaks(answer, [ada, bob], reader)).toEqual([contact])
    expect(findLeaks(answer, [ada, bob], ada)).toEqual([])
  }
  // The inserted users are usable: they are signed in and have bank details.
  expect((await ada.call('GET /api/auth/user')).json()).toMatchObject({
    email: ada.email,
    googleLinked: true,
  })
  expect((await bob.call('GET /api/seller/bank-status')).json()).toMatchObject({
    bankDetails: { account_number_last4: '4711' },
  })
})

/** Five users, each of whom has traded with each of the others as buyer and as seller. */
async function createTraders(world: World): Promise<Person[]> {
  const fixtures = createFixtures(world)
  const people = await createPeopleFactory(world)(5)
  for (const buyer of people) {
    await buyer.call('POST /api/user/devices/sign-out-others')
    await fixtures.ticket(buyer)
    await fixtures.savedSearch(buyer)
    await fixtures.decision(buyer, buyer)
    await fixtures.block(buyer, people.find((person) => person !== buyer) ?? buyer)
    for (const seller of people.filter((person) => person !== buyer)) {
      const pair = { buyer, seller }
      const { itemId } = await fixtures.offer(pair)
      await fixtures.message(itemId, seller, buyer)
      await fixtures.notification(buyer, seller, itemId)
      await fixtures.payment(pair, 'held_in_escrow')
      await fixtures.payout(pair, 'owed')
      await fixtures.payment(pair, 'completed')
      await fixtures.debt(pair)
      await fixtures.review(pair)
    }
  }
  return people
}

const idsOf = async ({ sql }: World, { ownRows }: { ownRows: string }, { id }: Person) =>
  (await sql.query(ownRows, [id])).rows.map((row) => row.id).sort()

describe('strangers', () => {
  interface Thing {
    paymentId: number
    offerId: number
    itemId: number
  }
  const NOTHING: Thing = { paymentId: 999_999, offerId: 999_999, itemId: 999_999 }

  /** Calls that answer a stranger with 404 according to the table, except for devices and passkeys. */
  const hidden = [...declared].filter(
    ([name, { access: whom }]) =>
      access.get(name)?.stranger === 404 && whom === 'user' && !/\/(devices|passkeys)\//.test(name),
  )

  const month = new Date().toISOString().slice(0, 7)

  /** Input that refers to this payment and offer in all fields of the calls. */
  const inputFor = ({ paymentId, offerId, itemId }: Thing, name: string) => ({
    params: {
      id: name.includes('/api/offers/') ? offerId : paymentId,
      paymentId,
      month,
      file: 'shipment-photo',
    },
    body: {
      paymentId,
      offerId,
      itemId,
      amount: 12_000,
      reason: name.endsWith('/reports') ? 'spam' : 'It is blue',
      kind: 'message',
      id: paymentId,
      content: 'It is blue',
      text: 'It is blue',
      rating: 1,
      refundAmount: 5,
      carrier: 'dhl',
      code: '123456',
      requestVersion: 1,
    },
    ...(name.includes('upload') && {
      file: { field: 'file', name: 'note.txt', bytes: Buffer.from('It came on Monday.') },
    }),
  })

  test('get the same answer for an existing deal in any state as for a missing one', {
    tags: ['proof'],
  }, async () => {
    const checker = createAccessChecker(sharedWorld())
    const [ada, bob, eve] = await checker.makePeople(3)
    if (!ada || !bob || !eve) throw new Error('a user is missing')
    const pair = { buyer: ada, seller: bob }
    const things: (Thing & { what: string })[] = []
    for (const status of PaymentStatus.options) {
      things.push({ what: status, ...(await checker.fixtures.payment(pair, status)) })
    }
    for (const status of ['pending', 'accepted', 'rejected'] as const) {
      things.push({ ...NOTHING, what: `an offer ${status}`, ...(await checker.fixtures.offer(pair, status)) })
    }
    const before = await hashOwnedRows(sharedWorld().sql, [ada, bob])
    const answerTo = async (name: string, call: Call, thing: Thing) => {
      const { statusCode, body } = await checker.send(call, inputFor(thing, name), eve)
      return { statusCode, body }
    }
    expect(hidden.length).toBeGreaterThan(15)
    for (const [name, call] of hidden) {
      const ofNothing = await answerTo(name, call, NOTHING)
      expect(ofNothing.statusCode, name).toBe(404)
      const ofThings = await Promise.all(things.map((thing) => answerTo(name, call, thing)))
      for (const [index, ofThing] of ofThings.entries()) {
        expect(ofThing, `${name} of ${things[index]?.what}`).toEqual(ofNothing)
      }
    }
    expect(await hashOwnedRows(sharedWorld().sql, [ada, bob])).toEqual(before)
  })
})

describe('lists', () => {
  let people: Person[]
  beforeAll(async () => {
    people = await createTraders(sharedWorld())
  })

  test('every list has a rule', () => {
    const lists = [...declared].filter(
      ([, { reply }]) => typeof reply !== 'string' && reply._zod.def.type === 'array',
    )
    const withRule = [...Object.keys(ownLists), ...Object.keys(profileLists), ...commonLists]
    expect(lists.map(([name]) => name).sort()).toEqual(withRule.sort())
  })

  test('contain all rows of their owner and no others', async () => {
    const world = sharedWorld()
    for (const person of people) {
      for (const [name, rule] of Object.entries(ownLists)) {
        const rows: never[] = (await person.call(`${name}?limit=100`)).json()
        const ownRows = await idsOf(world, rule, person)
        expect(ownRows.length, name).toBeGreaterThan(0)
        expect(rows.map(rule.idOf).sort(), `${name} of ${person.id}`).toEqual(ownRows)
      }
      for (const [name, rule] of Object.entries(profileLists)) {
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

  test('a data export contains only the data of its user', async () => {
    const world = sharedWorld()
    const parts = {
      requests: 'GET /api/user/wanted-items',
      messages: 'GET /api/messages',
      offers: 'GET /api/offers',
      payments: 'GET /api/payments',
      notifications: 'GET /api/notifications',
      payouts: 'GET /api/seller/payouts',
      devices: 'GET /api/user/devices',
      auditLog: 'GET /api/user/audit-log',
      blocks: 'GET /api/blocks',
      moderationDecisions: 'GET /api/user/decisions',
    }
    for (const person of people.slice(0, 2)) {
      const reply = await person.call('GET /api/user/data')
      for (const [part, name] of Object.entries(parts)) {
        const rule = ownLists[name]
        if (!rule) throw new Error(`${name} has no rule`)
        expect(reply.json()[part].map(rule.idOf).sort(), part).toEqual(await idsOf(world, rule, person))
      }
      expect(findLeaks(reply.body, people, person)).toEqual([])
    }
  })

  test('do not contain data of others, even when queried by item, user, intent or cursor', async () => {
    const world = sharedWorld()
    const fixtures = createFixtures(world)
    const [ada, bob, eve] = people
    if (!ada || !bob || !eve) throw new Error('a user is missing')
    const pair = { buyer: ada, seller: bob }
    const { itemId, paymentId, intentId } = await fixtures.payment(pair, 'held_in_escrow')
    const messageId = await fixtures.message(itemId, bob, ada)
    const noted = await fixtures.notification(ada, bob, itemId)
    const { payoutId } = await fixtures.payout(pair, 'owed')
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

describe('ids of other users in a body', () => {
  /** New users in the shared world. */
  async function openFixtures() {
    const world = sharedWorld()
    const fixtures = createFixtures(world)
    const [ada, bob, eve, mia, root] = await createPeopleFactory(world)(5)
    if (!ada || !bob || !eve || !mia || !root) throw new Error('a user is missing')
    await fixtures.admin(root)
    /** Fails if the action changes any rows of these users. */
    async function expectUnchanged(people: Person[], act: () => Promise<void>) {
      const before = await hashOwnedRows(world.sql, people)
      await act()
      expect(await hashOwnedRows(world.sql, people)).toEqual(before)
    }
    return { world, fixtures, ada, bob, eve, mia, root, expectUnchanged }
  }
  const form = { title: 'Lamp', description: 'Green', category: 'Other', location: 'Ipoh', maxBudget: 200 }

  test('userId: a request belongs to its sender, when posted and when edited', async () => {
    const { ada, eve, expectUnchanged } = await openFixtures()
    await expectUnchanged([ada], async () => {
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

  test('senderId and receiverId: a message is sent by its caller and only to allowed receivers', async () => {
    const { fixtures, ada, bob, eve, expectUnchanged } = await openFixtures()
    const itemId = await fixtures.item(ada)
    await fixtures.message(itemId, bob, ada)
    await expectUnchanged([bob], async () => {
      const body = { content: 'Hello', wantedItemId: itemId, receiverId: ada.id, senderId: bob.id }
      expect((await eve.call('POST /api/messages', body)).json()).toMatchObject({ senderId: eve.id })
      const toBob = await eve.call('POST /api/messages', { ...body, receiverId: bob.id, senderId: ada.id })
      expect(toBob.json().code).toBe('conversation_not_allowed')
      const asAda = { content: 'Hello', wantedItemId: itemId, receiverId: eve.id, senderId: ada.id }
      expect((await eve.call('POST /api/messages', asAda)).json().code).toBe('conversation_not_allowed')
    })
  })

  test('receiverId, buyerId, sellerId, status: an offer is made by its caller to the owner and starts pending', async () => {
    const { fixtures, ada, bob, eve, expectUnchanged } = await openFixtures()
    const itemId = await fixtures.item(ada)
    const terms = { wantedItemId: itemId, receiverId: ada.id, amount: 5_000 }
    await expectUnchanged([bob], async () => {
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

  test('itemId and offerId: buyers can pay only their own offer on that item', async () => {
    const { fixtures, ada, bob, eve, mia, expectUnchanged } = await openFixtures()
    const ownRows = await fixtures.offer({ buyer: ada, seller: bob }, 'accepted')
    const own = await fixtures.offer({ buyer: eve, seller: mia }, 'accepted')
    await expectUnchanged([ada, bob, eve, mia], async () => {
      for (const body of [
        ownRows,
        { ...ownRows, itemId: own.itemId },
        { ...own, offerId: ownRows.offerId },
        { ...own, itemId: ownRows.itemId },
        { ...ownRows, buyerId: eve.id, userId: eve.id },
      ]) {
        const reply = await eve.call('POST /api/create-escrow-payment', body)
        expect([reply.statusCode, reply.json().code], JSON.stringify(body)).toEqual([404, 'offer_not_found'])
      }
    })
  })

  test('strangers get the same answer for an existing and a missing offer', async () => {
    const { fixtures, ada, bob, eve } = await openFixtures()
    const { itemId, offerId, amount } = await fixtures.offer({ buyer: ada, seller: bob }, 'accepted')
    const missing = { itemId, offerId: 999_999, amount }
    const [there, not] = [{ itemId, offerId, amount }, missing].map((body) =>
      eve.call('POST /api/create-escrow-payment', body),
    )
    expect((await there)?.body).toBe((await not)?.body)
    for (const path of ['accept', 'reject', 'withdraw', 'keep']) {
      const one = await eve.call(`PATCH /api/offers/${offerId}/${path}`)
      expect(one.body).toBe((await eve.call(`PATCH /api/offers/999999/${path}`)).body)
    }
  })

  test('disputeId: a decision and a file belong to the dispute in the URL', async () => {
    const { fixtures, world, ada, bob, eve, mia, root, expectUnchanged } = await openFixtures()
    const one = await fixtures.dispute({ buyer: ada, seller: bob })
    const two = await fixtures.dispute({ buyer: eve, seller: mia })
    await expectUnchanged([ada, bob], async () => {
      const file = upload({
        field: 'file',
        name: 'note.txt',
        bytes: Buffer.from('It came on Monday.'),
        fields: { disputeId: String(one.paymentId) },
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
      const withRule = await root.call(`POST /api/admin/disputes/${two.paymentId}/resolve`, {
        action: 'refund_full',
        disputeId: one.paymentId,
      })
      expect(withRule.json()).toMatchObject({ id: two.paymentId, status: 'resolved_buyer' })
    })
  })

  test('evidence is served only under its own dispute and has no public URL', async () => {
    const { fixtures, world, ada, bob, eve, mia, root } = await openFixtures()
    const one = await fixtures.dispute({ buyer: ada, seller: bob })
    const two = await fixtures.dispute({ buyer: eve, seller: mia })
    const statusOf = async (who: Person, dispute: number, piece: number) =>
      (await who.call(`GET /api/disputes/${dispute}/evidence/${piece}`)).statusCode
    expect(await statusOf(eve, two.paymentId, two.evidenceId)).toBe(200)
    for (const who of [eve, mia, root]) expect(await statusOf(who, two.paymentId, one.evidenceId)).toBe(404)
    expect(await statusOf(eve, one.paymentId, one.evidenceId)).toBe(404)
    for (const { call } of [ada, eve, root, { call: world.visitor }]) {
      expect((await call(`GET /files/${one.fileName}`)).statusCode).toBe(404)
    }
  })

  test('imageUrl: pictures of others and evidence cannot be used for a request', async () => {
    const { fixtures, world, ada, bob, eve, expectUnchanged } = await openFixtures()
    const bytes = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')
    const image = (who: Person) =>
      world.visitor('POST /api/wanted-items/image', undefined, {
        ...upload({ field: 'image', name: 'lamp.gif', bytes }, { cookie: who.cookie }),
      })
    const { imageUrl } = (await image(ada)).json()
    const { fileName } = await fixtures.dispute({ buyer: ada, seller: bob })
    await expectUnchanged([ada, eve], async () => {
      for (const address of [imageUrl, `/files/${fileName}`]) {
        const reply = await eve.call('POST /api/wanted-items', { ...form, imageUrl: address })
        expect(reply.json().code).toBe('image_not_found')
      }
    })
    expect((await ada.call('POST /api/wanted-items', { ...form, imageUrl })).statusCode).toBe(201)
  })

  test('admins can neither decide their own disputes nor handle payouts and refunds of their own deals', async () => {
    const { fixtures, ada, root, expectUnchanged } = await openFixtures()
    const pairs = [
      { buyer: root, seller: ada },
      { buyer: ada, seller: root },
    ]
    for (const pair of pairs) {
      const { paymentId } = await fixtures.dispute(pair)
      const owed = await fixtures.payout(pair, 'owed')
      const paid = await fixtures.payout(pair, 'paid')
      const reversed = await fixtures.payout(pair, 'reversed')
      const { paymentId: refunded } = await fixtures.failedRefund(pair)
      await expectUnchanged([ada, root], async () => {
        const replies = [
          await root.call(`POST /api/admin/disputes/${paymentId}/resolve`, { action: 'refund_full' }),
          await root.call(`POST /api/admin/disputes/${paymentId}/evidence`, { type: 'call' }),
          await root.call(`POST /api/admin/payouts/${owed.payoutId}/bank-details`),
          await root.call(`POST /api/admin/payouts/${owed.payoutId}/paid`, { reference: 'W-1' }),
          await root.call(`POST /api/admin/payouts/${paid.payoutId}/undo`),
          await root.call(`POST /api/admin/payouts/${reversed.payoutId}/send-again`),
          await root.call(`POST /api/admin/refunds/${refunded}/retry`),
          await root.call(`POST /api/admin/refunds/${refunded}/paid`, { reference: 'W-1' }),
        ]
        for (const reply of replies) expect(reply.json().code).toBe('not_impartial')
      })
    }
  })
})
