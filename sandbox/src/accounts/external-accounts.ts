import type Stripe from 'stripe'
import * as z from 'zod'
import { invalidRequest, invalidState, notFound } from '../http/api-error.ts'
import { boolean, currency, mergeMetadata, metadata, metadataChange, text } from '../http/params.ts'
import { type Call, route } from '../http/route.ts'
import { type Account, getAccount, lockAccount } from './account-access.ts'
import { saveAccount } from './account-changes.ts'
import { buildBank, TEST_BANK_ACCOUNTS } from './account-settings.ts'

/* The bank accounts of an account: the default of each currency receives the payouts in that currency. */

export const BankAccount = z.strictObject({
  object: z.literal('bank_account', 'The sandbox takes bank accounts only'),
  country: text,
  currency,
  account_holder_name: text.optional(),
  account_holder_type: text.optional(),
  account_number: text,
  routing_number: text.optional(),
})

interface NewBank {
  account_number: string
  country: string
  currency: string
}

/** The account with one of Stripe's test bank accounts as the default of its currency. */
export function withBank({ id, body, hidden }: Account, bank: NewBank, keepsOthers: boolean): Account {
  const { account_number: number, country, currency } = bank
  const failure = TEST_BANK_ACCOUNTS[number]
  if (failure === undefined) {
    throw invalidRequest(
      'You cannot use a live bank account number when making transfers or debits in test mode',
      { code: 'account_number_invalid', param: 'external_account[account_number]' },
    )
  }
  const added = buildBank({ account: id, country, currency, number })
  const others = (body.external_accounts?.data ?? []).filter((it) => keepsOthers || it.currency !== currency)
  const data = [added, ...makeSecondary(others, currency)]
  return {
    id,
    body: { ...body, external_accounts: listOf(id, data) },
    hidden: { ...hidden, bankFailures: { ...hidden.bankFailures, [added.id]: failure } },
  }
}

const listOf = (id: string, data: Stripe.ExternalAccount[]): Stripe.ApiList<Stripe.ExternalAccount> => ({
  object: 'list',
  data,
  has_more: false,
  url: `/v1/accounts/${id}/external_accounts`,
})

const makeSecondary = (banks: Stripe.ExternalAccount[], currency: string) =>
  banks.map((bank) => (bank.currency === currency ? { ...bank, default_for_currency: false } : bank))

const CreateParams = z.strictObject({
  external_account: BankAccount,
  default_for_currency: boolean.optional(),
  metadata: metadata.optional(),
})

async function createBank({ tx, cause, id, params }: Call<z.output<typeof CreateParams>>) {
  const account = await lockAccount(tx, id)
  const added = withBank(account, params.external_account, true)
  const [bank] = added.body.external_accounts?.data ?? []
  const changed = changeBank(added, String(bank?.id), { metadata: mergeMetadata({}, params.metadata) })
  await saveAccount(tx, cause, account, changed.account)
  return changed.bank
}

/** The account with a changed bank account. */
function changeBank(
  account: Account,
  id: string,
  change: Partial<Pick<Stripe.BankAccount, 'default_for_currency' | 'account_holder_name' | 'metadata'>>,
): { account: Account; bank: Stripe.ExternalAccount } {
  const before = findBankById(account, id)
  const bank = { ...before, ...change } as Stripe.ExternalAccount
  const banks = account.body.external_accounts?.data ?? []
  const others = change.default_for_currency ? makeSecondary(banks, String(bank.currency)) : banks
  const data = others.map((it) => (it.id === id ? bank : it))
  const body = { ...account.body, external_accounts: listOf(account.id, data) }
  return { account: { ...account, body }, bank }
}

function findBankById({ body }: Account, id: string): Stripe.ExternalAccount {
  const bank = body.external_accounts?.data.find((it) => it.id === id)
  if (!bank) throw notFound('external account', id)
  return bank
}

const UpdateParams = z.strictObject({
  account_holder_name: text.optional(),
  default_for_currency: z.literal('true').transform(Boolean).optional(),
  metadata: metadataChange.optional(),
})

async function updateBank({ tx, cause, id, inner, params }: Call<z.output<typeof UpdateParams>>) {
  const account = await lockAccount(tx, id)
  const { metadata } = findBankById(account, inner)
  const changed = changeBank(account, inner, {
    ...(params.account_holder_name && { account_holder_name: params.account_holder_name }),
    ...(params.default_for_currency && { default_for_currency: true }),
    metadata: mergeMetadata(metadata ?? {}, params.metadata),
  })
  await saveAccount(tx, cause, account, changed.account)
  return changed.bank
}

async function deleteBank({ tx, cause, id, inner }: Call): Promise<Stripe.DeletedExternalAccount> {
  const account = await lockAccount(tx, id)
  const bank = findBankById(account, inner)
  if (bank.default_for_currency && bank.currency === account.body.default_currency) {
    throw invalidState(
      'You cannot delete the default external account for your default currency. Please make another external account the default using the `default_for_currency` param, and then delete this one.',
    )
  }
  const data = (account.body.external_accounts?.data ?? []).filter((it) => it.id !== inner)
  const body = { ...account.body, external_accounts: listOf(id, data) }
  await saveAccount(tx, cause, account, { ...account, body })
  return { id: inner, object: 'bank_account', deleted: true }
}

const ListParams = z.strictObject({
  limit: text.optional(),
  object: z.literal('bank_account').optional(),
})

async function listBanks({ tx, id }: Call<z.output<typeof ListParams>>) {
  return listOf(id, (await getAccount(tx, id)).body.external_accounts?.data ?? [])
}

async function retrieveBank({ tx, id, inner }: Call) {
  return findBankById(await getAccount(tx, id), inner)
}

export const externalAccountRoutes = [
  route('POST', '/v1/accounts/:id/external_accounts', CreateParams, createBank),
  route('GET', '/v1/accounts/:id/external_accounts', ListParams, listBanks),
  route('GET', '/v1/accounts/:id/external_accounts/:inner', z.strictObject({}), retrieveBank),
  route('POST', '/v1/accounts/:id/external_accounts/:inner', UpdateParams, updateBank),
  route('DELETE', '/v1/accounts/:id/external_accounts/:inner', z.strictObject({}), deleteBank),
]
