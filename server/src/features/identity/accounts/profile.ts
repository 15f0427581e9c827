import type { Profile, Selling } from '@sought/contract/accounts'
import type { MarketSettings } from '@sought/contract/market-settings'
import type { updateSelling as updateSellingCall } from '@sought/contract/selling'
import { and, desc, eq, lt, ne, sql } from 'drizzle-orm'
import type * as z from 'zod/mini'
import { refuse } from '../../../core/errors.ts'
import type { Db, Tx } from '../../../database/database.ts'
import { columns } from '../../../database/rows.ts'
import { offerRequests, paymentRefunds, payments, wantedItems } from '../../../database/schema.ts'
import { avatarNames, replaceAvatar, writeAvatar } from '../../../files/avatar-files.ts'
import { removeFiles } from '../../../files/files.ts'
import { removeUnlessSaved } from '../../../files/stored-files.ts'
import type { Actor, User } from '../../../http/session.ts'
import type { Services } from '../../../services.ts'
import { enqueueAccountEmail } from '../../notifications/enqueue-emails.ts'
import { recordAudit } from '../../users/audit-log.ts'
import { isReservedEmail } from '../../users/email-changes.ts'
import { revokeTokens } from '../../users/link-tokens.ts'
import { verificationEmail } from './emails.ts'
import * as queries from './queries.ts'
import { requireOwnName } from './reserved-names.ts'

export { findPurchases as purchasesOf, findStats as statsOf }

type Form = z.output<typeof Profile>
type ActorRef = Pick<Actor, 'id' | 'origin'>

/** Whether saving the form sends a verification email: the address is neither the current nor the pending one. */
export const hasNewEmail = ({ email }: Form, user: User) =>
  !isSame(email, user.email) && !isSame(email, user.pendingEmail)

const isSame = (one: string, other: string | null) => one.toLowerCase() === other?.toLowerCase()

/** Copied field by field, so that other properties of the body cannot reach a column. */
export async function updateProfile(tx: Tx, form: Form, actor: ActorRef): Promise<User> {
  const { id } = actor
  const { user } = await lockOwnAccount(tx, id)
  const isRenamed = form.firstName !== user.firstName || form.lastName !== user.lastName
  if (isRenamed && (await queries.findStaffRole(tx, id)) === null) await requireOwnName(tx, form)
  const pendingEmail = await updatePendingEmail(tx, form, user, actor)
  return queries.updateUser(tx, id, {
    firstName: form.firstName,
    lastName: form.lastName,
    pendingEmail,
    ...(form.bio !== undefined && { bio: form.bio || null }),
    ...(form.location !== undefined && { location: form.location || null }),
    ...(form.phone !== undefined && { phone: form.phone || null }),
    ...(form.phone !== undefined && form.phone !== user.phone && { verifiedPhone: null }),
  })
}

/** A new address is pending until it is verified. Saving the current address cancels a pending one. */
async function updatePendingEmail(
  tx: Tx,
  form: Form,
  user: User,
  { id: actorId, origin }: ActorRef,
): Promise<string | null> {
  if (isSame(form.email, user.pendingEmail)) return user.pendingEmail
  await revokeTokens(tx, user.id, 'verify_email')
  if (isSame(form.email, user.email)) {
    if (user.pendingEmail) await recordAudit(tx, { action: 'email_change_cancelled', actorId, origin })
    return null
  }
  if (await queries.findByEmail(tx, form.email)) throw refuse('email_taken')
  if (await isReservedEmail(tx, form.email, tx.now, user.id)) throw refuse('email_taken')
  await enqueueAccountEmail(tx, verificationEmail, { userId: user.id, address: form.email })
  await recordAudit(tx, { action: 'email_change_requested', actorId, origin })
  return form.email
}

export async function updateSelling(
  tx: Tx,
  form: z.output<typeof updateSellingCall.body>,
  { id }: ActorRef,
): Promise<Selling> {
  await lockOwnAccount(tx, id)
  const byLowerCase = new Map(form.keywords.map((keyword) => [keyword.toLowerCase(), keyword]))
  return sellingOf(
    await queries.updateUser(tx, id, {
      sellingKeywords: [...byLowerCase.values()],
      sellingCategories: [...new Set(form.categories)],
    }),
  )
}

export async function cancelEmailChange(tx: Tx, { id, origin }: ActorRef): Promise<User> {
  const { user } = await lockOwnAccount(tx, id)
  if (user.pendingEmail) await recordAudit(tx, { action: 'email_change_cancelled', actorId: id, origin })
  await revokeTokens(tx, id, 'verify_email')
  return queries.updateUser(tx, id, { pendingEmail: null })
}

/** Locks the user's own account. It may have been deleted since the request was authenticated. */
export async function lockOwnAccount(tx: Tx, id: string, strength?: 'update') {
  const account = await queries.lockUser(tx, id, strength)
  if (!account) throw refuse('signed_out')
  return account
}

/** The user's categories and keywords as a seller. */
export function sellingOf({
  sellingKeywords: keywords,
  sellingCategories: categories,
}: Pick<User, 'sellingKeywords' | 'sellingCategories'>): Selling {
  return { keywords, categories }
}

/** The profile as its owner sees it. The reply to a sign-in is refused if it has a field that is not declared. */
export function asCurrentUser({ sellingKeywords, sellingCategories, ...user }: User) {
  const name = [user.firstName, user.lastName].filter(Boolean).join(' ') || user.email || user.id
  const selling = sellingOf({ sellingKeywords, sellingCategories })
  return { ...user, name, email: user.email ?? '', selling }
}

/**
 * Replaces the profile picture. Decodes it before taking a database connection. The later of two concurrent
 * uploads wins, and the files of the other are removed.
 */
export async function uploadAvatar(
  { database, files }: Pick<Services, 'database' | 'files'>,
  uploaded: Uint8Array,
  { id }: Pick<User, 'id'>,
): Promise<User> {
  const avatar = await writeAvatar(files, uploaded, id)
  const { user, old } = await removeUnlessSaved(files, avatarNames(avatar.sizes), () =>
    database.transact(async (tx) => {
      await lockOwnAccount(tx, id)
      const old = await replaceAvatar(tx, id, avatar)
      return { old, user: await queries.updateUser(tx, id, { profileImageUrl: avatar.url }) }
    }),
  )
  await removeFiles(files, old)
  return user
}

/**
 * Purchases are all payments that were charged, whatever happened later. Spent is the sum paid in the first
 * currency of the market, minus refunds that were made or are due (ADR 16).
 */
async function findStats(
  db: Db,
  userId: string,
  { currencies: [currency] }: Pick<MarketSettings, 'currencies'>,
) {
  const { rows } = await db.execute<{ requests: string; purchases: string; spent: string }>(sql`
    select
      (select count(*) from ${wantedItems} where user_id = ${userId}) as requests,
      count(*) as purchases,
      coalesce(sum(
        amount - coalesce(ruled_refund_cents, case when refund_first_attempt is null then refund_cents end, 0)
          - (select coalesce(sum(amount_cents), 0) from ${paymentRefunds} where payment_id = ${payments.id})
      ) filter (where currency = ${currency}), 0) as spent
    from ${payments} where buyer_id = ${userId} and status <> 'pending'`)
  const [found] = rows
  return {
    totalWantedItems: Number(found?.requests),
    totalPurchases: Number(found?.purchases),
    totalSpent: Number(found?.spent),
  }
}

/** A person's purchases, latest first. */
function findPurchases(
  db: Db,
  userId: string,
  { limit, cursor }: { limit: number; cursor?: number | undefined },
) {
  return db
    .select({
      id: payments.id,
      title: offerRequests.title,
      ...columns(payments, 'status', 'amount', 'currency'),
    })
    .from(payments)
    .innerJoin(offerRequests, eq(offerRequests.offerId, payments.offerId))
    .where(
      and(
        eq(payments.buyerId, userId),
        ne(payments.status, 'pending'),
        cursor ? lt(payments.id, cursor) : undefined,
      ),
    )
    .orderBy(desc(payments.id))
    .limit(limit)
}
