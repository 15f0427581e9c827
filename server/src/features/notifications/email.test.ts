import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { startJobs } from '../../jobs/worker.ts'
import { createMailer } from '../../providers/mail/mailer.ts'
import { eventually } from '../../testing/eventually.ts'
import { type Mailbox, openMailbox, type Received, shareMailbox } from '../../testing/mailbox.ts'
import { openMoneyWorld } from '../../testing/money-world.ts'
import { runEmailJobs } from '../../testing/run-email-jobs.ts'
import { openWorld, type Person, shareWorld, type World } from '../../testing/world.ts'
import { offerCountered, requestReserved } from '../deals/offers/notifications.ts'
import {
  addressChangedEmail,
  passwordChangedEmail,
  passwordResetEmail,
  verificationEmail,
} from '../identity/accounts/emails.ts'
import { recordPresence } from '../users/presence.ts'
import { notify } from './actions.ts'
import { enqueueAccountEmail } from './enqueue-emails.ts'
import { sendEmail } from './send-email.ts'
import { whenToSend } from './while-away.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const lamp = { title: 'Lamp', description: 'Green', category: 'Other', location: 'Ipoh', maxBudget: 500 }
const SITE = 'https://sought.example'

const sharedMailbox = shareMailbox()
const sharedWorld = shareWorld({
  get SMTP_URL() {
    return sharedMailbox().url
  },
  PUBLIC_URL: SITE,
})

/** Forgets the emails that were queued or sent before, such as those about new accounts. */
async function forgetEmails({ sql }: World, mailbox: Mailbox): Promise<void> {
  await sql.query('delete from graphile_worker._private_jobs; delete from mails')
  mailbox.emails.length = 0
}

/** Ada requests a lamp, Bob sells one, and a test mail server is running. */
async function openMarket({ world = sharedWorld(), mailbox = sharedMailbox() } = {}) {
  const [ada, bob] = [await world.signUp('Ada'), await world.signUp('Bob')]
  await forgetEmails(world, mailbox)
  const { id: itemId } = (await ada.call('POST /api/wanted-items', lamp)).json()
  const offer = async (amount = 4_000) => {
    const reply = await bob.call('POST /api/offers', { wantedItemId: itemId, receiverId: ada.id, amount })
    expect(reply.statusCode).toBe(201)
    return reply.json().id as number
  }
  const write = (from: Person, to: Person, about = itemId) =>
    from.call('POST /api/messages', { content: 'Hello', wantedItemId: about, receiverId: to.id })
  return { mailbox, world, ada, bob, itemId, offer, write }
}

/** A mail server and a mailer without a market. */
async function openMailer(options: { deadlineMs?: number } = {}) {
  const mailbox = await openMailbox()
  const log = pino({ level: 'silent' })
  const mailer = createMailer({
    smtpUrl: mailbox.url,
    from: 'a@b.example',
    publicUrl: SITE,
    log,
    ...options,
  })
  onTestFinished(() => mailer.close())
  const email = {
    messageId: '<1@b.example>',
    to: 'c@d.example',
    subject: 'S',
    text: 'T',
    html: 'H',
    headers: {},
  }
  return { mailer, mailbox, email }
}

const lastMail = async ({ sql }: World) =>
  (await sql.query('select * from mails order by id desc limit 1')).rows[0]

const jobsLeft = async ({ sql }: World) =>
  (await sql.query("select * from graphile_worker.jobs where task_identifier = 'send-mail'")).rows

/** Enqueues every email again, as if each job ran twice. */
async function queueAllAgain({ sql }: World): Promise<void> {
  await sql.query(
    "select graphile_worker.add_job('send-mail', json_build_object('mailIds', json_build_array(id))) from mails",
  )
}

const isAboutAccount = (email: Received) => email.header('list-unsubscribe') === undefined
const summary = ({ recipients, subject, text }: Received) => {
  const [link] = text?.match(/https:\/\/sought\.example\/\S+/) ?? []
  return `${recipients.join()} | ${subject} | ${link?.slice(SITE.length)}`
}

test('each event sends one email to each person involved, with the text and link of the notification', async () => {
  const mailbox = await openMailbox()
  const world = await openMoneyWorld({ env: { SMTP_URL: mailbox.url, PUBLIC_URL: SITE } })
  const { ada, bob } = world
  const cyd = await world.signUp('Cyd', 'admin')

  // Message, offer, counter-offer, rejection, and acceptance of the first offer.
  const { id: item } = (await ada.call('POST /api/wanted-items', lamp)).json()
  await bob.call('POST /api/messages', { content: 'Hello', wantedItemId: item, receiverId: ada.id })
  const terms = { wantedItemId: item, receiverId: ada.id, amount: 4_000 }
  const { id: offer } = (await bob.call('POST /api/offers', terms)).json()
  const { id: counter } = (await ada.call(`POST /api/offers/${offer}/counter`, { amount: 3_000 })).json()
  await bob.call(`PATCH /api/offers/${counter}/reject`)
  await ada.call(`PATCH /api/offers/${offer}/accept`)

  // One payment is confirmed, one hold expires, one payment is disputed.
  const [confirmed, lapsed, disputed] = [
    await world.payIntoEscrow(12_000),
    await world.payIntoEscrow(20_000),
    await world.payIntoEscrow(30_000),
  ]
  await ada.call(`POST /api/payments/${confirmed.paymentId}/confirm-delivery`)
  await ada.call(`POST /api/payments/${disputed.paymentId}/dispute`, { reason: 'Broken' })
  await bob.call(`POST /api/disputes/${disputed.paymentId}/answer`, { content: 'It was whole' })
  const ruling = { disputeId: disputed.paymentId, action: 'release_seller', note: '' }
  expect((await cyd.call(`POST /api/admin/disputes/${disputed.paymentId}/resolve`, ruling)).statusCode).toBe(
    200,
  )
  world.advanceClock(6 * DAY_MS + HOUR_MS)
  await world.runJobs('notify-hold-ending')
  world.advanceClock(DAY_MS)
  await world.runJobs('release-due')
  await runEmailJobs(world)
  await queueAllAgain(world)
  await runEmailJobs(world)

  const emails = mailbox.emails.filter((email) => !isAboutAccount(email))
  const [toAda, toBob] = [ada.email, bob.email].map((address) =>
    emails
      .filter(({ recipients }) => recipients.join() === address)
      .map((email) => summary(email).split(' | ').slice(1).join(' | ')),
  )
  const talk = `/messages?itemId=${item}&userId=`
  const disputePath = `/dispute/${disputed.paymentId}`
  const expected = {
    ada: [
      `New message from Bob Tester | ${talk}${bob.id}`,
      `Bob Tester offers “Lamp” for $40.00 | ${talk}${bob.id}`,
      `Bob Tester rejected $30.00 for “Lamp” | ${talk}${bob.id}`,
      `Your $120.00 for “Lamp” is in escrow | /delivery/${confirmed.paymentId}`,
      `Your $200.00 for “Lamp” is in escrow | /delivery/${lapsed.paymentId}`,
      `Your $300.00 for “Lamp” is in escrow | /delivery/${disputed.paymentId}`,
      `Bob Tester answered in the dispute about “Lamp” | ${disputePath}`,
      `The dispute about “Lamp” is decided | ${disputePath}`,
      `One day left to confirm or dispute “Lamp” | /delivery/${lapsed.paymentId}`,
      'The payment for “Lamp” was released | /payments',
    ],
    bob: [
      `Ada Tester suggests $30.00 for “Lamp” | ${talk}${ada.id}`,
      `Ada Tester accepted $40.00 for “Lamp” | ${talk}${ada.id}`,
      `$120.00 for “Lamp” is in escrow | /deal/${confirmed.paymentId}`,
      `$200.00 for “Lamp” is in escrow | /deal/${lapsed.paymentId}`,
      `$300.00 for “Lamp” is in escrow | /deal/${disputed.paymentId}`,
      'Ada Tester confirmed the delivery of “Lamp” | /payments',
      // Fees for 120.00: platform 3.60, card 3.78. Fees for 200.00: platform 6.00, card 6.10.
      'You earned $112.62 for “Lamp” | /payments',
      `Ada Tester reported a problem with “Lamp” | ${disputePath}`,
      `The dispute about “Lamp” is decided | ${disputePath}`,
      'You earned $187.90 for “Lamp” | /payments',
    ],
  }
  expect(toAda?.toSorted()).toEqual(expected.ada.toSorted())
  expect(toBob?.toSorted()).toEqual(expected.bob.toSorted())

  for (const person of [ada, bob]) {
    const bell = (await person.call('GET /api/notifications?limit=100')).json()
    const lines = bell.map(({ title, path }: { title: string; path: string }) => `${title} | ${path}`)
    expect(lines.toReversed()).toEqual(person === ada ? expected.ada : expected.bob)
  }

  for (const email of emails) {
    expect(email.from?.address).toBe('no-reply@sought.example')
    expect(email.header('list-unsubscribe')).toMatch(
      /^<https:\/\/sought\.example\/api\/mail\/unsubscribe\?token=[\w.-]+>$/,
    )
    expect(email.header('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click')
    expect(email.header('auto-submitted')).toBe('auto-generated')
    expect(email.text).toContain(`${SITE}/unsubscribe?token=`)
    expect(email.text).toContain(`${SITE}/profile?tab=settings`)
    const path = summary(email).split(' | ').at(-1)?.replaceAll('&', '&#38;')
    expect(email.html).toContain(`href="${SITE}${path}"`)
    expect(email.html).not.toMatch(/<img|<script|url\(/)
    // Offers and messages are about no payment yet.
    const isAboutPayment = !path?.startsWith('/messages')
    for (const body of [email.text, email.html])
      expect(/Transaction number: [0-9A-Z]{4}(-[0-9A-Z]{4}){2}/.test(body ?? '')).toBe(isAboutPayment)
  }
  expect(new Set(emails.map(({ messageId }) => messageId)).size).toBe(emails.length)
})

test('a job that runs several times, also concurrently, sends one email', async () => {
  const { mailbox, world, offer } = await openMarket()
  await offer()
  const { id } = await lastMail(world)
  await Promise.all([1, 2, 3].map(() => sendEmail(world.services, id)))
  await sendEmail(world.services, id)
  expect(mailbox.emails.map(summary)).toHaveLength(1)
  world.advanceClock(HOUR_MS)
  await queueAllAgain(world)
  await runEmailJobs(world)
  expect(mailbox.emails).toHaveLength(1)
  // Jobs that found the email claimed run again after the claim expires.
  await runEmailJobs(world, { overdue: true })
  expect(mailbox.emails).toHaveLength(1)
  expect(await jobsLeft(world)).toEqual([])
})

test.each([
  ['the recipient temporarily', { rejects: 'recipient', code: 450 }],
  ['the message temporarily', { rejects: 'message', code: 451 }],
  ['the message permanently', { rejects: 'message', code: 554 }],
] as const)(
  'if the mail server rejects %s, the email is retried later and sent once',
  async (_, behaviour) => {
    const { mailbox, world, ada, offer } = await openMarket()
    mailbox.next(behaviour)
    await offer()
    await runEmailJobs(world)
    expect(mailbox.emails).toEqual([])
    const [job] = await jobsLeft(world)
    expect(job).toMatchObject({ attempts: 1, last_error: expect.stringContaining('No') })
    expect(job.run_at.getTime()).toBeGreaterThan(Date.now())

    await runEmailJobs(world, { overdue: true })
    expect(mailbox.emails.map(({ recipients }) => recipients)).toEqual([[ada.email]])
    expect(await jobsLeft(world)).toEqual([])
  },
)

test('an email whose recipient is rejected permanently is not retried', async () => {
  const { mailbox, world, offer } = await openMarket()
  mailbox.next({ rejects: 'recipient', code: 550 })
  await offer()
  await runEmailJobs(world)
  await runEmailJobs(world, { overdue: true })
  expect(mailbox.emails).toEqual([])
  expect(await jobsLeft(world)).toEqual([])
  expect((await lastMail(world)).done_at).not.toBe(null)
})

test('an address that does not exist gets no emails, until the server accepts one that the user asked for', async () => {
  const { mailbox, world, ada, bob, offer } = await openMarket()
  const recipients = () => mailbox.emails.splice(0).map(({ recipients }) => recipients.join())
  const delivery = async () => (await ada.call('GET /api/user/email-delivery')).json()
  const ask = async (call: string, body?: object) => {
    expect((await ada.call(call, body)).statusCode).toBe(200)
    await runEmailJobs(world)
  }
  const address = ada.email.replace('ada', 'Ada')
  await world.sql.query('update users set email_verified_at = now(), email = $1 where id = $2', [
    address,
    ada.id,
  ])
  // A verified address needs no new link while it accepts emails.
  await ask('POST /api/user/resend-verification')
  expect(recipients()).toEqual([])
  mailbox.next({ rejects: 'recipient', code: 550, text: '5.1.1 No such user' })
  await offer()
  await runEmailJobs(world)
  expect(await delivery()).toEqual({ undeliverable: [address] })
  expect((await bob.call('GET /api/user/email-delivery')).json()).toEqual({ undeliverable: [] })

  // Neither notifications nor account warnings are sent by email, but the app still shows them.
  await offer()
  await world.services.database.transact((tx) =>
    enqueueAccountEmail(tx, passwordChangedEmail, { userId: ada.id, address: ada.email }),
  )
  await runEmailJobs(world)
  expect(recipients()).toEqual([])
  expect(await jobsLeft(world)).toEqual([])
  expect((await ada.call('GET /api/notifications/unread')).json()).toEqual({ unread: 2 })

  mailbox.next({ rejects: 'recipient', code: 550 })
  await ask('POST /api/user/resend-verification')
  expect(await delivery()).toEqual({ undeliverable: [address] })
  expect(await jobsLeft(world)).toEqual([])
  await ask('POST /api/user/resend-verification')
  expect(recipients()).toEqual([address])
  expect(await delivery()).toEqual({ undeliverable: [] })
  await offer()
  await runEmailJobs(world)
  expect(recipients()).toEqual([address])

  mailbox.next({ rejects: 'recipient', code: 550 })
  await offer()
  await runEmailJobs(world)
  await ask('POST /api/auth/forgot-password', { email: ada.email })
  expect(recipients()).toEqual([address])
  expect(await delivery()).toEqual({ undeliverable: [] })
})

test.each([
  [550, '5.1.1 No such user', true],
  [550, '5.2.1 Mailbox disabled', true],
  [553, 'Not a mailbox', true],
  [550, '5.7.1 Your server is blocked', false],
  [550, '5.1.8 Unknown sender', false],
  [552, '5.2.2 Mailbox full', false],
  [550, '5.2.2 Mailbox full', false],
  [530, 'Please authenticate', false],
])('a reply of %i %s means that the address is suppressed: %s', async (code, text, isSuppressed) => {
  const { mailer, mailbox, email } = await openMailer()
  mailbox.next({ rejects: 'recipient', code, text })
  expect(await mailer.send(email)).toBe(isSuppressed ? 'no_mailbox' : 'refused')
})

test('an email is sent again once, with the same message id, if the reply of the mail server was lost', async () => {
  const { mailbox, world, offer } = await openMarket()
  mailbox.next({ does: 'accepts and disconnects' })
  await offer()
  await runEmailJobs(world)
  expect(mailbox.emails).toHaveLength(1)
  await runEmailJobs(world, { overdue: true })
  await queueAllAgain(world)
  await runEmailJobs(world, { overdue: true })
  const ids = mailbox.emails.map(({ messageId }) => messageId)
  expect(ids).toHaveLength(2)
  expect(new Set(ids).size).toBe(1)
})

test('an email claimed by a crashed process is sent after the claim expires', async () => {
  const { mailbox, world, offer } = await openMarket()
  await offer()
  const { id } = await lastMail(world)
  const heldUntil = new Date(world.services.clock().getTime() + 60_000)
  await world.sql.query('update mails set held_until = $1 where id = $2', [heldUntil, id])
  await runEmailJobs(world)
  expect(mailbox.emails).toEqual([])
  const [job] = await jobsLeft(world)
  expect(job.run_at).toEqual(heldUntil)
  world.advanceClock(61_000)
  await runEmailJobs(world, { overdue: true })
  expect(mailbox.emails).toHaveLength(1)
})

test('a mail server that does not answer blocks neither other jobs nor the shutdown', {
  tags: ['proof'],
}, async () => {
  const mailbox = await openMailbox()
  const world = await openWorld({ SMTP_URL: mailbox.url })
  const { offer } = await openMarket({ world, mailbox })
  for (let n = 0; n < 4; n++) mailbox.next({ does: 'never answers' })
  for (let n = 0; n < 4; n++) await offer(4_000 + n)
  const jobs = startJobs(world.services, world.services.log)
  let begun = 0
  try {
    const held = 'select from mails where held_until is not null and done_at is null'
    await eventually(async () => expect((await world.sql.query(held)).rowCount).toBe(3))
    const { rows } = await world.sql.query(
      `select id from graphile_worker.add_job('refund-buyer', '{"paymentId":1}')`,
    )
    const isLeft = async () =>
      (await world.sql.query('select from graphile_worker.jobs where id = $1', [rows[0].id])).rowCount
    await eventually(async () => expect(await isLeft()).toBe(0))
    expect((await world.sql.query(held)).rowCount).toBe(3)
  } finally {
    begun = performance.now()
    await jobs.stop()
  }
  expect(performance.now() - begun).toBeLessThan(6_000)
  // The emails are not lost: their jobs are retried.
  expect(await jobsLeft(world)).toHaveLength(4)
})

test('sending an email has one overall deadline', { tags: ['proof'] }, async () => {
  const { mailer, mailbox, email } = await openMailer({ deadlineMs: 1_000 })
  mailbox.next({ does: 'never answers' })
  await expect(mailer.send(email)).rejects.toThrow()
  expect(await mailer.send(email)).toBe('sent')
  expect(mailbox.emails).toHaveLength(1)
})

test('a kind that is switched off sends no emails, even if they are already queued', async () => {
  const { mailbox, world, ada, bob, offer, write } = await openMarket()
  const settings = (off: string[]) => ada.call('PUT /api/user/mail-settings', { off })
  expect((await settings(['offer_made', 'offer_made'])).json()).toEqual({ off: ['offer_made'] })
  expect((await ada.call('GET /api/user/mail-settings')).json()).toEqual({ off: ['offer_made'] })
  expect((await settings(['reset_password'])).statusCode).toBe(422)
  await offer()
  await write(bob, ada)
  await settings(['offer_made', 'message'])
  await runEmailJobs(world)
  expect(mailbox.emails).toEqual([])
  expect((await ada.call('GET /api/notifications/unread')).json()).toEqual({ unread: 2 })
  await settings([])
  await offer()
  await runEmailJobs(world)
  expect(mailbox.emails.map(({ subject }) => subject)).toEqual(['Bob Tester offers “Lamp” for $40.00'])
})

test('deleted users get no emails, and a changed address is used immediately', async () => {
  const { mailbox, world, ada, bob, itemId, offer } = await openMarket()
  await offer()
  await world.sql.query("update users set email = 'ada@new.example' where id = $1", [ada.id])
  await runEmailJobs(world)
  expect(mailbox.emails.map(({ recipients }) => recipients)).toEqual([['ada@new.example']])

  const id = await offer()
  await world.sql.query('update users set deleted_at = now(), email = null where id = $1', [ada.id])
  await runEmailJobs(world)
  const known = { id, wantedItemId: itemId, buyerId: ada.id, sellerId: bob.id, amount: 4_000 }
  await world.services.database.transact((tx) => notify(tx, offerCountered(known, bob.id)))
  await runEmailJobs(world)
  expect(mailbox.emails).toHaveLength(1)
  expect((await world.sql.query('select from notifications where user_id = $1', [ada.id])).rowCount).toBe(2)
})

test('unread messages are emailed at most once an hour per conversation, and not to users with an open page', async () => {
  const { mailbox, world, ada, bob, itemId, write } = await openMarket()
  const cyd = await world.signUp('Cyd')
  await forgetEmails(world, mailbox)
  const subjects = () => mailbox.emails.map(({ recipients, subject }) => `${recipients}: ${subject}`)
  const fromBob = `${ada.email}: New message from Bob Tester`
  const fromCyd = `${ada.email}: New message from Cyd Tester`

  await write(bob, ada)
  await write(bob, ada)
  await runEmailJobs(world)
  expect(subjects()).toEqual([fromBob])

  // Another conversation gets its own email.
  await write(cyd, ada)
  await runEmailJobs(world)
  expect(subjects()).toEqual([fromBob, fromCyd])

  // No second email within the hour, even if the message is read and a new one arrives. After the hour, one
  // is sent if it is unread.
  await ada.call('PATCH /api/messages/mark-read', { wantedItemId: itemId, senderId: bob.id })
  world.advanceClock(30 * 60_000)
  await write(bob, ada)
  await runEmailJobs(world, { overdue: true })
  expect(subjects()).toEqual([fromBob, fromCyd])
  world.advanceClock(31 * 60_000)
  await runEmailJobs(world, { overdue: true })
  expect(subjects()).toEqual([fromBob, fromCyd, fromBob])

  // No email is sent if the message is read first.
  world.advanceClock(2 * HOUR_MS)
  await ada.call('PATCH /api/messages/mark-read', { wantedItemId: itemId })
  await write(bob, ada)
  await ada.call('PATCH /api/messages/mark-read', { wantedItemId: itemId, senderId: bob.id })
  await runEmailJobs(world, { overdue: true })
  expect(mailbox.emails).toHaveLength(3)
  expect(await jobsLeft(world)).toEqual([])
})

test('an event with few emails enqueues one job per email directly', async () => {
  const { world, ada, bob, itemId } = await openMarket()
  const both = requestReserved({ id: 1, wantedItemId: itemId }, [ada.id, bob.id])
  await world.services.database.transact((tx) => notify(tx, both))
  const { rows: emails } = await world.sql.query('select id from mails order by id')
  expect(emails).toHaveLength(2)
  const { rows: jobs } = await world.sql.query(
    'select payload from graphile_worker._private_jobs order by id desc limit 2',
  )
  expect(jobs.reverse()).toEqual(emails.map(({ id }) => ({ payload: { mailIds: [id] } })))
})

test('of two concurrent emails about one conversation, only one is sent', async () => {
  const { mailbox, world, ada, bob, write } = await openMarket()
  await write(bob, ada)
  // A second notification an hour later, before the first email was sent.
  world.advanceClock(HOUR_MS + 1_000)
  await write(bob, ada)
  const { rows } = await world.sql.query("select id from mails where kind = 'message'")
  expect(rows).toHaveLength(2)
  await Promise.all(rows.map(({ id }) => sendEmail(world.services, id)))
  expect(mailbox.emails.map(({ subject }) => subject)).toEqual(['New message from Bob Tester'])
})

test('a user with an open page is emailed about a message only after closing it', async () => {
  const { mailbox, world, ada, bob, write } = await openMarket()
  await world.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = world.app.server.address() as { port: number }
  const hangUp = new AbortController()
  onTestFinished(() => hangUp.abort())
  await fetch(`http://127.0.0.1:${port}/api/events`, {
    headers: { cookie: ada.cookie },
    signal: hangUp.signal,
  })
  const seen = async () =>
    (await world.sql.query('select from presence where user_id = $1', [ada.id])).rowCount
  await eventually(async () => expect(await seen()).toBe(1))

  const waitsMs = async () => {
    const [job] = await jobsLeft(world)
    return job.run_at.getTime() - world.services.clock().getTime()
  }
  const expectRecheckInAMinute = async () => {
    expect(await waitsMs()).toBeGreaterThan(50_000)
    expect(await waitsMs()).toBeLessThanOrEqual(60_000)
  }
  await write(bob, ada)
  // No job has run yet.
  await expectRecheckInAMinute()

  world.advanceClock(60_000)
  await recordPresence(world.services.database.read, [ada.id], world.services.clock())
  await runEmailJobs(world, { overdue: true })
  expect(mailbox.emails).toEqual([])
  await expectRecheckInAMinute()

  hangUp.abort()
  world.advanceClock(60_000)
  await runEmailJobs(world, { overdue: true })
  expect(mailbox.emails.map(({ subject }) => subject)).toEqual(['New message from Bob Tester'])
})

test('whenToSend decides by unread state, presence and the last email', () => {
  const now = new Date('2026-03-01T12:00:00Z')
  const ago = (minutes: number) => new Date(now.getTime() - minutes * 60_000)
  const usual = { now, queuedAt: now, unread: true, seenAt: null, emailedAt: null }
  expect(whenToSend(usual)).toBe('now')
  expect(whenToSend({ ...usual, unread: false })).toBe('never')
  expect(whenToSend({ ...usual, seenAt: ago(0.7) })).toEqual(new Date('2026-03-01T12:01:00Z'))
  expect(whenToSend({ ...usual, seenAt: ago(0.8) })).toBe('now')
  expect(whenToSend({ ...usual, seenAt: ago(0.1), queuedAt: ago(59) })).toEqual(
    new Date('2026-03-01T12:01:00Z'),
  )
  expect(whenToSend({ ...usual, seenAt: ago(0.1), queuedAt: ago(60) })).toBe('never')
  expect(whenToSend({ ...usual, emailedAt: ago(20) })).toEqual(new Date('2026-03-01T12:40:00Z'))
  expect(whenToSend({ ...usual, emailedAt: ago(60) })).toBe('now')
})

test('one-click unsubscribe works from any mail program and switches off only that kind', async () => {
  const { mailbox, world, ada, bob, offer, write } = await openMarket()
  await offer()
  await runEmailJobs(world)
  const [, address = ''] =
    mailbox.emails[0]?.header('list-unsubscribe')?.match(/^<https:\/\/sought\.example(.*)>$/) ?? []
  expect((await world.visitor(`GET ${address}`)).json()).toEqual({ kind: 'offer_made', off: false })
  expect((await ada.call('GET /api/user/mail-settings')).json()).toEqual({ off: [] })

  const press = (url: string) =>
    world.app.inject({
      method: 'POST',
      url,
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        origin: 'https://mail.example',
        'sec-fetch-site': 'cross-site',
      },
      body: 'List-Unsubscribe=One-Click',
    })
  expect((await press(`${address}x`)).json()).toMatchObject({ code: 'link_expired' })
  expect((await press('/api/mail/unsubscribe?token=')).statusCode).toBe(409)
  expect((await world.visitor(`GET ${address}x`)).json()).toMatchObject({ code: 'link_expired' })
  const [payload = '', signature = ''] = new URL(address, SITE).searchParams.get('token')?.split('.') ?? []
  const forged = Buffer.from(`offer_made:${bob.id}`).toString('base64url')
  expect(payload).not.toBe(forged)
  expect((await press(`/api/mail/unsubscribe?token=${forged}.${signature}`)).statusCode).toBe(409)
  expect((await bob.call('GET /api/user/mail-settings')).json()).toEqual({ off: [] })
  // All other cross-site requests are still refused.
  expect((await press('/api/messages')).statusCode).toBe(403)

  expect((await press(address)).json()).toEqual({ ok: true })
  expect((await press(address)).json()).toEqual({ ok: true })
  expect((await ada.call('GET /api/user/mail-settings')).json()).toEqual({ off: ['offer_made'] })
  expect((await world.visitor(`GET ${address}`)).json()).toEqual({ kind: 'offer_made', off: true })
  await offer()
  await write(bob, ada)
  await runEmailJobs(world)
  expect(mailbox.emails.map(({ subject }) => subject)).toEqual([
    'Bob Tester offers “Lamp” for $40.00',
    'New message from Bob Tester',
  ])
  await world.sql.query('update users set deleted_at = now() where id = $1', [ada.id])
  expect((await press(address)).statusCode).toBe(409)
})

test('HTML and line breaks in names and titles are escaped', async () => {
  const { mailbox, world, ada, bob } = await openMarket()
  await world.sql.query('update users set first_name = $1, last_name = $2 where id = $3', [
    '<img src=x onerror=alert(1)>',
    '"&\'',
    bob.id,
  ])
  const title = '<script>alert(1)</script>\r\nBcc: eve@example.com'
  const { id } = (await ada.call('POST /api/wanted-items', { ...lamp, title })).json()
  await bob.call('POST /api/offers', { wantedItemId: id, receiverId: ada.id, amount: 4_000 })
  await runEmailJobs(world)
  const [email] = mailbox.emails
  expect(email?.recipients).toEqual([ada.email])
  expect(email?.header('bcc')).toBe(undefined)
  const words =
    '<img src=x onerror=alert(1)> "&\' offers “<script>alert(1)</script> Bcc: eve@example.com” for $40.00'
  expect(email?.subject).toBe(words)
  expect(email?.text).toContain(words)
  expect(email?.html).not.toMatch(/<script|<img/)
  expect(email?.html).toContain('&#60;script&#62;alert(1)&#60;/script&#62;')
})

/** Searches all tables for a text. */
async function isInDatabase({ sql }: World, text: string): Promise<boolean> {
  const { rows: tables } = await sql.query(
    `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
     where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
  )
  for (const { name } of tables) {
    const found = await sql.query(`select from ${name} as row where strpos(row::text, $1) > 0 limit 1`, [
      text,
    ])
    if (found.rowCount) return true
  }
  return false
}

const tokenIn = (email: Received | undefined) => email?.text?.match(/token=([\w-]+)/)?.[1] ?? ''

test('a password reset link works once, only for its account, and is not stored in the database', async () => {
  const { mailbox, world, ada } = await openMarket()
  const forgot = (email: string) => world.visitor('POST /api/auth/forgot-password', { email })
  const [known, unknown] = [await forgot(ada.email), await forgot('nobody@example.com')]
  expect([known.statusCode, known.json()]).toEqual([unknown.statusCode, unknown.json()])
  await runEmailJobs(world)
  const [email] = mailbox.emails
  expect(mailbox.emails.map(summary)).toEqual([
    `${ada.email} | Set a new password | /reset-password?token=${tokenIn(email)}`,
  ])
  expect(email?.header('list-unsubscribe')).toBe(undefined)
  expect(email?.html).toContain(`href="${SITE}/reset-password?token=${tokenIn(email)}"`)
  const token = tokenIn(email)
  expect(token.length).toBeGreaterThan(40)
  expect(await isInDatabase(world, token)).toBe(false)
  expect(await isInDatabase(world, ada.email)).toBe(true)

  const reset = (newPassword: string) =>
    world.visitor('POST /api/auth/reset-password', { token, newPassword })
  expect((await reset('another horse')).statusCode).toBe(200)
  expect((await reset('a third horse')).json()).toMatchObject({ code: 'link_expired' })
  const signIn = (password: string) => world.visitor('POST /api/auth/login', { email: ada.email, password })
  expect((await signIn('another horse')).statusCode).toBe(200)
  expect((await signIn('a third horse')).statusCode).toBe(401)
})

test('account emails are sent to the address that they concern, even if all kinds are switched off', async () => {
  const { mailbox, world, ada } = await openMarket()
  await world.sql.query("update users set mail_off = '{message,offer_made}' where id = $1", [ada.id])
  await world.sql.query("update users set pending_email = 'new@example.com' where id = $1", [ada.id])
  const asked = [
    [verificationEmail, 'new@example.com'],
    [passwordResetEmail, ada.email],
    [addressChangedEmail, 'old@example.com'],
    [passwordChangedEmail, ada.email],
    // Links for an address that the account no longer has are not sent.
    [verificationEmail, 'given-up@example.com'],
    [passwordResetEmail, 'old@example.com'],
    [passwordResetEmail, 'new@example.com'],
  ] as const
  await world.services.database.transact(async (tx) => {
    for (const [email, address] of asked) await enqueueAccountEmail(tx, email, { userId: ada.id, address })
  })
  await runEmailJobs(world)
  await queueAllAgain(world)
  await runEmailJobs(world)
  expect(
    mailbox.emails
      .map(summary)
      .map((line) => line.replace(/token=[\w-]+/, 'token='))
      .toSorted(),
  ).toEqual([
    `${ada.email} | Set a new password | /reset-password?token=`,
    `${ada.email} | Your password was changed | /forgot-password`,
    'new@example.com | Please confirm your email address | /verify-email?token=',
    'old@example.com | Your email address was changed | /profile?tab=security',
  ])
  const verifying = mailbox.emails.find(({ recipients }) => recipients[0] === 'new@example.com')
  const token = tokenIn(verifying)
  const { rows } = await world.sql.query(
    "select email, user_id, extract(epoch from expires_at - created_at)::int as seconds from account_tokens where purpose = 'verify_email' and email = 'new@example.com'",
  )
  expect(rows).toEqual([{ email: 'new@example.com', user_id: ada.id, seconds: 86_400 }])
  expect(await isInDatabase(world, token)).toBe(false)
})

async function offerWithoutMailServer(env: Record<string, string>): Promise<World> {
  const world = await openWorld(env)
  const [ada, bob] = [await world.signUp('Ada'), await world.signUp('Bob')]
  const { id } = (await ada.call('POST /api/wanted-items', lamp)).json()
  await bob.call('POST /api/offers', { wantedItemId: id, receiverId: ada.id, amount: 4_000 })
  await runEmailJobs(world)
  return world
}

test('without a mail server, emails are shown to developers; with one, they are not stored', async () => {
  const kept = (await (await offerWithoutMailServer({})).visitor('GET /api/dev/mails')).json()
  const [latest] = kept
  expect(latest).toMatchObject({
    kind: 'offer_made',
    address: 'ada@example.com',
    subject: 'Bob Tester offers “Lamp” for $40.00',
    text: expect.stringContaining('http://localhost:3000/messages?itemId='),
    html: expect.stringContaining('<!doctype html>'),
  })
  const { mailbox, world, offer } = await openMarket()
  await offer()
  await runEmailJobs(world)
  expect(mailbox.emails.some(({ subject }) => subject === 'Bob Tester offers “Lamp” for $40.00')).toBe(true)
  expect((await world.visitor('GET /api/dev/mails')).json()).toEqual([])
})

test('in production without a mail server, emails are neither stored nor shown', async () => {
  const secrets = { SESSION_SECRET: 'a secret of some length', DATA_KEY: 'another secret of some length' }
  const world = await offerWithoutMailServer({ NODE_ENV: 'production', PUBLIC_URL: SITE, ...secrets })
  expect((await world.visitor('GET /api/dev/mails')).statusCode).toBe(404)
  const { rows } = await world.sql.query(
    'select count(*)::int as mails, count(done_at)::int as done, count(subject)::int as kept from mails',
  )
  expect(rows[0].mails).toBeGreaterThan(0)
  expect(rows).toEqual([{ mails: rows[0].mails, done: rows[0].mails, kept: 0 }])
})
