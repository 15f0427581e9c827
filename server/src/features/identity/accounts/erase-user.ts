import type { Tx } from '../../../database/database.ts'
import { removeSecondFactors } from '../second-factors/actions.ts'
import * as queries from './queries.ts'
import { deletePhoneCode } from './verify-phone.ts'

/** The name that is shown everywhere for a deleted user. */
const DELETED_NAME = { firstName: 'Deleted', lastName: 'user' }

/** Removes second factors and all personal data from the user's row. The row stays, since payments and messages refer to it. */
export async function eraseUser(tx: Tx, id: string): Promise<void> {
  await queries.deleteAdmin(tx, id)
  await removeSecondFactors(tx, id)
  await deletePhoneCode(tx, id)
  await queries.updateUser(tx, id, {
    ...DELETED_NAME,
    email: null,
    emailVerifiedAt: null,
    emailConfirmedElsewhere: false,
    pendingEmail: null,
    mailOff: [],
    pushOff: [],
    profileImageUrl: null,
    password: null,
    provider: 'email',
    providerId: null,
    bio: null,
    location: null,
    phone: null,
    verifiedPhone: null,
    sellingKeywords: [],
    sellingCategories: [],
    stripeCustomerId: null,
    ...queries.NO_PAYOUT_DETAILS,
    payoutsWaitUntil: null,
    payoutsDelayedUntil: null,
    dismissedSteps: [],
    deletedAt: tx.now,
  })
}
