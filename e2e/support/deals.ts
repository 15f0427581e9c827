import { type APIResponse, type BrowserContextOptions, expect, type Page } from '@playwright/test'
import { intentOf, openCardBrowser } from '@sought/server/market-builder/card-browser'
import {
  createGiven,
  type Offered,
  startPayment as openCheckout,
  submitCard,
  type Terms,
} from '@sought/server/market-builder/given'
import type { Person } from '@sought/server/market-builder/send'
import { createHttpSend } from '@sought/server/market-builder/send-over-http'
import type { User } from './users.ts'

interface Fixtures {
  openAs: (user: User, path?: string, options?: BrowserContextOptions) => Promise<Page>
  createUser: (firstName?: string) => Promise<User>
}

/** A buyer and a seller who have agreed on a price, each with a page in their own browser context. */
export interface Deal {
  buyer: Page
  seller: Page
  ada: User
  bob: User
  item: { id: number; title: string; userId: string }
  agreed: Offered
  /** The path of the checkout. */
  checkout: string
}

export const lamp = {
  title: 'A green banker’s lamp',
  description: 'To match the pair.',
  category: 'Home & Garden',
  minBudget: 20,
  maxBudget: 900,
  location: 'Ipoh, Malaysia',
}

export async function createDeal(
  { openAs, createUser }: Fixtures,
  amountCents: number,
  options?: BrowserContextOptions,
): Promise<Deal> {
  const [ada, bob] = await Promise.all([createUser('Ada'), createUser('Bob')])
  const [buyer, seller] = await Promise.all([
    openAs(ada, undefined, options),
    openAs(bob, undefined, options),
  ])
  return createDealBetween({ buyer, seller, ada, bob }, amountCents)
}

type DealTerms = Pick<Terms, 'message' | 'delivery' | 'shipWithinDays'> & { request?: typeof lamp }

const given = createGiven<Person>({
  addPerson: async () => Promise.reject(new Error('the users of a deal have pages')),
  enterCard: async () => Promise.reject(new Error('journeys choose their card')),
})

/** Two users agree on another lamp, or on another request. */
export async function createDealBetween(
  users: Pick<Deal, 'buyer' | 'seller' | 'ada' | 'bob'>,
  amount: number,
  { request = lamp, ...terms }: DealTerms = {},
): Promise<Deal> {
  const [buyer, seller] = await Promise.all([personAt(users.buyer), personAt(users.seller)])
  // An offer below $1.00 is allowed only if that is the whole budget.
  const budget = amount < 100 && { minBudget: 0, maxBudget: amount / 100 }
  const agreed = await given.agreement({
    buyer,
    seller,
    amount,
    request: { ...request, ...budget },
    ...terms,
  })
  const item = { id: agreed.itemId, title: request.title, userId: buyer.id }
  const checkout = `/escrow-checkout?itemId=${item.id}&offerId=${agreed.offerId}&amount=${amount}`
  return { ...users, agreed, item, checkout }
}

/** The user of a page, who makes calls with the page's session. */
async function personAt({ request }: Page): Promise<Person> {
  const { id } = await jsonOf(request.get('/api/auth/user'))
  const send = createHttpSend((method, path, data) => jsonOf(request.fetch(path, { method, data })))
  return { id, send }
}

/** The body of a reply that must be a success. */
export async function jsonOf(reply: Promise<APIResponse>) {
  const received = await reply
  expect(received.ok(), await received.text()).toBe(true)
  return received.json()
}

interface StartedPayment {
  paymentId: number
  intentId: string
}

/** Starts the payment, like opening the checkout. */
export async function startPayment({ agreed }: Deal): Promise<StartedPayment> {
  const { paymentId, clientSecret } = await openCheckout(agreed)
  return { paymentId, intentId: intentOf(clientSecret) }
}

/** Charges a valid card without a page, as if the browser had been closed right after paying. */
export async function chargeCard({ agreed, buyer }: Deal, card: CardName): Promise<StartedPayment> {
  const { paymentId, clientSecret } = await openCheckout(agreed)
  const { sandboxUrl: url, publishableKey: key } = await jsonOf(buyer.request.get('/api/config'))
  const { status, body } = await openCardBrowser({ url, key }).enterCard(
    clientSecret,
    cards[card].replaceAll(' ', ''),
  )
  expect(status, JSON.stringify(body)).toBe(200)
  return { paymentId, intentId: intentOf(clientSecret) }
}

/** Pays into escrow. */
export async function payIntoEscrow(deal: Deal, card: CardName = 'good'): Promise<StartedPayment> {
  const started = await chargeCard(deal, card)
  await submitCard({ ...deal.agreed, ...started })
  return started
}

export async function confirmDelivery(buyer: Page, paymentId: number): Promise<void> {
  await jsonOf(buyer.request.post(`/api/payments/${paymentId}/confirm-delivery`))
}

const bankAccount = {
  account_holder_name: 'Bob B. Tester',
  country: 'US',
  routing_number: '110000000',
  account_number: '000123456789',
  account_type: 'savings',
}

/** Admins pay this seller by hand. */
export async function saveBankAccount(seller: Page): Promise<void> {
  await jsonOf(seller.request.post('/api/seller/save-bank-account', { data: bankAccount }))
}

export async function paymentStatus(page: Page, paymentId: number): Promise<string> {
  return (await jsonOf(page.request.get(`/api/payments/${paymentId}`))).status
}

const cards = {
  good: '4242 4242 4242 4242',
  declined: '4000 0000 0000 0002',
  authenticated: '4000 0025 0000 3155',
  poor: '4000 0000 0000 9995',
  /** The buyer's bank opens a case after the payment. */
  disputed: '4000 0000 0000 2685',
  /** Refunds are accepted, and returned later. */
  closed: '4000 0000 0000 5126',
} as const

export type CardName = keyof typeof cards

/** Fills in a test card by its button, which also fills in the expiry date and the CVC. */
export async function chooseCard(page: Page, card: CardName): Promise<void> {
  await page.getByRole('list', { name: 'Test cards' }).getByRole('button', { name: cards[card] }).click()
}

/**
 * Records which requests of a page carry the number of the good card. The returned function expects that only the
 * request to the sandbox did, that nothing went to Stripe and that the browser stores no number.
 */
export function recordCardData(page: Page): () => Promise<void> {
  const number = cards.good.replaceAll(' ', '')
  const carriers = new Set<string>()
  const toStripe: string[] = []
  page.on('request', (request) => {
    const url = request.url()
    if (url.includes('stripe')) toStripe.push(url)
    const carried = `${url} ${request.postData() ?? ''} ${JSON.stringify(request.headers())}`
    if (carried.replace(/\D/g, '').includes(number)) carriers.add(new URL(url).pathname)
  })
  return async () => {
    expect(toStripe).toEqual([])
    expect([...carriers]).toEqual([
      expect.stringMatching(/^\/sandbox\/v1\/payment_intents\/pi_\w+\/confirm$/),
    ])
    const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]))
    expect(kept.replace(/\D/g, '')).not.toContain(number)
  }
}

export const payButton = (page: Page) => page.getByRole('button', { name: /^Pay \$/ })

/** Records the delay of every timer that the page sets from now on: measuring the wait itself would be flaky. */
export async function recordTimerDelays(page: Page): Promise<() => Promise<unknown>> {
  await page.evaluate(() => {
    const delays: (number | undefined)[] = []
    const { setTimeout } = window
    window.setTimeout = ((...[handler, delay, ...rest]: Parameters<typeof setTimeout>) => {
      delays.push(delay)
      return setTimeout(handler, delay, ...rest)
    }) as typeof setTimeout
    Object.assign(window, { recordedDelays: delays })
  })
  return () => page.evaluate(() => Reflect.get(window, 'recordedDelays'))
}
