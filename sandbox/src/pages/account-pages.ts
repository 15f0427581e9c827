import type { FastifyInstance } from 'fastify'
import type Stripe from 'stripe'
import { restrictAccount } from '../accounts.ts'
import type { Tx } from '../database.ts'
import { listObjects } from '../lists.ts'
import { type Html, html } from './html.ts'
import { formatMoney, formatTime } from './page.ts'
import { type Dashboard, pageCause } from './services.ts'
import { badge, button, olderLink, table } from './table.ts'

const PER_PAGE = 25

export function addAccountPages(app: FastifyInstance, dashboard: Dashboard): void {
  const { database, base } = dashboard

  app.get<{ Querystring: { before?: string } }>('/accounts', async ({ query }, reply) => {
    const tx = database.read()
    const accounts = await listObjects(tx, 'account', '', { limit: PER_PAGE, starting_after: query.before })
    const balances = await formatBalances(
      tx,
      accounts.data.map(({ id }) => id),
    )
    return dashboard.show(
      reply,
      'Accounts',
      'Connected accounts',
      html`<h1>Connected accounts</h1>
${accountTable(base, accounts.data, balances)}
${olderLink(`${base}/accounts`, accounts)}`,
    )
  })

  for (const [verb, restricted] of [
    ['restrict', true],
    ['restore', false],
  ] as const) {
    app.post<{ Params: { id: string } }>(`/accounts/:id/${verb}`, async ({ params: { id } }, reply) => {
      await database.transact((tx) => restrictAccount(tx, pageCause(dashboard), id, restricted))
      dashboard.onCommit()
      return dashboard.back(reply, '/accounts')
    })
  }
}

/** The formatted balance of each account. */
async function formatBalances(tx: Tx, accounts: string[]): Promise<Map<string, string>> {
  const rows = await tx.query<{ account: string; currency: string; cents: string }>(
    `select account, body ->> 'currency' as currency, sum((body ->> 'net')::bigint) as cents
     from sandbox.objects
     where kind = 'balance_transaction' and account = any ($1)
     group by 1, 2 order by 1, 2`,
    [accounts],
  )
  const balances = new Map<string, string>()
  for (const { account, currency, cents } of rows) {
    const before = balances.get(account)
    balances.set(account, `${before ? `${before}, ` : ''}${formatMoney(Number(cents), currency)}`)
  }
  return balances
}

function accountTable(base: string, accounts: Stripe.Account[], balances: Map<string, string>): Html {
  return table(
    'Connected accounts',
    accounts,
    [
      { name: 'Email', cell: ({ email }) => email ?? 'none' },
      { name: 'Payouts', cell: (account) => badge(payoutStatus(account)) },
      {
        name: 'Balance',
        figure: true,
        cell: ({ id, default_currency }) => balances.get(id) ?? formatMoney(0, default_currency ?? 'usd'),
      },
      { name: 'Account', cell: ({ id }) => html`<code>${id}</code>` },
      { name: 'Country', cell: ({ country }) => country ?? '' },
      { name: 'Created', cell: ({ created }) => formatTime(created ?? 0) },
      { name: 'Change', cell: (account) => changeButton(base, account) },
    ],
    'No connected accounts. One appears here when a seller starts to set up payouts.',
  )
}

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
