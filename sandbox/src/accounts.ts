import type Stripe from 'stripe'
import * as z from 'zod'
import {
  Capabilities,
  changeCapabilities,
  checkCapabilities,
  defaultCapabilities,
  type ServiceAgreement,
} from './account-capabilities.ts'
import {
  buildExternalAccounts,
  buildSettings,
  TEST_BANK_ACCOUNTS,
  WORKING_BANK_ACCOUNT,
} from './account-settings.ts'
import { ApiError, invalidRequest } from './api-error.ts'
import { APPLICATION_ID } from './application.ts'
import { applyPayoutChange, ScheduleParams } from './balance-settings.ts'
import type { Cause } from './cause.ts'
import { currencyOf } from './countries.ts'
import type { Tx } from './database.ts'
import { emitEvent } from './events.ts'
import { newId } from './ids.ts'
import { listObjects } from './lists.ts'
import { findObject, getObject, insertObject, type Stored, saveObject, toUnixSeconds } from './objects.ts'
import { boolean, currency, integer, mergeMetadata, metadata, metadataChange, page, text } from './params.ts'
import { schedulePayouts } from './payout-schedule.ts'
import { getPendingDays, getPlatform, PLATFORM_ID } from './platform-account.ts'
import { type Call, route } from './route.ts'

type Account = Stored<'account'>

const BusinessProfile = z.strictObject({
  mcc: text.optional(),
  name: text.optional(),
  product_description: text.optional(),
  url: text.optional(),
})

const Controller = z.strictObject({
  fees: z.strictObject({ payer: z.enum(['account', 'application']) }).optional(),
  losses: z.strictObject({ payments: z.enum(['application', 'stripe']) }).optional(),
  requirement_collection: z.enum(['application', 'stripe']).optional(),
  stripe_dashboard: z.strictObject({ type: z.enum(['express', 'full', 'none']) }).optional(),
})

const TosAcceptance = z.strictObject({
  date: integer.optional(),
  ip: text.optional(),
  service_agreement: z.enum(['full', 'recipient']).optional(),
  user_agent: text.optional(),
})

const Settings = z.strictObject({
  payouts: z
    .strictObject({
      debit_negative_balances: boolean.optional(),
      schedule: ScheduleParams.optional(),
      statement_descriptor: text.optional(),
    })
    .optional(),
})

const ExternalAccount = z.strictObject({
  object: z.literal('bank_account', 'The sandbox takes bank accounts only'),
  country: text,
  currency,
  account_holder_name: text.optional(),
  account_holder_type: text.optional(),
  account_number: text,
  routing_number: text.optional(),
})

const CreateParams = z.strictObject({
  type: z.enum(['custom', 'express', 'standard']).optional(),
  controller: Controller.optional(),
  country: z
    .string()
    .regex(/^[A-Z]{2}$/, 'Invalid country')
    .optional(),
  email: text.optional(),
  default_currency: currency.optional(),
  business_type: z.enum(['company', 'individual', 'non_profit']).optional(),
  business_profile: BusinessProfile.optional(),
  capabilities: Capabilities.optional(),
  external_account: ExternalAccount.optional(),
  metadata: metadata.optional(),
  settings: Settings.optional(),
  tos_acceptance: TosAcceptance.optional(),
})

type CreateParams = z.output<typeof CreateParams>

const INITIAL_REQUIREMENTS = [
  'business_profile.url',
  'external_account',
  'tos_acceptance.date',
  'tos_acceptance.ip',
]

async function createAccount({ tx, params }: Call<CreateParams>): Promise<Stripe.Account> {
  if (params.type && params.controller) {
    throw invalidRequest('You may only specify one of these parameters: type, controller.', {
      code: 'parameters_exclusive',
    })
  }
  const platform = (await getPlatform(tx)).body.country ?? 'US'
  const country = params.country ?? platform
  const agreement = params.tos_acceptance?.service_agreement
  const capabilities = params.capabilities
    ? changeCapabilities([], params.capabilities)
    : defaultCapabilities(agreement)
  checkCapabilities({ platform, country, agreement, capabilities })
  const id = newId('acct')
  const created: Stripe.Account = {
    id,
    object: 'account',
    business_profile: {
      annual_revenue: null,
      estimated_worker_count: null,
      mcc: params.business_profile?.mcc ?? null,
      minority_owned_business_designation: null,
      name: params.business_profile?.name ?? null,
      product_description: params.business_profile?.product_description ?? null,
      specified_commercial_transactions_act_url: null,
      support_address: null,
      support_email: null,
      support_phone: null,
      support_url: null,
      url: params.business_profile?.url ?? null,
    },
    business_type: params.business_type ?? null,
    capabilities: Object.fromEntries(capabilities.map((name) => [name, 'inactive'])),
    charges_enabled: false,
    controller: buildController(params),
    country,
    created: toUnixSeconds(tx.now),
    default_currency: params.default_currency ?? currencyOf(country),
    details_submitted: false,
    email: params.email ?? null,
    external_accounts: {
      object: 'list',
      data: [],
      has_more: false,
      url: `/v1/accounts/${id}/external_accounts`,
    },
    metadata: mergeMetadata({}, params.metadata),
    payouts_enabled: false,
    requirements: requirements(INITIAL_REQUIREMENTS),
    settings: buildSettings({
      interval: 'daily',
      delayDays: await getPendingDays(tx),
      debitNegativeBalances: params.controller?.requirement_collection !== 'application',
    }),
    tos_acceptance: {
      date: null,
      ip: null,
      ...(agreement && { service_agreement: agreement }),
      user_agent: null,
    },
    type: params.controller ? 'none' : (params.type ?? 'standard'),
  }
  const account = applySettings({ id, body: created, hidden: { capabilities } }, params)
  return (await insertObject(tx, 'account', account)).body
}

/** Applies the payout settings and the bank account of a call. */
function applySettings(
  { id, body, hidden }: Account,
  { settings, external_account: bank }: Pick<CreateParams, 'settings' | 'external_account'>,
): Account {
  const { debit_negative_balances, schedule, statement_descriptor } = settings?.payouts ?? {}
  const changed = applyPayoutChange(body, {
    schedule,
    debitNegativeBalances: debit_negative_balances,
    statementDescriptor: statement_descriptor,
  })
  const account = { id, body: changed, hidden }
  return bank ? withBank(account, bank.account_number, bank.country, bank.currency) : account
}

/** The account with one of Stripe's test bank accounts. */
function withBank({ id, body, hidden }: Account, number: string, country: string, currency: string): Account {
  const failure = TEST_BANK_ACCOUNTS[number]
  if (failure === undefined) {
    throw invalidRequest(
      'You cannot use a live bank account number when making transfers or debits in test mode',
      { code: 'account_number_invalid', param: 'external_account[account_number]' },
    )
  }
  const external_accounts = buildExternalAccounts({ account: id, country, currency, number })
  return { id, body: { ...body, external_accounts }, hidden: { ...hidden, bankFailure: failure } }
}

/** Replaces the bank account, from the dashboard. */
export async function replaceBank(tx: Tx, cause: Cause, id: string, number: string): Promise<void> {
  const account = await lockAccount(tx, id)
  const { country = 'US', default_currency = 'usd' } = account.body
  const changed = withBank(account, number, country, default_currency)
  await saveObject(tx, changed)
  await emitEvent(tx, cause, 'account.updated', changed.body, account.hidden.platform ? {} : { account: id })
}

function buildController({ controller, type }: CreateParams): Stripe.Account.Controller {
  const dashboard = type === 'express' ? 'express' : type === 'custom' ? 'none' : 'full'
  return {
    fees: { payer: controller?.fees?.payer ?? 'application' },
    is_controller: true,
    losses: { payments: controller?.losses?.payments ?? 'application' },
    requirement_collection: controller?.requirement_collection ?? 'stripe',
    stripe_dashboard: { type: controller?.stripe_dashboard?.type ?? dashboard },
    type: 'application',
  }
}

function requirements(due: string[]): Stripe.Account.Requirements {
  return {
    alternatives: [],
    current_deadline: null,
    currently_due: due,
    disabled_reason: due.length > 0 ? 'requirements.past_due' : null,
    errors: [],
    eventually_due: due,
    past_due: due,
    pending_verification: [],
  }
}

/** Deleted accounts stay in the database because transfers refer to them, but the API hides them. */
async function lockAccount(tx: Tx, id: string): Promise<Account> {
  const account = await findObject(tx, 'account', id, 'for update')
  if (!account || isDeleted(account)) throw noAccess(id)
  return account
}

/** Refuses calls for an account that is not connected to the platform. */
export async function checkAccess(tx: Tx, id: string): Promise<void> {
  const account = await findObject(tx, 'account', id)
  if (!account || isDeleted(account)) throw noAccess(id)
}

/** Like Stripe, does not reveal whether the account is deleted or belongs to another platform. */
function noAccess(id: string): ApiError {
  const message = `The provided key does not have access to account '${id}' (or that account does not exist). Application access may have been revoked.`
  return new ApiError(403, { type: 'invalid_request_error', code: 'account_invalid', message })
}

export const isDeleted = ({ hidden }: Account): boolean => hidden.deleted === true

/** Activates payments, transfers and payouts after onboarding, which asks for a bank account. */
export async function completeOnboarding(tx: Tx, cause: Cause, id: string): Promise<void> {
  const account = await lockAccount(tx, id)
  const { country = 'US', default_currency = 'usd', external_accounts } = account.body
  const hasBank = external_accounts && external_accounts.data.length > 0
  const complete = hasBank ? account : withBank(account, WORKING_BANK_ACCOUNT, country, default_currency)
  await setActive(tx, cause, complete, 'active')
}

/** Restricts an account or lifts the restriction, from the dashboard. */
export async function restrictAccount(tx: Tx, cause: Cause, id: string, restricted: boolean): Promise<void> {
  const account = await lockAccount(tx, id)
  await setActive(tx, cause, account, restricted ? 'inactive' : 'active')
}

async function setActive(
  tx: Tx,
  cause: Cause,
  { id, body, hidden }: Account,
  standing: 'active' | 'inactive',
): Promise<void> {
  const active = standing === 'active'
  const changed: Stripe.Account = {
    ...body,
    capabilities: Object.fromEntries(hidden.capabilities.map((name) => [name, standing])),
    charges_enabled: active && hidden.capabilities.includes('card_payments'),
    details_submitted: true,
    payouts_enabled: active,
    requirements: requirements(active ? [] : ['individual.verification.document']),
    tos_acceptance: { ...body.tos_acceptance, date: toUnixSeconds(tx.now) },
  }
  await saveObject(tx, { id, body: changed, hidden })
  await schedulePayouts(tx, changed)
  const { charges_enabled, details_submitted, payouts_enabled, capabilities, requirements: before } = body
  const previous = { capabilities, charges_enabled, details_submitted, payouts_enabled, requirements: before }
  await emitEvent(tx, cause, 'account.updated', changed, { account: id, previous })
}

/** The seller disconnects the account, from the dashboard. After that, the platform has no access to it. */
export async function deauthorizeAccount(tx: Tx, cause: Cause, id: string): Promise<void> {
  const account = await lockAccount(tx, id)
  await saveObject(tx, { ...account, hidden: { ...account.hidden, deleted: true } })
  await schedulePayouts(tx, { ...account.body, payouts_enabled: false })
  const application: Stripe.Application = { id: APPLICATION_ID, object: 'application', name: 'Sandbox' }
  await emitEvent(tx, cause, 'account.application.deauthorized', application, { account: id })
}

async function retrieveAccount({ tx, id }: Call): Promise<Stripe.Account> {
  await checkAccess(tx, id)
  return (await getObject(tx, 'account', id)).body
}

/** The account of the key, or the account named in the call. */
const retrieveOwnAccount = (call: Call) => retrieveAccount({ ...call, id: call.account ?? PLATFORM_ID })

const UpdateParams = z.strictObject({
  email: text.optional(),
  business_type: z.enum(['company', 'individual', 'non_profit']).optional(),
  capabilities: Capabilities.optional(),
  external_account: ExternalAccount.optional(),
  metadata: metadataChange.optional(),
  settings: Settings.optional(),
})

async function updateAccount({
  tx,
  cause,
  id,
  params,
}: Call<z.output<typeof UpdateParams>>): Promise<Stripe.Account> {
  const account = await lockAccount(tx, id)
  if (account.hidden.platform) throw ownAccount()
  const { metadata, capabilities, external_account, settings, ...changes } = params
  const asked = changeCapabilities(account.hidden.capabilities, capabilities ?? {})
  if (capabilities) {
    const platform = (await getPlatform(tx)).body.country ?? 'US'
    const { country = platform, tos_acceptance } = account.body
    const agreement = tos_acceptance?.service_agreement as ServiceAgreement | undefined
    checkCapabilities({ platform, country, agreement, capabilities: asked })
  }
  const standing = account.body.payouts_enabled ? 'active' : 'inactive'
  const changed: Stripe.Account = {
    ...account.body,
    ...changes,
    capabilities: Object.fromEntries(asked.map((name) => [name, standing])),
    metadata: mergeMetadata(account.body.metadata ?? {}, metadata),
  }
  const hidden = { ...account.hidden, capabilities: asked }
  const saved = applySettings({ id, body: changed, hidden }, { external_account, settings })
  const { body } = saved
  await saveObject(tx, saved)
  await emitEvent(tx, cause, 'account.updated', body, { account: id })
  return body
}

/** The settings of our own account are changed in the dashboard, or with /v1/balance_settings. */
const ownAccount = () =>
  new ApiError(403, {
    type: 'invalid_request_error',
    message: 'You cannot change or delete your own account with this call.',
  })

async function deleteAccount({ tx, id }: Call): Promise<Stripe.DeletedAccount> {
  const account = await lockAccount(tx, id)
  if (account.hidden.platform) throw ownAccount()
  await saveObject(tx, { ...account, hidden: { ...account.hidden, deleted: true } })
  await schedulePayouts(tx, { ...account.body, payouts_enabled: false })
  return { id, object: 'account', deleted: true }
}

const ListParams = z.strictObject(page)

const listAccounts = ({ tx, params }: Call<z.output<typeof ListParams>>) =>
  listObjects(tx, 'account', '/v1/accounts', params)

export const accountRoutes = [
  route('GET', '/v1/account', z.strictObject({}), retrieveOwnAccount, { forConnectedAccounts: true }),
  route('POST', '/v1/accounts', CreateParams, createAccount),
  route('GET', '/v1/accounts', ListParams, listAccounts),
  route('GET', '/v1/accounts/:id', z.strictObject({}), retrieveAccount),
  route('POST', '/v1/accounts/:id', UpdateParams, updateAccount),
  route('DELETE', '/v1/accounts/:id', z.strictObject({}), deleteAccount),
]
