import { beforeAll, describe, expect, test } from 'vitest'
import { refuse } from '../../../core/errors.ts'
import { createKeys } from '../../../core/keys.ts'
import { tidyUp } from '../../../jobs/tidy-up.ts'
import { actDuringChange } from '../../../testing/blocked-statements.ts'
import { runEmailJobs } from '../../../testing/run-email-jobs.ts'
import { openWorld, PASSWORD, type Person, shareWorld } from '../../../testing/world.ts'
import { senderKey } from './actions.ts'
import { createTicketToken } from './ticket-tokens.ts'

const world = shareWorld({ RATE_LIMIT: 'off', PUBLIC_URL: 'https://sought.example' })
const question = { topic: 'payments', subject: 'Where is my money?', message: 'I sold a lamp last week.' }

let [ada, bob, root] = [] as unknown as [Person, Person, Person]
beforeAll(async () => {
  const { signUp } = world()
  ada = await signUp('Ada')
  bob = await signUp('Bob')
  root = await signUp('Root', 'admin')
})

async function ask(person: Person, body: object = question): Promise<number> {
  const reply = await person.call('POST /api/support/tickets', body)
  expect(reply.statusCode, reply.body).toBe(201)
  return reply.json().id
}

async function mailsTo(address: string) {
  await runEmailJobs(world())
  const { rows } = await world().sql.query(
    'select kind, subject, text, html from mails where address = $1 order by id desc',
    [address],
  )
  return rows as { kind: string; subject: string; text: string; html: string }[]
}

const seenBy = async (person: Person, id: number) =>
  (await person.call(`GET /api/support/tickets/${id}`)).json()

test('a user asks a question, is notified of the answer in the app and by email, and replies', async () => {
  const id = await ask(ada)
  expect(await seenBy(ada, id)).toMatchObject({
    topic: 'payments',
    subject: 'Where is my money?',
    status: 'open',
    payment: null,
    messages: [{ from: 'you', content: 'I sold a lamp last week.' }],
  })
  const answered = await root.call(`POST /api/admin/tickets/${id}/reply`, {
    content: 'It left today.\n\nYour bank needs 3-5 days.',
  })
  expect(answered.json()).toMatchObject({ kind: 'reply', author: { name: 'Root Tester' } })
  const ticket = await seenBy(ada, id)
  expect(ticket).toMatchObject({ status: 'answered', messages: [{ from: 'you' }, { from: 'team' }] })
  expect(JSON.stringify(ticket)).not.toContain('Root')

  const [notification] = (await ada.call('GET /api/notifications')).json()
  expect(notification).toMatchObject({
    kind: 'support',
    title: 'We answered your question “Where is my money?”',
    path: `/help/tickets/${id}`,
    actor: null,
  })
  const [mail] = await mailsTo(ada.email)
  expect(mail).toMatchObject({ kind: 'support', subject: 'We answered your question “Where is my money?”' })
  expect(mail?.text).toContain(
    'It left today.\n\nYour bank needs 3-5 days.\n\nPlease do not reply to this email.',
  )
  expect(mail?.text).toContain(`https://sought.example/help/tickets/${id}`)

  const added = await ada.call(`POST /api/support/tickets/${id}/messages`, { content: 'Thank you!' })
  expect(added.json()).toMatchObject({ from: 'you', content: 'Thank you!' })
  expect(await seenBy(ada, id)).toMatchObject({ status: 'open' })
})

describe('visitors', () => {
  test('need an email address, and get a link that opens only their own question', async () => {
    const { visitor } = world()
    const without = await visitor('POST /api/support/tickets', question)
    expect(without.json()).toMatchObject({
      code: 'invalid',
      issues: [{ path: 'email', message: 'Please enter your email address' }],
    })
    const email = 'vera@elsewhere.example'
    const asked = await visitor('POST /api/support/tickets', { ...question, email })
    expect(Object.keys(asked.json())).toEqual(['id'])
    const { id } = asked.json()

    const [received] = await mailsTo(email)
    expect(received).toMatchObject({ subject: `We received your question (ticket ${id})` })
    for (const written of [question.subject, question.message])
      expect(received?.text + (received?.html ?? '')).not.toContain(written)
    const token = /\?token=(\S+)/.exec(received?.text ?? '')?.[1]
    expect((await visitor(`GET /api/support/tickets/${id}`)).statusCode).toBe(404)
    const opened = await visitor(`GET /api/support/tickets/${id}?token=${token}`)
    expect(opened.json()).toMatchObject({ id, subject: question.subject })
    expect(opened.headers['cache-control']).toBe('no-store')

    await root.call(`POST /api/admin/tickets/${id}/reply`, { content: 'Please sign in first.' })
    const [answer] = await mailsTo(email)
    expect(answer).toMatchObject({ subject: `Our answer to your question (ticket ${id})` })
    expect(answer?.text).toContain('Please sign in first.')
    expect(answer?.text).toContain(`/help/tickets/${id}?token=${token}`)
    const reply = await visitor(`POST /api/support/tickets/${id}/messages`, { content: 'I did.', token })
    expect(reply.statusCode).toBe(201)

    const own = await ask(ada)
    const other = (await visitor('POST /api/support/tickets', { ...question, email })).json().id
    for (const closed of [own, other]) {
      const refused = await visitor(`GET /api/support/tickets/${closed}?token=${token}`)
      expect(refused.json()).toMatchObject({ code: 'ticket_not_found' })
    }
    const forged = createTicketToken(other, createKeys(['another secret']))
    expect((await visitor(`GET /api/support/tickets/${other}?token=${forged}`)).statusCode).toBe(404)
    // Even a correctly signed link does not open a ticket of an account.
    const signed = createTicketToken(own, world().services.secrets.sessionKeys)
    expect((await visitor(`GET /api/support/tickets/${own}?token=${signed}`)).statusCode).toBe(404)
  })

  test('cannot link a payment, because anyone could claim one', async () => {
    const { given, visitor } = world()
    const { paymentId } = await given.completedDeal({ buyer: ada, seller: bob })
    const email = 'guess@elsewhere.example'
    const { id } = (await visitor('POST /api/support/tickets', { ...question, email, paymentId })).json()
    expect((await root.call(`GET /api/admin/tickets/${id}`)).json()).toMatchObject({
      person: null,
      email,
      payment: null,
      deals: [],
    })
  })

  test('need a valid link to write, and each link has its own limit', () => {
    expect(() => senderKey({ user: null, linkedId: null })).toThrow(refuse('ticket_not_found'))
    expect(senderKey({ user: null, linkedId: 7 })).not.toBe(senderKey({ user: null, linkedId: 8 }))
  })

  test('cannot cause many emails, neither to one address nor to many', async () => {
    const limited = await openWorld()
    const askAs = (email: string) => limited.visitor('POST /api/support/tickets', { ...question, email })
    const toOne = []
    for (let attempt = 0; attempt < 4; attempt++)
      toOne.push((await askAs('one@elsewhere.example')).statusCode)
    expect(toOne).toEqual([201, 201, 201, 429])
    const toMany = []
    for (let attempt = 0; attempt < 17; attempt++)
      toMany.push((await askAs(`${attempt}@elsewhere.example`)).statusCode)
    expect(toMany.slice(0, 16)).toEqual(Array(16).fill(201))
    expect(toMany[16]).toBe(429)
    await runEmailJobs(limited)
    const { rows } = await limited.sql.query("select count(*)::int from mails where kind = 'ticket_received'")
    expect(rows).toEqual([{ count: 19 }])
  })
})

test('a question can refer only to a payment of the user who asks', async () => {
  const { given } = world()
  const { paymentId } = await given.completedDeal({ buyer: ada, seller: bob })
  const id = await ask(bob, { ...question, paymentId })
  const { payment } = await seenBy(bob, id)
  expect(payment).toMatchObject({ id: paymentId, title: 'Lamp' })
  const found = await root.call(`GET /api/admin/tickets?search=${payment.transactionNumber.toLowerCase()}`)
  expect(found.json()).toMatchObject([{ id }])
  const cal = await world().signUp('Cal')
  const refused = await cal.call('POST /api/support/tickets', { ...question, paymentId })
  expect(refused.json()).toMatchObject({ code: 'payment_not_found' })
})

describe('on the desk', () => {
  test('admins filter, search and page through tickets', async () => {
    const dan = await world().signUp('Dan')
    const ids = [
      await ask(dan, { ...question, subject: 'The zebra clause' }),
      await ask(dan, { ...question, message: 'A zebra 100% came' }),
      await ask(dan),
    ]
    await root.call(`POST /api/admin/tickets/${ids[0]}/close`)
    const find = async (query: string) => {
      const found = (await root.call(`GET /api/admin/tickets?${query}`)).json()
      return found.map((ticket: { id: number }) => ticket.id)
    }
    expect(await find('search=zebra')).toEqual([ids[1], ids[0]])
    expect(await find('search=zebra&status=closed')).toEqual([ids[0]])
    expect(await find('search=100%25')).toEqual([ids[1]])
    expect(await find('search=dan%20tester')).toEqual([...ids].reverse())
    expect(await find(`search=%23${ids[2]}`)).toEqual([ids[2]])
    const first = await root.call('GET /api/admin/tickets?search=dan%40example.com&limit=2')
    expect(first.json()).toMatchObject([
      { id: ids[2], person: { name: 'Dan Tester' }, email: dan.email, excerpt: question.message },
      { id: ids[1] },
    ])
    const next = /<(.*)>; rel="next"/.exec(String(first.headers.link))?.[1]
    expect((await root.call(`GET ${next}`)).json()).toMatchObject([{ id: ids[0] }])
  })

  test('the details show notes and deals; users never see notes', async () => {
    const { given, signUp } = world()
    const eve = await signUp('Eve')
    const { paymentId: bought } = await given.completedDeal({ buyer: eve, seller: bob })
    const { paymentId: sold } = await given.dispute({ buyer: bob, seller: eve })
    const id = await ask(eve, { ...question, paymentId: bought })
    await root.call(`POST /api/admin/tickets/${id}/notes`, { content: 'Called before.' })
    const details = (await root.call(`GET /api/admin/tickets/${id}`)).json()
    expect(details).toMatchObject({
      status: 'open',
      person: { id: eve.id },
      payment: { id: bought, buyer: { name: 'Eve Tester' }, seller: { name: 'Bob Tester' } },
      messages: [
        { kind: 'question', author: null },
        { kind: 'note', content: 'Called before.', author: { name: 'Root Tester' } },
      ],
      deals: [
        { id: sold, role: 'seller', disputed: true },
        { id: bought, role: 'buyer', disputed: false },
      ],
    })
    expect(details.excerpt).toBe(question.message)
    expect(await seenBy(eve, id)).toMatchObject({ messages: [{ from: 'you' }] })
    expect(JSON.stringify(await seenBy(eve, id))).not.toContain('Called')
    expect((await eve.call('GET /api/user/data')).body).not.toContain('Called before.')
  })

  test('closing and reopening require the right status, and a reply reopens a closed ticket', async () => {
    const id = await ask(ada)
    const act = async (what: string) => (await root.call(`POST /api/admin/tickets/${id}/${what}`)).statusCode
    expect([await act('reopen'), await act('close'), await act('close'), await act('reopen')]).toEqual([
      409, 200, 409, 200,
    ])
    await act('close')
    await ada.call(`POST /api/support/tickets/${id}/messages`, { content: 'Not solved.' })
    expect(await seenBy(ada, id)).toMatchObject({ status: 'open' })
  })

  test('a missing ticket can be neither read nor changed', async () => {
    const replies = [
      await root.call('GET /api/admin/tickets/999999'),
      await root.call('POST /api/admin/tickets/999999/reply', { content: 'Hello' }),
      await root.call('POST /api/admin/tickets/999999/notes', { content: 'Hello' }),
      await root.call('POST /api/admin/tickets/999999/close'),
      await root.call('POST /api/admin/tickets/999999/reopen'),
    ]
    for (const reply of replies)
      expect([reply.statusCode, reply.json().code]).toEqual([404, 'ticket_not_found'])
  })

  test('a ticket that another admin is closing cannot be closed again', async () => {
    const id = await ask(ada)
    const closing = ["update support_tickets set status = 'closed' where id = $1", id] as const
    const second = await actDuringChange(world().sql, [...closing], () =>
      root.call(`POST /api/admin/tickets/${id}/close`),
    )
    expect(second.statusCode).toBe(409)
  })

  test('actions of admins are recorded, and counts show the open items', async () => {
    const { given, signUp } = world()
    const fay = await signUp('Fay')
    const before = (await root.call('GET /api/admin/counts')).json()
    const id = await ask(fay)
    await given.dispute({ buyer: fay, seller: bob })
    expect((await root.call('GET /api/admin/counts')).json()).toEqual({
      disputes: before.disputes + 1,
      tickets: before.tickets + 1,
    })
    await root.call(`GET /api/admin/tickets/${id}`)
    await root.call(`POST /api/admin/tickets/${id}/notes`, { content: 'Hm.' })
    await root.call(`POST /api/admin/tickets/${id}/reply`, { content: 'Yes.' })
    await root.call(`POST /api/admin/tickets/${id}/close`)
    await root.call(`POST /api/admin/tickets/${id}/reopen`)
    const log = (await root.call(`GET /api/admin/audit-log?userId=${fay.id}`)).json()
    expect(
      log.map(({ action, details }: { action: string; details: object }) => ({ action, details })),
    ).toEqual(
      ['reopened', 'closed', 'answered', 'noted', 'viewed'].map((done) => ({
        action: `ticket_${done}`,
        details: { ticketId: id },
      })),
    )
  })

  test('admins get one email an hour, even if many people write', async () => {
    const { signUp, advanceClock } = world()
    const admin = await signUp('Amy', 'admin')
    const waiting = async () => (await mailsTo(admin.email)).filter(({ kind }) => kind === 'support').length
    const sent = await waiting()
    await ask(ada)
    await ask(bob)
    expect(await waiting()).toBe(sent + 1)
    advanceClock(3_600_000)
    await ask(ada)
    expect(await waiting()).toBe(sent + 2)
    const [latest] = await mailsTo(admin.email)
    expect(latest).toMatchObject({ subject: 'New questions are waiting for an answer' })
    expect(latest?.text).toContain('/admin/tickets?status=open')
  })
})

test('the data export contains the conversations, and deleting the account deletes them', async () => {
  const { signUp, sql } = world()
  const gus = await signUp('Gus')
  const id = await ask(gus)
  await root.call(`POST /api/admin/tickets/${id}/reply`, { content: 'Done.' })
  expect((await gus.call('GET /api/user/data')).json().supportTickets).toMatchObject([
    { id, subject: question.subject, messages: [{ from: 'you' }, { from: 'team', content: 'Done.' }] },
  ])
  const list = await gus.call('GET /api/support/tickets')
  expect(list.json()).toMatchObject([{ id, status: 'answered' }])
  expect((await gus.call('POST /api/user/delete-account', { password: PASSWORD })).statusCode).toBe(200)
  expect((await sql.query('select from support_tickets where user_id = $1', [gus.id])).rowCount).toBe(0)
  expect((await sql.query('select from support_messages where ticket_id = $1', [id])).rowCount).toBe(0)
})

test('a conversation is deleted three years after its last message', async () => {
  const { sql, services } = world()
  const [old, recent] = [await ask(ada), await ask(ada)]
  const age = (id: number, days: number) =>
    sql.query(
      "update support_tickets set updated_at = $2::timestamptz - $3 * interval '1 day' where id = $1",
      [id, services.clock(), days],
    )
  await age(old, 3 * 366)
  await age(recent, 3 * 365 - 5)
  await tidyUp(services, services.clock())
  expect((await ada.call(`GET /api/support/tickets/${old}`)).statusCode).toBe(404)
  expect((await ada.call(`GET /api/support/tickets/${recent}`)).statusCode).toBe(200)
})
