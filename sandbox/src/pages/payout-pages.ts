import type { FastifyInstance } from 'fastify'
import type Stripe from 'stripe'
import * as z from 'zod'
import { PAYOUT_INTERVALS } from '../accounts/account-settings.ts'
import { replaceBank } from '../accounts/accounts.ts'
import { availableIn, presentTransaction, readBalance } from '../balance.ts'
import type { Tx } from '../database.ts'
import { listObjects } from '../lists.ts'
import { formatMoney, payablePart } from '../money.ts'
import { lockObject } from '../objects.ts'
import { changePayoutSettings } from '../payouts/balance-settings.ts'
import { payOut } from '../payouts/payouts.ts'
import { getPlatform, PLATFORM_ID } from '../platform-account.ts'
import { BankForm, bankForm, formatBalance, formatBank } from './account-parts.ts'
import { addAction, amountField, form, optionalInteger, selectField } from './action.ts'
import { type Html, html } from './html.ts'
import { formatTime } from './page.ts'
import type { Dashboard } from './services.ts'
import { badge, factList, olderLink, table } from './table.ts'

const PER_PAGE = 25

const PayoutForm = z.strictObject({ amount: optionalInteger })

/** Weekly payouts are made on Fridays, monthly ones on the first day. */
const ScheduleForm = z.strictObject({ interval: z.enum(PAYOUT_INTERVALS) })

type Query = { Querystring: { before?: string } }

/** The balance of the platform, its movements and its payouts. */
export function addPayoutPages(app: FastifyInstance, dashboard: Dashboard): void {
  const { database, base } = dashboard

  app.get<Query>('/balance', async ({ query }, reply) =>
    dashboard.show(reply, 'Balance', 'Balance', await balancePage(database.read(), base, query.before)),
  )

  app.get<Query>('/payouts', async ({ query }, reply) => {
    const page = { limit: PER_PAGE, starting_after: query.before }
    const payouts = await listObjects(database.read(), 'payout', '', page, { account: null })
    return dashboard.show(
      reply,
      'Payouts',
      'Payouts',
      html`<h1>Payouts</h1>
${payoutTable(payouts.data)}
${olderLink(`${base}/payouts`, payouts)}`,
    )
  })

  addAction(app, dashboard, '/payouts', PayoutForm, async (tx, cause, _, params) => {
    const platform = await lockObject(tx, 'account', PLATFORM_ID)
    const currency = platform.body.default_currency ?? 'usd'
    const available = availableIn(await readBalance(tx, null), currency)
    const amount = params.amount ?? payablePart(available, currency)
    await payOut(tx, cause, platform, { amount, currency })
    return '/payouts'
  })

  addAction(app, dashboard, '/payout-schedule', ScheduleForm, async (tx, cause, _, { interval }) => {
    const days = { weekly_payout_days: ['friday' as const], monthly_payout_days: [1] }
    await changePayoutSettings(tx, cause, PLATFORM_ID, { schedule: { interval, ...days } })
    return '/balance'
  })

  addAction(app, dashboard, '/bank-account', BankForm, async (tx, cause, _, params) => {
    await replaceBank(tx, cause, PLATFORM_ID, params.account_number)
    return '/balance'
  })
}

async function balancePage(tx: Tx, base: string, before: string | undefined): Promise<Html> {
  const platform = await getPlatform(tx)
  const { country = '', default_currency: currency = 'usd', settings } = platform.body
  const balances = await readBalance(tx, null)
  const page = { limit: PER_PAGE, starting_after: before }
  const transactions = await listObjects(tx, 'balance_transaction', '', page, { account: null })
  const interval = settings?.payouts?.schedule.interval ?? 'manual'
  return html`<h1>Balance</h1>
${factList([
  ['Available', formatBalance(balances, 'available', currency)],
  ['Pending', formatBalance(balances, 'pending', currency)],
  ['Country of the platform', country],
  ['Payout schedule', interval],
  ['Bank account', formatBank(platform)],
])}
<div class="buttons">
${form(`${base}/payouts`, amountField(availableIn(balances, currency)), 'Pay out')}
${form(
  `${base}/payout-schedule`,
  selectField(
    'Schedule',
    'interval',
    PAYOUT_INTERVALS.map((name) => [name, name]),
    interval,
  ),
  'Change',
)}
${bankForm(`${base}/bank-account`)}
</div>
<h2>Balance transactions</h2>
${transactionTable(transactions.data.map((body) => presentTransaction(tx, body)))}
${olderLink(`${base}/balance`, transactions)}`
}

function transactionTable(transactions: Stripe.BalanceTransaction[]): Html {
  return table(
    'Balance transactions',
    transactions,
    [
      { name: 'Type', cell: ({ type }) => type.replaceAll('_', ' ') },
      { name: 'Amount', figure: true, cell: ({ amount, currency }) => formatMoney(amount, currency) },
      { name: 'Fee', figure: true, cell: ({ fee, currency }) => formatMoney(fee, currency) },
      { name: 'Net', figure: true, cell: ({ net, currency }) => formatMoney(net, currency) },
      { name: 'Status', cell: ({ status }) => badge(status) },
      { name: 'Available on', cell: ({ available_on }) => formatTime(available_on) },
      { name: 'Source', cell: ({ source }) => html`<code>${String(source)}</code>` },
    ],
    'No money has moved yet.',
  )
}

export function payoutTable(payouts: Stripe.Payout[]): Html {
  return table(
    'Payouts',
    payouts,
    [
      { name: 'Amount', figure: true, cell: ({ amount, currency }) => formatMoney(amount, currency) },
      { name: 'Status', cell: ({ status }) => badge(status) },
      { name: 'Type', cell: ({ automatic }) => (automatic ? 'automatic' : 'manual') },
      { name: 'Payout', cell: ({ id }) => html`<code>${id}</code>` },
      { name: 'Arrives', cell: ({ arrival_date }) => formatTime(arrival_date) },
      { name: 'Failure', cell: ({ failure_code }) => failure_code ?? '' },
    ],
    'No payouts.',
  )
}
