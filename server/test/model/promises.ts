import type pg from 'pg'
import type { Promised } from './market.ts'

interface Row {
  id: number
  offerId: number
  amount: number
  status: string
  intentId: string | null
  confirmed: boolean
  refundCents: number | null
  rating: number | null
}

/** Whatever was answered with success and is not true any more. */
export async function brokenPromises(sql: pg.Pool, promised: Promised[]): Promise<string[]> {
  const { rows } = await sql.query<Row>(
    `select p.id, p.offer_id as "offerId", p.amount, p.status, p.stripe_payment_intent_id as "intentId",
       p.buyer_confirmed_at is not null as confirmed, p.refund_cents as "refundCents", r.rating
     from payments p left join ratings r on r.payment_id = p.id`,
  )
  const payments = new Map(rows.map((row) => [row.id, row]))
  const held = new Map(rows.map((row) => [row.intentId, row]))
  const paid = await idsOf(
    sql,
    `select id from sandbox.objects where kind = 'payment_intent' and body ->> 'status' = 'succeeded'`,
  )
  const banked = await idsOf(sql, 'select id from users where bank_account_details is not null')

  const isKept = (it: Promised): boolean => {
    const payment = 'paymentId' in it ? payments.get(it.paymentId) : undefined
    switch (it.what) {
      case 'started': {
        const same = payment?.offerId === it.offerId && payment.amount === it.amount
        // An intent that was given out and replaced later may not have taken anybody's money.
        return same && (payment.intentId === it.intentId || !paid.has(it.intentId))
      }
      case 'charged':
        return (held.get(it.intentId)?.status ?? 'pending') !== 'pending'
      case 'confirmed':
        return payment?.status === 'completed' && payment.confirmed
      case 'ruled':
        return payment?.status === it.status && (payment.refundCents ?? 0) === it.refundCents
      case 'rated':
        return payment?.rating === it.rating
      case 'bank saved':
        return banked.has(it.sellerId)
      case 'disputed':
      case 'withdrawn':
        // These two undo each other, so that they are counted together.
        return true
    }
  }
  const broken = promised.filter((it) => !isKept(it)).map((it) => `no longer true: ${JSON.stringify(it)}`)
  return [...broken, ...twice(promised), ...forgottenDisputes(promised, payments)]
}

async function idsOf(sql: pg.Pool, query: string): Promise<Set<string>> {
  const { rows } = await sql.query<{ id: string }>(query)
  return new Set(rows.map(({ id }) => id))
}

/** Confirming, ruling and rating succeed once for each payment, and the first two exclude each other. */
function twice(promised: Promised[]): string[] {
  const onceOnly = promised.flatMap((it) => {
    if (it.what === 'confirmed' || it.what === 'ruled') return [`settling payment ${it.paymentId}`]
    return it.what === 'rated' ? [`rating payment ${it.paymentId}`] : []
  })
  return onceOnly
    .filter((it, index) => onceOnly.indexOf(it) !== index)
    .map((it) => `answered with success more than once: ${it}`)
}

/** A dispute that was filed and not withdrawn is still one, or was resolved. */
function forgottenDisputes(promised: Promised[], payments: Map<number, Row>): string[] {
  const openDisputes = new Map<number, number>()
  for (const it of promised) {
    if (it.what !== 'disputed' && it.what !== 'withdrawn') continue
    const by = it.what === 'disputed' ? 1 : -1
    openDisputes.set(it.paymentId, (openDisputes.get(it.paymentId) ?? 0) + by)
  }
  return [...openDisputes].flatMap(([id, open]) => {
    const status = payments.get(id)?.status ?? 'gone'
    const isOne = /^(disputed|under_review|resolved_\w+)$/.test(status)
    if (open > 1) return [`payment ${id} was disputed ${open} times at once`]
    return open === 1 && !isOne ? [`payment ${id} is ${status} although its dispute stands`] : []
  })
}
