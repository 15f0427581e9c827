import type { FastifyInstance } from 'fastify'
import type { Stored } from '../objects.ts'
import { type Html, html } from './html.ts'
import { formatTime } from './page.ts'
import type { Dashboard } from './services.ts'
import { badge, table } from './table.ts'

interface Row extends Stored<'webhook_endpoint'> {
  pending: number
  failed: number
}

/** The webhook endpoints and their deliveries. */
export function addEndpointPages(app: FastifyInstance, dashboard: Dashboard): void {
  const { database } = dashboard

  app.get('/webhooks', async (_, reply) => {
    const endpoints = await database.read().query<Row>(
      `select w.id, w.body, w.hidden,
         count(d.id) filter (where d.state in ('pending', 'held'))::int as pending,
         count(d.id) filter (where d.state = 'failed')::int as failed
       from sandbox.objects w left join sandbox.deliveries d on d.endpoint_id = w.id
       where w.kind = 'webhook_endpoint' and w.hidden ->> 'deleted' is null
       group by w.id order by w.seq desc`,
    )
    return dashboard.show(
      reply,
      'Webhooks',
      'Webhook endpoints',
      html`<h1>Webhook endpoints</h1>
<p class="soft">Create, change and delete endpoints over the API: <code>/v1/webhook_endpoints</code>. Events and their deliveries are on the page Events.</p>
${endpointTable(endpoints)}`,
    )
  })
}

function endpointTable(endpoints: Row[]): Html {
  return table(
    'Webhook endpoints',
    endpoints,
    [
      { name: 'URL', cell: ({ body }) => html`<code>${body.url}</code>` },
      { name: 'Listens to', cell: ({ hidden }) => (hidden.connect ? 'connected accounts' : 'the platform') },
      { name: 'Status', cell: ({ body }) => badge(body.status) },
      { name: 'Events', cell: ({ body }) => body.enabled_events.join(', ') },
      { name: 'Waiting', figure: true, cell: ({ pending }) => pending },
      { name: 'Failed', figure: true, cell: ({ failed }) => failed },
      { name: 'Endpoint', cell: ({ id }) => html`<code>${id}</code>` },
      { name: 'Created', cell: ({ body }) => formatTime(body.created) },
    ],
    'No webhook endpoints. Events are stored, but nobody receives them.',
  )
}
