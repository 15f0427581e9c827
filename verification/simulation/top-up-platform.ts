import type pg from 'pg'

/** More than the fees and chargebacks of all simulated deals together. */
const CENTS = 1_000_000_000_00

/**
 * Tops up the platform's balance, as operators do. The balance also pays the fees of refunded cards and lost
 * chargebacks. Without a top-up, the provider could refuse to pay sellers until there is money again.
 */
export async function topUpPlatform(sql: pg.Pool, now: Date): Promise<void> {
  const created = Math.floor(now.getTime() / 1000)
  const transaction = {
    id: 'txn_topUp',
    object: 'balance_transaction',
    amount: CENTS,
    available_on: created,
    balance_type: 'payments',
    created,
    currency: 'usd',
    description: null,
    exchange_rate: null,
    fee: 0,
    fee_details: [],
    net: CENTS,
    reporting_category: 'topup',
    source: null,
    status: 'available',
    type: 'topup',
  }
  await sql.query(
    `with made as (
       insert into sandbox.objects (id, kind, created_at, body, hidden)
       values ($1, 'balance_transaction', $2, $3, '{}') returning id
     )
     insert into sandbox.movements (transaction_id, currency, net, available_on)
     select id, $4, $5, $6 from made`,
    [
      transaction.id,
      now,
      JSON.stringify(transaction),
      transaction.currency,
      transaction.net,
      transaction.available_on,
    ],
  )
}
