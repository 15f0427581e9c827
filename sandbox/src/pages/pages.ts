import { readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import { ApiError } from '../http/api-error.ts'
import { addAuthenticationPage } from './authentication-page.ts'
import { addDashboard } from './dashboard.ts'
import { html } from './html.ts'
import { addOnboardingPage } from './onboarding-page.ts'
import { type Page, sendPage } from './page.ts'
import { rejectCrossSite } from './same-site.ts'
import type { PageServices } from './services.ts'

const style = readFileSync(new URL('style.css', import.meta.url), 'utf8')

/** The pages for customers and sellers, and the dashboard for developers. */
export function addPages(
  app: FastifyInstance,
  { dashboard, ...given }: Omit<PageServices, 'base'> & { dashboard: boolean },
): void {
  const services: PageServices = { ...given, base: new URL(given.publicUrl).pathname.replace(/\/$/, '') }
  app.get('/style.css', (_, reply) =>
    reply.headers({ 'x-content-type-options': 'nosniff' }).type('text/css; charset=utf-8').send(style),
  )
  app.register(async (pages) => {
    pages.addHook('onRequest', async (request) => {
      if (request.method === 'POST') rejectCrossSite(request, services.publicUrl)
    })
    pages.setErrorHandler((error, _request, reply) => {
      // The error handler of the app logs and answers all other errors.
      if (!(error instanceof ApiError)) throw error
      return sendPage(reply, errorPage(services.base, error))
    })
    addAuthenticationPage(pages, services)
    addOnboardingPage(pages, services)
    if (dashboard) addDashboard(pages, services)
  })
}

const errorPage = (base: string, { status, message }: ApiError): Page => ({
  title: 'Something went wrong',
  base,
  status,
  main: html`<div class="slip">
<h1>Something went wrong</h1>
<p>${message}</p>
</div>`,
})
