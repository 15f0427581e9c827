import { sql } from 'drizzle-orm'
import { expect, test, vi } from 'vitest'
import type { CardProvider } from '../../../providers/stripe/card-provider.ts'
import { givenReleasedPayment, openChargeback, payoutOf } from '../../../testing/chargebacks.ts'
import { eventually } from '../../../testing/eventually.ts'
import { type MoneyWorld, shareMoneyWorld } from '../../../testing/money-world.ts'
import { retryTakeBacks, takeBack } from './take-back.ts'

const open = shareMoneyWorld()

/** A payout of 11,262 that was sent: the price of 12,000 without the fees. */
async function openPaidPayout() {
  const world = await open()
  const accountId = await world.connectBob()
  const paymentId = await givenReleasedPayment(world)
  await world.runJobs()
  expect(await payoutOf(world, paymentId)).toEqual({ status: 'paid', amount: 11_262, reversed: 0 })
  const { rows } = await world.sql.query(
    'select id, provider_id as "transferId" from payouts where payment_id = $1',
    [paymentId],
  )
  const { id: payoutId, transferId } = rows[0]
  return { world, accountId, paymentId, payoutId, transferId }
}

type PaidPayout = Awaited<ReturnType<typeof openPaidPayout>>

/** Disputes a part of the charge. The job that takes the payout back has not run yet. */
async function dispute({ world, paymentId }: PaidPayout, cents: number) {
  const chargebackId = await openChargeback(world, paymentId, { amount: String(cents) })
  await awaitFact(world, `dispute_opened:${chargebackId}`)
  const { rows } = await world.sql.query('select id from take_backs where cause_id = $1', [chargebackId])
  return { chargebackId, takeBackId: Number(rows[0]?.id) }
}

/** Lets the bank decide. */
async function decide(world: MoneyWorld, chargebackId: string, outcome: 'won' | 'lost'): Promise<void> {
  await world.press(`/sandbox/disputes/${chargebackId}/${outcome}`)
  await awaitFact(world, `dispute_${outcome}:${chargebackId}`)
}

/** Waits until a report of the provider was applied to the payment and its payout. */
const awaitFact = ({ sql }: MoneyWorld, key: string) =>
  eventually(async () => {
    const { rowCount } = await sql.query('select from provider_facts where key = $1', [key])
    expect(rowCount).toBe(1)
  })

function cardsOf({ services: { cards } }: MoneyWorld): CardProvider {
  if (!cards) throw new Error('this test needs the sandbox')
  return cards
}

/** Runs `action` after the provider has reversed a transfer and before that is recorded. */
function beforeRecording(world: MoneyWorld, action: () => Promise<unknown>) {
  const cards = cardsOf(world)
  const { reverseTransfer } = cards
  return vi.spyOn(cards, 'reverseTransfer').mockImplementationOnce(async (reversal) => {
    const reversedCents = await reverseTransfer(reversal)
    await action()
    return reversedCents
  })
}

const wasPosted = async ({ sql }: MoneyWorld, key: string) =>
  (await sql.query('select from ledger_entries where key = $1', [key])).rowCount !== 0

const owedTo = ({ balanceOf, bob }: MoneyWorld, paymentId: number) => balanceOf(`seller:${bob.id}`, paymentId)

test('the disputed amount of a payout is taken back once, even if the job runs several times', async () => {
  const payout = await openPaidPayout()
  const { world, paymentId } = payout
  const job = await dispute(payout, 5_000)
  await takeBack(world.services, job)
  await takeBack(world.services, job)
  expect(await payoutOf(world, paymentId)).toEqual({ status: 'frozen', amount: 11_262, reversed: 5_000 })
  await world.expectBooksRight()
})

test('a chargeback takes back no more than an earlier one has left', { tags: ['proof'] }, async () => {
  const payout = await openPaidPayout()
  const { world, paymentId, accountId, transferId } = payout
  const first = await dispute(payout, 5_000)
  await takeBack(world.services, first)
  await decide(world, first.chargebackId, 'lost')
  expect(await payoutOf(world, paymentId)).toEqual({ status: 'paid', amount: 6_262, reversed: 0 })
  const second = await dispute(payout, 7_000)
  const reverseTransfer = beforeRecording(world, async () => {})
  await takeBack(world.services, second)
  const { chargebackId } = second
  expect(reverseTransfer).toHaveBeenLastCalledWith({
    causeId: chargebackId,
    transferId,
    accountId,
    amountCents: 6_262,
  })
  expect(await payoutOf(world, paymentId)).toEqual({ status: 'frozen', amount: 6_262, reversed: 6_262 })
  await world.expectBooksRight()
})

test('nothing is taken back once the chargeback is won', { tags: ['proof'] }, async () => {
  const payout = await openPaidPayout()
  const { world, paymentId } = payout
  const job = await dispute(payout, 5_000)
  await decide(world, job.chargebackId, 'won')
  await takeBack(world.services, job)
  expect(await payoutOf(world, paymentId)).toEqual({ status: 'paid', amount: 11_262, reversed: 0 })
  expect(await wasPosted(world, `chargeback-reversal:${job.chargebackId}`)).toBe(false)
  await world.expectBooksRight()
})

test('nothing is taken back from a seller who has no money left', async () => {
  const payout = await openPaidPayout()
  const { world, paymentId } = payout
  const job = await dispute(payout, 5_000)
  vi.spyOn(cardsOf(world), 'reverseTransfer').mockResolvedValueOnce({ cents: 0, conversions: [] })
  await takeBack(world.services, job)
  expect(await payoutOf(world, paymentId)).toEqual({ status: 'frozen', amount: 11_262, reversed: 0 })
  expect(await wasPosted(world, `chargeback-reversal:${job.chargebackId}`)).toBe(false)
  await world.expectBooksRight()
})

test('the provider is asked only about payouts that were sent', async () => {
  const world = await open()
  const paymentId = await givenReleasedPayment(world)
  const reverseTransfer = beforeRecording(world, async () => {})
  await awaitFact(world, `dispute_opened:${await openChargeback(world, paymentId)}`)
  await world.runJobs()
  await takeBack(world.services, { takeBackId: 2_000_000_000 })
  expect(reverseTransfer).not.toHaveBeenCalled()
})

test('the provider is asked for one reversal of a payment at a time', async () => {
  const payout = await openPaidPayout()
  await dispute(payout, 5_000)
  await expect(
    payout.world.sql.query(
      `insert into take_backs (payment_id, reason, cause_id, asked_cents, transfer_id, account_id)
       select payment_id, reason, 'another', asked_cents, transfer_id, account_id from take_backs
       where payment_id = $1`,
      [payout.paymentId],
    ),
  ).rejects.toMatchObject({ constraint: 'take_backs_under_way' })
})

test('a reversal whose job was lost is asked for again, by one process at a time', async () => {
  const payout = await openPaidPayout()
  const { world, paymentId } = payout
  const { takeBackId } = await dispute(payout, 5_000)
  const lost = "delete from graphile_worker._private_jobs where payload ->> 'takeBackId' = $1"
  expect((await world.sql.query(lost, [takeBackId])).rowCount).toBe(1)
  await world.runJobs()
  expect(await payoutOf(world, paymentId)).toMatchObject({ reversed: 0 })
  world.advanceClock(60_000)
  const { transact } = world.services.database
  await transact(async (tx) => {
    await tx.execute(sql`select from take_backs where id = ${takeBackId} for update`)
    await retryTakeBacks(world.services)
  })
  await world.runJobs()
  expect(await payoutOf(world, paymentId)).toMatchObject({ reversed: 0 })
  await world.runJobs('retry-take-backs')
  expect(await payoutOf(world, paymentId)).toMatchObject({ status: 'frozen', reversed: 5_000 })
  await world.expectBooksRight()
})

test('taking back waits while the payout is being sent again', { tags: ['proof'] }, async () => {
  const payout = await openPaidPayout()
  const { world, payoutId } = payout
  const job = await dispute(payout, 5_000)
  const { rows } = await world.sql.query('select paid_at from payouts where id = $1', [payoutId])
  const setStatus = (status: string, paidAt: Date | null) =>
    world.sql.query('update payouts set status = $2, paid_at = $3 where id = $1', [payoutId, status, paidAt])
  beforeRecording(world, () => setStatus('sending', null))
  await expect(takeBack(world.services, job)).rejects.toThrow('a transfer is under way')
  expect(await wasPosted(world, `chargeback-reversal:${job.chargebackId}`)).toBe(false)
  await setStatus('frozen', rows[0].paid_at)
  await takeBack(world.services, job)
  await world.expectBooksRight()
})

test('the seller keeps the rest if the chargeback is lost before the reversal is recorded', {
  tags: ['proof'],
}, async () => {
  const payout = await openPaidPayout()
  const { world, paymentId } = payout
  const job = await dispute(payout, 5_000)
  beforeRecording(world, () => decide(world, job.chargebackId, 'lost'))
  await takeBack(world.services, job)
  expect(await payoutOf(world, paymentId)).toEqual({ status: 'paid', amount: 6_262, reversed: 0 })
  expect(await owedTo(world, paymentId)).toBe(0)
  await world.expectBooksRight()
})

test('a payout stays frozen while another chargeback is open, even if one is won before the reversal is recorded', {
  tags: ['proof'],
}, async () => {
  const payout = await openPaidPayout()
  const { world, paymentId } = payout
  const first = await dispute(payout, 5_000)
  const second = await dispute(payout, 7_000)
  beforeRecording(world, () => decide(world, first.chargebackId, 'won'))
  await takeBack(world.services, first)
  expect(await payoutOf(world, paymentId)).toEqual({ status: 'frozen', amount: 11_262, reversed: 5_000 })
  expect(await owedTo(world, paymentId)).toBe(5_000)
  await world.expectBooksRight()

  await decide(world, second.chargebackId, 'won')
  expect(await payoutOf(world, paymentId)).toEqual({ status: 'owed', amount: 11_262, reversed: 5_000 })
  expect(await owedTo(world, paymentId)).toBe(5_000)
  await world.expectBooksRight()
})

test('a payout that was reversed in the dashboard waits for an admin, even if a chargeback is won', {
  tags: ['proof'],
}, async () => {
  const payout = await openPaidPayout()
  const { world, paymentId, transferId } = payout
  const job = await dispute(payout, 5_000)
  beforeRecording(world, async () => {
    await decide(world, job.chargebackId, 'won')
    await world.stripe('POST', `/v1/transfers/${transferId}/reversals`, { amount: '1000' })
    await eventually(async () => expect((await payoutOf(world, paymentId)).status).toBe('reversed'))
  })
  await takeBack(world.services, job)
  expect(await payoutOf(world, paymentId)).toEqual({ status: 'reversed', amount: 11_262, reversed: 6_000 })
  expect(await owedTo(world, paymentId)).toBe(6_000)
  await world.expectBooksRight()
})

test('a job of an earlier release is finished, even if it had reversed the transfer before a chargeback was won', {
  tags: ['proof'],
}, async () => {
  const payout = await openPaidPayout()
  const { world, paymentId, payoutId, accountId, transferId } = payout
  const { chargebackId } = await dispute(payout, 5_000)
  await world.sql.query('delete from take_backs where payment_id = $1', [paymentId])
  const reversal = { causeId: chargebackId, transferId, accountId, amountCents: 5_000 }
  await cardsOf(world).reverseTransfer(reversal)
  await decide(world, chargebackId, 'won')
  expect(await payoutOf(world, paymentId)).toEqual({ status: 'paid', amount: 11_262, reversed: 0 })
  const enqueue = () =>
    world.sql.query("select graphile_worker.add_job('take-back-payout', $1)", [
      { payoutId, chargebackId, cents: 5_000 },
    ])
  await enqueue()
  await enqueue()
  await world.runJobs()
  expect(await owedTo(world, paymentId)).toBe(5_000)
  await world.expectBooksRight()
})
