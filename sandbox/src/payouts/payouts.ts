import type Stripe from 'stripe'
import * as z from 'zod'
import {
  lockAvailable,
  lockBalanceShared,
  readBalance,
  recordMovement,
  SOURCE_TYPES,
  type SourceType,
  sourceTypeOf,
} from '../balance.ts'
import type { Cause } from '../cause.ts'
import type { Tx } from '../database.ts'
import { emitEvent } from '../events.ts'
import { invalidRequest, invalidState, notPositive } from '../http/api-error.ts'
import {
  currency,
  integer,
  mergeMetadata,
  metadata,
  metadataChange,
  page,
  reference,
  text,
} from '../http/params.ts'
import { type Call, route } from '../http/route.ts'
import { newId } from '../ids.ts'
import { listObjects } from '../lists.ts'
import { checkPayoutStep } from '../money.ts'
import {
  getObject,
  insertObject,
  lockObject,
  type Stored,
  saveObject,
  scheduleSettlement,
  toUnixSeconds,
} from '../objects.ts'
import { PLATFORM_ID } from '../platform-account.ts'

/* Payouts send the available balance of the platform or of a connected account to its bank. */

/** The `account` of objects and events: null for the platform. */
export const ownerOf = (accountId: string): string | null => (accountId === PLATFORM_ID ? null : accountId)

const eventAccount = (owner: string | null) => (owner ? { account: owner } : {})

const CreateParams = z.strictObject({
  amount: integer,
  currency,
  description: text.optional(),
  destination: reference.optional(),
  metadata: metadata.optional(),
  method: z.enum(['standard']).optional(),
  source_type: z.enum(SOURCE_TYPES).optional(),
  statement_descriptor: text.optional(),
})

async function createPayout({
  tx,
  cause,
  account,
  params,
}: Call<z.output<typeof CreateParams>>): Promise<Stripe.Payout> {
  return payOut(tx, cause, await lockObject(tx, 'account', account ?? PLATFORM_ID), params)
}

/** Makes a manual payout. The caller has locked the account. */
export async function payOut(
  tx: Tx,
  cause: Cause,
  account: Stored<'account'>,
  wanted: Partial<z.output<typeof CreateParams>> & { amount: number; currency: string },
): Promise<Stripe.Payout> {
  const { amount, currency, destination } = wanted
  if (amount <= 0) {
    throw notPositive('amount')
  }
  checkPayoutStep(amount, currency)
  const bank = findBank(account, currency)
  if (!bank) {
    throw invalidState(`Sorry, you don't have any external accounts in that currency (${currency}).`, {
      param: 'currency',
    })
  }
  if (destination && destination !== bank.id) {
    throw invalidRequest(`No such external account: '${destination}'`, {
      code: 'resource_missing',
      param: 'destination',
    })
  }
  if (bank.status === 'errored' || !account.body.payouts_enabled) throw notAllowed()
  const sourceType = wanted.source_type ?? 'card'
  if (amount > (await lockAccountBalance(tx, account.id, currency, sourceType))) {
    throw invalidState(
      'You have insufficient funds in your Stripe account for this transfer. Your card balance is too low. You can use the the /v1/balance endpoint to view your Stripe balance (for more details, see stripe.com/docs/api#balance).',
      { code: 'balance_insufficient' },
    )
  }
  return recordPayout(tx, cause, account, bank, { ...wanted, sourceType, automatic: false })
}

const notAllowed = () =>
  invalidState('Payouts are not enabled for this account.', { code: 'payouts_not_allowed' })

/** The bank accounts that receive payouts: the default of each currency. */
export const findBanks = ({ body }: Stored<'account'>): Stripe.BankAccount[] =>
  (body.external_accounts?.data ?? []).filter(
    (external) => external.object === 'bank_account' && external.default_for_currency === true,
  ) as Stripe.BankAccount[]

const findBank = (account: Stored<'account'>, currency: string) =>
  findBanks(account).find((bank) => bank.currency === currency)

/** The failure code of payouts to a bank account. */
export function bankFailure({ hidden }: Stored<'account'>, bank: Stripe.BankAccount): string | null {
  const failure = hidden.bankFailures?.[bank.id]
  return failure === undefined ? (hidden.bankFailure ?? null) : failure
}

/** The caller has locked the account. */
export async function lockAccountBalance(
  tx: Tx,
  accountId: string,
  currency: string,
  sourceType: SourceType,
): Promise<number> {
  const owner = ownerOf(accountId)
  if (owner === null) return lockAvailable(tx, currency, sourceType)
  return (await readBalance(tx, owner, sourceType)).get(currency)?.available ?? 0
}

interface NewPayout {
  amount: number
  currency: string
  sourceType: SourceType
  automatic: boolean
  description?: string | undefined
  metadata?: Record<string, string> | undefined
  statement_descriptor?: string | undefined
}

export async function recordPayout(
  tx: Tx,
  cause: Cause,
  account: Stored<'account'>,
  bank: Stripe.BankAccount,
  { amount, currency, sourceType, automatic, ...rest }: NewPayout,
): Promise<Stripe.Payout> {
  const id = newId('po')
  const owner = ownerOf(account.id)
  const { id: transaction } = await recordMovement(tx, {
    type: 'payout',
    amount: -amount,
    currency,
    source: id,
    description: 'STRIPE PAYOUT',
    account: owner ?? undefined,
    sourceType,
  })
  const arrival = nextMidnight(tx.now)
  const body: Stripe.Payout = {
    id,
    object: 'payout',
    amount,
    application_fee: null,
    application_fee_amount: null,
    arrival_date: toUnixSeconds(arrival),
    automatic,
    balance_transaction: transaction,
    created: toUnixSeconds(tx.now),
    currency,
    description: rest.description ?? 'STRIPE PAYOUT',
    destination: bank.id,
    failure_balance_transaction: null,
    failure_code: null,
    failure_message: null,
    livemode: false,
    metadata: mergeMetadata({}, rest.metadata),
    method: 'standard',
    original_payout: null,
    payout_method: null,
    reconciliation_status: automatic ? 'completed' : 'not_applicable',
    reversed_by: null,
    source_type: sourceType,
    statement_descriptor: rest.statement_descriptor ?? null,
    status: automatic ? 'in_transit' : 'pending',
    trace_id: null,
    type: 'bank_account',
  }
  const hidden = { failureCode: bankFailure(account, bank) }
  await insertObject(tx, 'payout', { body, hidden, account: owner ?? undefined, settleAt: arrival })
  await emitEvent(tx, cause, 'payout.created', body, eventAccount(owner))
  return body
}

export function nextMidnight(now: Date): Date {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1))
}

const FAILURES: Record<string, string> = {
  account_closed: 'The bank account has been closed.',
  debit_not_authorized: 'Debit transactions are not approved on your bank account.',
  insufficient_funds: 'The bank account has insufficient funds to be debited.',
  invalid_currency: 'The bank was unable to process this payout because of its currency.',
  no_account: 'The bank account could not be located.',
}

/** A payout arrives, or the bank returns it. */
export async function settlePayout(tx: Tx, cause: Cause, id: string): Promise<void> {
  const owner = await ownerOfPayout(tx, id)
  const account = await lockObject(tx, 'account', owner ?? PLATFORM_ID)
  const payout = await lockObject(tx, 'payout', id)
  await scheduleSettlement(tx, id, null)
  if (payout.body.status !== 'pending' && payout.body.status !== 'in_transit') return
  const { failureCode } = payout.hidden
  if (failureCode) return failPayout(tx, cause, account, payout, failureCode)
  const body: Stripe.Payout = { ...payout.body, status: 'paid' }
  await saveObject(tx, { ...payout, body })
  await emitEvent(tx, cause, 'payout.paid', body, eventAccount(owner))
}

async function ownerOfPayout(tx: Tx, id: string): Promise<string | null> {
  const [row] = await tx.query<{ account: string | null }>(
    'select account from sandbox.objects where id = $1',
    [id],
  )
  return row?.account ?? null
}

/** The money returns, and the bank account cannot be used until it is replaced. */
async function failPayout(
  tx: Tx,
  cause: Cause,
  account: Stored<'account'>,
  payout: Stored<'payout'>,
  code: string,
): Promise<void> {
  const owner = ownerOf(account.id)
  const transaction = await returnPayout(tx, payout.body, owner, 'payout_failure')
  const body: Stripe.Payout = {
    ...payout.body,
    failure_balance_transaction: transaction,
    failure_code: code,
    failure_message: FAILURES[code] ?? null,
    status: 'failed',
  }
  await saveObject(tx, { ...payout, body })
  const banks = account.body.external_accounts
  if (banks) {
    const data = banks.data.map((bank) =>
      bank.object === 'bank_account' && bank.id === body.destination ? { ...bank, status: 'errored' } : bank,
    )
    await saveObject(tx, {
      ...account,
      body: { ...account.body, external_accounts: { ...banks, data } },
    })
    const errored = data.find(({ id }) => id === body.destination)
    if (errored) {
      const about = { ...eventAccount(owner), previous: { status: 'new' } }
      await emitEvent(tx, cause, 'account.external_account.updated', errored, about)
    }
  }
  await emitEvent(tx, cause, 'payout.failed', body, eventAccount(owner))
}

async function returnPayout(
  tx: Tx,
  { id, amount, currency, source_type }: Stripe.Payout,
  owner: string | null,
  type: 'payout_cancel' | 'payout_failure',
): Promise<string> {
  await lockBalanceShared(tx)
  const { id: transaction } = await recordMovement(tx, {
    type,
    amount,
    currency,
    source: id,
    account: owner ?? undefined,
    sourceType: sourceTypeOf(source_type),
  })
  return transaction
}

async function findPayout({ tx, id, account }: Call): Promise<Stripe.Payout> {
  return (await getOwnPayout(tx, id, account)).body
}

/** A payout of another account does not exist for the caller. */
async function getOwnPayout(tx: Tx, id: string, account: string | null): Promise<Stored<'payout'>> {
  const payout = await getObject(tx, 'payout', id)
  if ((await ownerOfPayout(tx, id)) !== account) await getObject(tx, 'payout', `${id} of another account`)
  return payout
}

const UpdateParams = z.strictObject({ metadata: metadataChange.optional() })

async function updatePayout({
  tx,
  id,
  account,
  params,
}: Call<z.output<typeof UpdateParams>>): Promise<Stripe.Payout> {
  await getOwnPayout(tx, id, account)
  const payout = await lockObject(tx, 'payout', id)
  const body = { ...payout.body, metadata: mergeMetadata(payout.body.metadata ?? {}, params.metadata) }
  await saveObject(tx, { ...payout, body })
  return body
}

async function cancelPayout({ tx, cause, id, account }: Call): Promise<Stripe.Payout> {
  await getOwnPayout(tx, id, account)
  await lockObject(tx, 'account', account ?? PLATFORM_ID)
  const payout = await lockObject(tx, 'payout', id)
  if (payout.body.status !== 'pending' || payout.body.automatic) {
    throw invalidState('Payouts can only be canceled while they are pending and were made manually.', {
      code: 'payout_statuses_not_allowed',
    })
  }
  const transaction = await returnPayout(tx, payout.body, account, 'payout_cancel')
  const body: Stripe.Payout = {
    ...payout.body,
    failure_balance_transaction: transaction,
    status: 'canceled',
  }
  await saveObject(tx, { ...payout, body })
  await scheduleSettlement(tx, id, null)
  await emitEvent(tx, cause, 'payout.canceled', body, eventAccount(account))
  return body
}

const ListParams = z.strictObject({
  ...page,
  destination: reference.optional(),
  status: z.enum(['canceled', 'failed', 'in_transit', 'paid', 'pending']).optional(),
})

const listPayouts = ({
  tx,
  account,
  params: { destination, status, ...page },
}: Call<z.output<typeof ListParams>>) =>
  listObjects(tx, 'payout', '/v1/payouts', page, { destination, status, account })

const forConnectedAccounts = { forConnectedAccounts: true }

export const payoutRoutes = [
  route('POST', '/v1/payouts', CreateParams, createPayout, forConnectedAccounts),
  route('GET', '/v1/payouts', ListParams, listPayouts, forConnectedAccounts),
  route('GET', '/v1/payouts/:id', z.strictObject({}), findPayout, forConnectedAccounts),
  route('POST', '/v1/payouts/:id', UpdateParams, updatePayout, forConnectedAccounts),
  route('POST', '/v1/payouts/:id/cancel', z.strictObject({}), cancelPayout, forConnectedAccounts),
]
