import { verify } from '@node-rs/argon2'
import type pg from 'pg'
import type { Acknowledged, Written } from './market.ts'

/* Everything that was acknowledged must be true at the end, unless something later undid it. */

interface Row {
  id: number
  offerId: number
  amount: number
  status: string
  intentId: string | null
  confirmed: boolean
  refundCents: number | null
  /** Whether money went back to the buyer after the ruling, or failed to arrive. */
  isRefundChanged: boolean
  rating: number | null
}

/** Acknowledged writes that are no longer true. */
export async function findLostWrites(sql: pg.Pool, acknowledged: Acknowledged[]): Promise<string[]> {
  const { rows } = await sql.query<Row>(
    `select p.id, p.offer_id as "offerId", p.amount, p.status, p.stripe_payment_intent_id as "intentId",
       p.buyer_confirmed_at is not null as confirmed, p.refund_cents as "refundCents", r.rating,
       exists (
         select from provider_facts where payment_id = p.id and key ~ '^(refunded|refund_failed|dispute_lost):'
         union all select from payment_refunds where payment_id = p.id
       ) as "isRefundChanged"
     from payments p left join reviews r on r.payment_id = p.id and r.author_id = p.buyer_id`,
  )
  const payments = new Map(rows.map((row) => [row.id, row]))
  const isTrue = await createCheck(sql, payments)
  const lost = acknowledged.filter((it) => !isTrue(it)).map((it) => `no longer true: ${JSON.stringify(it)}`)
  return [
    ...lost,
    ...findRepeated(acknowledged),
    ...findLostDisputes(acknowledged, payments),
    ...findUnreadAgain(acknowledged, await findUnreadMessages(sql)),
    ...(await findOverwritten(sql, acknowledged)),
  ]
}

/** Reads the current state, and returns a check against it. */
async function createCheck(sql: pg.Pool, payments: Map<number, Row>): Promise<(it: Acknowledged) => boolean> {
  const byIntent = new Map([...payments.values()].map((row) => [row.intentId, row]))
  const paid = await idsOf(
    sql,
    `select id from sandbox.objects where kind = 'payment_intent' and body ->> 'status' = 'succeeded'`,
  )
  const withBankDetails = await idsOf(sql, 'select id from users where bank_account_details is not null')
  const deleted = await idsOf(sql, 'select id from users where deleted_at is not null')
  const waived = await idsOf(sql, 'select id::text from debts where waived_at is not null')
  const refundedLater = await idsOf(
    sql,
    `select payment_id || ' ' || amount_cents as id from payment_refunds`,
  )
  const items = await pairsOf(sql, 'select id, user_id from wanted_items')
  const messages = await pairsOf(sql, 'select id, content from messages')
  const evidence = await pairsOf(
    sql,
    `select id, concat_ws(' ', dispute_id, submitted_by, coalesce(content, file_name)) from dispute_evidence`,
  )
  const offers = await pairsOf(sql, `select id, concat_ws(' ', amount, proposed_by) from offers`)
  const answers = await pairsOf(
    sql,
    `select o.id, case when o.status = 'withdrawn' and (b.deleted_at is not null or s.deleted_at is not null)
       then 'left' else o.status end
     from offers o join users b on b.id = o.buyer_id join users s on s.id = o.seller_id`,
  )
  const unread = await pairsOf(
    sql,
    'select min(id), user_id from notifications where read_at is null group by user_id',
  )
  const firstUnread = new Map([...unread].map(([id, userId]) => [userId, id]))

  return (it) => {
    const payment = 'paymentId' in it ? payments.get(it.paymentId) : undefined
    switch (it.what) {
      case 'started': {
        const same = payment?.offerId === it.offerId && payment.amount === it.amount
        // A replaced intent must not have been paid.
        return same && (payment.intentId === it.intentId || !paid.has(it.intentId))
      }
      case 'charged':
        return (byIntent.get(it.intentId)?.status ?? 'pending') !== 'pending'
      case 'confirmed':
        return payment?.status === 'completed' && payment.confirmed
      case 'cancelled':
        return payment?.status === 'refunded'
      case 'ruled':
        // A refund in the dashboard counts as part of it, and a failed refund is owed in addition.
        return (
          payment?.status === it.status &&
          (payment.isRefundChanged || (payment.refundCents ?? 0) === it.refundCents)
        )
      case 'refunded later':
        return refundedLater.has(`${it.paymentId} ${it.cents}`)
      case 'waived':
        return waived.has(String(it.debtId))
      case 'rated':
        return payment?.rating === it.rating
      case 'bank saved':
        return withBankDetails.has(it.sellerId) || deleted.has(it.sellerId)
      case 'posted':
        return items.get(it.itemId) === it.ownerId
      case 'offered':
        return offers.get(it.offerId) === `${it.amount} ${it.by}`
      case 'offer answered': {
        const answer = answers.get(it.offerId)
        return answer === it.status || (answer === 'left' && it.status !== 'rejected')
      }
      case 'sent':
        return messages.get(it.messageId) === it.content
      case 'evidence':
        return evidence.get(it.evidenceId) === `${it.disputeId} ${it.submittedBy} ${it.text}`
      case 'notifications read':
        return (firstUnread.get(it.userId) ?? Number.POSITIVE_INFINITY) > it.upTo
      case 'deleted':
        return deleted.has(it.userId)
      case 'disputed':
      case 'withdrawn':
        // These two actions undo each other, so findLostDisputes counts them together.
        return true
      case 'read':
      case 'written':
        // The order of these actions matters, so findUnreadAgain and findOverwritten check them.
        return true
    }
  }
}

async function idsOf(sql: pg.Pool, query: string): Promise<Set<string>> {
  const { rows } = await sql.query<{ id: string }>(query)
  return new Set(rows.map(({ id }) => id))
}

/** The rows of a query with two columns, the first of them an id. */
async function pairsOf(sql: pg.Pool, text: string): Promise<Map<number, string>> {
  const { rows } = await sql.query<[number, string]>({ text, rowMode: 'array' })
  return new Map(rows)
}

/** Confirming, deciding, rating and answering an offer succeed once, and the first two exclude each other. */
function findRepeated(acknowledged: Acknowledged[]): string[] {
  const onceOnly = acknowledged.flatMap((it) => {
    if (it.what === 'confirmed' || it.what === 'ruled') return [`settling payment ${it.paymentId}`]
    if (it.what === 'offer answered') return [`answering offer ${it.offerId}`]
    if (it.what === 'deleted') return [`deleting ${it.userId}`]
    return it.what === 'rated' ? [`rating payment ${it.paymentId}`] : []
  })
  const seen = new Set<string>()
  return onceOnly
    .filter((it) => seen.has(it) || !seen.add(it))
    .map((it) => `answered with success more than once: ${it}`)
}

/** A dispute that was filed and not withdrawn is still open, or was resolved. */
function findLostDisputes(acknowledged: Acknowledged[], payments: Map<number, Row>): string[] {
  const openDisputes = new Map<number, number>()
  for (const it of acknowledged) {
    if (it.what !== 'disputed' && it.what !== 'withdrawn') continue
    const by = it.what === 'disputed' ? 1 : -1
    openDisputes.set(it.paymentId, (openDisputes.get(it.paymentId) ?? 0) + by)
  }
  return [...openDisputes].flatMap(([id, open]) => {
    const status = payments.get(id)?.status ?? 'gone'
    const isDisputed = /^(disputed|under_review|resolved_\w+)$/.test(status)
    if (open > 1) return [`payment ${id} was disputed ${open} times at once`]
    return open === 1 && !isDisputed
      ? [`payment ${id} is ${status} although its dispute was not withdrawn`]
      : []
  })
}

interface Unread {
  id: number
  itemId: number
  senderId: string
  receiverId: string
}

async function findUnreadMessages(sql: pg.Pool): Promise<Unread[]> {
  const { rows } = await sql.query<Unread>(
    `select id, wanted_item_id as "itemId", sender_id as "senderId", receiver_id as "receiverId"
     from messages where not is_read`,
  )
  return rows
}

/** A message that was sent before its receiver read the conversation must be read. */
function findUnreadAgain(acknowledged: Acknowledged[], unread: Unread[]): string[] {
  const sentMs = new Map(
    acknowledged.flatMap((it) => (it.what === 'sent' ? [[it.messageId, it.doneMs]] : [])),
  )
  const readMs = new Map<string, number>()
  for (const it of acknowledged) {
    if (it.what !== 'read') continue
    const key = `${it.itemId} ${it.senderId} ${it.readerId}`
    readMs.set(key, Math.max(readMs.get(key) ?? 0, it.sentMs))
  }
  return unread
    .filter(({ id, itemId, senderId, receiverId }) => {
      const sent = sentMs.get(id)
      return sent !== undefined && sent < (readMs.get(`${itemId} ${senderId} ${receiverId}`) ?? 0)
    })
    .map(({ id }) => `message ${id} is unread although it was read`)
}

/** Queries for the current value of each field by id, without deleted users and requests whose status follows a payment. */
const CURRENT_VALUES: Record<Written['field'], string> = {
  title: 'select id::text, title from wanted_items',
  // An open request expires by itself.
  'item status': `select i.id::text, case i.status when 'expired' then 'open' else i.status end
    from wanted_items i join users u on u.id = i.user_id
    where u.deleted_at is null
      and not exists (select from payments p where p.wanted_item_id = i.id and p.status <> 'pending')`,
  bio: `select id, coalesce(bio, '') from users where deleted_at is null`,
  'mail off': `select id, (select coalesce(string_agg(kind, ' ' order by kind), '') from unnest(mail_off) kind)
    from users where deleted_at is null`,
  password: 'select id, password from users where deleted_at is null',
  // An undone manual payout may have been paid by transfer since.
  'payout status': `select id::text, case when method = 'manual' then status else 'owed' end from payouts`,
}

const INITIAL_VALUES: Record<Written['field'], string> = {
  title: 'Lamp',
  'item status': 'open',
  bio: '',
  'mail off': '',
  password: 'correct horse',
  'payout status': 'owed',
}

/** Fields that do not have the value written last. */
async function findOverwritten(sql: pg.Pool, acknowledged: Acknowledged[]): Promise<string[]> {
  const found: string[] = []
  const written = acknowledged.filter((it) => it.what === 'written')
  for (const [field, text] of Object.entries(CURRENT_VALUES)) {
    const byId = Map.groupBy(
      written.filter((it) => it.field === field),
      ({ id }) => String(id),
    )
    if (byId.size === 0) continue
    const { rows } = await sql.query<[string, string]>({ text, rowMode: 'array' })
    const current = new Map(rows)
    for (const [id, writes] of byId) {
      const value = current.get(id)
      if (value === undefined) continue
      const possible = possibleLast(writes, INITIAL_VALUES[field as Written['field']])
      const isPossible = field === 'password' ? await matchesAny(value, possible) : possible.includes(value)
      if (!isPossible)
        found.push(`${field} of ${id} is ${value}, but was last written ${possible.join(' or ')}`)
    }
  }
  return found
}

async function matchesAny(hash: string, passwords: string[]): Promise<boolean> {
  for (const password of passwords) if (await verify(hash, password)) return true
  return false
}

/** The values that may be the last: all that were not certainly overwritten. */
function possibleLast(writes: Written[], initialValue: string): string[] {
  const before = { value: initialValue, sentMs: Number.NEGATIVE_INFINITY, doneMs: Number.NEGATIVE_INFINITY }
  const isOverwritten = ({ doneMs }: { doneMs: number }) =>
    writes.some((later) => later.doneMs < Number.POSITIVE_INFINITY && later.sentMs > doneMs)
  return [before, ...writes].filter((write) => !isOverwritten(write)).map(({ value }) => value)
}
