import type { Page } from '@playwright/test'
import { agree, type Deal, hold } from './deal.ts'
import { expect } from './story.ts'

/* What has happened before a journey about a dispute begins, and what came of it. */

export interface Quarrel extends Deal {
  paymentId: number
}

/** Money in escrow, which the buyer disputes in a few words, without files. */
export async function quarrel(
  story: Parameters<typeof agree>[0],
  amount = 12_001,
  options: object = {},
): Promise<Quarrel> {
  const deal = await agree(story, amount, options)
  const { paymentId } = await hold(deal)
  const data = { paymentId, reason: 'The shade is cracked' }
  const filed = await deal.buyer.request.post('/api/initiate-dispute', { data })
  expect(filed.status()).toBe(200)
  return { ...deal, paymentId }
}

/** How the dispute stands, as its parties read it. */
export async function disputeFile(page: Page, paymentId: number) {
  const reply = await page.request.get(`/api/disputes/${paymentId}`)
  expect(reply.status()).toBe(200)
  return reply.json()
}

/** Where the money went: back to the buyer, and to the seller after fees, in cents. */
export async function outcome({ buyer, seller, paymentId }: Quarrel) {
  const { dispute } = await disputeFile(buyer, paymentId)
  const payouts: { paymentId: number; amount: number }[] = await (
    await seller.request.get('/api/seller/payouts')
  ).json()
  return {
    status: dispute.status,
    refund: dispute.refundCents,
    payout: payouts.find((it) => it.paymentId === paymentId)?.amount ?? 0,
  }
}

/** A small green square. */
const PICTURE =
  'iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAAEUlEQVQImWPg9zXGihiGlgQA74sjwVvHL+AAAAAASUVORK5CYII='

export const picture = (name: string) => ({
  name,
  mimeType: 'image/png',
  buffer: Buffer.from(PICTURE, 'base64'),
})

export const note = (name: string, words: string) => ({
  name,
  mimeType: 'text/plain',
  buffer: Buffer.from(words),
})

export const pdf = (name: string) => ({
  name,
  mimeType: 'application/pdf',
  buffer: Buffer.from('%PDF-1.4\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n'),
})
