import type { FastifyInstance } from 'fastify'
import type Stripe from 'stripe'
import { formatMoney } from '../money.ts'
import { findObject, type Stored } from '../objects.ts'
import { type Flow, ruleOf } from '../payment-methods/method-types.ts'
import { finishAuthentication } from '../payments/payment-attempts.ts'
import { methodOf } from '../payments/payment-outcomes.ts'
import { html } from './html.ts'
import { type Page, sendPage } from './page.ts'
import { type PageServices, pageCause } from './services.ts'

/** The page where a customer would authenticate (3D Secure), authorize a payment or pay a voucher. */
export function addAuthenticationPage(app: FastifyInstance, services: PageServices): void {
  const { database, base } = services
  const path = '/authenticate/:id/:token'

  app.get<{ Params: { id: string; token: string } }>(path, async ({ params: { id, token } }, reply) => {
    const intent = await findObject(database.read(), 'payment_intent', id)
    if (!intent || intent.hidden.authentication?.token !== token) return sendPage(reply, notFoundPage(base))
    if (intent.body.status !== 'requires_action') return sendPage(reply, finishedPage(base, intent))
    const { body: method } = await methodOf(database.read(), intent)
    return sendPage(reply, questionPage(base, intent, method.type))
  })

  for (const [answer, passed] of [
    ['complete', true],
    ['fail', false],
  ] as const) {
    app.post<{ Params: { id: string; token: string } }>(`${path}/${answer}`, async (request, reply) => {
      const { id, token } = request.params
      const before = await findObject(database.read(), 'payment_intent', id)
      if (!before || before.hidden.authentication?.token !== token) return sendPage(reply, notFoundPage(base))
      const intent = await database.transact((tx) =>
        finishAuthentication(tx, pageCause(services), id, token, passed),
      )
      services.onCommit()
      const back = buildReturnUrl(before.hidden.authentication.returnUrl, intent)
      return back
        ? reply.redirect(back, 303)
        : sendPage(reply, finishedPage(base, { ...before, body: intent }))
    })
  }
}

const REDIRECT_STATUSES: Record<string, string> = {
  succeeded: 'succeeded',
  processing: 'pending',
  requires_action: 'pending',
}

/** The return URL with the query parameters that Stripe adds. */
function buildReturnUrl(returnUrl: string | null, intent: Stripe.PaymentIntent): string | null {
  if (returnUrl === null) return null
  const back = new URL(returnUrl)
  back.searchParams.set('payment_intent', intent.id)
  back.searchParams.set('payment_intent_client_secret', String(intent.client_secret))
  back.searchParams.set('redirect_status', REDIRECT_STATUSES[intent.status] ?? 'failed')
  return back.href
}

interface Question {
  title: string
  text: string
  yes: string
  no?: string
}

/** What the page asks for each kind of method. */
const QUESTIONS: Record<Flow, Question> = {
  card: {
    title: 'Confirm your payment',
    text: 'Your bank would ask you here to confirm the payment of',
    yes: 'Complete',
    no: 'Fail',
  },
  instant: { title: 'Confirm your payment', text: 'Confirm the payment of', yes: 'Complete', no: 'Fail' },
  redirect: {
    title: 'Authorize your payment',
    text: 'Your bank or payment service would ask you here to authorize the payment of',
    yes: 'Authorize test payment',
    no: 'Fail test payment',
  },
  debit: {
    title: 'Verify your bank account',
    text: 'You would enter the amounts of two small deposits here, before your account is debited with',
    yes: 'Verify the account',
    no: 'Fail',
  },
  voucher: {
    title: 'Pay your voucher',
    text: 'You would pay this voucher in a shop or at a machine:',
    yes: 'Pay the voucher',
    no: 'Let it expire',
  },
  bank_transfer: {
    title: 'Send the money',
    text: 'You would tell your bank to transfer',
    yes: 'Send the money',
  },
}

function questionPage(base: string, { id, body, hidden }: Stored<'payment_intent'>, method: string): Page {
  const action = `${base}/authenticate/${id}/${hidden.authentication?.token}`
  const { title, text, yes, no } = QUESTIONS[ruleOf(method).flow]
  const open = body.next_action?.display_bank_transfer_instructions?.amount_remaining ?? body.amount
  return {
    title,
    base,
    formTarget: hidden.authentication?.returnUrl ?? null,
    main: html`<div class="slip">
<h1>${title}</h1>
<p>${text} <strong class="figure">${formatMoney(open, body.currency)}</strong>.</p>
<div class="buttons">
<form method="post" action="${action}/complete"><button class="primary">${yes}</button></form>
${no && html`<form method="post" action="${action}/fail"><button>${no}</button></form>`}
</div>
</div>`,
  }
}

const RESULTS: Record<string, string> = {
  succeeded: 'The payment went through.',
  processing: 'The payment is being processed.',
}

function finishedPage(base: string, { body, hidden }: Stored<'payment_intent'>): Page {
  const back = buildReturnUrl(hidden.authentication?.returnUrl ?? null, body)
  return {
    title: 'This payment has already been answered',
    base,
    main: html`<div class="slip">
<h1>This payment has already been answered</h1>
<p>${RESULTS[body.status] ?? 'The payment did not go through.'}</p>
${back && html`<p><a href="${back}">Back to the shop</a></p>`}
</div>`,
  }
}

const notFoundPage = (base: string): Page => ({
  title: 'Not found',
  base,
  status: 404,
  main: html`<div class="slip">
<h1>Not found</h1>
<p>This page does not exist or is out of date. Go back to the shop and try again.</p>
</div>`,
})
