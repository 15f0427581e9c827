import type { Page } from '@playwright/test'
import { systemClock } from '@sought/server/platform/clock'
import { openDatabase } from '@sought/server/platform/database'
import { agree, type Deal, hold, toast } from './deal.ts'
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

/** Fills in what the form insists on. */
export async function complain(page: Page): Promise<void> {
  await page.getByLabel('Dispute type').selectOption('item_damaged')
  await page.getByLabel('Reason', { exact: true }).fill('Cracked glass')
  await page.getByLabel('Description', { exact: true }).fill('The shade is cracked from top to bottom.')
}

export const submit = (page: Page) => page.getByRole('button', { name: 'Submit Dispute' }).click()

export const addFiles = async (page: Page, ...files: ReturnType<typeof picture>[]) =>
  page.getByLabel('Evidence files', { exact: true }).setInputFiles(files)

/** Files with a picture, a PDF and a text, all in the form. */
export async function fileWithThreeFiles(buyer: Page, paymentId: number): Promise<void> {
  await buyer.goto(`/dispute-report?paymentId=${paymentId}`)
  await complain(buyer)
  await buyer.getByLabel('I have evidence').check()
  await addFiles(buyer, picture('crack.png'), pdf('invoice.pdf'), note('letters.txt', 'Dear Bob'))
  await submit(buyer)
  await expect(toast(buyer)).toContainText('Dispute submitted with 3 evidence file(s).')
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

/**
 * The ledger of one payment: what is left on each kind of account, in cents, without those that hold nothing.
 * What the card service still has to do is waited for.
 */
export const expectBooks = (paymentId: number, left: Record<string, number>) =>
  expect.poll(() => booksOf(paymentId), { timeout: 20_000 }).toEqual(left)

async function booksOf(paymentId: number): Promise<Record<string, number>> {
  const { pool, close } = openDatabase(process.env.SOUGHT_DATABASE_URL ?? '', systemClock, () => {})
  const { rows } = await pool.query<{ account: string; cents: number }>(
    `select regexp_replace(account, '^(escrow|buyer|seller):.*', '\\1') as account, sum(amount_cents)::int as cents
     from ledger_entries where payment_id = $1 group by 1 having sum(amount_cents) <> 0`,
    [paymentId],
  )
  await close()
  return Object.fromEntries(rows.map(({ account, cents }) => [account, cents]))
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
