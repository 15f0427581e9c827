import type { FastifyInstance } from 'fastify'
import { sumByCurrency } from '../balance.ts'
import { TEST_CARDS, type TestCard } from '../cards.ts'
import { countWaiting, releaseHeld } from '../deliveries.ts'
import {
  changeSettings,
  type DeliverySettings,
  MAX_COPIES,
  MAX_DELAY_SECONDS,
  readSettings,
} from '../delivery-settings.ts'
import { NEWEST_FIRST_BATCH_SECONDS } from '../events.ts'
import { parseForm } from '../form-body.ts'
import { type Html, html } from './html.ts'
import { formatMoney } from './page.ts'
import type { Dashboard } from './services.ts'
import { button, factList, table } from './table.ts'

export function addOverview(app: FastifyInstance, dashboard: Dashboard): void {
  const { database, base } = dashboard

  app.get('/', async (_, reply) => {
    const tx = database.read()
    const [balance, settings, waiting] = await Promise.all([
      sumByCurrency(tx, null),
      readSettings(tx),
      countWaiting(tx),
    ])
    const held =
      [...balance].map(([currency, cents]) => formatMoney(cents, currency)).join(', ') ||
      formatMoney(0, 'usd')
    return dashboard.show(
      reply,
      'Overview',
      'Overview',
      html`<h1>Overview</h1>
${factList([
  ['Platform balance', held],
  ['Deliveries on their way', waiting.pending],
  ['Deliveries held', waiting.held],
])}
<h2>How events are delivered from now on</h2>
${settingsForm(base, settings)}
${waiting.held > 0 && button(`${base}/deliveries/release`, `Send the ${waiting.held} held now`)}
<h2>Test cards</h2>
<p class="soft">Any date to come, and any three digits (four for American Express). Other numbers are declined.</p>
${cardTable()}`,
    )
  })

  app.post('/delivery-settings', async (request, reply) => {
    await changeSettings(database.read(), parseForm(String(request.body ?? '')))
    return dashboard.back(reply, '')
  })

  app.post('/deliveries/release', async (_, reply) => {
    await releaseHeld(database.read())
    dashboard.onCommit()
    return dashboard.back(reply, '')
  })
}

const MODES = [
  ['send', 'Send them'],
  ['hold', 'Hold them until I release them'],
  ['drop', 'Drop them, as if the network had'],
] as const

function settingsForm(base: string, { mode, delaySeconds, copies, newestFirst }: DeliverySettings): Html {
  const modes = MODES.map(
    ([value, label]) =>
      html`<label class="choice"><input type="radio" name="mode" value="${value}"${value === mode && html` checked`}> ${label}</label>`,
  )
  return html`<form method="post" action="${base}/delivery-settings" class="settings">
<fieldset><legend>Events</legend>${modes}</fieldset>
<label class="field">Delay in seconds
<input type="number" name="delay_seconds" min="0" max="${MAX_DELAY_SECONDS}" required value="${delaySeconds}"></label>
<label class="field">Copies of each
<input type="number" name="copies" min="1" max="${MAX_COPIES}" required value="${copies}"></label>
<label class="choice"><input type="checkbox" name="newest_first"${newestFirst && html` checked`}> Newest first, gathered over ${NEWEST_FIRST_BATCH_SECONDS} seconds</label>
<button class="primary">Save</button>
</form>`
}

function cardTable(): Html {
  return table(
    'Test cards',
    TEST_CARDS,
    [
      { name: 'Number', cell: ({ number }) => html`<code>${groupDigits(number)}</code>` },
      { name: 'What happens', cell: describeCard },
      { name: 'Token', cell: ({ name }) => html`<code>pm_card_${name}</code>` },
    ],
    'None.',
  )
}

const groupDigits = (number: string) =>
  number.length === 15
    ? `${number.slice(0, 4)} ${number.slice(4, 10)} ${number.slice(10)}`
    : number.replaceAll(/(\d{4})(?=\d)/g, '$1 ')

function describeCard({ authenticates, decline, slow, dispute, refunds }: TestCard): string {
  const first = authenticates ? 'The bank asks its customer, then ' : ''
  if (decline) return capitalize(`${first}declined: ${decline.declineCode ?? decline.code}`)
  if (slow) return 'Stays in processing for a few seconds, then succeeds'
  if (dispute) return `Succeeds, and is charged back as ${dispute.replaceAll('_', ' ')}`
  if (refunds) return `Succeeds; a refund ${refunds === 'later' ? 'is pending at first' : 'fails later'}`
  return capitalize(`${first}succeeds`)
}

const capitalize = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
