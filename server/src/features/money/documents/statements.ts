import { refuse } from '../../../core/errors.ts'
import type { Db, Tx } from '../../../database/database.ts'
import type { User } from '../../../http/session.ts'
import { publicName } from '../../users/public-user.ts'
import { type Issuing, issuerOf } from './issuer.ts'
import { formatNumber, issueDocument } from './numbers.ts'
import * as queries from './queries.ts'
import { addUp, groupPostings, type PostedLine, readLine } from './read-postings.ts'

type Seller = Pick<User, 'id' | 'firstName' | 'lastName'>

export async function listMonths(db: Db, { id }: Pick<User, 'id'>, now: Date) {
  const months = await queries.findMonths(db, id)
  return months.map((month) => ({ month, draft: !isOver(month, now) }))
}

/** A seller's statement for a month. Until the month is over, it is a draft without a number. */
export async function readStatement(tx: Tx, issuing: Issuing, month: string, seller: Seller) {
  const lines = await readLines(tx, month, seller.id)
  if (lines.length === 0) throw refuse('statement_not_found')
  const openings = await readOpenings(tx, month, seller.id)
  const document = isOver(month, tx.now) ? await issueDocument(tx, { sellerId: seller.id, month }) : null
  const currencies = [...new Set([...lines.map(({ currency }) => currency), ...openings.keys()])].sort()
  return {
    month,
    number: document && formatNumber(document),
    issuedAt: document?.issuedAt ?? null,
    issuer: issuerOf(issuing),
    sellerName: publicName(seller),
    accounts: currencies.map((currency) => {
      const opening = openings.get(currency) ?? 0
      const own = lines.filter((line) => line.currency === currency)
      const totals = addUp(own)
      return { currency, opening, lines: own, totals, closing: opening + totals.balance }
    }),
  }
}

async function readLines(db: Db, month: string, sellerId: string) {
  const rows = await queries.findSellerEntries(db, sellerId, periodOf(month))
  const sales = new Map(rows.map((row) => [row.payment.id, row]))
  return groupPostings(rows.map(({ entry }) => entry)).flatMap((posting) => {
    const line = readLine(posting, sellerId)
    const sale = sales.get(posting.paymentId)
    if (!line || !sale) return []
    const { payment, itemTitle, buyer, payoutMethod } = sale
    return {
      ...line,
      transactionNumber: payment.transactionNumber,
      itemTitle,
      buyerName: publicName(buyer),
      payoutMethod: methodOf(line, payoutMethod),
      currency: payment.currency,
    }
  })
}

/** Admins always pay goodwill manually. */
function methodOf({ kind, payout }: PostedLine, payoutMethod: 'transfer' | 'manual' | null) {
  if (payout === 0) return null
  return kind === 'goodwill_paid' ? 'manual' : payoutMethod
}

/** The amount owed to the seller before the month, by currency. */
async function readOpenings(db: Db, month: string, sellerId: string) {
  const found = await queries.findBalances(db, sellerId, periodOf(month).from)
  return new Map(found.map(({ currency, owedCents }) => [currency, owedCents]))
}

/** The months of the numbered statements that were issued to a seller, latest first. */
export async function statementsOf(db: Db, seller: Pick<User, 'id'>): Promise<string[]> {
  const found = await queries.findStatementsOf(db, seller.id)
  return found.map(({ month }) => month)
}
/** Transactions of a month may commit shortly after its end. Its statement is final only after this time. */
const CLOSING_MS = 60 * 60_000

/** The first moments of a month such as '2026-11' and of the next month, in UTC. */
function periodOf(month: string): { from: Date; until: Date } {
  const [year, number] = month.split('-').map(Number) as [number, number]
  return { from: new Date(Date.UTC(year, number - 1)), until: new Date(Date.UTC(year, number)) }
}

/** Whether no more postings can be added to the month. */
function isOver(month: string, now: Date): boolean {
  return now.getTime() >= periodOf(month).until.getTime() + CLOSING_MS
}
