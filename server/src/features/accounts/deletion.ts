import type { AccountDeletion } from '@sought/contract/security'
import type * as z from 'zod/mini'
import type { Tx } from '../../platform/database.ts'
import { refuse } from '../../platform/errors.ts'
import type { Services } from '../../platform/services.ts'
import { endSessionsOf, type User } from '../../platform/session.ts'
import { deleteFilesOf, removeFiles } from '../../platform/stored-files.ts'
import { endOffersOf, hasOpenOffers } from '../offers/end-offers.ts'
import { endCheckouts, refuseWhileMoneyIsOpen } from '../payments/account-deletion.ts'
import { closeRequestsOf, hasOpenRequests } from '../requests/close-requests.ts'
import { deleteMails, deleteNotifications, deletePresence } from './deletion-queries.ts'
import { passwordMatches } from './passwords.ts'
import { lockOwnAccount } from './profile.ts'
import { deleteAdmin, updateUser } from './queries.ts'
import { dropTokens } from './tokens.ts'

type Form = z.output<typeof AccountDeletion>

/**
 * Erases a person. What others have a part in stays, under the name of a deleted user: messages, offers,
 * payments, ratings (ADR 16). Three steps: whether it is they who ask and no money is open; checkouts that stand
 * open are ended at the provider; then everything in one transaction, which looks at the money once more.
 */
export async function deleteAccount(
  services: Pick<Services, 'database' | 'cards' | 'files'>,
  form: Form,
  { id }: Pick<User, 'id'>,
  endSession: (tx: Tx) => Promise<void>,
) {
  const { database, files } = services
  await database.transact((tx) => authorise(tx, form, id))
  const ended = await endCheckouts(services, id)
  for (let tries = 1; ; tries++) {
    try {
      const pictures = await database.transact((tx) => leave(tx, id, ended, endSession))
      await removeFiles(files, pictures)
      return { ok: true as const }
    } catch (error) {
      if (!(error instanceof ConcurrentWrite)) throw error
      if (tries === MOST_TRIES) throw refuse('unavailable', { retryAfterSeconds: 1 })
    }
  }
}

const MOST_TRIES = 5

/** The user made an offer or posted a request while we were ending their offers and requests. We start again. */
class ConcurrentWrite extends Error {}

/** Gives the names of the files to remove once it is certain. */
async function leave(
  tx: Tx,
  id: string,
  endedIntents: string[],
  endSession: (tx: Tx) => Promise<void>,
): Promise<string[]> {
  // Offers, then requests, then the person: the order in which everything else locks them.
  await endOffersOf(tx, id)
  await closeRequestsOf(tx, id)
  await lockOwnAccount(tx, id, 'update')
  // From here on nobody can add any, since whoever does holds the person first.
  if ((await hasOpenOffers(tx, id)) || (await hasOpenRequests(tx, id))) throw new ConcurrentWrite()
  await refuseWhileMoneyIsOpen(tx, id, endedIntents)
  await endSession(tx)
  return erase(tx, id)
}

/** By the password; who has none writes the address of the account. */
async function authorise(tx: Tx, form: Form, id: string): Promise<void> {
  const { user, password } = await lockOwnAccount(tx, id)
  if (password !== null) {
    if (!(await passwordMatches(password, form.password ?? ''))) throw refuse('wrong_password')
  } else if (form.email?.trim().toLowerCase() !== user.email?.toLowerCase()) {
    throw refuse('invalid', { issues: [{ path: 'email', message: 'This is not the email of your account' }] })
  }
}

/** What a deleted person is called, in every place that shows a name. */
const NO_NAME = { firstName: 'Deleted', lastName: 'user' }

/** The same. */
async function erase(tx: Tx, id: string): Promise<string[]> {
  await endSessionsOf(tx, id)
  await dropTokens(tx, id)
  await deleteMails(tx, id)
  await deleteNotifications(tx, id)
  await deletePresence(tx, id)
  await deleteAdmin(tx, id)
  const pictures = await deleteFilesOf(tx, id, ['avatar', 'request_image'])
  await updateUser(tx, id, {
    ...NO_NAME,
    email: null,
    emailVerifiedAt: null,
    pendingEmail: null,
    mailOff: [],
    profileImageUrl: null,
    password: null,
    provider: 'email',
    providerId: null,
    bio: null,
    location: null,
    phone: null,
    stripeCustomerId: null,
    stripeConnectAccountId: null,
    bankAccountDetails: null,
    deletedAt: tx.now,
  })
  return pictures
}
