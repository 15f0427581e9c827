import { Logger, runOnce } from 'graphile-worker'
import { expect, test } from 'vitest'
import { buildTasks } from '../../jobs/worker.ts'
import { shareMailbox } from '../../testing/mailbox.ts'
import { type MoneyWorld, openMoneyWorld } from '../../testing/money-world.ts'
import { runEmailJobs } from '../../testing/run-email-jobs.ts'
import { openWorld, type Person, type World } from '../../testing/world.ts'
import { passwordChangedEmail } from '../identity/accounts/emails.ts'
import { enqueueAccountEmail } from './enqueue-emails.ts'

const MINUTE_MS = 60_000
const lamp = { title: 'Lamp', description: 'Green', category: 'Other', location: 'Ipoh', maxBudget: 500 }

const sharedMailbox = shareMailbox()
const withMail = () => ({ SMTP_URL: sharedMailbox().url, PUBLIC_URL: 'https://sought.example' })

/** The subjects of the new emails to a person. */
const takeSubjects = ({ email }: Person) =>
  sharedMailbox()
    .emails.splice(0)
    .filter(({ recipients }) => recipients.join() === email)
    .map(({ subject }) => subject)

async function forgetEmails({ sql }: World): Promise<void> {
  await sql.query('delete from graphile_worker._private_jobs; delete from mails')
  sharedMailbox().emails.length = 0
}

async function openDeal() {
  const world: MoneyWorld = await openMoneyWorld({ env: withMail() })
  const { paymentId, buyer, seller } = await world.given.payment({ status: 'held_in_escrow' })
  await forgetEmails(world)
  const dispute = async () => {
    expect(
      (await buyer.call(`POST /api/payments/${paymentId}/dispute`, { reason: 'Broken' })).statusCode,
    ).toBe(200)
  }
  const answer = async (content: string) => {
    const reply = await buyer.call(`POST /api/disputes/${paymentId}/answer`, { content })
    expect(reply.statusCode).toBe(201)
  }
  const send = () => runEmailJobs(world, { overdue: true })
  return { world, paymentId, buyer, seller, dispute, answer, send }
}

test('the first email about a deal is sent at once, and those of the next ten minutes together', async () => {
  const { world, seller, dispute, answer, send } = await openDeal()
  await dispute()
  await send()
  expect(takeSubjects(seller)).toEqual([expect.stringContaining('reported a problem')])
  for (const text of ['one', 'two', 'three']) {
    await answer(text)
    await send()
  }
  expect(takeSubjects(seller)).toEqual([])
  world.advanceClock(9 * MINUTE_MS)
  await send()
  expect(takeSubjects(seller)).toEqual([])
  world.advanceClock(2 * MINUTE_MS)
  await send()
  const [email, ...others] = sharedMailbox().emails
  expect(others).toEqual([])
  expect(email?.text?.match(/answered in the dispute/g)).toHaveLength(3)
  expect(takeSubjects(seller)).toEqual(['Updates about “Lamp”'])

  world.advanceClock(60 * MINUTE_MS)
  await send()
  expect(takeSubjects(seller)).toEqual([])
  await answer('four')
  await send()
  expect(takeSubjects(seller)).toEqual([expect.stringContaining('answered in the dispute')])
})

test('40 answers in a minute send at most two emails', async () => {
  const { world, seller, dispute, answer, send } = await openDeal()
  await dispute()
  for (let round = 0; round < 40; round++) await answer(`Answer ${round}`)
  await send()
  world.advanceClock(11 * MINUTE_MS)
  await send()
  await send()
  expect(takeSubjects(seller).length).toBeLessThanOrEqual(2)
  const { rows } = await world.sql.query('select from mails where done_at is null')
  expect(rows).toEqual([])
})

test('emails about money are sent at once', async () => {
  const { world, paymentId, seller, buyer, dispute, answer, send } = await openDeal()
  await dispute()
  await send()
  await answer('one')
  takeSubjects(seller)
  const cyd = await world.signUp('Cyd', 'admin')
  const ruling = { disputeId: paymentId, action: 'release_seller', note: '' }
  expect((await cyd.call(`POST /api/admin/disputes/${paymentId}/resolve`, ruling)).statusCode).toBe(200)
  await send()
  expect(takeSubjects(seller)).toEqual(['The dispute about “Lamp” is decided'])
  expect((await buyer.call('GET /api/notifications')).statusCode).toBe(200)
})

test('collected emails that the mail server rejects are sent again, once and with all of them', async () => {
  const { world, seller, dispute, answer, send } = await openDeal()
  await dispute()
  await send()
  takeSubjects(seller)
  await answer('one')
  await answer('two')
  await send()
  world.advanceClock(11 * MINUTE_MS)
  sharedMailbox().next({ rejects: 'message', code: 451 })
  await send()
  await send()
  await send()
  const [email] = sharedMailbox().emails
  expect(email?.text?.match(/answered in the dispute/g)).toHaveLength(2)
  expect(takeSubjects(seller)).toEqual(['Updates about “Lamp”'])
})

test('alerts to one person are sent once an hour, as a list', async () => {
  const world = await openWorld(withMail())
  const [ada, bob] = [await world.signUp('Ada'), await world.signUp('Bob')]
  await forgetEmails(world)
  const filters = { search: 'lamp' }
  await ada.call('POST /api/saved-searches', { name: 'Lamps', filters, alerts: 'immediately' })
  const post = async (title: string) => {
    expect((await bob.call('POST /api/wanted-items', { ...lamp, title })).statusCode).toBe(201)
    await runOnce({
      pgPool: world.services.database.pool,
      taskList: buildTasks(world.services),
      logger: new Logger(() => () => {}),
      noHandleSignals: true,
    })
  }
  for (const title of ['Lamp 1', 'Lamp 2', 'Lamp 3', 'Lamp 4']) await post(title)
  expect(takeSubjects(ada)).toEqual(['New request: “Lamp 1”'])
  world.advanceClock(59 * MINUTE_MS)
  await runEmailJobs(world, { overdue: true })
  expect(takeSubjects(ada)).toEqual([])
  world.advanceClock(2 * MINUTE_MS)
  await runEmailJobs(world, { overdue: true })
  const [email] = sharedMailbox().emails
  for (const title of ['Lamp 2', 'Lamp 3', 'Lamp 4']) expect(email?.text).toContain(title)
  expect(takeSubjects(ada)).toEqual(['New requests match your saved searches'])
  // The app shows each of them at once.
  expect((await ada.call('GET /api/notifications')).json()).toHaveLength(4)
})

test('an address that is not verified gets only emails about the account', async () => {
  const world = await openWorld(withMail())
  const { services, sql } = world
  const [ada, bob] = [await world.signUp('Ada'), await world.signUp('Bob')]
  await sql.query('update users set email_verified_at = null where id = $1', [ada.id])
  await forgetEmails(world)
  const { id: wantedItemId } = (await ada.call('POST /api/wanted-items', lamp)).json()
  const offer = () => bob.call('POST /api/offers', { wantedItemId, receiverId: ada.id, amount: 4_000 })
  expect((await offer()).statusCode).toBe(201)
  await bob.call('POST /api/messages', { wantedItemId, receiverId: ada.id, content: 'Hello' })
  await services.database.transact((tx) =>
    enqueueAccountEmail(tx, passwordChangedEmail, { userId: ada.id, address: ada.email }),
  )
  await runEmailJobs(world, { overdue: true })
  expect(takeSubjects(ada)).toEqual(['Your password was changed'])
  expect((await ada.call('GET /api/notifications')).json()).toHaveLength(2)

  await sql.query('update users set email_verified_at = now() where id = $1', [ada.id])
  await offer()
  await runEmailJobs(world, { overdue: true })
  expect(takeSubjects(ada)).toEqual(['Bob Tester offers “Lamp” for $40.00'])
})
