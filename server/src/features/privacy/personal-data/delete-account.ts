import type { AccountDeletion } from '@sought/contract/security'
import type * as z from 'zod/mini'
import { refuse } from '../../../core/errors.ts'
import { ConcurrentWrite, retryConcurrentWrites } from '../../../database/concurrent-write.ts'
import type { Tx } from '../../../database/database.ts'
import { removeFiles } from '../../../files/files.ts'
import { deleteFilesOf } from '../../../files/stored-files.ts'
import { type Actor, endSessionsOf } from '../../../http/session.ts'
import type { Services } from '../../../services.ts'
import { closeRequestsOf, hasOpenRequests } from '../../board/requests/close-requests.ts'
import { deleteSearchesOf } from '../../board/saved-searches/actions.ts'
import { endOffersOf, hasOpenOffers } from '../../deals/offers/end-offers.ts'
import { deleteUnsentPhotos } from '../../deals/photos/actions.ts'
import { eraseDecisionsAbout } from '../../desk/moderation/erase-decisions.ts'
import { deleteTicketsOf } from '../../desk/support/actions.ts'
import { eraseUser } from '../../identity/accounts/erase-user.ts'
import { passwordMatches } from '../../identity/accounts/passwords.ts'
import { lockOwnAccount } from '../../identity/accounts/profile.ts'
import { deleteAddressOf } from '../../identity/addresses/actions.ts'
import { cancelCheckouts, eraseBuyerOf, refuseIfMoneyOpen } from '../../money/payments/account-deletion.ts'
import { followAccount } from '../../money/payouts/account-health.ts'
import { deleteNotificationsOf } from '../../notifications/actions.ts'
import { deleteBlocksOf } from '../../trust/blocks/actions.ts'
import { by, eraseOrigins, recordAudit } from '../../users/audit-log.ts'
import { deleteEmailChanges } from '../../users/email-changes.ts'
import { forgetDevices } from '../../users/known-devices.ts'
import { revokeTokens } from '../../users/link-tokens.ts'
import { deletePresence } from '../../users/presence.ts'

type Form = z.output<typeof AccountDeletion>

/**
 * Deletes an account and all personal data. Messages, offers with photos, payments, reviews and reports stay,
 * because other people take part in them. They show the name of a deleted user (ADR 16). Three steps: check
 * who is asking, cancel open checkouts at the card provider, and erase everything in one transaction, which
 * checks for open money again.
 */
export async function deleteAccount(
  services: Pick<Services, 'database' | 'cards' | 'files'>,
  form: Form,
  actor: Pick<Actor, 'id' | 'origin'>,
  endSession: (tx: Tx) => Promise<void>,
) {
  const { id } = actor
  const { database, files } = services
  await database.transact((tx) => authorise(tx, form, id))
  const canceledIntents = await cancelCheckouts(services, id)
  const pictures = await retryConcurrentWrites(() =>
    database.transact((tx) => endAndErase(tx, actor, canceledIntents, endSession)),
  )
  await removeFiles(files, pictures)
  return { ok: true as const }
}

/** Asks for the password, or for the email address if the account has no password. */
async function authorise(tx: Tx, form: Form, id: string): Promise<void> {
  const { user, password } = await lockOwnAccount(tx, id)
  if (password !== null) {
    if (!(await passwordMatches(password, form.password ?? ''))) throw refuse('wrong_password')
  } else if (form.email?.trim().toLowerCase() !== user.email?.toLowerCase()) {
    throw refuse('invalid', { issues: [{ path: 'email', message: 'This is not the email of your account' }] })
  }
}

/** Returns the file names to remove after the commit. */
async function endAndErase(
  tx: Tx,
  actor: Pick<Actor, 'id' | 'origin'>,
  canceledIntents: string[],
  endSession: (tx: Tx) => Promise<void>,
): Promise<string[]> {
  const { id } = actor
  // Offers, then requests, then the user: all transactions lock them in this order.
  await endOffersOf(tx, id)
  await closeRequestsOf(tx, id)
  await lockOwnAccount(tx, id, 'update')
  // Creating an offer or a request locks the user first, so none can be added from here on.
  if ((await hasOpenOffers(tx, id)) || (await hasOpenRequests(tx, id))) throw new ConcurrentWrite()
  await refuseIfMoneyOpen(tx, id, canceledIntents)
  await endSession(tx)
  await recordAudit(tx, { action: 'account_deleted', ...by(actor) })
  return erase(tx, id)
}

async function erase(tx: Tx, id: string): Promise<string[]> {
  await endSessionsOf(tx, id)
  await revokeTokens(tx, id)
  await deleteEmailChanges(tx, id)
  await forgetDevices(tx, id)
  await deleteNotificationsOf(tx, id)
  await deleteTicketsOf(tx, id)
  await deleteSearchesOf(tx, id)
  await deletePresence(tx, id)
  await deleteBlocksOf(tx, id)
  await eraseDecisionsAbout(tx, id)
  const unsent = await deleteUnsentPhotos(tx, id)
  await deleteAddressOf(tx, id)
  await eraseBuyerOf(tx, id)
  await followAccount(tx, id, null)
  const pictures = await deleteFilesOf(tx, id, ['avatar', 'request_image'])
  await eraseUser(tx, id)
  await eraseOrigins(tx, id)
  return [...pictures, ...unsent]
}
