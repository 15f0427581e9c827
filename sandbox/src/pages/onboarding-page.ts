import type { FastifyInstance } from 'fastify'
import * as z from 'zod'
import { finishVisit, type OnboardingVisit, openLink } from '../accounts/account-links.ts'
import { parseForm } from '../http/form-body.ts'
import { parseParams } from '../http/params.ts'
import { bankField } from './account-parts.ts'
import { html } from './html.ts'
import { type Page, sendPage } from './page.ts'
import { type PageServices, pageCause } from './services.ts'

/** The page where a seller would enter their identity and bank account. */
export function addOnboardingPage(app: FastifyInstance, services: PageServices): void {
  const { database, base } = services

  app.get<{ Params: { token: string } }>('/onboarding/:token', async ({ params }, reply) => {
    const link = await database.transact((tx) => openLink(tx, params.token))
    if (!link) return sendPage(reply, notFoundPage(base))
    return 'visit' in link ? sendPage(reply, form(base, link)) : reply.redirect(link.refreshUrl, 303)
  })

  app.get('/express', (_, reply) => sendPage(reply, expressPage(base)))

  for (const [answer, completes] of [
    ['complete', true],
    ['not-now', false],
  ] as const) {
    app.post<{ Params: { visit: string } }>(`/onboarding/visits/:visit/${answer}`, async (request, reply) => {
      const { visit } = request.params
      const { body } = request
      const { account_number: number } = parseParams(
        VisitForm,
        parseForm(typeof body === 'string' ? body : ''),
      )
      const next = await database.transact((tx) =>
        finishVisit(tx, pageCause(services), visit, completes, number || undefined),
      )
      services.onCommit()
      return next ? reply.redirect(next, 303) : sendPage(reply, notFoundPage(base))
    })
  }
}

const VisitForm = z.strictObject({ account_number: z.string().optional() })

function form(base: string, { visit, account, returnUrl }: OnboardingVisit): Page {
  const action = `${base}/onboarding/visits/${visit}`
  return {
    title: 'Set up your payouts',
    base,
    formTarget: returnUrl,
    main: html`<div class="slip">
<h1>Set up your payouts</h1>
<p>The payment provider would ask here for your identity and bank account. In the sandbox, choose a bank account and press Complete.</p>
<p class="soft">Account <code>${account}</code></p>
<div class="buttons">
<form method="post" action="${action}/complete">${bankField([['', 'As it is, or a working one']])}<button class="primary">Complete</button></form>
<form method="post" action="${action}/not-now"><button>Not now</button></form>
</div>
</div>`,
  }
}

/** Where the link to the Express dashboard leads in the end. */
const expressPage = (base: string): Page => ({
  title: 'Your payouts',
  base,
  main: html`<div class="slip">
<h1>Your payouts</h1>
<p>You can close this page. Each link to it opens once, so ask for a new one to change something else.</p>
</div>`,
})

const notFoundPage = (base: string): Page => ({
  title: 'Not found',
  base,
  status: 404,
  main: html`<div class="slip">
<h1>Not found</h1>
<p>This link does not exist.</p>
</div>`,
})
