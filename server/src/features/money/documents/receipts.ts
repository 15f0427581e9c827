import { refuse } from '../../../core/errors.ts'
import type { Db, Tx } from '../../../database/database.ts'
import type { User } from '../../../http/session.ts'
import { publicName } from '../../users/public-user.ts'
import { type Issuing, issuerOf } from './issuer.ts'
import { formatNumber, issueDocument } from './numbers.ts'
import * as queries from './queries.ts'
import { groupPostings, readPrice, readRelease, readReturns } from './read-postings.ts'

/** The receipt of a paid payment, for its buyer. For everyone else it does not exist. */
export async function readReceipt(tx: Tx, issuing: Issuing, id: number, user: Pick<User, 'id'>) {
  const found = await queries.findPayment(tx, id)
  if (found?.payment.buyerId !== user.id) throw refuse('payment_not_found')
  const { payment, itemTitle, itemDescription, buyer, seller } = found
  const postings = groupPostings(await queries.findEntries(tx, id))
  const paid = readPrice(postings)
  if (!paid) throw refuse('payment_not_found')
  const document = await issueDocument(tx, { paymentId: id })
  const returns = readReturns(postings)
  const returned = returns.reduce((sum, { amount }) => sum + amount, 0)
  return {
    number: formatNumber(document),
    issuedAt: document.issuedAt,
    issuer: issuerOf(issuing),
    paymentId: id,
    transactionNumber: payment.transactionNumber,
    itemTitle,
    itemDescription,
    buyerName: publicName(buyer),
    sellerName: publicName(seller),
    currency: payment.currency,
    status: payment.status,
    ...paid,
    returns,
    returned,
    total: paid.price - returned,
    release: readRelease(postings, payment.sellerId),
  }
}

/** The payments of the receipts that were issued to a buyer, latest first. */
export async function receiptsOf(db: Db, buyer: Pick<User, 'id'>): Promise<number[]> {
  const found = await queries.findReceiptsOf(db, buyer.id)
  return found.map(({ paymentId }) => paymentId)
}
