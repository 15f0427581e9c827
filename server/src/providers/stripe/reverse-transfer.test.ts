import Stripe from 'stripe'
import { expect, test } from 'vitest'
import { reverseTransfer } from './reverse-transfer.ts'

/*
 * A platform in the US took 10,000 ringgit, which settled for 2,000.00 dollars, and sent 1,877.00 of them for 9,385.00
 * ringgit to a seller in Germany, where 1,689.30 euros arrived.
 */
const TRANSFER = {
  id: 'tr_1',
  object: 'transfer',
  amount: 187_700,
  amount_reversed: 0,
  currency: 'usd',
  destination: 'acct_de',
  destination_payment: 'py_1',
  metadata: { paidCents: '938500', paidCurrency: 'myr' },
}

interface Account {
  availableEuros: number
  arrivedIsPending?: boolean
  /** What Stripe lets us reverse, in the smallest unit of the transfer. */
  limit: number
}

/** Stands in for Stripe, with one transfer and the account that received it. */
function standInFor({ availableEuros, arrivedIsPending = false, limit }: Account) {
  const reversals: { id: string; amount: number; metadata: Record<string, string> }[] = []
  const asked: number[] = []
  const reversed = () => reversals.reduce((sum, { amount }) => sum + amount, 0)
  const list = (data: object[]) => ({ object: 'list', data, has_more: false })
  const answers: Record<string, (form: URLSearchParams) => object> = {
    'GET /v1/transfers/tr_1': () => ({ ...TRANSFER, amount_reversed: reversed() }),
    'GET /v1/transfers/tr_1/reversals': () => list(reversals),
    'GET /v1/balance': () => ({
      available: [
        { amount: availableEuros, currency: 'eur' },
        { amount: 0, currency: 'usd' },
      ],
      pending: [{ amount: 99_999, currency: 'eur' }],
    }),
    'GET /v1/balance_transactions': () =>
      list([
        {
          id: 'txn_1',
          amount: 168_930,
          currency: 'eur',
          exchange_rate: 0.9,
          status: arrivedIsPending ? 'pending' : 'available',
        },
      ]),
    'POST /v1/transfers/tr_1/reversals': (form) => {
      const amount = Number(form.get('amount'))
      asked.push(amount)
      if (amount > limit - reversed())
        return { error: { type: 'invalid_request_error', code: 'balance_insufficient' } }
      const reversal = { id: `trr_${reversals.length + 1}`, amount, metadata: { chargebackId: 'du_1' } }
      reversals.unshift(reversal)
      return reversal
    },
  }
  const answer: typeof fetch = async (url, init) => {
    const { pathname } = new URL(String(url))
    const reply = answers[`${init?.method} ${pathname}`]?.(new URLSearchParams(String(init?.body ?? '')))
    return Response.json(reply ?? {}, { status: reply && !('error' in reply) ? 200 : 400 })
  }
  const stripe = new Stripe('sk_test_1', {
    httpClient: Stripe.createFetchHttpClient(answer),
    telemetry: false,
  })
  const takeBack = (amountCents: number, causeId = 'du_1') =>
    reverseTransfer(stripe, { causeId, transferId: 'tr_1', accountId: 'acct_de', amountCents })
  return { takeBack, asked, reversals }
}

const conversion = (id: string, amount: number, settledAmount: number) => ({
  kind: 'transfer',
  id,
  amount,
  currency: 'myr',
  settledAmount,
  settledCurrency: 'usd',
})

test('a transfer to a seller abroad is taken back from the balance in their currency', async () => {
  const { takeBack, asked } = standInFor({ availableEuros: 168_930, limit: 187_700 })
  expect(await takeBack(938_500)).toEqual({
    cents: 938_500,
    conversions: [conversion('trr_1', 938_500, 187_700)],
  })
  expect(asked).toEqual([187_700])
})

test('no more is asked for than the account has, at the rate of the transfer', async () => {
  const { takeBack, asked } = standInFor({ availableEuros: 90_000, limit: 187_700 })
  expect(await takeBack(938_500)).toEqual({
    cents: 500_000,
    conversions: [conversion('trr_1', 500_000, 100_000)],
  })
  expect(asked).toEqual([100_000])
  const pending = standInFor({ availableEuros: 0, arrivedIsPending: true, limit: 187_700 })
  expect((await pending.takeBack(500_000)).cents).toBe(500_000)
  const empty = standInFor({ availableEuros: 0, limit: 187_700 })
  expect(await empty.takeBack(938_500)).toEqual({ cents: 0, conversions: [] })
  expect(empty.asked).toEqual([])
})

test('smaller steps follow if the rate has moved and Stripe refuses', async () => {
  const { takeBack, asked, reversals } = standInFor({ availableEuros: 168_930, limit: 150_000 })
  const { cents, conversions } = await takeBack(938_500)
  const settled = reversals.reduce((sum, { amount }) => sum + amount, 0)
  expect(settled).toBeGreaterThan(140_000)
  expect(settled).toBeLessThanOrEqual(150_000)
  expect(cents).toBe(settled * 5)
  expect(conversions.reduce((sum, { settledAmount }) => sum + settledAmount, 0)).toBe(settled)
  expect(asked.length).toBeLessThanOrEqual(8)
  // A job that is tried again finds what it took back.
  expect(await takeBack(938_500)).toEqual({ cents, conversions })
})
