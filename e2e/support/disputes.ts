import { expect, type Page } from '@playwright/test'
import type { Database } from '@sought/server/database/database'
import { type CardName, type Deal, payIntoEscrow } from './deals.ts'
import { pdfFile, pictureFile, textFile } from './files.ts'
import { toast } from './toasts.ts'

export interface DisputedDeal extends Deal {
  paymentId: number
}

/** Pays a deal into escrow, and the buyer disputes it without files. */
export async function createDispute(deal: Deal, card?: CardName): Promise<DisputedDeal> {
  const { paymentId } = await payIntoEscrow(deal, card)
  const data = { paymentId, reason: 'The shade is cracked' }
  const filed = await deal.buyer.request.post('/api/initiate-dispute', { data })
  expect(filed.status()).toBe(200)
  return { ...deal, paymentId }
}

/** Fills in the required fields of the dispute form. */
export async function fillInDispute(page: Page): Promise<void> {
  await page.getByLabel('Dispute type').selectOption('item_damaged')
  await page.getByLabel('Reason', { exact: true }).fill('Cracked glass')
  await page.getByLabel('Description', { exact: true }).fill('The shade is cracked from top to bottom.')
}

export const submitDispute = (page: Page) => page.getByRole('button', { name: 'Submit Dispute' }).click()

export const addFiles = async (page: Page, ...files: ReturnType<typeof pictureFile>[]) =>
  page.getByLabel('Evidence files', { exact: true }).setInputFiles(files)

/** Files a dispute with a picture, a PDF and a text through the form. */
export async function fileDisputeWithThreeFiles(buyer: Page, paymentId: number): Promise<void> {
  await buyer.goto(`/dispute-report?paymentId=${paymentId}`)
  await fillInDispute(buyer)
  await buyer.getByLabel('I have evidence').check()
  await addFiles(buyer, pictureFile('crack.png'), pdfFile('invoice.pdf'), textFile('letters.txt', 'Dear Bob'))
  await submitDispute(buyer)
  await expect(toast(buyer)).toContainText('Dispute submitted with 3 evidence file(s).')
}

/** The dispute as its parties read it. */
export async function readDispute(page: Page, paymentId: number) {
  const reply = await page.request.get(`/api/disputes/${paymentId}`)
  expect(reply.status()).toBe(200)
  return reply.json()
}

/** The status of a dispute, the buyer's refund and the seller's payout after fees, in cents. */
export async function outcomeOf({ buyer, seller, paymentId }: DisputedDeal) {
  const { dispute } = await readDispute(buyer, paymentId)
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
 * Expects these balances in the ledger of one payment, by kind of account and in cents, without zeros. Waits for
 * the card provider. The provider's fee still counts as its balance.
 */
export const expectLedger = (database: Database, paymentId: number, balances: Record<string, number>) =>
  expect.poll(() => ledgerOf(database, paymentId)).toEqual(balances)

async function ledgerOf({ pool }: Database, paymentId: number): Promise<Record<string, number>> {
  const { rows } = await pool.query<{ account: string; cents: number }>(
    `select regexp_replace(replace(account, 'fees:provider', 'provider'), '^(escrow|buyer|seller):.*', '\\1') as account,
       sum(amount_cents)::int as cents
     from ledger_entries where payment_id = $1 group by 1 having sum(amount_cents) <> 0`,
    [paymentId],
  )
  return Object.fromEntries(rows.map(({ account, cents }) => [account, cents]))
}
