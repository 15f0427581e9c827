import type { FastifyInstance } from 'fastify'
import type Stripe from 'stripe'
import * as z from 'zod'
import { presentTransaction } from '../balance.ts'
import type { Tx } from '../database.ts'
import { approveReview } from '../disputes/radar.ts'
import { listObjects } from '../lists.ts'
import { formatMoney } from '../money.ts'
import { getObject, lockObject } from '../objects.ts'
import { cancelPayment } from '../payments/payment-intents.ts'
import { refundCharge } from '../refunds.ts'
import { addAction, amountField, form, optionalInteger } from './action.ts'
import { disputeCard, disputeForm } from './dispute-pages.ts'
import { type Html, html } from './html.ts'
import { refundTable, transferTable } from './movement-pages.ts'
import { formatTime } from './page.ts'
import type { Dashboard } from './services.ts'
import { badge, button, factList, olderLink, table } from './table.ts'

const PER_PAGE = 25
const EVERYTHING = { limit: 100 }

const CANCELABLE = new Set(['requires_action', 'requires_confirmation', 'requires_payment_method'])

const RefundForm = z.strictObject({ amount: optionalInteger })

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

  addAction(app, dashboard, '/payments/:id/refund', RefundForm, async (tx, cause, id, { amount }) => {
    const { body } = await getObject(tx, 'payment_intent', id)
    const charge = await lockObject(tx, 'charge', String(body.latest_charge))
    await refundCharge(tx, cause, charge, { amount, reason: 'requested_by_customer' })
    return `/payments/${id}`
  })

  addAction(app, dashboard, '/payments/:id/cancel', z.strictObject({}), async (tx, cause, id) => {
    await cancelPayment(tx, cause, id, {})
    return `/payments/${id}`
  })

  addAction(app, dashboard, '/reviews/:id/approve', z.strictObject({}), async (tx, cause, id) => {
    const { payment_intent } = await approveReview(tx, cause, id)
    return `/payments/${payment_intent}`
  })
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
  const warnings = await listObjects(tx, 'early_fraud_warning', '', EVERYTHING, about)
  const reviews = await listObjects(tx, 'review', '', EVERYTHING, about)
  const transfers = await loadTransfers(tx, charges.data)
  const paid = charges.data.find(({ status }) => status === 'succeeded')
  const left = paid ? await amountLeft(tx, paid) : 0
  return html`<h1>${formatMoney(intent.amount, intent.currency)} ${badge(intent.status)}</h1>
${factList([
  ['Payment', html`<code>${id}</code>`],
  ['Created', formatTime(intent.created)],
  ...(await chargeFacts(tx, paid)),
  [
    'Metadata',
    Object.entries(intent.metadata)
      .map(([name, value]) => `${name}: ${value}`)
      .join(', ') || 'none',
  ],
])}
${
  left > 0 &&
  html`<div class="buttons">
${form(`${base}/payments/${id}/refund`, amountField(left), 'Refund')}
${disputeForm(base, id, left)}
</div>`
}
${CANCELABLE.has(intent.status) && html`<div class="buttons">${button(`${base}/payments/${id}/cancel`, 'Cancel the payment')}</div>`}
<h2>Charges</h2>
${chargeTable(charges.data)}
${disputes.data.length > 0 && html`<h2>Disputes</h2>${disputes.data.map((it) => disputeCard(base, it))}`}
${warnings.data.length > 0 && html`<h2>Early fraud warnings</h2>${warnings.data.map(warningFacts)}`}
${reviews.data.length > 0 && html`<h2>Reviews</h2>${reviews.data.map((it) => reviewCard(base, it))}`}
<h2>Refunds</h2>
${refundTable(base, refunds.data)}
<h2>Transfers</h2>
${transferTable(base, transfers)}`
}

/** The amount that was neither refunded nor withdrawn by a dispute. */
async function amountLeft(tx: Tx, { id, amount, amount_refunded }: Stripe.Charge): Promise<number> {
  const { hidden } = await getObject(tx, 'charge', id)
  return amount - amount_refunded - hidden.withdrawn
}

async function chargeFacts(tx: Tx, charge: Stripe.Charge | undefined): Promise<[string, Html | string][]> {
  if (!charge?.balance_transaction) return []
  const { body } = await getObject(tx, 'balance_transaction', String(charge.balance_transaction))
  const {
    amount,
    fee,
    net,
    currency,
    available_on,
    status,
    exchange_rate: rate,
  } = presentTransaction(tx, body)
  return [
    ['Refunded', formatMoney(charge.amount_refunded, charge.currency)],
    ...(rate ? [['Converted', `${formatMoney(amount, currency)} (rate ${rate})`] as [string, string]] : []),
    ['Fee', formatMoney(fee, currency)],
    ['Net', formatMoney(net, currency)],
    ['Balance', html`${badge(status)} ${status === 'pending' && html`until ${formatTime(available_on)}`}`],
  ]
}

const warningFacts = ({ id, fraud_type, actionable }: Stripe.Radar.EarlyFraudWarning): Html =>
  factList([
    ['Warning', html`<code>${id}</code>`],
    ['Type', fraud_type.replaceAll('_', ' ')],
    ['Actionable', actionable ? 'yes' : 'no'],
  ])

const reviewCard = (base: string, { id, open, reason }: Stripe.Review): Html =>
  html`${factList([
    ['Review', html`<code>${id}</code>`],
    ['Status', badge(open ? 'open' : reason)],
  ])}
${open && html`<div class="buttons">${button(`${base}/reviews/${id}/approve`, 'Approve')}</div>`}`

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
      { name: 'Method', cell: ({ payment_method_details: details }) => formatMethod(details) },
      { name: 'Status', cell: ({ status, disputed }) => badge(disputed ? 'disputed' : status) },
      { name: 'Charge', cell: ({ id }) => html`<code>${id}</code>` },
      { name: 'Created', cell: ({ created }) => formatTime(created) },
    ],
    'No payment method was used yet.',
  )
}

const formatMethod = (details: Stripe.Charge['payment_method_details']) =>
  details?.card ? `${details.card.brand} ···· ${details.card.last4}` : (details?.type ?? 'unknown')
