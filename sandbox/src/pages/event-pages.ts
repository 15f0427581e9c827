import type { FastifyInstance } from 'fastify'
import type { Tx } from '../database.ts'
import { resendEvent } from '../events.ts'
import { notFound } from '../http/api-error.ts'
import type { EventBody } from '../kinds.ts'
import { listObjects } from '../lists.ts'
import { getObject } from '../objects.ts'
import { type Html, html } from './html.ts'
import { formatTime } from './page.ts'
import type { Dashboard } from './services.ts'
import { badge, button, factList, olderLink, table } from './table.ts'

const PER_PAGE = 25

interface Delivery {
  id: string
  eventId: string
  state: string
  tries: number
  dueAt: Date
  triedAt: Date | null
  status: number | null
  answer: string | null
  /** The URL of the endpoint. */
  url: string | null
}

export function addEventPages(app: FastifyInstance, dashboard: Dashboard): void {
  const { database, base } = dashboard

  app.get<{ Querystring: { before?: string } }>('/events', async ({ query }, reply) => {
    const tx = database.read()
    const events = await listObjects(tx, 'event', '', { limit: PER_PAGE, starting_after: query.before })
    const deliveries = await loadDeliveries(
      tx,
      events.data.map(({ id }) => id),
    )
    return dashboard.show(
      reply,
      'Events',
      'Events',
      html`<h1>Events</h1>
${eventTable(base, events.data, deliveries)}
${olderLink(`${base}/events`, events)}`,
    )
  })

  app.get<{ Params: { id: string } }>('/events/:id', async ({ params: { id } }, reply) => {
    const tx = database.read()
    const { body } = await getObject(tx, 'event', id)
    return dashboard.show(reply, 'Events', body.type, eventPage(base, body, await loadDeliveries(tx, [id])))
  })

  app.post<{ Params: { id: string } }>('/events/:id/resend', async ({ params: { id } }, reply) => {
    if (!(await database.transact((tx) => resendEvent(tx, id)))) throw notFound('event', id)
    dashboard.onCommit()
    return dashboard.back(reply, `/events/${id}`)
  })
}

function loadDeliveries(tx: Tx, events: string[]): Promise<Delivery[]> {
  return tx.query<Delivery>(
    `select d.id, event_id as "eventId", state, tries, due_at as "dueAt", tried_at as "triedAt",
       answer_status as status, answer_text as answer, w.body ->> 'url' as url
     from sandbox.deliveries d left join sandbox.objects w on w.id = d.endpoint_id
     where event_id = any ($1) order by d.id`,
    [events],
  )
}

function eventTable(base: string, events: EventBody[], deliveries: Delivery[]): Html {
  const deliveriesByEvent = Map.groupBy(deliveries, ({ eventId }) => eventId)
  return table(
    'Events',
    events,
    [
      { name: 'Event', cell: ({ id, type }) => html`<a href="${base}/events/${id}">${type}</a>` },
      { name: 'Object', cell: ({ data }) => html`<code>${objectIdOf(data.object)}</code>` },
      { name: 'Deliveries', cell: ({ id }) => deliveryStates(deliveriesByEvent.get(id) ?? []) },
      { name: 'Created', cell: ({ created }) => formatTime(created) },
      { name: 'Resend', cell: ({ id }) => button(`${base}/events/${id}/resend`, 'Resend') },
    ],
    'No events yet.',
  )
}

const objectIdOf = (object: object) => ('id' in object ? String(object.id) : '')

/** The state of each delivery with its number of attempts. */
function deliveryStates(deliveries: Delivery[]): Html {
  return html`${deliveries.map(({ state, tries }) => html`${badge(state)} <span class="soft">${formatAttempts(tries)}</span> `)}`
}

const formatAttempts = (tries: number) => (tries === 1 ? '1 attempt' : `${tries} attempts`)

function eventPage(base: string, event: EventBody, deliveries: Delivery[]): Html {
  return html`<h1>${event.type}</h1>
${factList([
  ['Event', html`<code>${event.id}</code>`],
  ['Object', html`<code>${objectIdOf(event.data.object)}</code>`],
  ['Created', formatTime(event.created)],
  ['Account', event.account ? html`<code>${event.account}</code>` : 'the platform'],
  ['Request', html`<code>${event.request?.id ?? 'the sandbox'}</code>`],
])}
<div class="buttons">${button(`${base}/events/${event.id}/resend`, 'Resend', 'primary')}</div>
<h2>Deliveries</h2>
${deliveryTable(deliveries)}
<h2>Payload</h2>
<pre tabindex="0" role="region" aria-label="Payload">${JSON.stringify(event, null, 2)}</pre>`
}

function deliveryTable(deliveries: Delivery[]): Html {
  return table(
    'Deliveries',
    deliveries,
    [
      { name: 'State', cell: ({ state }) => badge(state) },
      { name: 'Endpoint', cell: ({ url }) => html`<code>${url ?? 'none'}</code>` },
      { name: 'Attempts', figure: true, cell: ({ tries }) => tries },
      { name: 'Response', figure: true, cell: ({ status }) => status ?? 'none' },
      { name: 'Response text', cell: ({ answer }) => answer ?? '' },
      { name: 'Last attempt', cell: ({ triedAt }) => (triedAt ? formatTime(triedAt) : 'never') },
      {
        name: 'Next attempt',
        cell: ({ state, dueAt }) => (state === 'pending' ? formatTime(dueAt) : 'none'),
      },
    ],
    'No endpoint takes this event.',
  )
}
