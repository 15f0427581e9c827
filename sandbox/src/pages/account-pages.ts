import type { FastifyInstance } from 'fastify'
import type Stripe from 'stripe'
import * as z from 'zod'
import { isDeleted } from '../accounts/account-access.ts'
import { chargeAccountFee, deauthorizeAccount, replaceBank, restrictAccount } from '../accounts/accounts.ts'
import { triggerRequirements } from '../accounts/requirements.ts'
import { readBalance } from '../balance.ts'
import type { Tx } from '../database.ts'
import { notFound } from '../http/api-error.ts'
import { integer } from '../http/params.ts'
import { listObjects } from '../lists.ts'
import { findObject } from '../objects.ts'
import { BankForm, bankForm, formatBalance, formatBank } from './account-parts.ts'
import { addAction, amountField, form } from './action.ts'
import { type Html, html } from './html.ts'
import { formatTime } from './page.ts'
import { payoutTable } from './payout-pages.ts'
import type { Dashboard } from './services.ts'
import { badge, button, factList, olderLink, table } from './table.ts'

const PER_PAGE = 25

const Empty = z.strictObject({})

const FeeForm = z.strictObject({ amount: integer })

export function addAccountPages(app: FastifyInstance, dashboard: Dashboard): void {
  const { database, base } = dashboard

  app.get<{ Querystring: { before?: string } }>('/accounts', async ({ query }, reply) => {
    const tx = database.read()
    const accounts = await listObjects(tx, 'account', '', { limit: PER_PAGE, starting_after: query.before })
    return dashboard.show(
      reply,
      'Accounts',
      'Connected accounts',
      html`<h1>Connected accounts</h1>
${accountTable(base, accounts.data)}
${olderLink(`${base}/accounts`, accounts)}`,
    )
  })

  app.get<{ Params: { id: string } }>('/accounts/:id', async ({ params: { id } }, reply) => {
    const main = await accountPage(database.read(), base, id)
    return dashboard.show(reply, 'Accounts', id, main)
  })

  addAction(app, dashboard, '/accounts/:id/restrict', Empty, async (tx, cause, id) => {
    await restrictAccount(tx, cause, id, true)
    return `/accounts/${id}`
  })
  addAction(app, dashboard, '/accounts/:id/restore', Empty, async (tx, cause, id) => {
    await restrictAccount(tx, cause, id, false)
    return `/accounts/${id}`
  })
  addAction(app, dashboard, '/accounts/:id/deauthorize', Empty, async (tx, cause, id) => {
    await deauthorizeAccount(tx, cause, id)
    return '/accounts'
  })
  addAction(app, dashboard, '/accounts/:id/requirements', Empty, async (tx, cause, id) => {
    await triggerRequirements(tx, cause, id, 'requirements')
    return `/accounts/${id}`
  })
  addAction(app, dashboard, '/accounts/:id/fee', FeeForm, async (tx, _, id, { amount }) => {
    await chargeAccountFee(tx, id, amount)
    return `/accounts/${id}`
  })
  addAction(app, dashboard, '/accounts/:id/bank-account', BankForm, async (tx, cause, id, params) => {
    await replaceBank(tx, cause, id, params.account_number)
    return `/accounts/${id}`
  })
}

function accountTable(base: string, accounts: Stripe.Account[]): Html {
  return table(
    'Connected accounts',
    accounts,
    [
      { name: 'Email', cell: ({ email }) => email ?? 'none' },
      { name: 'Payouts', cell: (account) => badge(payoutStatus(account)) },
      { name: 'Account', cell: ({ id }) => html`<a href="${base}/accounts/${id}"><code>${id}</code></a>` },
      { name: 'Country', cell: ({ country }) => country ?? '' },
      { name: 'Created', cell: ({ created }) => formatTime(created ?? 0) },
    ],
    'No connected accounts. One appears here when a seller starts to set up payouts.',
  )
}

async function accountPage(tx: Tx, base: string, id: string): Promise<Html> {
  const account = await findObject(tx, 'account', id)
  if (!account || isDeleted(account) || account.hidden.platform) throw notFound('account', id)
  const { body } = account
  const balances = await readBalance(tx, id)
  const payouts = await listObjects(tx, 'payout', '', { limit: PER_PAGE }, { account: id })
  return html`<h1>${body.email ?? id}</h1>
${factList([
  ['Account', html`<code>${id}</code>`],
  ['Payouts', badge(payoutStatus(body))],
  ['Country', body.country ?? ''],
  ['Agreement', body.tos_acceptance?.service_agreement ?? 'full'],
  ['Capabilities', formatCapabilities(body)],
  ['Currently due', formatDue(body.requirements)],
  ['Past due', body.requirements?.past_due?.join(', ') || 'nothing'],
  ['Available balance', formatBalance(balances, 'available', body.default_currency)],
  ['Pending balance', formatBalance(balances, 'pending', body.default_currency)],
  ['Payout schedule', body.settings?.payouts?.schedule.interval ?? 'none'],
  ['Bank account', formatBank(account)],
])}
<div class="buttons">
${changeButton(base, body)}
${body.payouts_enabled && button(`${base}/accounts/${id}/requirements`, 'Ask for information')}
${form(`${base}/accounts/${id}/fee`, amountField(100), 'Charge a fee')}
${button(`${base}/accounts/${id}/deauthorize`, 'Disconnect from the platform', 'danger')}
${bankForm(`${base}/accounts/${id}/bank-account`)}
</div>
<h2>Payouts</h2>
${payoutTable(payouts.data)}`
}

function formatDue(requirements: Stripe.Account.Requirements | undefined): string {
  const due = requirements?.currently_due?.join(', ') || 'nothing'
  const deadline = requirements?.current_deadline
  return deadline ? `${due} (until ${formatTime(deadline)})` : due
}

const formatCapabilities = ({ capabilities = {} }: Stripe.Account) =>
  Object.entries(capabilities)
    .map(([name, status]) => `${name}: ${status}`)
    .join(', ') || 'none'

function payoutStatus({ details_submitted, payouts_enabled }: Stripe.Account): string {
  if (payouts_enabled) return 'enabled'
  return details_submitted ? 'restricted' : 'not set up'
}

function changeButton(
  base: string,
  { id, details_submitted, payouts_enabled }: Stripe.Account,
): Html | string {
  if (payouts_enabled) return button(`${base}/accounts/${id}/restrict`, 'Restrict', 'danger')
  return details_submitted ? button(`${base}/accounts/${id}/restore`, 'Restore') : ''
}
