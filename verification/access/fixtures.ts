import { createHash } from 'node:crypto'
import { holdPosting } from '@sought/escrow/postings'
import { createToken, type TokenPurpose } from '@sought/server/platform/link-tokens'
import { storeFile } from '@sought/server/platform/stored-files'
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

const HELD = ['held_in_escrow', 'disputed', 'under_review']
const AMOUNT = 12_000

/** Writes things down as they would be after the people had done what leads to them. */
export function givenIn({ sql, services }: World) {
  async function insert(table: string, row: Record<string, unknown>): Promise<number> {
    const names = Object.keys(row)
    const places = names.map((_, index) => `$${index + 1}`)
    const { rows } = await sql.query(
      `insert into ${table} (${names.join(', ')}) values (${places.join(', ')}) returning *`,
      Object.values(row),
    )
    return rows[0].id
  }

  const given = {
    item: ({ id }: Person, status = 'open') =>
      insert('wanted_items', {
        title: `Lamp of ${id}`,
        description: 'Green',
        category: 'Other',
        location: 'Ipoh',
        user_id: id,
        status,
      }),

    message: (itemId: number, from: Person, to: Person) =>
      insert('messages', {
        wanted_item_id: itemId,
        sender_id: from.id,
        receiver_id: to.id,
        content: `From ${from.id}`,
      }),

    /** The seller offers, and the buyer may have answered. */
    async offer(
      { buyer, seller }: Pair,
      status: 'pending' | 'accepted' | 'rejected' = 'pending',
    ): Promise<Deal> {
      const itemId = await given.item(buyer)
      const offerId = await insert('offers', {
        wanted_item_id: itemId,
        buyer_id: buyer.id,
        seller_id: seller.id,
        amount: AMOUNT,
        status,
        expires_at: new Date(Date.now() + 86_400_000),
        accepted_at: status === 'accepted' ? new Date() : null,
        rejected_at: status === 'rejected' ? new Date() : null,
      })
      return { itemId, offerId, amount: AMOUNT }
    },

    /** In this state, and with its money where it has to be. */
    async payment(pair: Pair, status: string): Promise<PaidDeal> {
      const { buyer, seller } = pair
      const deal = await given.offer(pair, 'accepted')
      const now = new Date()
      const intentId = `pi_${deal.offerId}_of_${buyer.id}`
      const paymentId = await insert('payments', {
        wanted_item_id: deal.itemId,
        buyer_id: buyer.id,
        seller_id: seller.id,
        offer_id: deal.offerId,
        amount: AMOUNT,
        stripe_payment_intent_id: intentId,
        status,
        escrow_hold_until: status === 'pending' ? null : new Date(now.getTime() + 86_400_000),
        completed_at: status === 'completed' ? now : null,
        disputed_at: ['disputed', 'under_review'].includes(status) ? now : null,
        dispute_reason: status === 'disputed' ? `A reason of ${buyer.id}` : null,
      })
      if (HELD.includes(status)) await given.posted(paymentId, pair)
      return { ...deal, paymentId, intentId }
    },

    async posted(id: number, { buyer, seller }: Pair): Promise<void> {
      const { key, entries } = holdPosting({ id, buyerId: buyer.id, sellerId: seller.id, amount: AMOUNT })
      await sql.query(
        `insert into ledger_entries (key, payment_id, account, amount_cents)
           select $1, $2, account, "amountCents"
           from json_to_recordset($3) as entry (account text, "amountCents" bigint)`,
        [key, id, JSON.stringify(entries)],
      )
    },

    /** A dispute in which the buyer has brought a file. */
    async dispute(pair: Pair): Promise<PaidDeal & { evidenceId: number; fileName: string }> {
      const deal = await given.payment(pair, 'disputed')
      const { paymentId: disputeId } = deal
      const { id: submittedBy } = pair.buyer
      await insert('dispute_timeline', { dispute_id: disputeId, action: 'filed', actor: submittedBy })
      const file = {
        bytes: Buffer.from('It came on Tuesday.'),
        extension: 'txt',
        mimeType: 'text/plain',
      } as const
      const fileName = await services.database.transact((tx) =>
        storeFile(tx, services.files, file, 'evidence', submittedBy),
      )
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

    /** To be paid by hand, or paid so a moment ago. */
    async payout(pair: Pair, status: 'owed' | 'paid'): Promise<PaidDeal & { payoutId: number }> {
      const deal = await given.payment(pair, 'completed')
      const payoutId = await insert('payouts', {
        seller_id: pair.seller.id,
        payment_id: deal.paymentId,
        amount: 11_262,
        method: 'manual',
        status,
        paid_at: status === 'paid' ? new Date() : null,
      })
      return { ...deal, payoutId }
    },

    async rated(pair: Pair): Promise<PaidDeal> {
      const deal = await given.payment(pair, 'completed')
      await insert('ratings', {
        payment_id: deal.paymentId,
        buyer_id: pair.buyer.id,
        seller_id: pair.seller.id,
        rating: 4,
        feedback: 'Fine',
      })
      return deal
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

    /** What is called a device is a session: this is how it is named to its owner. */
    deviceOf: ({ cookie }: Person) => {
      const [sid = ''] = decodeURIComponent(cookie.slice('sid='.length)).split('.')
      return createHash('sha256').update(sid).digest('hex').slice(0, 32)
    },

    token: ({ id: userId, email }: Person, purpose: TokenPurpose) =>
      services.database.transact((tx) => createToken(tx, { userId, purpose, email })),

    admin: async ({ id }: Person) => {
      await sql.query('insert into admins (user_id) values ($1)', [id])
    },
  }
  return given
}

export type Given = ReturnType<typeof givenIn>
