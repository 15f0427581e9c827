import type Stripe from 'stripe'
import * as z from 'zod'
import { APPLICATION_ID } from '../application.ts'
import { recordMovement } from '../balance.ts'
import type { Cause } from '../cause.ts'
import { currencyOf } from '../countries.ts'
import type { Tx } from '../database.ts'
import { emitEvent } from '../events.ts'
import { ApiError, invalidRequest, notFound, notPositive } from '../http/api-error.ts'
import {
  boolean,
  currency,
  integer,
  mergeMetadata,
  metadata,
  metadataChange,
  page,
  text,
} from '../http/params.ts'
import { type Call, route } from '../http/route.ts'
import { newId } from '../ids.ts'
import { listObjects } from '../lists.ts'
import { checkStep } from '../money.ts'
import { insertObject, saveObject, toUnixSeconds } from '../objects.ts'
import { applyPayoutChange, ScheduleParams } from '../payouts/balance-settings.ts'
import { schedulePayouts } from '../payouts/payout-schedule.ts'
import { getPendingDays, getPlatform, PLATFORM_ID } from '../platform-account.ts'
import { type Account, getAccount, lockAccount } from './account-access.ts'
import {
  Capabilities,
  changeCapabilities,
  checkCapabilities,
  defaultCapabilities,
  type ServiceAgreement,
} from './account-capabilities.ts'
import { presentCapability, saveAccount } from './account-changes.ts'
import { buildSettings, WORKING_BANK_ACCOUNT } from './account-settings.ts'
import { BankAccount, withBank } from './external-accounts.ts'
import { initialRequirements, overdueRequirements, requirementsAfterOnboarding } from './requirements.ts'

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
  external_account: BankAccount.optional(),
  metadata: metadata.optional(),
  settings: Settings.optional(),
  tos_acceptance: TosAcceptance.optional(),
})

type CreateParams = z.output<typeof CreateParams>

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
    requirements: initialRequirements(),
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
  return bank ? withBank(account, bank, false) : account
}

/** Replaces the bank account, from the dashboard or by the seller. */
export async function replaceBank(tx: Tx, cause: Cause, id: string, number: string): Promise<void> {
  const account = await lockAccount(tx, id)
  await saveAccount(tx, cause, account, withNumber(account, number))
}

function withNumber(account: Account, account_number: string): Account {
  const { country = 'US', default_currency: currency = 'usd' } = account.body
  return withBank(account, { account_number, country, currency }, false)
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

/** Activates payments, transfers and payouts after onboarding, which asks for a bank account. */
export async function completeOnboarding(
  tx: Tx,
  cause: Cause,
  id: string,
  bankNumber?: string | undefined,
): Promise<void> {
  const account = await lockAccount(tx, id)
  const hasBank = (account.body.external_accounts?.data.length ?? 0) > 0
  const number = bankNumber ?? (hasBank ? undefined : WORKING_BANK_ACCOUNT)
  await setActive(tx, cause, account, number ? withNumber(account, number) : account, 'active')
}

/** Restricts an account or lifts the restriction, from the dashboard. */
export async function restrictAccount(tx: Tx, cause: Cause, id: string, restricted: boolean): Promise<void> {
  const account = await lockAccount(tx, id)
  await setActive(tx, cause, account, account, restricted ? 'inactive' : 'active')
}

async function setActive(
  tx: Tx,
  cause: Cause,
  before: Account,
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
    requirements: active
      ? requirementsAfterOnboarding(tx, body)
      : overdueRequirements(['individual.verification.document']),
    tos_acceptance: { ...body.tos_acceptance, date: toUnixSeconds(tx.now) },
  }
  await saveAccount(tx, cause, before, { id, body: changed, hidden })
}

/** Stripe takes a fee from a connected account, whose balance may become negative. */
export async function chargeAccountFee(tx: Tx, id: string, amount: number): Promise<void> {
  const { body } = await lockAccount(tx, id)
  const { default_currency: currency = 'usd' } = body
  if (amount <= 0) throw notPositive('amount')
  checkStep(amount, currency)
  await recordMovement(tx, {
    type: 'stripe_fee',
    reportingCategory: 'fee',
    amount: -amount,
    currency,
    source: id,
    description: 'Connect fee',
    account: id,
  })
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
  return (await getAccount(tx, id)).body
}

/** The account of the key, or the account named in the call. */
const retrieveOwnAccount = (call: Call) => retrieveAccount({ ...call, id: call.account ?? PLATFORM_ID })

const UpdateParams = z.strictObject({
  email: text.optional(),
  business_type: z.enum(['company', 'individual', 'non_profit']).optional(),
  capabilities: Capabilities.optional(),
  external_account: BankAccount.optional(),
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
  const { capabilities: held = {}, payouts_enabled } = account.body
  const standing = payouts_enabled ? 'active' : 'inactive'
  const changed: Stripe.Account = {
    ...account.body,
    ...changes,
    capabilities: { ...Object.fromEntries(asked.map((name) => [name, standing])), ...pick(held, asked) },
    metadata: mergeMetadata(account.body.metadata ?? {}, metadata),
  }
  const hidden = { ...account.hidden, capabilities: asked }
  const saved = applySettings({ id, body: changed, hidden }, { external_account, settings })
  await saveAccount(tx, cause, account, saved)
  return saved.body
}

const pick = (capabilities: Stripe.Account.Capabilities, names: string[]) =>
  Object.fromEntries(Object.entries(capabilities).filter(([name]) => names.includes(name)))

const listCapabilities = async ({ tx, id }: Call) => {
  const account = await getAccount(tx, id)
  const data = account.hidden.capabilities.map((name) => presentCapability(account, name))
  return { object: 'list', data, has_more: false, url: `/v1/accounts/${id}/capabilities` }
}

async function retrieveCapability({ tx, id, inner }: Call): Promise<Stripe.Capability> {
  const account = await getAccount(tx, id)
  if (account.hidden.capabilities.includes(inner)) return presentCapability(account, inner)
  throw notFound('capability', inner)
}

const RejectParams = z.strictObject({ reason: z.enum(['fraud', 'terms_of_service', 'other']) })

/** Closes an account for good. */
async function rejectAccount({
  tx,
  cause,
  id,
  params,
}: Call<z.output<typeof RejectParams>>): Promise<Stripe.Account> {
  const account = await lockAccount(tx, id)
  if (account.hidden.platform) throw ownAccount()
  const body: Stripe.Account = {
    ...account.body,
    capabilities: Object.fromEntries(account.hidden.capabilities.map((name) => [name, 'inactive'])),
    charges_enabled: false,
    payouts_enabled: false,
    requirements: { ...overdueRequirements([]), disabled_reason: `rejected.${params.reason}` },
  }
  await saveAccount(tx, cause, account, { ...account, body })
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
  route('GET', '/v1/accounts/:id/capabilities', z.strictObject({}), listCapabilities),
  route('GET', '/v1/accounts/:id/capabilities/:inner', z.strictObject({}), retrieveCapability),
  route('POST', '/v1/accounts/:id/reject', RejectParams, rejectAccount),
  route('DELETE', '/v1/accounts/:id', z.strictObject({}), deleteAccount),
]
