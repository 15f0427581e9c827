import type { APIResponse, Page } from '@playwright/test'
import { expect, type Person } from './story.ts'

/* What has happened before a journey about money begins. */

interface Story {
  as: (person: Person, path: string, options?: object) => Promise<Page>
  given: { person: (firstName?: string) => Promise<Person> }
}

/** A buyer and a seller, each in a browser of their own, who have agreed on a price. */
export interface Deal {
  buyer: Page
  seller: Page
  ada: Person
  bob: Person
  item: { id: number; title: string; userId: string }
  offer: { id: number; amount: number }
  /** Where the buyer pays. */
  checkout: string
}

const lamp = {
  title: 'A green banker’s lamp',
  description: 'To match the pair.',
  category: 'Home & Garden',
  minBudget: 20,
  maxBudget: 900,
  location: 'Ipoh, Malaysia',
}

/** Two people agree on 120.00, unless another amount is given. */
export async function agree({ as, given }: Story, amount = 12_000, options: object = {}): Promise<Deal> {
  const [ada, bob] = await Promise.all([given.person('Ada'), given.person('Bob')])
  const [buyer, seller] = await Promise.all([
    as(ada, 'about:blank', options),
    as(bob, 'about:blank', options),
  ])
  return agreeAgain({ buyer, seller, ada, bob }, amount)
}

/** The same two people agree on another lamp. */
export async function agreeAgain(people: Pick<Deal, 'buyer' | 'seller' | 'ada' | 'bob'>, amount: number) {
  const { buyer, seller } = people
  // Less than 1 can be offered only where that is the whole budget.
  const wanted = amount < 100 ? { ...lamp, minBudget: 0, maxBudget: amount / 100 } : lamp
  const item = await body(buyer.request.post('/api/wanted-items', { data: wanted }))
  const made = { wantedItemId: item.id, receiverId: item.userId, amount }
  const offer = await body(seller.request.post('/api/offers', { data: made }))
  await body(buyer.request.patch(`/api/offers/${offer.id}/accept`))
  const checkout = `/escrow-checkout?itemId=${item.id}&offerId=${offer.id}&amount=${amount}`
  return { ...people, item, offer, checkout }
}

async function body(reply: Promise<APIResponse>) {
  const answered = await reply
  expect(answered.ok(), await answered.text()).toBe(true)
  return answered.json()
}

interface Started {
  paymentId: number
  intentId: string
}

/** Starts the payment, as opening the checkout does. */
export async function start({ buyer, item, offer }: Deal): Promise<Started & { clientSecret: string }> {
  const data = { itemId: item.id, offerId: offer.id, amount: offer.amount }
  const { clientSecret, paymentId } = await body(buyer.request.post('/api/create-escrow-payment', { data }))
  return { clientSecret, paymentId, intentId: clientSecret.split('_secret_')[0] }
}

/** Charges a good card without any page, as if the browser had been closed right after. */
export async function charge(deal: Deal): Promise<Started> {
  const { clientSecret, paymentId, intentId } = await start(deal)
  const { sandboxUrl, publishableKey } = await body(deal.buyer.request.get('/api/config'))
  await body(
    deal.buyer.request.post(`${sandboxUrl}/v1/payment_intents/${intentId}/confirm`, {
      headers: { authorization: `Bearer ${publishableKey}` },
      form: {
        client_secret: clientSecret,
        'payment_method_data[type]': 'card',
        'payment_method_data[card][number]': '4242424242424242',
        'payment_method_data[card][exp_month]': '12',
        'payment_method_data[card][exp_year]': '2034',
        'payment_method_data[card][cvc]': '123',
      },
    }),
  )
  return { paymentId, intentId }
}

/** Pays, and waits until the money is in escrow. */
export async function hold(deal: Deal): Promise<Started> {
  const started = await charge(deal)
  await expect.poll(() => statusOf(deal.buyer, started.paymentId)).toBe('held_in_escrow')
  return started
}

export async function statusOf(page: Page, paymentId: number): Promise<string> {
  return (await body(page.request.get(`/api/payments/${paymentId}`))).status
}

export const toast = (page: Page) => page.getByRole('region', { name: /Notifications/ }).getByRole('listitem')

export const cards = {
  good: '4242 4242 4242 4242',
  declined: '4000 0000 0000 0002',
  authenticated: '4000 0025 0000 3155',
  poor: '4000 0000 0000 9995',
} as const

/** Fills in a test card by its hint, which brings date and CVC along. */
export async function choose(page: Page, card: keyof typeof cards): Promise<void> {
  await page.getByRole('list', { name: 'Test cards' }).getByRole('button', { name: cards[card] }).click()
}

export const payButton = (page: Page) => page.getByRole('button', { name: /^Pay \$/ })

/** Has the page keep every delay that it sets from now on, since waiting by our own watch would prove little. */
export async function noteDelays(page: Page): Promise<() => Promise<unknown>> {
  await page.evaluate(() => {
    const seen: (number | undefined)[] = []
    const { setTimeout } = window
    window.setTimeout = ((...[handler, delay, ...rest]: Parameters<typeof setTimeout>) => {
      seen.push(delay)
      return setTimeout(handler, delay, ...rest)
    }) as typeof setTimeout
    Object.assign(window, { seenDelays: seen })
  })
  return () => page.evaluate(() => Reflect.get(window, 'seenDelays'))
}
