import type { FastifyInstance } from 'fastify'
import { addAccountPages } from './account-pages.ts'
import { addDisputePages } from './dispute-pages.ts'
import { addEndpointPages } from './endpoint-pages.ts'
import { addEventPages } from './event-pages.ts'
import { menu } from './menu.ts'
import { addMovementPages } from './movement-pages.ts'
import { addOverview } from './overview-page.ts'
import { sendPage } from './page.ts'
import { addPaymentPages } from './payment-pages.ts'
import { addPayoutPages } from './payout-pages.ts'
import type { Dashboard, PageServices } from './services.ts'

/** The dashboard for developers: all objects and deliveries, and buttons to cause failures. */
export function addDashboard(app: FastifyInstance, services: PageServices): void {
  const { base } = services
  const dashboard: Dashboard = {
    ...services,
    show: (reply, section, title, main) => sendPage(reply, { title, main, base, nav: menu(base, section) }),
    back: (reply, path) => reply.redirect(base + path || '/', 303),
  }
  addOverview(app, dashboard)
  addPaymentPages(app, dashboard)
  addDisputePages(app, dashboard)
  addMovementPages(app, dashboard)
  addPayoutPages(app, dashboard)
  addAccountPages(app, dashboard)
  addEndpointPages(app, dashboard)
  addEventPages(app, dashboard)
}
