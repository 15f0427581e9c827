import type { Profile, Selling } from '@sought/contract/accounts'
import type { updateSelling as updateSellingCall } from '@sought/contract/selling'
import type * as z from 'zod/mini'
import { refuse } from '../../../core/errors.ts'
import type { Tx } from '../../../database/database.ts'
import type { Actor, User } from '../../../http/session.ts'
import { enqueueAccountEmail } from '../../notifications/enqueue-emails.ts'
import { recordAudit } from '../../users/audit-log.ts'
import { isReservedEmail } from '../../users/email-changes.ts'
import { revokeTokens } from '../../users/link-tokens.ts'
import { verificationEmail } from './emails.ts'
import { findPurchases, findStats } from './profile-queries.ts'
import * as queries from './queries.ts'

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
