import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { ProviderFailed } from '../../../providers/stripe/card-provider.ts'
import { type MoneyWorld, shareMoneyWorld } from '../../../testing/money-world.ts'
import { addTraders, type Traders } from '../../../testing/traders.ts'
import { openWorld, type Person, type World } from '../../../testing/world.ts'
import { remindOfPromises } from './remind-of-promises.ts'

const HOUR_MS = 3_600_000

const shared = shareMoneyWorld()

async function openDeskIn<Opened extends World & Traders>(world: Opened) {
  const admin = await world.signUp('Root', 'admin')
  const file = async (paymentId: number) => {
    const filed = await world.ada.call('POST /api/initiate-dispute', { paymentId, reason: 'It is blue' })
    expect(filed.statusCode, filed.body).toBe(200)
    return paymentId
  }
  /** A dispute about a payment that the provider does not know. */
  const dispute = async (amount?: number) => file((await world.given.heldPayment({ amount })).paymentId)
  const rule = (id: number, action: string, by = admin) =>
    by.call(`POST /api/admin/disputes/${id}/resolve`, { action })
  return { ...world, world, admin, file, dispute, rule }
}

async function openDesk() {
  const desk = await openDeskIn<MoneyWorld>(await shared())
  /** A dispute about a payment that was made at the provider. */
  const disputePaid = async (amount?: number) => desk.file((await desk.world.payIntoEscrow(amount)).paymentId)
  return { ...desk, disputePaid }
}

/** A desk with no other disputes and admins, and with its own clock. */
async function openOwnDesk() {
  return openDeskIn(await addTraders(await openWorld()))
}

type Reply = Awaited<ReturnType<Person['call']>>
const codeOf = (reply: Reply) => [reply.statusCode, reply.json().code]

const readOwn = async (person: Person, id: number) => (await person.call(`GET /api/disputes/${id}`)).json()

describe('bulk rulings', () => {
  const bulk = (by: Person, ids: number[], action: string, rest: object = {}) =>
    by.call('POST /api/admin/disputes/bulk', { ids, action, note: 'The parcel is lost', ...rest })
  const preview = async (by: Person, ids: number[], action: string) =>
    (await by.call('POST /api/admin/disputes/bulk/preview', { ids, action })).json()

  test('the preview and the ruling agree to the cent', async () => {
    const { world, admin, disputePaid, ada, bob } = await openDesk()
    const ids = [await disputePaid(12_001), await disputePaid(50)]
    expect(await preview(admin, ids, 'split_difference')).toEqual([
      { id: ids[0], refund: 6_001, seller: 5_616, fees: 384 },
      { id: ids[1], refund: 25, seller: 0, fees: 25 },
    ])
    expect(await preview(admin, ids, 'refund_full')).toMatchObject([
      { refund: 12_001, seller: 0, fees: 0 },
      { refund: 50, seller: 0, fees: 0 },
    ])
    const reply = await bulk(admin, ids, 'split_difference')
    expect(reply.json()).toEqual({ ruled: ids, changed: [] })
    expect(await world.balanceOf(`buyer:${ada.id}`)).toBe(6_026)
    expect(await world.balanceOf(`seller:${bob.id}`)).toBe(5_616)
    const { timeline } = await readOwn(ada, ids[0] ?? 0)
    expect(timeline.at(-1)).toMatchObject({ action: 'split_difference', details: 'The parcel is lost' })
    await world.runJobs()
    await world.expectBooksRight()
  })

  test('skip disputes that are decided, withdrawn, waiting for a bank, or the admin’s own', async () => {
    const { world, admin, appoint, dispute, disputePaid, rule, ada, sql } = await openDesk()
    const [ruled, withdrawn, ofBank, failed, repriced, open] = [
      await dispute(),
      await dispute(),
      await dispute(),
      await disputePaid(),
      await dispute(),
      await dispute(),
    ]
    await rule(ruled, 'refund_full')
    await ada.call(`POST /api/disputes/${withdrawn}/withdraw`)
    await sql.query('update payments set bank_decides = true where id = $1', [ofBank])
    const { rows } = await sql.query(
      'select stripe_payment_intent_id as intent from payments where id = $1',
      [failed],
    )
    const { cards } = world.services
    if (!cards) throw new Error('no provider')
    const readIntent = cards.readIntent.bind(cards)
    const broken = vi.spyOn(cards, 'readIntent').mockImplementation(async (id) => {
      if (id === rows[0].intent) throw new ProviderFailed('unknown', new Error('timeout'))
      return readIntent(id)
    })
    const ids = [ruled, withdrawn, ofBank, failed, repriced, open, 999_999]
    const shown = await preview(admin, ids, 'release_seller')
    expect(shown.map(({ id }: { id: number }) => id)).toEqual([failed, repriced, open])
    const seen = shown.map((it: { id: number; seller: number }) =>
      it.id === repriced ? { ...it, seller: it.seller - 1 } : it,
    )
    const reply = await bulk(admin, ids, 'release_seller', { preview: seen })
    broken.mockRestore()
    expect(reply.json()).toEqual({
      ruled: [open],
      changed: [
        { id: ruled, code: 'dispute_resolved' },
        { id: withdrawn, code: 'dispute_not_found' },
        { id: ofBank, code: 'bank_decides' },
        { id: failed, code: 'provider_failed' },
        { id: repriced, code: 'ruling_changed' },
        { id: 999_999, code: 'dispute_not_found' },
      ],
    })
    await appoint(ada)
    expect(await preview(ada, [failed], 'refund_full')).toEqual([])
    expect((await bulk(ada, [failed], 'refund_full')).json()).toEqual({
      ruled: [],
      changed: [{ id: failed, code: 'not_impartial' }],
    })
    await sql.query('delete from admins where user_id = $1', [ada.id])
    await sql.query('update payments set bank_decides = false where id = $1', [ofBank])
  })

  test('leave a payment that may be fraud to the card, until an admin has checked it', {
    tags: ['proof'],
  }, async () => {
    const { world, admin, disputePaid, rule, sql } = await openDesk()
    const [suspicious, other] = [await disputePaid(), await disputePaid()]
    await sql.query('update payments set needs_check = true where id = $1', [suspicious])
    for (const action of ['release_seller', 'split_difference']) {
      expect(codeOf(await rule(suspicious, action))).toEqual([409, 'payment_needs_check'])
      expect(await preview(admin, [suspicious], action)).toEqual([])
    }
    expect((await bulk(admin, [suspicious, other], 'release_seller')).json()).toEqual({
      ruled: [other],
      changed: [{ id: suspicious, code: 'payment_needs_check' }],
    })
    expect(await preview(admin, [suspicious], 'refund_full')).toMatchObject([{ seller: 0, fees: 0 }])
    expect((await rule(suspicious, 'refund_full')).statusCode).toBe(200)
    await world.runJobs()
    await world.expectBooksRight()
  })

  test('need one to a hundred different disputes, a reason, and an action without an amount', async () => {
    const { admin } = await openDesk()
    const hundredAndOne = Array.from({ length: 101 }, (_, index) => index + 1)
    for (const ids of [[], [1, 1], hundredAndOne, [0]])
      expect(codeOf(await bulk(admin, ids, 'refund_full'))).toEqual([422, 'invalid'])
    expect(codeOf(await bulk(admin, [1], 'refund_partial'))).toEqual([422, 'invalid'])
    expect(codeOf(await bulk(admin, [1], 'refund_full', { note: ' ' }))).toEqual([422, 'invalid'])
  })

  test('two admins, a withdrawal and a settlement at the same time produce one outcome for each dispute', {
    tags: ['proof'],
  }, async () => {
    const { world, admin, dispute, disputePaid, ada, bob } = await openDesk()
    const other = await world.signUp('Second', 'admin')
    const ids = [await disputePaid(), await disputePaid(), await dispute(), await dispute()]
    const [first = 0, second = 0] = ids
    await bob.call(`POST /api/disputes/${second}/settlement`, { refundAmount: 5_000 })
    const [refunded, released, withdrawn, settled] = await Promise.all([
      bulk(admin, ids, 'refund_full'),
      bulk(other, ids.toReversed(), 'release_seller'),
      ada.call(`POST /api/disputes/${first}/withdraw`),
      ada.call(`POST /api/disputes/${second}/settlement/accept`, { refundAmount: 5_000 }),
    ])
    const endedBy = (reply: Reply): number[] => reply.json().ruled
    const ended = [
      ...endedBy(refunded),
      ...endedBy(released),
      ...(withdrawn.statusCode === 200 ? [first] : []),
      ...(settled.statusCode === 200 ? [second] : []),
    ]
    expect(ended.toSorted()).toEqual(ids.toSorted())
    for (const id of endedBy(refunded)) expect(await world.statusOf(id)).toBe('resolved_buyer')
    for (const id of endedBy(released)) expect(await world.statusOf(id)).toBe('resolved_seller')
    await world.runJobs()
    await world.expectBooksRight()
  })
})

describe('notes and assignment', () => {
  test('notes are visible to admins only, but not to an admin who is a party', async () => {
    const { admin, appoint, dispute, ada, sql } = await openDesk()
    const id = await dispute()
    const note = { text: 'The tracking number is false' }
    const added = await admin.call(`POST /api/admin/disputes/${id}/notes`, note)
    expect(added.statusCode).toBe(201)
    expect(added.json()).toMatchObject({ ...note, author: { id: admin.id, name: 'Root Tester' } })
    const notesSeenBy = async (person: Person) =>
      (await person.call(`GET /api/admin/disputes/${id}/details`)).json().notes
    expect(await notesSeenBy(admin)).toMatchObject([note])
    expect(JSON.stringify(await readOwn(ada, id))).not.toContain(note.text)
    expect((await ada.call(`POST /api/admin/disputes/${id}/notes`, note)).statusCode).toBe(403)
    await appoint(ada)
    expect(await notesSeenBy(ada)).toEqual([])
    expect(codeOf(await ada.call(`POST /api/admin/disputes/${id}/notes`, note))).toEqual([
      403,
      'not_impartial',
    ])
    await sql.query('delete from admins where user_id = $1', [ada.id])
    expect(codeOf(await admin.call('POST /api/admin/disputes/999999/notes', note))).toEqual([
      404,
      'dispute_not_found',
    ])
  })

  test('an admin who is a party can neither assign the dispute nor be assigned to it', async () => {
    const { admin, appoint, dispute, ada, sql } = await openDesk()
    const id = await dispute()
    const assign = (by: Person, adminId: string) =>
      by.call(`POST /api/admin/disputes/${id}/assign`, { adminId })
    await appoint(ada)
    onTestFinished(async () => {
      await sql.query('delete from admins where user_id = $1', [ada.id])
    })
    expect(codeOf(await assign(ada, admin.id))).toEqual([403, 'not_impartial'])
    expect(codeOf(await assign(admin, ada.id))).toEqual([403, 'not_impartial'])
    expect((await assign(admin, admin.id)).json()).toMatchObject({ assignee: { id: admin.id } })
  })

  test('an open dispute is assigned to an admin, who is notified, and the desk can be filtered by assignee', async () => {
    const { world, admin, dispute, rule, ada, sql } = await openDesk()
    const other = await world.signUp('Helper', 'admin')
    const moderator = await world.signUp('Mod', 'moderator')
    const id = await dispute()
    const assign = (adminId: string | null, paymentId = id) =>
      admin.call(`POST /api/admin/disputes/${paymentId}/assign`, { adminId })
    const shown = async (by: Person, show: string) => {
      const listed = await by.call(`GET /api/admin/disputes?limit=100&show=${show}`)
      return listed.json().some((it: { id: number }) => it.id === id)
    }
    expect(await shown(admin, 'unassigned')).toBe(true)
    expect((await assign(other.id)).json()).toMatchObject({ assignee: { id: other.id } })
    expect([
      await shown(admin, 'unassigned'),
      await shown(admin, 'mine'),
      await shown(other, 'mine'),
    ]).toEqual([false, false, true])
    const told = (await other.call('GET /api/notifications')).json()
    expect(told[0]).toMatchObject({ kind: 'dispute_due', path: `/admin/disputes?search=${id}` })
    for (const nobody of [moderator.id, ada.id, 'nobody'])
      expect(codeOf(await assign(nobody))).toEqual([404, 'person_not_found'])
    expect(codeOf(await assign(other.id, 2_147_483_647))).toEqual([404, 'dispute_not_found'])
    expect((await assign(null)).json()).toEqual({ assignee: null })
    expect(await shown(admin, 'unassigned')).toBe(true)
    const { rows } = await sql.query(
      "select actor_id, subject_id from audit_log where action = 'dispute_assigned' and details ->> 'paymentId' = $1 order by id",
      [String(id)],
    )
    expect(rows).toEqual([
      { actor_id: admin.id, subject_id: other.id },
      { actor_id: admin.id, subject_id: null },
    ])
    await rule(id, 'refund_full')
    expect(codeOf(await assign(other.id))).toEqual([409, 'dispute_resolved'])
  })
})

test('saved replies are shared by all admins, and an unknown placeholder is refused', async () => {
  const { world, admin } = await openDesk()
  const reply = { title: 'Photos', text: 'Dear {buyer}, please show us “{item}”.' }
  const saved = await admin.call('POST /api/admin/replies', reply)
  expect(saved.statusCode).toBe(201)
  const { id } = saved.json()
  const other = await world.signUp('Reader', 'admin')
  expect((await other.call('GET /api/admin/replies')).json()).toMatchObject([reply])
  for (const text of ['Dear {byer}', 'Dear {}', ' '])
    expect(codeOf(await admin.call('POST /api/admin/replies', { title: 'Wrong', text }))).toEqual([
      422,
      'invalid',
    ])
  const changed = { title: 'Pictures', text: 'About {transaction}' }
  expect((await other.call(`PATCH /api/admin/replies/${id}`, changed)).json()).toMatchObject(changed)
  expect((await admin.call(`DELETE /api/admin/replies/${id}`)).statusCode).toBe(200)
  expect(codeOf(await admin.call(`DELETE /api/admin/replies/${id}`))).toEqual([404, 'reply_not_found'])
  expect(codeOf(await admin.call(`PATCH /api/admin/replies/${id}`, changed))).toEqual([
    404,
    'reply_not_found',
  ])
  await world.sql.query(
    "insert into saved_replies (title, text, created_by) select 'Many', 'One', $1 from generate_series(1, 100)",
    [admin.id],
  )
  expect(codeOf(await admin.call('POST /api/admin/replies', reply))).toEqual([409, 'too_many_replies'])
})

describe('promised times', () => {
  const dueAt = async (person: Person, id: number) => (await readOwn(person, id)).dispute.dueAt

  test('the first answer is due after 24 hours, the ruling after seven business days, then nothing', async () => {
    const { admin, dispute, rule, ada, bob, sql } = await openDesk()
    const id = await dispute()
    await sql.query("update dispute_cases set opened_at = '2026-03-06T10:00:00Z' where payment_id = $1", [id])
    expect(await dueAt(ada, id)).toBe('2026-03-07T10:00:00.000Z')
    await admin.call(`POST /api/admin/disputes/${id}/evidence`, { type: 'call', content: 'I rang' })
    expect(await dueAt(bob, id)).toBe('2026-03-17T10:00:00.000Z')
    await rule(id, 'refund_full')
    expect(await dueAt(bob, id)).toBeNull()
  })

  test('the desk can list the earliest due time first, in pages, even if a dispute is answered in the meantime', {
    tags: ['proof'],
  }, async () => {
    const { world, admin, dispute, rule, sql } = await openOwnDesk()
    const [late, fresh, answered, ofBank, latest, ruled] = [
      await dispute(),
      await dispute(),
      await dispute(),
      await dispute(),
      await dispute(),
      await dispute(),
    ]
    const now = world.services.clock()
    const openFor = (id: number, hours: number, step: Date | null = null) =>
      sql.query('update dispute_cases set opened_at = $2, first_step_at = $3 where payment_id = $1', [
        id,
        new Date(now.getTime() - hours * HOUR_MS),
        step,
      ])
    await openFor(late, 30)
    await openFor(fresh, 2)
    await openFor(answered, 40, now)
    await openFor(ofBank, 50, now)
    await sql.query('update payments set bank_decides = true where id = $1', [ofBank])
    await rule(ruled, 'refund_full')

    const firstPage = '/api/admin/disputes?sort=due&limit=2'
    const listFrom = async (first: string, betweenPages?: () => Promise<unknown>) => {
      const listed: { id: number; dueAt: string | null }[] = []
      for (let path: string | undefined = first; path; ) {
        const reply = await admin.call(`GET ${path}`)
        listed.push(...reply.json())
        path = /<(.+)>/.exec(String(reply.headers.link ?? ''))?.[1]
        await betweenPages?.()
      }
      return listed
    }
    const listed = await listFrom(firstPage)
    expect(listed.map(({ id }) => id)).toEqual([late, fresh, latest, answered, ruled, ofBank])
    const due = listed.flatMap(({ dueAt }) => dueAt ?? [])
    expect(due).toHaveLength(4)
    expect(due.toSorted()).toEqual(due)
    expect((await listFrom('/api/admin/disputes?sort=due&status=overdue')).map(({ id }) => id)).toEqual([
      late,
    ])
    // The last of the first page gets a later time, which skips nothing.
    const answer = () =>
      admin.call(`POST /api/admin/disputes/${fresh}/evidence`, { type: 'call', content: 'x' })
    const during = await listFrom(firstPage, answer)
    expect(new Set(during.map(({ id }) => id)).size).toBe(6)
    const cursors = ['0', '2147483648', '2026-13-40T00:00:00.000Z/1', '2026-11-17/1', 'x']
    for (const cursor of cursors)
      expect((await admin.call(`GET ${firstPage}&cursor=${encodeURIComponent(cursor)}`)).statusCode).toBe(422)
  })

  test('the assigned admin, or else every admin who is not a party, is reminded before a promised time and after it', async () => {
    const { world, admin, appoint, dispute, sql } = await openOwnDesk()
    const other = await world.signUp('Helper', 'admin')
    await appoint(world.bob)
    const id = await dispute()
    const remind = () => Promise.all([1, 2, 3].map(() => remindOfPromises(world.services)))
    const reminders = async () => {
      const { rows } = await sql.query(
        `select user_id, split_part(key, ':', 1) as event from notifications
         where kind = 'dispute_due' and payment_id = $1 order by id`,
        [id],
      )
      return rows.map(({ user_id, event }) => [user_id === admin.id ? 'admin' : 'other', event])
    }
    world.advanceClock(19 * HOUR_MS)
    await remind()
    expect(await reminders()).toEqual([])
    world.advanceClock(2 * HOUR_MS)
    await remind()
    expect((await reminders()).toSorted()).toEqual([
      ['admin', 'dispute_due_soon'],
      ['other', 'dispute_due_soon'],
    ])
    await admin.call(`POST /api/admin/disputes/${id}/assign`, { adminId: other.id })
    world.advanceClock(4 * HOUR_MS)
    await remind()
    await remind()
    expect((await reminders()).slice(2)).toEqual([
      ['other', 'dispute_assigned'],
      ['other', 'dispute_overdue'],
    ])
  })
})

describe('appeals', () => {
  const appeal = (by: Person, id: number, reason = 'You did not read it') =>
    by.call(`POST /api/disputes/${id}/appeal`, { reason })
  const decide = (by: Person, id: number, decision: string) =>
    by.call(`POST /api/admin/appeals/${id}/decide`, { decision, note: 'We looked again' })

  test('are possible only for a party, only against a ruling, and only once', async () => {
    const { world, admin, dispute, rule, ada, bob } = await openDesk()
    const stranger = await world.signUp('Stranger')
    const id = await dispute()
    expect(codeOf(await appeal(ada, id))).toEqual([409, 'not_ruled'])
    expect(codeOf(await appeal(stranger, id))).toEqual([404, 'dispute_not_found'])
    await rule(id, 'split_difference')
    expect(codeOf(await appeal(stranger, id))).toEqual([404, 'dispute_not_found'])
    expect(codeOf(await appeal(admin, id))).toEqual([404, 'dispute_not_found'])
    const replies = await Promise.all([1, 2, 3].map(() => appeal(bob, id)))
    expect(replies.map(({ statusCode }) => statusCode).toSorted()).toEqual([201, 409, 409])
    expect(codeOf(await appeal(bob, id))).toEqual([409, 'already_appealed'])
    expect((await appeal(ada, id)).statusCode).toBe(201)
    const { appeals } = await readOwn(ada, id)
    expect(appeals).toMatchObject([
      { by: 'seller', decision: null },
      { by: 'buyer', decision: null },
    ])
    expect((await bob.call('GET /api/notifications')).json()).toEqual(
      expect.arrayContaining([expect.objectContaining({ kind: 'dispute_appeal', path: `/dispute/${id}` })]),
    )
    expect((await admin.call('GET /api/notifications')).json()[0]).toMatchObject({
      kind: 'dispute_appeal',
      path: '/admin/appeals',
    })
    for (const end of ['withdraw', 'settlement']) {
      const ended = await dispute()
      if (end === 'withdraw') await ada.call(`POST /api/disputes/${ended}/withdraw`)
      else {
        await bob.call(`POST /api/disputes/${ended}/settlement`, { refundAmount: 500 })
        await ada.call(`POST /api/disputes/${ended}/settlement/accept`, { refundAmount: 500 })
      }
      expect(codeOf(await appeal(ada, ended))).toEqual([409, 'not_ruled'])
    }
  })

  test('are possible until the last millisecond of seven days', async () => {
    const { dispute, rule, ada, bob } = await openDesk()
    const id = await dispute()
    await rule(id, 'split_difference')
    const { appealUntil } = await readOwn(ada, id)
    const lastMs = new Date(appealUntil).getTime()
    onTestFinished(() => void vi.useRealTimers())
    vi.useFakeTimers({ toFake: ['Date'], now: lastMs })
    expect((await appeal(ada, id)).statusCode).toBe(201)
    vi.setSystemTime(lastMs + 1)
    expect(codeOf(await appeal(bob, id))).toEqual([409, 'appeal_too_late'])
  })

  test('have a deadline, which admins see after a ruling by an admin', async () => {
    const { dispute, rule, ada, bob, admin } = await openDesk()
    const seen = async (id: number) =>
      (await admin.call(`GET /api/admin/disputes/${id}/details`)).json().appealUntil
    const [ruled, settled] = [await dispute(), await dispute()]
    expect(await seen(ruled)).toBeNull()
    await rule(ruled, 'split_difference')
    expect(await seen(ruled)).toBe((await readOwn(ada, ruled)).appealUntil)
    await ada.call(`POST /api/disputes/${settled}/settlement`, { refundAmount: 4_000 })
    const accepted = await bob.call(`POST /api/disputes/${settled}/settlement/accept`, {
      refundAmount: 4_000,
    })
    expect(accepted.statusCode).toBe(200)
    expect(await seen(settled)).toBeNull()
  })

  test.each([
    ['release_seller', 'buyer', 12_001, { amount: 12_001, refund: 0, payout: 11_263 }],
    ['split_difference', 'buyer', 6_000, { amount: 12_001, refund: 6_001, payout: 5_616 }],
    ['split_difference', 'seller', 5_647, { amount: 12_001, refund: 6_001, payout: 5_616 }],
    ['refund_full', 'seller', 11_263, { amount: 12_001, refund: 12_001, payout: 0 }],
  ] as const)(
    'overturning %s pays the %s %i cents from the platform’s money',
    async (action, party, stake, ruling) => {
      const { world, admin, dispute, rule, ada, bob } = await openDesk()
      const other = await world.signUp('Second', 'admin')
      const id = await dispute(12_001)
      await rule(id, action)
      const { id: appealId } = (await appeal(party === 'buyer' ? ada : bob, id)).json()
      const listed: { id: number }[] = (await other.call('GET /api/admin/appeals')).json()
      expect(listed.filter((it) => it.id === appealId)).toMatchObject([
        { id: appealId, by: party, stake, ruling: action, ruledBy: { id: admin.id }, ...ruling },
      ])
      expect(codeOf(await decide(admin, appealId, 'overturn'))).toEqual([403, 'same_admin'])
      const replies = await Promise.all([1, 2, 3].map(() => decide(other, appealId, 'overturn')))
      expect(replies.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409, 409])
      expect(await world.balanceOf('platform:goodwill', id)).toBe(-stake)
      expect(codeOf(await decide(other, appealId, 'uphold'))).toEqual([409, 'appeal_decided'])
      const { appeals } = await readOwn(ada, id)
      expect(appeals).toMatchObject([{ decision: 'overturn', note: 'We looked again' }])
    },
  )

  test('the platform pays only one party', async () => {
    const { world, disputePaid, rule, ada, bob } = await openDesk()
    const other = await world.signUp('Second', 'admin')
    const id = await disputePaid()
    await rule(id, 'split_difference')
    await world.runJobs()
    const [first, second] = [(await appeal(ada, id)).json().id, (await appeal(bob, id)).json().id]
    expect((await decide(other, first, 'overturn')).statusCode).toBe(200)
    expect(codeOf(await decide(other, second, 'overturn'))).toEqual([409, 'ruling_overturned'])
    expect((await decide(other, second, 'uphold')).statusCode).toBe(200)
    expect(await world.balanceOf('platform:goodwill', id)).toBe(-6_000)
    expect(codeOf(await decide(other, 999_999, 'uphold'))).toEqual([404, 'appeal_not_found'])
  })

  test('the database allows one open record of a dispute, and one overturned appeal against a ruling', async () => {
    const { world, dispute, rule, ada, bob, sql } = await openDesk()
    const other = await world.signUp('Second', 'admin')
    const id = await dispute()
    const copy = `insert into dispute_cases (payment_id, opened_by, opened_at, reason)
      select payment_id, opened_by, opened_at, reason from dispute_cases where payment_id = $1`
    await expect(sql.query(copy, [id])).rejects.toThrow('dispute_cases_one_open')
    await rule(id, 'split_difference')
    await decide(other, (await appeal(ada, id)).json().id, 'overturn')
    const { id: second } = (await appeal(bob, id)).json()
    const overturn = `update dispute_appeals set decision = 'overturn', note = 'Too', decided_by = $2, decided_at = now()
      where id = $1`
    await expect(sql.query(overturn, [second, other.id])).rejects.toThrow('dispute_appeals_overturned_once')
  })

  test('admins cannot decide about their own deal, and no ruling is overturned while a bank decides', async () => {
    const { world, appoint, dispute, rule, ada, bob, sql } = await openDesk()
    const other = await world.signUp('Second', 'admin')
    const id = await dispute()
    await rule(id, 'release_seller')
    const { id: appealId } = (await appeal(ada, id)).json()
    await appoint(bob)
    expect(codeOf(await decide(bob, appealId, 'uphold'))).toEqual([403, 'not_impartial'])
    await sql.query('delete from admins where user_id = $1', [bob.id])
    await sql.query(
      `insert into chargebacks (id, payment_id, amount_cents, status, outcome, reason, opened_at)
       values ($1, $2, 12000, 'needs_response', 'open', 'fraudulent', now())`,
      [`du_appeal_${id}`, id],
    )
    expect(codeOf(await decide(other, appealId, 'overturn'))).toEqual([409, 'bank_decides'])
    await sql.query('delete from chargebacks where id = $1', [`du_appeal_${id}`])
  })
})
