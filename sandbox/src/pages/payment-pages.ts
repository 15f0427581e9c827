import type { FastifyInstance } from 'fastify'
import type Stripe from 'stripe'
import type { Tx } from '../database.ts'
import { closeDispute, disputeCharge } from '../disputes.ts'
import { listObjects } from '../lists.ts'
import { getObject, lockObject } from '../objects.ts'
import { type Html, html } from './html.ts'
import { refundTable, transferTable } from './movement-pages.ts'
import { formatMoney, formatTime } from './page.ts'
import { type Dashboard, pageCause } from './services.ts'
import { badge, button, factList, olderLink, table } from './table.ts'

const PER_PAGE = 25
const EVERYTHING = { limit: 100 }

export function addPaymentPages(app: FastifyInstance, dashboard: Dashboard): void {
  const { database, base } = dashboard

  app.get<{ Querystring: { before?: string } }>('/payments', async ({ query }, reply) => {
    const page = { limit: PER_PAGE, starting_after: query.before }
    const payments = await listObjects(database.read(), 'payment_intent', '', page)
    return dashboard.show(
      reply,
      'Payments',
      'Payments',
      html`<h1>Payments</h1>
${paymentTable(base, payments.data)}
${olderLink(`${base}/payments`, payments)}`,
    )
  })

  app.get<{ Params: { id: string } }>('/payments/:id', async ({ params: { id } }, reply) => {
    const main = await paymentPage(database.read(), base, id)
    return dashboard.show(reply, 'Payments', id, main)
  })

  app.post<{ Params: { id: string } }>('/payments/:id/dispute', async ({ params: { id } }, reply) => {
    await database.transact(async (tx) => {
      const { body } = await getObject(tx, 'payment_intent', id)
      const charge = await lockObject(tx, 'charge', String(body.latest_charge))
      await disputeCharge(tx, pageCause(dashboard), charge, 'fraudulent')
    })
    dashboard.onCommit()
    return dashboard.back(reply, `/payments/${id}`)
  })

  for (const status of ['won', 'lost'] as const) {
    app.post<{ Params: { id: string } }>(`/disputes/:id/${status}`, async ({ params: { id } }, reply) => {
      const { payment_intent } = await database.transact((tx) =>
        closeDispute(tx, pageCause(dashboard), id, status),
      )
      dashboard.onCommit()
      return dashboard.back(reply, `/payments/${payment_intent}`)
    })
  }
}

function paymentTable(base: string, payments: Stripe.PaymentIntent[]): Html {
  return table(
    'Payments',
    payments,
    [
      { name: 'Amount', figure: true, cell: ({ amount, currency }) => formatMoney(amount, currency) },
      { name: 'Status', cell: ({ status }) => badge(status) },
      { name: 'Payment', cell: ({ id }) => html`<a href="${base}/payments/${id}"><code>${id}</code></a>` },
      { name: 'Created', cell: ({ created }) => formatTime(created) },
    ],
    'No payments yet. One appears here when a buyer opens the checkout.',
  )
}

async function paymentPage(tx: Tx, base: string, id: string): Promise<Html> {
  const { body: intent } = await getObject(tx, 'payment_intent', id)
  const about = { payment_intent: id }
  const charges = await listObjects(tx, 'charge', '', EVERYTHING, about)
  const refunds = await listObjects(tx, 'refund', '', EVERYTHING, about)
  const disputes = await listObjects(tx, 'dispute', '', EVERYTHING, about)
  const transfers = await loadTransfers(tx, charges.data)
  const paid = charges.data.find(({ status }) => status === 'succeeded')
  return html`<h1>${formatMoney(intent.amount, intent.currency)} ${badge(intent.status)}</h1>
${factList([
  ['Payment', html`<code>${id}</code>`],
  ['Created', formatTime(intent.created)],
  ['Refunded', formatMoney(paid?.amount_refunded ?? 0, intent.currency)],
  [
    'Metadata',
    Object.entries(intent.metadata)
      .map(([name, value]) => `${name}: ${value}`)
      .join(', ') || 'none',
  ],
])}
${
  paid &&
  !paid.disputed &&
  !paid.refunded &&
  html`<div class="buttons">${button(`${base}/payments/${id}/dispute`, 'Create a chargeback', 'danger')}</div>`
}
<h2>Charges</h2>
${chargeTable(charges.data)}
${disputes.data.length > 0 && html`<h2>Chargebacks</h2>${disputes.data.map((it) => disputeCard(base, it))}`}
<h2>Refunds</h2>
${refundTable(base, refunds.data)}
<h2>Transfers</h2>
${transferTable(base, transfers)}`
}

async function loadTransfers(tx: Tx, charges: Stripe.Charge[]): Promise<Stripe.Transfer[]> {
  const rows = await tx.query<{ body: Stripe.Transfer }>(
    `select body from sandbox.objects
     where kind = 'transfer' and body ->> 'source_transaction' = any ($1) order by seq desc`,
    [charges.map(({ id }) => id)],
  )
  return rows.map(({ body }) => body)
}

function chargeTable(charges: Stripe.Charge[]): Html {
  return table(
    'Charges',
    charges,
    [
      { name: 'Card', cell: ({ payment_method_details: details }) => formatCard(details?.card) },
      { name: 'Status', cell: ({ status, disputed }) => badge(disputed ? 'disputed' : status) },
      { name: 'Charge', cell: ({ id }) => html`<code>${id}</code>` },
      { name: 'Created', cell: ({ created }) => formatTime(created) },
    ],
    'No card was used yet.',
  )
}

const formatCard = (card: Stripe.Charge.PaymentMethodDetails.Card | undefined) =>
  card ? `${card.brand} ···· ${card.last4}` : 'unknown'

function disputeCard(base: string, { id, amount, currency, reason, status }: Stripe.Dispute): Html {
  const open = status !== 'won' && status !== 'lost'
  return html`${factList([
    ['Chargeback', html`<code>${id}</code>`],
    ['Amount', formatMoney(amount, currency)],
    ['Reason', reason.replaceAll('_', ' ')],
    ['Status', badge(status)],
  ])}
${
  open &&
  html`<div class="buttons">
${button(`${base}/disputes/${id}/won`, 'Decide for the platform')}
${button(`${base}/disputes/${id}/lost`, 'Decide for the cardholder', 'danger')}
</div>`
}`
}
