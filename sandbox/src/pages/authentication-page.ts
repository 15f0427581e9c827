import type { FastifyInstance } from 'fastify'
import type Stripe from 'stripe'
import { formatMoney } from '../money.ts'
import { findObject, type Stored } from '../objects.ts'
import { finishAuthentication } from '../payment-attempts.ts'
import { html } from './html.ts'
import { type Page, sendPage } from './page.ts'
import { type PageServices, pageCause } from './services.ts'

/** The page where a bank would authenticate its customer (3D Secure). */
export function addAuthenticationPage(app: FastifyInstance, services: PageServices): void {
  const { database, base } = services
  const path = '/authenticate/:id/:token'

  app.get<{ Params: { id: string; token: string } }>(path, async ({ params: { id, token } }, reply) => {
    const intent = await findObject(database.read(), 'payment_intent', id)
    if (!intent || intent.hidden.authentication?.token !== token) return sendPage(reply, notFoundPage(base))
    const page =
      intent.body.status === 'requires_action' ? questionPage(base, intent) : finishedPage(base, intent)
    return sendPage(reply, page)
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

/** The return URL with the query parameters that Stripe adds. */
function buildReturnUrl(returnUrl: string | null, intent: Stripe.PaymentIntent): string | null {
  if (returnUrl === null) return null
  const back = new URL(returnUrl)
  back.searchParams.set('payment_intent', intent.id)
  back.searchParams.set('payment_intent_client_secret', String(intent.client_secret))
  back.searchParams.set('redirect_status', intent.status === 'succeeded' ? 'succeeded' : 'failed')
  return back.href
}

function questionPage(base: string, { id, body, hidden }: Stored<'payment_intent'>): Page {
  const action = `${base}/authenticate/${id}/${hidden.authentication?.token}`
  return {
    title: 'Confirm your payment',
    base,
    formTarget: hidden.authentication?.returnUrl ?? null,
    main: html`<div class="slip">
<h1>Confirm your payment</h1>
<p>Your bank would ask you here to confirm the payment of <strong class="figure">${formatMoney(body.amount, body.currency)}</strong>.</p>
<div class="buttons">
<form method="post" action="${action}/complete"><button class="primary">Complete</button></form>
<form method="post" action="${action}/fail"><button>Fail</button></form>
</div>
</div>`,
  }
}

function finishedPage(base: string, { body, hidden }: Stored<'payment_intent'>): Page {
  const back = buildReturnUrl(hidden.authentication?.returnUrl ?? null, body)
  return {
    title: 'This payment has already been answered',
    base,
    main: html`<div class="slip">
<h1>This payment has already been answered</h1>
<p>${body.status === 'succeeded' ? 'The payment went through.' : 'The payment did not go through.'}</p>
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
