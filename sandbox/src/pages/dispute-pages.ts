import type { FastifyInstance } from 'fastify'
import type Stripe from 'stripe'
import * as z from 'zod'
import { respondToDispute } from '../disputes/dispute-responses.ts'
import {
  closeInquiry,
  DISPUTE_REASONS,
  decideDispute,
  escalateInquiry,
  isClosed,
  isInquiry,
  openDispute,
  preventDispute,
} from '../disputes/disputes.ts'
import { listObjects } from '../lists.ts'
import { formatMoney } from '../money.ts'
import { getObject, lockObject } from '../objects.ts'
import { addAction, amountField, form, optionalInteger, selectField } from './action.ts'
import { type Html, html } from './html.ts'
import { formatTime } from './page.ts'
import type { Dashboard } from './services.ts'
import { badge, button, factList, olderLink, table } from './table.ts'

const PER_PAGE = 25

const DisputeForm = z.strictObject({
  amount: optionalInteger,
  reason: z.enum(DISPUTE_REASONS).default('fraudulent'),
  case_type: z.enum(['chargeback', 'inquiry']).default('chargeback'),
})

const PreventForm = z.strictObject({ case_type: z.enum(['block', 'resolution']).default('block') })

const EvidenceForm = z.strictObject({ uncategorized_text: z.string() })

const Empty = z.strictObject({})

export function addDisputePages(app: FastifyInstance, dashboard: Dashboard): void {
  const { database, base } = dashboard

  app.get<{ Querystring: { before?: string } }>('/disputes', async ({ query }, reply) => {
    const page = { limit: PER_PAGE, starting_after: query.before }
    const disputes = await listObjects(database.read(), 'dispute', '', page)
    return dashboard.show(
      reply,
      'Disputes',
      'Disputes',
      html`<h1>Disputes</h1>
${disputeTable(base, disputes.data)}
${olderLink(`${base}/disputes`, disputes)}`,
    )
  })

  addAction(app, dashboard, '/payments/:id/dispute', DisputeForm, async (tx, cause, id, params) => {
    const { body } = await getObject(tx, 'payment_intent', id)
    const charge = await lockObject(tx, 'charge', String(body.latest_charge))
    const { amount, reason, case_type: caseType } = params
    await openDispute(tx, cause, charge, { amount, reason, caseType })
    return `/payments/${id}`
  })

  const paymentOf = ({ payment_intent }: Stripe.Dispute) => `/payments/${payment_intent}`
  addAction(app, dashboard, '/disputes/:id/evidence', EvidenceForm, async (tx, cause, id, params) =>
    paymentOf(await respondToDispute(tx, cause, id, { evidence: params })),
  )
  addAction(app, dashboard, '/disputes/:id/won', Empty, async (tx, cause, id) =>
    paymentOf(await decideDispute(tx, cause, id, 'won')),
  )
  addAction(app, dashboard, '/disputes/:id/lost', Empty, async (tx, cause, id) =>
    paymentOf(await decideDispute(tx, cause, id, 'lost')),
  )
  addAction(app, dashboard, '/disputes/:id/close', Empty, async (tx, cause, id) =>
    paymentOf(await closeInquiry(tx, cause, id)),
  )
  addAction(app, dashboard, '/disputes/:id/escalate', Empty, async (tx, cause, id) =>
    paymentOf(await escalateInquiry(tx, cause, id)),
  )
  addAction(app, dashboard, '/disputes/:id/prevented', PreventForm, async (tx, cause, id, params) =>
    paymentOf(await preventDispute(tx, cause, id, params.case_type)),
  )
}

function disputeTable(base: string, disputes: Stripe.Dispute[]): Html {
  return table(
    'Disputes',
    disputes,
    [
      { name: 'Amount', figure: true, cell: ({ amount, currency }) => formatMoney(amount, currency) },
      { name: 'Status', cell: ({ status }) => badge(status) },
      { name: 'Reason', cell: ({ reason }) => reason.replaceAll('_', ' ') },
      { name: 'Dispute', cell: ({ id }) => html`<code>${id}</code>` },
      {
        name: 'Payment',
        cell: ({ payment_intent: id }) =>
          html`<a href="${base}/payments/${String(id)}"><code>${String(id)}</code></a>`,
      },
      { name: 'Evidence due', cell: ({ evidence_details }) => formatTime(evidence_details.due_by ?? 0) },
    ],
    'No disputes. Open one on the page of a payment, or pay with a test card that is disputed.',
  )
}

/** Lets a cardholder dispute up to `most` of a payment. */
export function disputeForm(base: string, payment: string, most: number): Html {
  const fields = html`${amountField(most)}
${selectField(
  'Reason',
  'reason',
  DISPUTE_REASONS.map((reason) => [reason, reason.replaceAll('_', ' ')]),
  'fraudulent',
)}
${selectField('Type', 'case_type', [
  ['chargeback', 'Chargeback'],
  ['inquiry', 'Inquiry'],
])}`
  return form(`${base}/payments/${payment}/dispute`, fields, 'Dispute', 'danger')
}

export function disputeCard(base: string, dispute: Stripe.Dispute): Html {
  const { id, amount, currency, reason, status, evidence_details: details } = dispute
  const fee = dispute.balance_transactions.reduce((sum, transaction) => sum + transaction.fee, 0)
  return html`${factList([
    [isInquiry(dispute) ? 'Inquiry' : 'Dispute', html`<code>${id}</code>`],
    ['Amount', formatMoney(amount, currency)],
    ['Fee', formatMoney(fee, currency)],
    ['Reason', reason.replaceAll('_', ' ')],
    ['Status', badge(status)],
    ['Evidence', details.submission_count > 0 ? 'submitted' : details.has_evidence ? 'staged' : 'none'],
    ['Evidence due', formatTime(details.due_by ?? 0)],
  ])}
${!isClosed(dispute) && html`<div class="buttons">${decisionButtons(base, dispute)}</div>`}`
}

const EVIDENCE_FIELD = html`<label class="field">Evidence
<input name="uncategorized_text" required></label>`

function decisionButtons(base: string, dispute: Stripe.Dispute): Html {
  const path = `${base}/disputes/${dispute.id}`
  const prevent = form(
    `${path}/prevented`,
    selectField('Prevented by', 'case_type', [
      ['block', 'Block: the platform keeps the money'],
      ['resolution', 'Resolution: the cardholder keeps the money'],
    ]),
    'End as prevented',
  )
  const respond =
    dispute.evidence_details.submission_count === 0 &&
    form(`${path}/evidence`, EVIDENCE_FIELD, 'Submit to the bank')
  return isInquiry(dispute)
    ? html`${respond}
${button(`${path}/close`, 'Close the inquiry')}
${button(`${path}/escalate`, 'Escalate to a chargeback', 'danger')}
${prevent}`
    : html`${respond}
${button(`${path}/won`, 'Decide for the platform')}
${button(`${path}/lost`, 'Decide for the cardholder', 'danger')}
${prevent}`
}
