import type { FastifyInstance } from 'fastify'
import { TEST_BANK_ACCOUNTS } from '../accounts/account-settings.ts'
import { readBalance } from '../balance.ts'
import { NEWEST_FIRST_BATCH_SECONDS } from '../events.ts'
import { parseForm } from '../http/form-body.ts'
import {
  MICRODEPOSITS,
  type Outcome,
  TEST_IBANS,
  US_TEST_ACCOUNTS,
  VOUCHER_EMAILS,
} from '../payment-methods/test-values.ts'
import { TEST_CARDS, type TestCard, type TestDispute, type Trigger } from '../payments/cards.ts'
import { countWaiting, releaseHeld } from '../webhooks/deliveries.ts'
import {
  changeSettings,
  type DeliverySettings,
  MAX_COPIES,
  MAX_DELAY_SECONDS,
  readSettings,
} from '../webhooks/delivery-settings.ts'
import { formatBalance } from './account-parts.ts'
import { type Html, html } from './html.ts'
import type { Dashboard } from './services.ts'
import { button, factList, table } from './table.ts'

export function addOverview(app: FastifyInstance, dashboard: Dashboard): void {
  const { database, base } = dashboard

  app.get('/', async (_, reply) => {
    const tx = database.read()
    const [balance, settings, waiting] = await Promise.all([
      readBalance(tx, null),
      readSettings(tx),
      countWaiting(tx),
    ])
    return dashboard.show(
      reply,
      'Overview',
      'Overview',
      html`<h1>Overview</h1>
${factList([
  ['Available balance', formatBalance(balance, 'available')],
  ['Pending balance', formatBalance(balance, 'pending')],
  ['Pending deliveries', waiting.pending],
  ['Held deliveries', waiting.held],
])}
<h2>Delivery of new events</h2>
${settingsForm(base, settings)}
${waiting.held > 0 && button(`${base}/deliveries/release`, `Send ${waiting.held} held now`)}
<h2>Test cards</h2>
<p class="soft">Use any future expiry date and any 3-digit security code (4 digits for American Express). Other card numbers are declined.</p>
${cardTable()}
<h2>Other test values</h2>
<p class="soft">Redirects, vouchers and transfers open a page with buttons. "Soon" is after five seconds, "later" after three minutes.</p>
${valueTable()}`,
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
  ['send', 'Send'],
  ['hold', 'Hold until released'],
  ['drop', 'Drop (never send)'],
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
<label class="field">Copies of each event
<input type="number" name="copies" min="1" max="${MAX_COPIES}" required value="${copies}"></label>
<label class="choice"><input type="checkbox" name="newest_first"${newestFirst && html` checked`}> Newest first, in batches of ${NEWEST_FIRST_BATCH_SECONDS} seconds</label>
<button class="primary">Save</button>
</form>`
}

function cardTable(): Html {
  return table(
    'Test cards',
    TEST_CARDS,
    [
      { name: 'Number', cell: ({ number }) => html`<code>${groupDigits(number)}</code>` },
      { name: 'Result', cell: describeCard },
      { name: 'Token', cell: ({ name }) => html`<code>pm_card_${name}</code>` },
    ],
    'None.',
  )
}

interface TestValue {
  method: string
  value: string
  result: string
  token?: string
}

const TEST_VALUES: TestValue[] = [
  ...US_TEST_ACCOUNTS.map(({ number, token, outcome }) => ({
    method: 'us_bank_account',
    value: number,
    result: describeOutcome(outcome),
    token,
  })),
  ...TEST_IBANS.map(({ number, token, outcome }) => ({
    method: 'sepa_debit',
    value: number,
    result: describeOutcome(outcome),
    token,
  })),
  ...VOUCHER_EMAILS.map(([ending, outcome]) => ({
    method: 'vouchers',
    value: `…${ending}@…`,
    result: describeOutcome(outcome),
  })),
  { method: 'vouchers', value: 'any other email', result: 'Succeeds later' },
  ...Object.entries(TEST_BANK_ACCOUNTS).map(([number, failure]) => ({
    method: 'payouts',
    value: number,
    result: failure ? `Fail: ${failure}` : 'Arrive',
  })),
  {
    method: 'accounts',
    value: '…enforce_future_requirements…@…',
    result: 'The seller is asked for more after onboarding',
  },
  {
    method: 'customer_balance',
    value: 'POST /v1/test_helpers/customers/:id/fund_cash_balance',
    result: 'Money arrives: amount, currency, reference',
  },
  {
    method: 'exchange rates',
    value: 'POST /v1/test_helpers/exchange_rates',
    result: 'Moves a rate and its inverse: from, to, rate',
  },
  ...MICRODEPOSITS.map(({ amounts, code, result }) => ({
    method: 'microdeposits',
    value: `${amounts.join(' and ')}, or ${code}`,
    result: capitalize(result),
  })),
]

function valueTable(): Html {
  return table(
    'Other test values',
    TEST_VALUES,
    [
      { name: 'For', cell: ({ method }) => method },
      { name: 'Value', cell: ({ value }) => html`<code>${value}</code>` },
      { name: 'Result', cell: ({ result }) => result },
      { name: 'Token', cell: ({ token }) => (token ? html`<code>${token}</code>` : '') },
    ],
    'None.',
  )
}

function describeOutcome({ afterSeconds, failure, disputed, expires }: Outcome): string {
  if (expires === 'at its deadline') return 'Expires at its deadline'
  if (afterSeconds === null) return 'Stays in processing'
  const when = afterSeconds > 5 ? 'later' : 'soon'
  if (expires) return `Expires ${when}`
  if (failure) return `Fails ${when}: ${failure}`
  return disputed ? `Succeeds ${when}, then is disputed` : `Succeeds ${when}`
}

const groupDigits = (number: string) =>
  number.length === 15
    ? `${number.slice(0, 4)} ${number.slice(4, 10)} ${number.slice(10)}`
    : number.replaceAll(/(\d{4})(?=\d)/g, '$1 ')

function describeCard(card: TestCard): string {
  const { authenticates, decline, slow, dispute, refunds } = card
  const first = authenticates ? 'Requires authentication, then ' : ''
  if (decline) return capitalize(`${first}declined: ${decline.declineCode ?? decline.code}`)
  if (slow) return 'Stays in processing for a few seconds, then succeeds'
  if (dispute) return `Succeeds, then ${describeDispute(dispute)}`
  if (card.fraudWarning) return 'Succeeds, then the card network warns of fraud'
  if (card.triggers) return describeTrigger(card.triggers)
  if (card.review) return 'Succeeds, then is put into review'
  if (card.bypassesPending) return 'Succeeds; the money is available at once'
  if (refunds)
    return `Succeeds; a refund ${refunds === 'later' ? 'is pending for a few seconds' : 'fails after a few seconds'}`
  return capitalize(`${first}succeeds`)
}

function describeTrigger(trigger: Trigger): string {
  if (trigger === 'requirements') return 'Succeeds; its seller is asked for more information'
  return `Succeeds; the ${trigger} of its seller are blocked`
}

function describeDispute({ reason, caseType, parts = 1 }: TestDispute): string {
  const why = reason.replaceAll('_', ' ')
  if (caseType === 'inquiry') return `the bank sends an inquiry: ${why}`
  return parts > 1 ? `is disputed ${parts} times: ${why}` : `is disputed: ${why}`
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
