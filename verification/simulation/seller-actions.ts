import { type Action, recordAnswer } from './market.ts'

/* A seller's accounts for payouts, at the provider and by hand, and what the provider does with them. */

const BANK = {
  account_holder_name: 'Simulated Seller',
  routing_number: '021000021',
  account_number: '000123456789',
}

const PROVIDER_FAILED = ['provider_failed']

/** Sets up a connected account or provides what is missing, or abandons the onboarding page. Some sellers are abroad. */
export const connectAccount: Action = async (schedule) => {
  const { market, deal, random, log } = schedule
  const country = random.pick(['US', 'US', 'DE', 'GB'])
  const answer = await market.call(deal.seller, 'POST /api/seller/setup-stripe-connect', { country })
  if (!recordAnswer(schedule, 'connect an account', answer, 'ok', ...PROVIDER_FAILED)) return
  const page = await market.openPage(String(answer.body.onboardingUrl))
  const button = random.chance(0.85) ? 'complete' : 'not-now'
  const [, path] = page.match(new RegExp(`action="([^"]+/${button})"`)) ?? []
  if (path) log.push(`onboarding ${button}: ${(await market.press(path)).status}`)
}

const callAsSeller =
  (action: string, call: string, ...allowed: string[]): Action =>
  async (schedule) => {
    const { market, deal } = schedule
    recordAnswer(schedule, action, await market.call(deal.seller, call), 'ok', ...allowed)
  }

export const readConnectStatus = callAsSeller(
  'connect status',
  'GET /api/seller/stripe-connect-status',
  ...PROVIDER_FAILED,
)
export const resetAccount = callAsSeller('reset the account', 'POST /api/seller/reset-stripe-connect')
export const readPayouts = callAsSeller('read the payouts', 'GET /api/seller/payouts')

export const saveBank: Action = async (schedule) => {
  const { market, deal, acknowledged } = schedule
  const answer = await market.call(deal.seller, 'POST /api/seller/save-bank-account', BANK)
  if (recordAnswer(schedule, 'save bank details', answer, 'ok'))
    acknowledged.push({ what: 'bank saved', sellerId: deal.seller.id })
}

const WORKING_BANK = '000123456789'
const FAILING_BANKS = ['000111111116', '000111111113', '000333333335']

/** The provider restricts the account, restores it or asks for more, or its bank account fails or is replaced. */
export const changeAccount: Action = async ({ market, deal, random, log }) => {
  const { rows } = await market.sql.query(
    'select stripe_connect_account_id as id from users where id = $1 and stripe_connect_account_id is not null',
    [deal.seller.id],
  )
  if (!rows[0]) return
  const [what, verb, form] = random.pick([
    ['restricted', 'restrict', {}],
    ['restored', 'restore', {}],
    ['asked for more', 'requirements', {}],
    ['has a closed bank account', 'bank-account', { account_number: random.pick(FAILING_BANKS) }],
    ['has a working bank account', 'bank-account', { account_number: WORKING_BANK }],
  ] as const)
  const { status } = await market.press(`/sandbox/accounts/${rows[0].id}/${verb}`, form)
  log.push(`account ${what}: ${status}`)
  market.counters.count('accounts', `${what}: ${status}`)
}
