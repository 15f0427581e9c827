import { verify } from '@node-rs/argon2'
import type pg from 'pg'
import type { Promised, Written } from './market.ts'

/* Whatever was answered with success has to be true at the end, unless something that came later undid it. */

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
  const isKept = await judge(sql, payments)
  const broken = promised.filter((it) => !isKept(it)).map((it) => `no longer true: ${JSON.stringify(it)}`)
  return [
    ...broken,
    ...twice(promised),
    ...forgottenDisputes(promised, payments),
    ...unreadAgain(promised, await unreadMessages(sql)),
    ...(await overwritten(sql, promised)),
  ]
}

/** Reads what promises are held against, and gives what holds them against it. */
async function judge(sql: pg.Pool, payments: Map<number, Row>): Promise<(it: Promised) => boolean> {
  const held = new Map([...payments.values()].map((row) => [row.intentId, row]))
  const paid = await idsOf(
    sql,
    `select id from sandbox.objects where kind = 'payment_intent' and body ->> 'status' = 'succeeded'`,
  )
  const banked = await idsOf(sql, 'select id from users where bank_account_details is not null')
  const gone = await idsOf(sql, 'select id from users where deleted_at is not null')
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
        return banked.has(it.sellerId) || gone.has(it.sellerId)
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
        return evidence.get(it.evidenceId) === `${it.disputeId} ${it.submittedBy} ${it.words}`
      case 'bell read':
        return (firstUnread.get(it.userId) ?? Number.POSITIVE_INFINITY) > it.upTo
      case 'deleted':
        return gone.has(it.userId)
      case 'disputed':
      case 'withdrawn':
        // These two undo each other, so that they are counted together.
        return true
      case 'read':
      case 'written':
        // These are held against what came before and after them.
        return true
    }
  }
}

async function idsOf(sql: pg.Pool, query: string): Promise<Set<string>> {
  const { rows } = await sql.query<{ id: string }>(query)
  return new Set(rows.map(({ id }) => id))
}

/** Statements of two columns, the first of them an id. */
async function pairsOf(sql: pg.Pool, text: string): Promise<Map<number, string>> {
  const { rows } = await sql.query<[number, string]>({ text, rowMode: 'array' })
  return new Map(rows)
}

/** Confirming, ruling, rating and answering an offer succeed once, and the first two exclude each other. */
function twice(promised: Promised[]): string[] {
  const onceOnly = promised.flatMap((it) => {
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

interface Unread {
  id: number
  itemId: number
  senderId: string
  receiverId: string
}

async function unreadMessages(sql: pg.Pool): Promise<Unread[]> {
  const { rows } = await sql.query<Unread>(
    `select id, wanted_item_id as "itemId", sender_id as "senderId", receiver_id as "receiverId"
     from messages where not is_read`,
  )
  return rows
}

/** What was sent before somebody read the conversation, and answered so, was read. */
function unreadAgain(promised: Promised[], unread: Unread[]): string[] {
  const sentMs = new Map(promised.flatMap((it) => (it.what === 'sent' ? [[it.messageId, it.doneMs]] : [])))
  const readMs = new Map<string, number>()
  for (const it of promised) {
    if (it.what !== 'read') continue
    const key = `${it.itemId} ${it.senderId} ${it.readerId}`
    readMs.set(key, Math.max(readMs.get(key) ?? 0, it.sentMs))
  }
  return unread
    .filter(({ id, itemId, senderId, receiverId }) => {
      const sent = sentMs.get(id)
      return sent !== undefined && sent < (readMs.get(`${itemId} ${senderId} ${receiverId}`) ?? 0)
    })
    .map(({ id }) => `message ${id} is unread, and was read`)
}

/** What stands in each register, as statements of an id and a value. Who or what is over and done with is left out. */
const REGISTERS: Record<Written['register'], string> = {
  title: 'select id::text, title from wanted_items',
  'item status': `select i.id::text, i.status from wanted_items i join users u on u.id = i.user_id
    where i.status <> 'fulfilled' and u.deleted_at is null`,
  bio: `select id, coalesce(bio, '') from users where deleted_at is null`,
  'mail off': `select id, (select coalesce(string_agg(kind, ' ' order by kind), '') from unnest(mail_off) kind)
    from users where deleted_at is null`,
  password: 'select id, password from users where deleted_at is null',
  // What was taken back may have gone by transfer afterwards, as anything that is owed may.
  'payout status': `select id::text, case when method = 'manual' then status else 'owed' end from payouts`,
}

const INITIALLY: Record<Written['register'], string> = {
  title: 'Lamp',
  'item status': 'open',
  bio: '',
  'mail off': '',
  password: 'correct horse',
  'payout status': 'owed',
}

/** Registers that hold what was written earlier than something that was written later, or what nobody wrote. */
async function overwritten(sql: pg.Pool, promised: Promised[]): Promise<string[]> {
  const found: string[] = []
  const written = promised.filter((it) => it.what === 'written')
  for (const [register, text] of Object.entries(REGISTERS)) {
    const byId = Map.groupBy(
      written.filter((it) => it.register === register),
      ({ id }) => String(id),
    )
    if (byId.size === 0) continue
    const { rows } = await sql.query<[string, string]>({ text, rowMode: 'array' })
    const stands = new Map(rows)
    for (const [id, writes] of byId) {
      const value = stands.get(id)
      if (value === undefined) continue
      const possible = possibleLast(writes, INITIALLY[register as Written['register']])
      const isOne = register === 'password' ? await opensWithOne(value, possible) : possible.includes(value)
      if (!isOne)
        found.push(`${register} of ${id} is ${value}, and was last written ${possible.join(' or ')}`)
    }
  }
  return found
}

async function opensWithOne(stored: string, passwords: string[]): Promise<boolean> {
  for (const password of passwords) if (await verify(stored, password)) return true
  return false
}

/** What may stand there: whatever nothing was surely written after. */
function possibleLast(writes: Written[], initially: string): string[] {
  const before = { value: initially, sentMs: Number.NEGATIVE_INFINITY, doneMs: Number.NEGATIVE_INFINITY }
  const isOvertaken = ({ doneMs }: { doneMs: number }) =>
    writes.some((later) => later.doneMs < Number.POSITIVE_INFINITY && later.sentMs > doneMs)
  return [before, ...writes].filter((write) => !isOvertaken(write)).map(({ value }) => value)
}
