import type { FastifyInstance } from 'fastify'
import type Stripe from 'stripe'
import * as z from 'zod'
import { listObjects } from '../lists.ts'
import { formatMoney } from '../money.ts'
import { reverseTransfer } from '../transfers/transfer-reversals.ts'
import { addAction, amountField, form, optionalInteger } from './action.ts'
import { type Html, html } from './html.ts'
import { formatTime } from './page.ts'
import type { Dashboard } from './services.ts'
import { badge, olderLink, table } from './table.ts'

const PER_PAGE = 25

const ReverseForm = z.strictObject({ amount: optionalInteger })

type Query = { Querystring: { before?: string } }

/** The lists of refunds and transfers. */
export function addMovementPages(app: FastifyInstance, dashboard: Dashboard): void {
  const { database, base } = dashboard

  app.get<Query>('/refunds', async ({ query }, reply) => {
    const page = { limit: PER_PAGE, starting_after: query.before }
    const refunds = await listObjects(database.read(), 'refund', '', page)
    return dashboard.show(
      reply,
      'Refunds',
      'Refunds',
      html`<h1>Refunds</h1>
${refundTable(base, refunds.data)}
${olderLink(`${base}/refunds`, refunds)}`,
    )
  })

  app.get<Query>('/transfers', async ({ query }, reply) => {
    const page = { limit: PER_PAGE, starting_after: query.before }
    const transfers = await listObjects(database.read(), 'transfer', '', page)
    return dashboard.show(
      reply,
      'Transfers',
      'Transfers',
      html`<h1>Transfers</h1>
${transferTable(base, transfers.data)}
${olderLink(`${base}/transfers`, transfers)}`,
    )
  })

  addAction(app, dashboard, '/transfers/:id/reverse', ReverseForm, async (tx, cause, id, { amount }) => {
    await reverseTransfer(tx, cause, id, { amount })
    return '/transfers'
  })
}

export function refundTable(base: string, refunds: Stripe.Refund[]): Html {
  return table(
    'Refunds',
    refunds,
    [
      { name: 'Amount', figure: true, cell: ({ amount, currency }) => formatMoney(amount, currency) },
      { name: 'Status', cell: ({ status }) => badge(status ?? 'pending') },
      { name: 'Refund', cell: ({ id }) => html`<code>${id}</code>` },
      {
        name: 'Payment',
        cell: ({ payment_intent: id }) =>
          html`<a href="${base}/payments/${String(id)}"><code>${String(id)}</code></a>`,
      },
      { name: 'Created', cell: ({ created }) => formatTime(created) },
    ],
    'No refunds.',
  )
}

export function transferTable(base: string, transfers: Stripe.Transfer[]): Html {
  return table(
    'Transfers',
    transfers,
    [
      { name: 'Amount', figure: true, cell: ({ amount, currency }) => formatMoney(amount, currency) },
      { name: 'Transfer', cell: ({ id }) => html`<code>${id}</code>` },
      {
        name: 'To',
        cell: ({ destination }) =>
          html`<a href="${base}/accounts/${String(destination)}"><code>${String(destination)}</code></a>`,
      },
      {
        name: 'Reversed',
        figure: true,
        cell: ({ amount_reversed, currency }) => formatMoney(amount_reversed, currency),
      },
      { name: 'Created', cell: ({ created }) => formatTime(created) },
      { name: 'Reverse', cell: (transfer) => reverseForm(base, transfer) },
    ],
    'No transfers.',
  )
}

function reverseForm(
  base: string,
  { id, amount, amount_reversed, reversed }: Stripe.Transfer,
): Html | string {
  if (reversed) return ''
  return form(`${base}/transfers/${id}/reverse`, amountField(amount - amount_reversed), 'Reverse')
}
