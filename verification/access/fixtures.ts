import { createHash } from 'node:crypto'
import type { StaffRole } from '@sought/contract/call'
import type { PaymentStatus } from '@sought/escrow/payment-status'
import {
  cancellationFeePosting,
  goodwillPosting,
  type Posting,
  payoutPosting,
  reversalPosting,
} from '@sought/escrow/postings'
import { createEncryption } from '@sought/server/core/encryption'
import { savePhoto, sendPhotos } from '@sought/server/features/deals/photos/actions'
import { handoverOwner } from '@sought/server/features/money/payments/start-payment'
import { createUndoToken } from '@sought/server/features/users/email-changes'
import { createToken, type TokenPurpose } from '@sought/server/features/users/link-tokens'
import { writePhoto } from '@sought/server/files/photo-files'
import { insertFile, type NewFile, storeFile } from '@sought/server/files/stored-files'
import type { Paid } from '@sought/server/market-builder/given'
import type { World } from '@sought/server/testing/world'
import type { Person } from './people.ts'

interface Pair {
  buyer: Person
  seller: Person
}

export interface Deal {
  itemId: number
  offerId: number
  amount: number
}

export interface PaidDeal extends Deal {
  paymentId: number
  intentId: string
}

const AMOUNT = 12_000

/** Inserts rows as the product would write them. */
export function createFixtures({ sql, services, given }: World) {
  async function insert(table: string, row: Record<string, unknown>): Promise<number> {
    const names = Object.keys(row)
    const places = names.map((_, index) => `$${index + 1}`)
    const { rows } = await sql.query(
      `insert into ${table} (${names.join(', ')}) values (${places.join(', ')}) returning *`,
      Object.values(row),
    )
    return rows[0].id
  }

  async function post({ key, paymentId, entries }: Posting): Promise<void> {
    await sql.query(
      `insert into ledger_entries (key, payment_id, account, amount_cents)
         select $1, $2, account, amount
         from json_to_recordset($3) as entry (account text, amount bigint)`,
      [key, paymentId, JSON.stringify(entries)],
    )
  }

  /** Gives the payment an intent that the provider does not know. */
  async function asPaid({ buyer, itemId, offerId, amount, paymentId }: Paid): Promise<PaidDeal> {
    const intentId = `pi_${offerId}_of_${buyer.id}`
    const change = 'update payments set stripe_payment_intent_id = $2 where id = $1'
    await sql.query(change, [paymentId, intentId])
    return { itemId, offerId, amount, paymentId, intentId }
  }

  const addFile = (file: NewFile, kind: 'parcel' | 'evidence', ownerId: string): Promise<string> =>
    storeFile(services.files, file, async (stored) => {
      await services.database.transact((tx) => insertFile(tx, { ...stored, kind, ownerId }))
      return stored.id
    })

  const fixtures = {
    /** Old enough to be renewed. */
    item: ({ id }: Person, status = 'open') =>
      insert('wanted_items', {
        created_at: new Date(Date.now() - 30 * 86_400_000),
        title: `Lamp of ${id}`,
        description: 'Green',
        category: 'Other',
        location: 'Ipoh',
        user_id: id,
        status,
      }),

    savedSearch: ({ id }: Person) =>
      insert('saved_searches', {
        user_id: id,
        name: 'Lamps in Ipoh',
        filters: { search: 'lamp' },
        alerts: 'immediately',
        parts: ['lamp'],
        location_parts: [],
        keys: ['lamp'],
      }),

    pushSubscription: ({ id }: Person) =>
      sql.query(
        `insert into push_subscriptions (user_id, sid, endpoint, p256dh, auth)
         select $1::text, sid, 'https://push.example/' || $1, '', '' from sessions where sess ->> 'userId' = $1`,
        [id],
      ),

    message: (itemId: number, from: Person, to: Person) =>
      insert('messages', {
        wanted_item_id: itemId,
        sender_id: from.id,
        receiver_id: to.id,
        content: `From ${from.id}`,
      }),

    /** A support ticket. */
    async ticket({ id }: Person): Promise<number> {
      const ticketId = await insert('support_tickets', {
        user_id: id,
        topic: 'other',
        subject: `Question of ${id}`,
      })
      await insert('support_messages', { ticket_id: ticketId, kind: 'question', content: `From ${id}` })
      return ticketId
    },

    /** A message with a photo. */
    async photo(itemId: number, from: Person, to: Person, picture: Uint8Array): Promise<number> {
      const messageId = await fixtures.message(itemId, from, to)
      const written = await writePhoto(services.files, picture, from.id)
      return services.database.transact(async (tx) => {
        const { id } = await savePhoto(tx, written, from)
        await sendPhotos(tx, [id], { messageId }, from)
        return id
      })
    },

    /** An offer of the seller, in this status. */
    async offer(pair: Pair, status: 'pending' | 'accepted' | 'rejected' = 'pending'): Promise<Deal> {
      const make = { pending: given.offer, accepted: given.agreement, rejected: given.rejectedOffer }[status]
      const { itemId, offerId, amount } = await make(pair)
      return { itemId, offerId, amount }
    },

    /** A payment in this status. The provider does not know its intent. */
    payment: async (pair: Pair, status: PaymentStatus): Promise<PaidDeal> =>
      asPaid(await given.payment({ ...pair, status })),

    /** A deal in person in escrow, with the code that the seller enters. */
    async handover(pair: Pair, code: string): Promise<PaidDeal> {
      const deal = await asPaid(await given.heldPayment({ ...pair, delivery: 'in_person' }))
      const encryption = createEncryption(services.secrets.dataKeys)
      const sealed = await encryption.seal(code, handoverOwner(deal.paymentId))
      await sql.query('update payments set handover_code = $1 where id = $2', [sealed, deal.paymentId])
      return deal
    },

    /** A parcel on its way, with a photo of it. */
    async parcel(pair: Pair): Promise<PaidDeal> {
      const file = { bytes: Buffer.from('A parcel'), extension: 'webp', mimeType: 'image/webp' } as const
      const photo = await addFile(file, 'parcel', pair.seller.id)
      const deal = await asPaid(await given.parcel(pair))
      const shipped = 'update payments set shipment_photo = $2, tracking_number = $3 where id = $1'
      await sql.query(shipped, [deal.paymentId, photo, 'PARCEL1'])
      return deal
    },

    /** A dispute with a file of evidence by the buyer. */
    async dispute(pair: Pair): Promise<PaidDeal & { evidenceId: number; fileName: string }> {
      const deal = await fixtures.payment(pair, 'disputed')
      const { paymentId: disputeId } = deal
      const { id: submittedBy } = pair.buyer
      const file = {
        bytes: Buffer.from('It came on Tuesday.'),
        extension: 'txt',
        mimeType: 'text/plain',
      } as const
      const fileName = await addFile(file, 'evidence', submittedBy)
      const evidenceId = await insert('dispute_evidence', {
        dispute_id: disputeId,
        submitted_by: submittedBy,
        type: 'document',
        file_name: 'note.txt',
        file_url: fileName,
        file_size: file.bytes.length,
        mime_type: file.mimeType,
      })
      return { ...deal, evidenceId, fileName }
    },

    /** A dispute that another admin has decided for the seller. */
    async ruling(pair: Pair): Promise<number> {
      const { paymentId } = await given.ruling({ ...pair, action: 'release_seller' })
      return paymentId
    },

    async appeal(pair: Pair): Promise<number> {
      const paymentId = await fixtures.ruling(pair)
      const { rows } = await sql.query('select id from dispute_cases where payment_id = $1', [paymentId])
      return insert('dispute_appeals', {
        case_id: rows[0].id,
        payment_id: paymentId,
        appellant_id: pair.buyer.id,
        reason: 'It never arrived',
      })
    },

    savedReply(admin: { id: string }): Promise<number> {
      return insert('saved_replies', { title: 'Photos', text: 'Dear {buyer}', created_by: admin.id })
    },

    /** A refund that came back from the buyer's bank. */
    async failedRefund(pair: Pair): Promise<PaidDeal> {
      const deal = await fixtures.payment(pair, 'resolved_buyer')
      await sql.query('update payments set refund_failed_at = now(), refund_attempt = 1 where id = $1', [
        deal.paymentId,
      ])
      return deal
    },

    exportJob: (admin: { id: string }): Promise<number> =>
      insert('export_jobs', { kind: 'fees', year: 2026, requested_by: admin.id }),

    /** A goodwill payment for the buyer that waits for another admin, or is approved and not paid yet. */
    async goodwill(pair: Pair, status: 'waiting' | 'done', admin: { id: string }): Promise<number> {
      const { paymentId } = await fixtures.payment(pair, 'held_in_escrow')
      const goodwill = { recipient: 'buyer' as const, recipientId: pair.buyer.id, amount: 500 }
      const id = await insert('goodwill_payments', {
        payment_id: paymentId,
        recipient: goodwill.recipient,
        recipient_id: goodwill.recipientId,
        amount_cents: goodwill.amount,
        reason: 'It was late',
        status,
        requested_by: admin.id,
      })
      if (status === 'done') await post(goodwillPosting({ id, paymentId, ...goodwill }))
      return id
    },

    /** A manual payout, owed or just paid, or one whose transfer was reversed. */
    async payout(pair: Pair, status: 'owed' | 'paid' | 'reversed'): Promise<PaidDeal & { payoutId: number }> {
      const deal = await fixtures.payment(pair, 'completed')
      const { paymentId } = deal
      const isReversed = status === 'reversed'
      const { rows } = await sql.query(
        `update payouts set status = $2, method = $3, paid_at = case when $2 <> 'owed' then now() end,
           reversed_cents = case when $2 = 'reversed' then amount else 0 end
         where payment_id = $1 returning id, amount`,
        [paymentId, status, isReversed ? 'transfer' : 'manual'],
      )
      const [{ id: payoutId, amount }] = rows
      const { id: sellerId } = pair.seller
      if (status !== 'owed') await post(payoutPosting({ paymentId, sellerId, amount, attempt: 0 }))
      if (isReversed) await post(reversalPosting({ id: paymentId, sellerId }, `trr_${paymentId}`, amount))
      return { ...deal, payoutId }
    },

    /** What the seller owes for a cancelled deal. */
    async debt(pair: Pair): Promise<number> {
      const { paymentId } = await fixtures.payment(pair, 'refunded')
      const deal = { id: paymentId, sellerId: pair.seller.id, currency: 'usd' }
      const fee = { amount: 378, taken: { amount: 378, currency: 'usd' } }
      const { key, entries } = cancellationFeePosting(deal, fee)
      // One statement, because the database compares the debt with the ledger at its end.
      await sql.query(
        `with debt as (insert into debts (user_id, payment_id, reason, amount_cents, currency)
           values ($4, $2, 'cancellation', 378, 'usd'))
         insert into ledger_entries (key, payment_id, account, amount_cents)
         select $1, $2, account, amount
         from json_to_recordset($3) as entry (account text, amount bigint)`,
        [key, paymentId, JSON.stringify(entries), pair.seller.id],
      )
      const { rows } = await sql.query('select id from debts where payment_id = $1', [paymentId])
      return rows[0].id
    },

    /** The buyer's published review of the seller. */
    async review(pair: Pair): Promise<PaidDeal & { reviewId: number }> {
      const deal = await fixtures.payment(pair, 'completed')
      const reviewId = await insert('reviews', {
        payment_id: deal.paymentId,
        author_id: pair.buyer.id,
        subject_id: pair.seller.id,
        subject_role: 'seller',
        rating: 4,
        text: 'Fine',
        published_at: new Date(),
        is_counted: true,
      })
      return { ...deal, reviewId }
    },

    notification: (to: Person, by: Person, itemId: number) =>
      insert('notifications', {
        user_id: to.id,
        kind: 'offer_made',
        key: `offer_made:${itemId}`,
        actor_id: by.id,
        wanted_item_id: itemId,
        amount: AMOUNT,
      }),

    /** The public id of a session. */
    deviceOf: ({ cookie }: Person) => {
      const [sid = ''] = decodeURIComponent(cookie.slice('sid='.length)).split('.')
      return createHash('sha256').update(sid).digest('hex').slice(0, 32)
    },

    /** An undo token for a change to the person's current address. */
    async undoToken({ id }: Person): Promise<string> {
      const oldEmail = `former-${id}@example.com`
      const { rows } = await sql.query(
        "insert into email_changes (user_id, old_email, payout_methods_hash) values ($1, $2, '') returning id",
        [id, oldEmail],
      )
      return createUndoToken(rows[0].id, services.secrets.sessionKeys)
    },
    token: ({ id: userId, email }: Person, purpose: TokenPurpose) =>
      services.database.transact((tx) => createToken(tx, { userId, purpose, email })),

    block: async (blocker: Person, blocked: Person) => {
      await sql.query('insert into blocks (blocker_id, blocked_id) values ($1, $2)', [blocker.id, blocked.id])
    },

    /** An open case about the profile of a person. */
    moderationCase: (person: Person) =>
      insert('moderation_cases', {
        kind: 'profile',
        target_id: person.id,
        person_id: person.id,
        severity: 2,
      }),

    async decision(person: Person, moderator: Person) {
      const caseId = await fixtures.moderationCase(person)
      await sql.query("update moderation_cases set status = 'decided', decided_at = now() where id = $1", [
        caseId,
      ])
      return insert('moderation_decisions', {
        case_id: caseId,
        person_id: person.id,
        action: 'warn',
        reason: 'Be polite',
        decided_by: moderator.id,
      })
    },

    admin: async ({ id }: Person, role: StaffRole | null = null) => {
      await sql.query('insert into admins (user_id, role) values ($1, $2)', [id, role])
    },
  }
  return fixtures
}

export type Fixtures = ReturnType<typeof createFixtures>
