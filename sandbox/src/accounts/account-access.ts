import type { Tx } from '../database.ts'
import { ApiError } from '../http/api-error.ts'
import { findObject, type Stored } from '../objects.ts'

export type Account = Stored<'account'>

/** Deleted accounts stay in the database because transfers refer to them, but the API hides them. */
export async function lockAccount(tx: Tx, id: string): Promise<Account> {
  const account = await findObject(tx, 'account', id, 'for update')
  if (!account || isDeleted(account)) throw noAccess(id)
  return account
}

export async function getAccount(tx: Tx, id: string): Promise<Account> {
  const account = await findObject(tx, 'account', id)
  if (!account || isDeleted(account)) throw noAccess(id)
  return account
}

/** Like Stripe, does not reveal whether the account is deleted or belongs to another platform. */
function noAccess(id: string): ApiError {
  const message = `The provided key does not have access to account '${id}' (or that account does not exist). Application access may have been revoked.`
  return new ApiError(403, { type: 'invalid_request_error', code: 'account_invalid', message })
}

export const isDeleted = ({ hidden }: Account): boolean => hidden.deleted === true

/** The account of an event: none for the platform itself. */
export const eventOf = ({ id, hidden }: Account): { account?: string } =>
  hidden.platform ? {} : { account: id }
