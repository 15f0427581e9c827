import { expect, test } from 'vitest'
import { type MoneyWorld, shareMoneyWorld } from '../../../testing/money-world.ts'
import { applyFact, type Fact, NotYet } from './apply-fact.ts'

const open = shareMoneyWorld()

async function apply({ services, sql }: MoneyWorld, paymentId: number, fact: Fact): Promise<void> {
  const { rows } = await sql.query('select stripe_payment_intent_id as intent from payments where id = $1', [
    paymentId,
  ])
  await services.database.transact((tx) => applyFact(tx, rows[0].intent, fact))
}

async function expectNotYet(world: MoneyWorld, paymentId: number, fact: Fact, reason: string): Promise<void> {
  await expect(apply(world, paymentId, fact)).rejects.toThrow(new NotYet(reason))
  const { rows } = await world.sql.query('select key from provider_facts where payment_id = $1', [paymentId])
  expect(JSON.stringify(rows)).not.toContain(fact.objectId)
}

const refunded: Fact = { name: 'refunded', objectId: 're_dashboard', amount: 1_000 }

test('a fact about a payment that is not held yet is postponed', async () => {
  const world = await open()
  const { paymentId } = await world.start(await world.agree())
  await expectNotYet(world, paymentId, refunded, 'the payment is not held yet')
})

test('a fact about a payout that is being sent is postponed', { tags: ['proof'] }, async () => {
  const world = await open()
  const { paymentId } = await world.payIntoEscrow()
  await world.ada.call(`POST /api/payments/${paymentId}/confirm-delivery`)
  await world.sql.query(
    "update payouts set method = 'transfer', status = 'sending', destination = 'acct_1' where payment_id = $1",
    [paymentId],
  )
  await expectNotYet(world, paymentId, refunded, 'a transfer is under way')
})

test('a failed refund is postponed while another refund may be in progress', async () => {
  const world = await open()
  const admin = await world.signUp('Root', 'admin')
  const { paymentId } = await world.payIntoEscrow()
  await world.ada.call(`POST /api/payments/${paymentId}/dispute`, {})
  const ruling = { action: 'refund_partial', refundAmount: 3_000 }
  expect((await admin.call(`POST /api/admin/disputes/${paymentId}/resolve`, ruling)).statusCode).toBe(200)
  const failed: Fact = { name: 'refund_failed', objectId: 're_failed', amount: 1_000, ours: true }
  await expectNotYet(world, paymentId, failed, 'another refund is under way')
})
