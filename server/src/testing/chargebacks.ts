import { expect } from 'vitest'
import type { MoneyWorld } from './money-world.ts'

/** The payment's intent at the provider. */
export async function intentOf({ sql }: Pick<MoneyWorld, 'sql'>, paymentId: number): Promise<string> {
  const { rows } = await sql.query('select stripe_payment_intent_id as id from payments where id = $1', [
    paymentId,
  ])
  return rows[0].id
}

/** Disputes a charge as the buyer's bank does, and returns the dispute's id. */
export async function openChargeback(
  world: MoneyWorld,
  paymentId: number,
  form: Record<string, string> = {},
): Promise<string> {
  const intentId = await intentOf(world, paymentId)
  await world.press(`/sandbox/payments/${intentId}/dispute`, form)
  const { data } = await world.stripe<{ data: { id: string }[] }>(
    'GET',
    `/v1/disputes?payment_intent=${intentId}`,
  )
  return data[0]?.id ?? ''
}

/** A payment whose delivery was confirmed. */
export async function givenReleasedPayment(world: MoneyWorld): Promise<number> {
  const { paymentId } = await world.payIntoEscrow()
  expect((await world.ada.call(`POST /api/payments/${paymentId}/confirm-delivery`)).statusCode).toBe(200)
  return paymentId
}

/** The payout of a payment, and how much of it was reversed. */
export async function payoutOf({ sql }: MoneyWorld, paymentId: number) {
  const { rows } = await sql.query(
    'select status, amount, reversed_cents as reversed from payouts where payment_id = $1',
    [paymentId],
  )
  return rows[0]
}
