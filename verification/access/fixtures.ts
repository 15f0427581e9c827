import { createHash } from 'node:crypto'
import type { StaffRole } from '@sought/contract/call'
import { STANDARD_FEES } from '@sought/escrow/fees'
import {
  goodwillPosting,
  holdPosting,
  type Posting,
  payoutPosting,
  releasePosting,
  reversalPosting,
} from '@sought/escrow/postings'
import { createEncryption } from '@sought/server/core/encryption'
import { savePhoto, sendPhotos } from '@sought/server/features/deals/photos/actions'
import { handoverOwner } from '@sought/server/features/money/payments/start-payment'
import { createUndoToken } from '@sought/server/features/users/email-changes'
import { createToken, type TokenPurpose } from '@sought/server/features/users/link-tokens'
import { writePhoto } from '@sought/server/files/photo-files'
import { insertFile, type NewFile, storeFile } from '@sought/server/files/stored-files'
import type { World } from '@sought/server/testing/world'
import type { Person } from './people.ts'

interface Pair {
  buyer: Person
  seller: Person
}

/** The delivery terms, as columns. */
interface Terms {
  delivery?: 'shipping' | 'in_person'
  ship_within_days?: number
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

const HELD = ['held_in_escrow', 'disputed', 'under_review']
const AMOUNT = 12_000
/** The seller's part after the fees. */
const PAYOUT = 11_262

/** Inserts rows as the product would write them. */
export function createFixtures({ sql, services }: World) {
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
         select $1, $2, account, "amountCents"
         from json_to_recordset($3) as entry (account text, "amountCents" bigint)`,
      [key, paymentId, JSON.stringify(entries)],
    )
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
      const written = await writePhoto(services.files, picture)
      return services.database.transact(async (tx) => {
        const { id } = await savePhoto(tx, written, from)
        await sendPhotos(tx, [id], { messageId }, from)
        return id
      })
    },

    /** An offer of the seller, in this status. */
    async offer(
      { buyer, seller }: Pair,
      status: 'pending' | 'accepted' | 'rejected' = 'pending',
      terms: Terms = {},
    ): Promise<Deal> {
      const itemId = await fixtures.item(buyer)
      const offerId = await insert('offers', {
        wanted_item_id: itemId,
        buyer_id: buyer.id,
        seller_id: seller.id,
        amount: AMOUNT,
        status,
        expires_at: new Date(Date.now() + 86_400_000),
        accepted_at: status === 'accepted' ? new Date() : null,
        rejected_at: status === 'rejected' ? new Date() : null,
        ...terms,
      })
      return { itemId, offerId, amount: AMOUNT }
    },

    /** A payment in this status, with its ledger entries. */
    async payment(pair: Pair, status: string, terms: Terms = {}, parcel = {}): Promise<PaidDeal> {
      const { buyer, seller } = pair
      const deal = await fixtures.offer(pair, 'accepted', terms)
      const now = new Date()
      const intentId = `pi_${deal.offerId}_of_${buyer.id}`
      const paymentId = await insert('payments', {
        wanted_item_id: deal.itemId,
        buyer_id: buyer.id,
        seller_id: seller.id,
        offer_id: deal.offerId,
        amount: AMOUNT,
        currency: 'usd',
        stripe_payment_intent_id: intentId,
        status,
        escrow_hold_until: status === 'pending' ? null : new Date(now.getTime() + 86_400_000),
        completed_at: status === 'completed' ? now : null,
        disputed_at: ['disputed', 'under_review'].includes(status) ? now : null,
        dispute_reason: status === 'disputed' ? `A reason of ${buyer.id}` : null,
        ...terms,
        ...parcel,
      })
      if (HELD.includes(status)) await fixtures.hold(paymentId, pair)
      return { ...deal, paymentId, intentId }
    },

    /** A deal in person in escrow, with the code that the seller enters. */
    async handover(pair: Pair, code: string): Promise<PaidDeal> {
      const deal = await fixtures.payment(pair, 'held_in_escrow', { delivery: 'in_person' })
      const encryption = createEncryption(services.secrets.dataKey)
      const sealed = await encryption.seal(code, handoverOwner(deal.paymentId))
      await sql.query('update payments set handover_code = $1 where id = $2', [sealed, deal.paymentId])
      return deal
    },

    /** A parcel on its way, with a photo of it. */
    async parcel(pair: Pair, status: string): Promise<PaidDeal> {
      const file = { bytes: Buffer.from('A parcel'), extension: 'webp', mimeType: 'image/webp' } as const
      const photo = await addFile(file, 'parcel', pair.seller.id)
      const now = new Date()
      const terms = { delivery: 'shipping', ship_within_days: 3 } as const
      const shipped = { ship_by: now, shipped_at: now, carrier: 'dhl', tracking_number: 'PARCEL1' }
      return fixtures.payment(pair, status, terms, { ...shipped, shipment_photo: photo })
    },

    hold: (id: number, { buyer, seller }: Pair): Promise<void> =>
      post(holdPosting({ id, buyerId: buyer.id, sellerId: seller.id, amount: AMOUNT, returnedCents: 0 })),

    /** A released payment with its ledger entries. */
    async sale(pair: Pair): Promise<PaidDeal> {
      const deal = await fixtures.payment(pair, 'completed')
      const { buyer, seller } = pair
      const payment = {
        id: deal.paymentId,
        buyerId: buyer.id,
        sellerId: seller.id,
        amount: AMOUNT,
        returnedCents: 0,
        ...STANDARD_FEES,
      }
      await post(holdPosting(payment))
      await post(releasePosting(payment))
      return deal
    },

    /** A dispute with a file of evidence by the buyer. */
    async dispute(pair: Pair): Promise<PaidDeal & { evidenceId: number; fileName: string }> {
      const deal = await fixtures.payment(pair, 'disputed')
      const { paymentId: disputeId } = deal
      const { id: submittedBy } = pair.buyer
      await insert('dispute_timeline', { dispute_id: disputeId, action: 'filed', actor: submittedBy })
      await insert('dispute_cases', {
        payment_id: disputeId,
        opened_by: 'buyer',
        opened_at: services.clock(),
      })
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

    /** A dispute that an admin has decided for the seller. */
    async ruling(pair: Pair, admin: { id: string }): Promise<PaidDeal & { caseId: number }> {
      const deal = await fixtures.payment(pair, 'resolved_seller')
      const now = services.clock()
      const caseId = await insert('dispute_cases', {
        payment_id: deal.paymentId,
        opened_by: 'buyer',
        opened_at: now,
        reason: 'other',
        ended_at: now,
        ending: 'ruled',
        ruled_by: admin.id,
      })
      return { ...deal, caseId }
    },

    async appeal(pair: Pair, admin: { id: string }): Promise<number> {
      const { paymentId, caseId } = await fixtures.ruling(pair, admin)
      return insert('dispute_appeals', {
        case_id: caseId,
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
      await services.database.pool.query(
        'update payments set refund_cents = $2, refund_failed_at = now(), refund_attempt = 1 where id = $1',
        [deal.paymentId, AMOUNT],
      )
      return deal
    },

    exportJob: (admin: { id: string }): Promise<number> =>
      insert('export_jobs', { kind: 'fees', year: 2026, requested_by: admin.id }),

    /** A goodwill payment for the buyer that waits for another admin, or is approved and not paid yet. */
    async goodwill(pair: Pair, status: 'waiting' | 'done', admin: { id: string }): Promise<number> {
      const { paymentId } = await fixtures.payment(pair, 'held_in_escrow')
      const goodwill = { recipient: 'buyer' as const, recipientId: pair.buyer.id, amountCents: 500 }
      const id = await insert('goodwill_payments', {
        payment_id: paymentId,
        recipient: goodwill.recipient,
        recipient_id: goodwill.recipientId,
        amount_cents: goodwill.amountCents,
        reason: 'It was late',
        status,
        requested_by: admin.id,
      })
      if (status === 'done') await post(goodwillPosting({ id, paymentId, ...goodwill }))
      return id
    },

    /** A manual payout, owed or just paid, or one whose transfer was reversed. */
    async payout(pair: Pair, status: 'owed' | 'paid' | 'reversed'): Promise<PaidDeal & { payoutId: number }> {
      const deal = await fixtures.sale(pair)
      const { paymentId } = deal
      const payoutId = await insert('payouts', {
        seller_id: pair.seller.id,
        payment_id: paymentId,
        amount: PAYOUT,
        method: status === 'reversed' ? 'transfer' : 'manual',
        status,
        paid_at: status === 'owed' ? null : new Date(),
        reversed_cents: status === 'reversed' ? PAYOUT : 0,
      })
      const { id: sellerId } = pair.seller
      if (status !== 'owed') await post(payoutPosting({ paymentId, sellerId, amount: PAYOUT, attempt: 0 }))
      if (status === 'reversed')
        await post(reversalPosting({ id: paymentId, sellerId }, `trr_${paymentId}`, PAYOUT))
      return { ...deal, payoutId }
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
      return createUndoToken(rows[0].id, services.secrets.sessionSecret)
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
