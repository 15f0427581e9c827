import { expect, test, vi } from 'vitest'
import type { CardProvider } from '../../../providers/stripe/card-provider.ts'
import { givenReleasedPayment, openChargeback, payoutOf } from '../../../testing/chargebacks.ts'
import { eventually } from '../../../testing/eventually.ts'
import { type MoneyWorld, shareMoneyWorld } from '../../../testing/money-world.ts'
import { takeBackPayout } from './take-back-payout.ts'

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

/** Disputes a part of the charge. Returns the job that takes the payout back, which has not run yet. */
async function dispute({ world, paymentId, payoutId }: PaidPayout, cents: number) {
  const chargebackId = await openChargeback(world, paymentId, { amount: String(cents) })
  await awaitFact(world, `dispute_opened:${chargebackId}`)
  return { payoutId, chargebackId, cents }
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
  await takeBackPayout(world.services, job)
  await takeBackPayout(world.services, job)
  expect(await payoutOf(world, paymentId)).toEqual({ status: 'frozen', amount: 11_262, reversed: 5_000 })
  await world.expectBooksRight()
})

test('the last of several chargebacks takes back the rest of the payout', { tags: ['proof'] }, async () => {
  const payout = await openPaidPayout()
  const { world, paymentId, accountId, transferId } = payout
  await takeBackPayout(world.services, await dispute(payout, 5_000))
  const second = await dispute(payout, 7_000)
  const reverseTransfer = beforeRecording(world, async () => {})
  await takeBackPayout(world.services, second)
  const { chargebackId } = second
  expect(reverseTransfer).toHaveBeenLastCalledWith({
    causeId: chargebackId,
    transferId,
    accountId,
    amountCents: 6_262,
  })
  expect(await payoutOf(world, paymentId)).toEqual({ status: 'frozen', amount: 11_262, reversed: 11_262 })
  await world.expectBooksRight()
})

test('nothing is taken back once the chargeback is won', { tags: ['proof'] }, async () => {
  const payout = await openPaidPayout()
  const { world, paymentId } = payout
  const job = await dispute(payout, 5_000)
  await decide(world, job.chargebackId, 'won')
  await takeBackPayout(world.services, job)
  expect(await payoutOf(world, paymentId)).toEqual({ status: 'paid', amount: 11_262, reversed: 0 })
  expect(await wasPosted(world, `chargeback-reversal:${job.chargebackId}`)).toBe(false)
  await world.expectBooksRight()
})

test('nothing is taken back from a seller who has no money left', async () => {
  const payout = await openPaidPayout()
  const { world, paymentId } = payout
  const job = await dispute(payout, 5_000)
  vi.spyOn(cardsOf(world), 'reverseTransfer').mockResolvedValueOnce({ cents: 0, conversions: [] })
  await takeBackPayout(world.services, job)
  expect(await payoutOf(world, paymentId)).toEqual({ status: 'frozen', amount: 11_262, reversed: 0 })
  expect(await wasPosted(world, `chargeback-reversal:${job.chargebackId}`)).toBe(false)
  await world.expectBooksRight()
})

test('the provider is asked only about payouts that were sent', async () => {
  const world = await open()
  const paymentId = await givenReleasedPayment(world)
  const { rows } = await world.sql.query('select id from payouts where payment_id = $1', [paymentId])
  const reverseTransfer = beforeRecording(world, async () => {})
  for (const payoutId of [rows[0].id, 2_000_000_000])
    await takeBackPayout(world.services, { payoutId, chargebackId: 'du_unsent', cents: 5_000 })
  expect(reverseTransfer).not.toHaveBeenCalled()
})

test('taking back waits while the payout is being sent again', { tags: ['proof'] }, async () => {
  const payout = await openPaidPayout()
  const { world, payoutId } = payout
  const job = await dispute(payout, 5_000)
  const { rows } = await world.sql.query('select paid_at from payouts where id = $1', [payoutId])
  const setStatus = (status: string, paidAt: Date | null) =>
    world.sql.query('update payouts set status = $2, paid_at = $3 where id = $1', [payoutId, status, paidAt])
  beforeRecording(world, () => setStatus('sending', null))
  await expect(takeBackPayout(world.services, job)).rejects.toThrow('a transfer is under way')
  expect(await wasPosted(world, `chargeback-reversal:${job.chargebackId}`)).toBe(false)
  await setStatus('frozen', rows[0].paid_at)
  await takeBackPayout(world.services, job)
  await world.expectBooksRight()
})

test('the seller keeps the rest if the chargeback is lost before the reversal is recorded', {
  tags: ['proof'],
}, async () => {
  const payout = await openPaidPayout()
  const { world, paymentId } = payout
  const job = await dispute(payout, 5_000)
  beforeRecording(world, () => decide(world, job.chargebackId, 'lost'))
  await takeBackPayout(world.services, job)
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
  await takeBackPayout(world.services, first)
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
  await takeBackPayout(world.services, job)
  expect(await payoutOf(world, paymentId)).toEqual({ status: 'reversed', amount: 11_262, reversed: 6_000 })
  expect(await owedTo(world, paymentId)).toBe(6_000)
  await world.expectBooksRight()
})
