import type Stripe from 'stripe'
import * as z from 'zod'
import { ApiError, invalidRequest } from './api-error.ts'
import type { Cause } from './cause.ts'
import type { Tx } from './database.ts'
import { emitEvent } from './events.ts'
import { newId } from './ids.ts'
import { listObjects } from './lists.ts'
import { findObject, insertObject, type Stored, saveObject, toUnixSeconds } from './objects.ts'
import { boolean, currency, mergeMetadata, metadata, metadataChange, page, text } from './params.ts'
import { type Call, route } from './route.ts'

type Account = Stored<'account'>

const Capabilities = z.strictObject({
  card_payments: z.strictObject({ requested: boolean }).optional(),
  transfers: z.strictObject({ requested: boolean }).optional(),
})

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
  metadata: metadata.optional(),
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
  const capabilities = requestedCapabilities(params)
  const body: Stripe.Account = {
    id: newId('acct'),
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
    country: params.country ?? 'US',
    created: toUnixSeconds(tx.now),
    default_currency: params.default_currency ?? 'usd',
    details_submitted: false,
    email: params.email ?? null,
    external_accounts: { object: 'list', data: [], has_more: false, url: '/v1/accounts/external_accounts' },
    metadata: mergeMetadata({}, params.metadata),
    payouts_enabled: false,
    requirements: requirements(INITIAL_REQUIREMENTS),
    settings: null,
    tos_acceptance: { date: null, ip: null, user_agent: null },
    type: params.controller ? 'none' : (params.type ?? 'standard'),
  }
  return (await insertObject(tx, 'account', { body, hidden: { capabilities } })).body
}

/** An account that requests no capabilities gets both, as with the default settings of a platform. */
function requestedCapabilities({ capabilities }: Pick<CreateParams, 'capabilities'>): string[] {
  if (!capabilities) return ['card_payments', 'transfers']
  return Object.entries(capabilities)
    .filter(([, asked]) => asked?.requested)
    .map(([name]) => name)
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

/** Like Stripe, does not reveal whether the account is deleted or belongs to another platform. */
function noAccess(id: string): ApiError {
  const message = `The provided key does not have access to account '${id}' (or that account does not exist). Application access may have been revoked.`
  return new ApiError(403, { type: 'invalid_request_error', code: 'account_invalid', message })
}

export const isDeleted = ({ hidden }: Account): boolean => hidden.deleted === true

/** Activates payments, transfers and payouts after onboarding. */
export async function completeOnboarding(tx: Tx, cause: Cause, id: string): Promise<void> {
  const account = await lockAccount(tx, id)
  await setActive(tx, cause, account, 'active')
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
    tos_acceptance: { date: toUnixSeconds(tx.now), ip: null, user_agent: null },
  }
  await saveObject(tx, { id, body: changed, hidden })
  const { charges_enabled, details_submitted, payouts_enabled, capabilities } = body
  const previous = { capabilities, charges_enabled, details_submitted, payouts_enabled }
  await emitEvent(tx, cause, 'account.updated', changed, { account: id, previous })
}

async function retrieveAccount({ tx, id }: Call): Promise<Stripe.Account> {
  const account = await findObject(tx, 'account', id)
  if (!account || isDeleted(account)) throw noAccess(id)
  return account.body
}

const UpdateParams = z.strictObject({
  email: text.optional(),
  business_type: z.enum(['company', 'individual', 'non_profit']).optional(),
  capabilities: Capabilities.optional(),
  metadata: metadataChange.optional(),
})

async function updateAccount({
  tx,
  cause,
  id,
  params,
}: Call<z.output<typeof UpdateParams>>): Promise<Stripe.Account> {
  const account = await lockAccount(tx, id)
  const { metadata, capabilities, ...changes } = params
  const asked = capabilities ? requestedCapabilities({ capabilities }) : account.hidden.capabilities
  const standing = account.body.payouts_enabled ? 'active' : 'inactive'
  const body: Stripe.Account = {
    ...account.body,
    ...changes,
    capabilities: Object.fromEntries(asked.map((name) => [name, standing])),
    metadata: mergeMetadata(account.body.metadata ?? {}, metadata),
  }
  await saveObject(tx, { id, body, hidden: { capabilities: asked } })
  await emitEvent(tx, cause, 'account.updated', body, { account: id })
  return body
}

async function deleteAccount({ tx, id }: Call): Promise<Stripe.DeletedAccount> {
  const account = await lockAccount(tx, id)
  await saveObject(tx, { ...account, hidden: { ...account.hidden, deleted: true } })
  return { id, object: 'account', deleted: true }
}

const ListParams = z.strictObject(page)

const listAccounts = ({ tx, params }: Call<z.output<typeof ListParams>>) =>
  listObjects(tx, 'account', '/v1/accounts', params)

export const accountRoutes = [
  route('POST', '/v1/accounts', CreateParams, createAccount),
  route('GET', '/v1/accounts', ListParams, listAccounts),
  route('GET', '/v1/accounts/:id', z.strictObject({}), retrieveAccount),
  route('POST', '/v1/accounts/:id', UpdateParams, updateAccount),
  route('DELETE', '/v1/accounts/:id', z.strictObject({}), deleteAccount),
]
