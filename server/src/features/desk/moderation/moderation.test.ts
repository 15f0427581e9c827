import { beforeAll, describe, expect, test } from 'vitest'
import type { Actor } from '../../../http/session.ts'
import { actDuringChange } from '../../../testing/blocked-statements.ts'
import { runEmailJobs } from '../../../testing/run-email-jobs.ts'
import { type Person, shareWorld } from '../../../testing/world.ts'
import { decideCases } from './decide.ts'

const world = shareWorld({ RATE_LIMIT: 'off', PUBLIC_URL: 'https://sought.example' })
const lamp = { title: 'Lamp', description: 'Green', category: 'Other', location: 'Ipoh', maxBudget: 50 }
const reason = 'Please do not post this.'
const MINUTE_MS = 60_000

let [mia, max, root, fin] = [] as unknown as [Person, Person, Person, Person]
beforeAll(async () => {
  mia = await world().signUp('Mia', 'moderator')
  max = await world().signUp('Max', 'moderator')
  root = await world().signUp('Root', 'admin')
  fin = await world().signUp('Fin', 'finance')
})

async function post(person: Person, changes: object = {}): Promise<number> {
  const reply = await person.call('POST /api/wanted-items', { ...lamp, ...changes })
  expect(reply.statusCode, reply.body).toBe(201)
  return reply.json().id
}

/** Reports something and returns the id of its case. */
async function reported(by: Person, kind: string, id: string | number, why = 'spam'): Promise<number> {
  const reply = await by.call('POST /api/reports', { kind, id, reason: why })
  expect(reply.statusCode, reply.body).toBe(201)
  const { rows } = await world().sql.query(
    "select id from moderation_cases where kind = $1 and target_id = $2 and status = 'open'",
    [kind, String(id)],
  )
  return rows[0].id
}

const claim = (by: Person, id: number) => by.call(`POST /api/admin/moderation/${id}/claim`)
const decide = (by: Person, id: number, action: string, more: object = {}) =>
  by.call(`POST /api/admin/moderation/${id}/decide`, { action, reason, ...more })

async function decided(by: Person, id: number, action: string, more: object = {}) {
  const reply = await decide(by, id, action, more)
  expect(reply.statusCode, reply.body).toBe(200)
  return reply.json()
}

const decisionsOf = async (person: Person) => (await person.call('GET /api/user/decisions')).json()
const statusAndCode = async (reply: ReturnType<typeof decide>) => {
  const { statusCode, body } = await reply
  return [statusCode, JSON.parse(body).code]
}

/** Ada has a request, Bob writes to her about it. */
async function openMarket() {
  const [ada, bob] = [await world().signUp('Ada'), await world().signUp('Bob')]
  const itemId = await post(ada)
  const message = (content: string) =>
    bob.call('POST /api/messages', { wantedItemId: itemId, receiverId: ada.id, content })
  return { ada, bob, itemId, message }
}

describe('the queue', () => {
  test('lists the most severe and then the oldest cases, with reports, content and the person’s record', async () => {
    const { ada, bob, itemId } = await openMarket()
    await world().given.completedDeal({ buyer: ada, seller: bob })
    await world().given.payment({ buyer: ada, seller: bob, status: 'resolved_seller' })
    const spam = await reported(bob, 'request', itemId)
    const profile = await reported(bob, 'profile', ada.id)
    const scam = await reported(bob, 'request', await post(ada, { title: 'Scam' }), 'scam')
    const listed = (await mia.call('GET /api/admin/moderation')).json()
    const ids = listed.map(({ id }: { id: number }) => id)
    expect(ids.indexOf(scam)).toBeLessThan(ids.indexOf(spam))
    expect(ids.indexOf(spam)).toBeLessThan(ids.indexOf(profile))
    expect(listed[ids.indexOf(spam)]).toMatchObject({
      kind: 'request',
      targetId: String(itemId),
      severity: 1,
      status: 'open',
      appeal: null,
      reports: [{ reason: 'spam', note: null, by: { name: 'Bob Tester' } }],
      content: { title: 'Lamp', text: 'Green', path: `/item/${itemId}`, isHidden: false, context: [] },
      person: {
        user: { id: ada.id },
        completedDeals: 1,
        lostDisputes: 1,
        reports: 3,
        decisions: [],
        isRestricted: false,
        isSuspended: false,
        related: [],
      },
      claim: null,
    })
    const profiles = (await mia.call('GET /api/admin/moderation?kind=profile')).json()
    expect(new Set(profiles.map(({ kind }: { kind: string }) => kind))).toEqual(new Set(['profile']))
  })

  test('moderators do not see cases about themselves, and cannot decide them', async () => {
    const { bob } = await openMarket()
    const id = await reported(bob, 'profile', mia.id)
    const ids = async (by: Person) =>
      (await by.call('GET /api/admin/moderation')).json().map((found: { id: number }) => found.id)
    expect(await ids(mia)).not.toContain(id)
    expect(await ids(max)).toContain(id)
    expect(await statusAndCode(claim(mia, id))).toEqual([403, 'not_impartial'])
    expect(await statusAndCode(decide(mia, id, 'dismiss'))).toEqual([403, 'not_impartial'])
    expect(await statusAndCode(decide(max, id, 'suspend'))).toEqual([403, 'team_member'])
    expect(await statusAndCode(decide(max, id, 'restrict'))).toEqual([403, 'team_member'])
  })
})

describe('claims', () => {
  test('last 15 minutes, can be renewed, and exclude other moderators', async () => {
    const { bob, itemId } = await openMarket()
    const id = await reported(bob, 'request', itemId)
    expect((await claim(mia, id)).json()).toMatchObject({ claim: { by: { id: mia.id }, isMine: true } })
    expect(await statusAndCode(claim(max, id))).toEqual([409, 'case_claimed'])
    expect(await statusAndCode(decide(max, id, 'hide'))).toEqual([409, 'case_claimed'])
    expect(await statusAndCode(decide(root, id, 'hide'))).toEqual([409, 'case_claimed'])
    world().advanceClock(10 * MINUTE_MS)
    expect((await claim(mia, id)).statusCode).toBe(200)
    world().advanceClock(10 * MINUTE_MS)
    const [seen] = (await max.call('GET /api/admin/moderation?kind=request'))
      .json()
      .filter((found: { id: number }) => found.id === id)
    expect(seen.claim).toMatchObject({ by: { id: mia.id }, isMine: false })
    expect(await statusAndCode(claim(max, id))).toEqual([409, 'case_claimed'])
    world().advanceClock(6 * MINUTE_MS)
    expect((await claim(max, id)).statusCode).toBe(200)
    expect(await statusAndCode(decide(mia, id, 'dismiss'))).toEqual([409, 'case_claimed'])
    expect(await decided(max, id, 'dismiss')).toMatchObject({ status: 'decided', claim: null })
    expect(await statusAndCode(claim(max, id))).toEqual([409, 'case_decided'])
    expect(await statusAndCode(decide(max, id, 'hide'))).toEqual([409, 'case_decided'])
    expect(await statusAndCode(claim(mia, 999_999))).toEqual([404, 'case_not_found'])
  })

  test('concurrent claims and decisions of two moderators succeed only once each', async () => {
    const { bob, itemId } = await openMarket()
    const id = await reported(bob, 'request', itemId)
    const claims = await Promise.all([claim(mia, id), claim(max, id), claim(root, id)])
    expect(claims.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409, 409])
    world().advanceClock(16 * MINUTE_MS)
    const decisions = await Promise.all([decide(mia, id, 'warn'), decide(max, id, 'warn')])
    expect(decisions.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409])
    // A claim waits for a concurrent claim that is not committed yet.
    const other = await reported(bob, 'profile', (await openMarket()).ada.id)
    const claimed = ['update moderation_cases set claimed_by = $2, claimed_until = $3 where id = $1', other]
    const until = new Date(Date.now() + 120 * MINUTE_MS)
    const waited = await actDuringChange(world().sql, [claimed[0] as string, other, max.id, until], () =>
      claim(mia, other),
    )
    expect(waited.json()).toMatchObject({ code: 'case_claimed' })
  })

  test('only the claimant sees the messages around a reported one, and each reading is recorded', async () => {
    const { ada, message } = await openMarket()
    await message('Hello')
    const { id: messageId } = (await message('Send me money')).json()
    await message('Please')
    const id = await reported(ada, 'message', messageId, 'scam')
    const [listed] = (await mia.call('GET /api/admin/moderation?kind=message')).json()
    expect(listed).toMatchObject({ id, content: { text: 'Send me money', context: [] } })
    const claimed = (await claim(mia, id)).json()
    expect(
      claimed.content.context.map((entry: { text: string; isReported: boolean }) => [
        entry.text,
        entry.isReported,
      ]),
    ).toEqual([
      ['Hello', false],
      ['Send me money', true],
      ['Please', false],
    ])
    const { rows } = await world().sql.query(
      'select action, subject_id, details from audit_log where actor_id = $1 order by id desc limit 2',
      [mia.id],
    )
    expect(rows).toEqual([
      { action: 'conversation_viewed', subject_id: null, details: { caseId: id } },
      { action: 'case_claimed', subject_id: null, details: { caseId: id } },
    ])
    await decided(mia, id, 'hide')
  })
})

describe('decisions', () => {
  test('need a reason, and can have an end only for restrictions and suspensions', async () => {
    const { bob, itemId } = await openMarket()
    const id = await reported(bob, 'request', itemId)
    const until = new Date(Date.now() + 600 * MINUTE_MS).toISOString()
    expect((await decide(mia, id, 'hide', { reason: ' ' })).statusCode).toBe(422)
    expect(await statusAndCode(decide(mia, id, 'hide', { until }))).toEqual([422, 'until_not_allowed'])
    expect(await statusAndCode(decide(mia, id, 'suspend', { until: '2020-01-01T00:00:00.000Z' }))).toEqual([
      422,
      'until_past',
    ])
    expect(await statusAndCode(decide(mia, id, 'restore'))).toEqual([422, 'not_hideable'])
    expect((await decided(mia, id, 'warn')).status).toBe('decided')
  })

  test('notify the person in the app and by email, with the reason, and nobody else', async () => {
    const { ada, bob, itemId } = await openMarket()
    await decided(mia, await reported(bob, 'request', itemId), 'hide')
    const [notification] = (await ada.call('GET /api/notifications')).json()
    expect(notification).toMatchObject({
      kind: 'moderation',
      title: 'We removed your request “Lamp”',
      path: '/profile?tab=decisions',
      actor: null,
    })
    expect(notification.text).toContain(reason)
    await runEmailJobs(world())
    const { rows } = await world().sql.query(
      "select user_id, subject, text from mails where kind = 'moderation' and user_id = any($1)",
      [[ada.id, bob.id]],
    )
    expect(rows).toEqual([
      { user_id: ada.id, subject: 'We removed your request “Lamp”', text: expect.anything() },
    ])
    expect(rows[0].text).toContain(reason)
    expect(rows[0].text).toContain('https://sought.example/profile?tab=decisions')
    expect((await bob.call('GET /api/notifications')).json()).toEqual([])
    const { rows: audit } = await world().sql.query(
      "select actor_id, subject_id, details from audit_log where action = 'case_decided' and subject_id = $1",
      [ada.id],
    )
    expect(audit).toMatchObject([{ actor_id: mia.id, details: { decision: 'hide' } }])
  })

  test('notify nobody if a report is dismissed', async () => {
    const { ada, bob, itemId } = await openMarket()
    await decided(mia, await reported(bob, 'request', itemId), 'dismiss')
    expect((await ada.call('GET /api/notifications')).json()).toEqual([])
    expect(await decisionsOf(ada)).toEqual([])
    expect((await ada.call('GET /api/user/audit-log')).body).not.toContain('case_')
  })

  test('in bulk are made separately for each case, and impossible ones are listed', async () => {
    const { ada, bob, itemId } = await openMarket()
    const [spam, claimed, hidden] = [itemId, await post(ada), await post(ada)]
    const ids = await Promise.all([spam, claimed, hidden].map((id) => reported(bob, 'request', id)))
    await claim(max, ids[1] ?? 0)
    await world().sql.query("update wanted_items set hidden_at = now(), status = 'closed' where id = $1", [
      hidden,
    ])
    const body = { ids: [...ids, ids[0], 999_999], action: 'hide', reason }
    const reply = await mia.call('POST /api/admin/moderation/bulk', body)
    expect(reply.json()).toEqual({
      decided: [ids[0]],
      refused: [
        { id: ids[1], code: 'case_claimed' },
        { id: ids[2], code: 'not_hideable' },
        { id: 999_999, code: 'case_not_found' },
      ],
    })
    expect((await bob.call(`GET /api/wanted-items/${spam}`)).statusCode).toBe(404)
    expect((await bob.call(`GET /api/wanted-items/${claimed}`)).statusCode).toBe(200)
  })

  test('in bulk stop at an unexpected error instead of listing it as a refusal', async () => {
    const failing = { transact: () => Promise.reject(new TypeError('a bug')) }
    const form = { ids: [1], action: 'hide' as const, reason }
    await expect(decideCases(failing, form, mia as unknown as Actor)).rejects.toThrow('a bug')
  })

  test('restrict or suspend until their end, and a suspension closes requests and ends offers', async () => {
    const { ada, bob, itemId } = await openMarket()
    const bobsItem = await post(bob)
    const offer = { wantedItemId: itemId, receiverId: ada.id, amount: 4000 }
    expect((await bob.call('POST /api/offers', offer)).statusCode).toBe(201)
    const until = new Date(world().services.clock().getTime() + 60 * MINUTE_MS).toISOString()
    await decided(mia, await reported(ada, 'profile', bob.id), 'suspend', { until })
    expect(await statusAndCode(bob.call('POST /api/wanted-items', lamp))).toEqual([403, 'suspended'])
    expect((await ada.call(`GET /api/wanted-items/${bobsItem}`)).json()).toMatchObject({ status: 'closed' })
    const [ended] = (await ada.call('GET /api/offers')).json()
    expect(ended).toMatchObject({ status: 'withdrawn' })
    expect((await bob.call('GET /api/auth/user')).json()).toMatchObject({ suspendedUntil: until })
    const [{ title }] = (await bob.call('GET /api/notifications')).json()
    expect(title).toMatch(/^Your account is suspended until [A-Z][a-z]+ \d{1,2}, \d{4}$/)
    world().advanceClock(61 * MINUTE_MS)
    expect((await bob.call('POST /api/wanted-items', lamp)).statusCode).toBe(201)
  })

  test('that suspend a user prevent new content of this user', async () => {
    const { ada, bob, itemId } = await openMarket()
    const own = await post(bob)
    await bob.call(`POST /api/wanted-items/${own}/close`)
    const suspending = 'update users set suspended_until = $2 where id = $1'
    const offer = { wantedItemId: itemId, receiverId: ada.id, amount: 4000 }
    for (const act of [
      () => bob.call('POST /api/wanted-items', lamp),
      () => bob.call(`POST /api/wanted-items/${own}/reopen`),
      () => bob.call('POST /api/offers', offer),
    ]) {
      await world().sql.query(suspending, [bob.id, null])
      const reply = actDuringChange(world().sql, [suspending, bob.id, '9999-12-31'], act)
      expect(await statusAndCode(reply)).toEqual([403, 'suspended'])
    }
  })

  test('that suspend a user close content that was added just before', async () => {
    const { ada, bob, itemId } = await openMarket()
    const { sql } = world()
    const posting = `with locked as (select id from users where id = $1 for share)
      insert into wanted_items (title, description, category, location, user_id)
      select 'Lamp', 'Green', 'Other', 'Ipoh', id from locked`
    const offering = `with locked as (select id from users where id = $1 for share)
      insert into offers (wanted_item_id, buyer_id, seller_id, amount, expires_at)
      select $2, $3, id, 5000, '9999-12-31' from locked`
    const first = await reported(ada, 'profile', bob.id)
    await actDuringChange(sql, [posting, bob.id], () => decided(mia, first, 'suspend'))
    const { rows } = await sql.query('select status from wanted_items where user_id = $1', [bob.id])
    expect(rows).toEqual([{ status: 'closed' }])
    const second = await reported(await world().signUp('Cid'), 'profile', bob.id)
    await actDuringChange(sql, [offering, bob.id, itemId, ada.id], () => decided(mia, second, 'suspend'))
    const [offer] = (await ada.call('GET /api/offers')).json()
    expect(offer).toMatchObject({ status: 'withdrawn' })
  })
})

describe('roles', () => {
  const desk = {
    mod: 'GET /api/admin/moderation',
    payouts: 'GET /api/admin/payouts',
    refunds: 'GET /api/admin/refunds',
    disputes: 'GET /api/admin/disputes',
    tickets: 'GET /api/admin/tickets',
    log: 'GET /api/admin/audit-log',
  }

  test.each([
    ['moderators', () => mia, ['mod']],
    ['finance', () => fin, ['payouts', 'refunds']],
    ['an admin without a stored role', () => root, Object.keys(desk)],
  ])('allow %s only their part of the desk', async (_, who, reached) => {
    for (const [name, call] of Object.entries(desk)) {
      const { statusCode } = await who().call(call)
      expect([name, statusCode]).toEqual([name, reached.includes(name) ? 200 : 403])
    }
  })
})

describe('appeals', () => {
  const appeal = (by: Person, id: number, text = 'It was a joke.') =>
    by.call(`POST /api/user/decisions/${id}/appeal`, { text })
  const appealCase = async (decisionId: number): Promise<number> => {
    const found = 'select id from moderation_cases where appealed_id = $1'
    return (await world().sql.query(found, [decisionId])).rows[0].id
  }

  test('can be made once by the person concerned, and are decided by another moderator', async () => {
    const { ada, bob, itemId } = await openMarket()
    await decided(mia, await reported(bob, 'request', itemId), 'hide')
    const [own] = await decisionsOf(ada)
    expect(own).toMatchObject({
      action: 'hide',
      kind: 'request',
      reason,
      about: 'Lamp',
      isUndone: false,
      appeal: null,
    })
    expect(JSON.stringify(own)).not.toContain(mia.id)
    expect(await statusAndCode(appeal(bob, own.id))).toEqual([404, 'decision_not_found'])
    const appeals = await Promise.all([appeal(ada, own.id), appeal(ada, own.id)])
    expect(appeals.map(({ statusCode }) => statusCode).sort()).toEqual([201, 409])
    expect(await statusAndCode(appeal(ada, own.id))).toEqual([409, 'already_appealed'])
    // An appeal waits for a concurrent one that is not committed yet.
    await decided(mia, await reported(bob, 'profile', ada.id), 'warn')
    const [warning] = await decisionsOf(ada)
    const late = await actDuringChange(
      world().sql,
      ["update moderation_decisions set appeal = 'No', appealed_at = now() where id = $1", warning.id],
      () => appeal(ada, warning.id),
    )
    expect(late.json()).toMatchObject({ code: 'already_appealed' })

    const id = await appealCase(own.id)
    expect((await claim(max, id)).json()).toMatchObject({
      severity: 2,
      appeal: { decisionId: own.id, text: 'It was a joke.' },
      content: { isHidden: true },
    })
    world().advanceClock(16 * MINUTE_MS)
    expect(await statusAndCode(decide(mia, id, 'restore'))).toEqual([403, 'not_impartial'])
    expect(await statusAndCode(decide(max, id, 'warn'))).toEqual([422, 'appeal_action'])
    await decided(max, id, 'restore', { reason: 'You are right.' })
    expect(await statusAndCode(decide(max, id, 'dismiss'))).toEqual([409, 'case_decided'])
    expect((await bob.call(`GET /api/wanted-items/${itemId}`)).json()).toMatchObject({ status: 'open' })
    expect(await decisionsOf(ada)).toMatchObject([
      { action: 'warn' },
      { isUndone: true, appeal: { outcome: 'granted', answer: 'You are right.' } },
    ])
    const [notification] = (await ada.call('GET /api/notifications')).json()
    expect(notification).toMatchObject({
      title: 'Your appeal was granted',
      text: 'We have undone the decision. You are right.',
    })
  })

  test('change nothing if rejected; admins may decide appeals against their own decisions', async () => {
    const { ada, bob, itemId } = await openMarket()
    await decided(root, await reported(bob, 'request', itemId), 'hide')
    const [own] = await decisionsOf(ada)
    await appeal(ada, own.id)
    await decided(root, await appealCase(own.id), 'dismiss', { reason: 'It stays.' })
    expect((await ada.call(`GET /api/wanted-items/${itemId}`)).statusCode).toBe(404)
    expect(await decisionsOf(ada)).toMatchObject([
      { isUndone: false, appeal: { outcome: 'rejected', answer: 'It stays.' } },
    ])
    expect((await ada.call('GET /api/notifications')).json()[0]).toMatchObject({
      title: 'Your appeal was rejected',
    })
  })

  test('lift only this suspension if granted, and reopen what it had closed', async () => {
    const { ada, bob, itemId } = await openMarket()
    await decided(mia, await reported(bob, 'profile', ada.id), 'suspend')
    const [first] = await decisionsOf(ada)
    expect(first).toMatchObject({ action: 'suspend', until: null })
    expect((await appeal(ada, first.id)).statusCode).toBe(201)
    await decided(mia, await reported(bob, 'request', itemId), 'suspend')
    const [second] = await decisionsOf(ada)
    await decided(max, await appealCase(first.id), 'restore')
    expect(await statusAndCode(ada.call('POST /api/wanted-items', lamp))).toEqual([403, 'suspended'])
    await appeal(ada, second.id)
    await decided(max, await appealCase(second.id), 'restore')
    expect((await ada.call('GET /api/auth/user')).json()).toMatchObject({ suspendedUntil: null })
    const open = await post(ada)
    await decided(mia, await reported(bob, 'request', open), 'suspend')
    expect((await bob.call(`GET /api/wanted-items/${open}`)).json()).toMatchObject({ status: 'closed' })
    const [third] = await decisionsOf(ada)
    await appeal(ada, third.id)
    await decided(max, await appealCase(third.id), 'restore')
    expect((await bob.call(`GET /api/wanted-items/${open}`)).json()).toMatchObject({ status: 'open' })
  })

  test('block any other way to undo the first decision', async () => {
    const { ada, bob, itemId } = await openMarket()
    const id = await reported(bob, 'request', itemId)
    await decided(mia, id, 'hide')
    const [own] = await decisionsOf(ada)
    await appeal(ada, own.id)
    expect(await statusAndCode(decide(mia, id, 'restore'))).toEqual([409, 'case_decided'])
    expect((await bob.call(`GET /api/wanted-items/${itemId}`)).statusCode).toBe(404)
  })

  test('stay separate from new reports; without an appeal, moderators can undo their decision', async () => {
    const { ada, bob, itemId } = await openMarket()
    const id = await reported(bob, 'request', itemId)
    await decided(mia, id, 'hide')
    await decided(mia, id, 'restore')
    expect((await bob.call(`GET /api/wanted-items/${itemId}`)).json()).toMatchObject({ status: 'open' })
    expect(await statusAndCode(decide(mia, id, 'restore'))).toEqual([409, 'case_decided'])
    const [own] = await decisionsOf(ada)
    expect(own).toMatchObject({ isUndone: true })
    expect(await statusAndCode(appeal(ada, own.id))).toEqual([409, 'not_appealable'])
    const { rows: restored } = await world().sql.query(
      "select id from moderation_decisions where case_id = $1 and action = 'restore'",
      [id],
    )
    expect(await statusAndCode(appeal(ada, restored[0].id))).toEqual([409, 'not_appealable'])

    await decided(mia, await reported(bob, 'profile', ada.id), 'warn')
    const [warning] = await decisionsOf(ada)
    await appeal(ada, warning.id)
    const eve = await world().signUp('Eve')
    const { rowCount } = await world().sql.query(
      "select from moderation_cases where kind = 'profile' and target_id = $1 and status = 'open'",
      [ada.id],
    )
    expect(rowCount).toBe(1)
    const fresh = await eve.call('POST /api/reports', { kind: 'profile', id: ada.id, reason: 'spam' })
    expect(fresh.statusCode).toBe(201)
    const { rows } = await world().sql.query(
      "select appealed_id from moderation_cases where kind = 'profile' and target_id = $1 and status = 'open' order by id",
      [ada.id],
    )
    expect(rows).toEqual([{ appealed_id: warning.id }, { appealed_id: null }])
  })
})
