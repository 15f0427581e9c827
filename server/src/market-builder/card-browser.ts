import type { Services } from '../services.ts'

export const VISA = '4242424242424242'

/** The steps that people take in their browser on pages of the card sandbox. The product has no calls for them. */
export interface CardBrowser {
  /** Enters a card in the form of an intent. Returns the sandbox's reply. */
  enterCard(clientSecret: string, number: string): Promise<{ status: number; body: CardReply }>
  /** Fills in the provider's onboarding form. */
  completeOnboarding(onboardingUrl: string): Promise<void>
  /** Presses a button on a page of the sandbox. */
  press(address: string, form?: Record<string, string>): Promise<void>
}

export interface CardReply {
  id: string
  status: string
  error?: { code: string; message: string }
  next_action?: { redirect_to_url: { url: string } }
}

export const intentOf = (clientSecret: string) => clientSecret.split('_secret_')[0] ?? ''

/** The path and the form that a browser sends when the buyer enters a card. */
export const cardForm = (
  clientSecret: string,
  number: string,
): [path: string, form: Record<string, string>] => [
  `/v1/payment_intents/${intentOf(clientSecret)}/confirm`,
  {
    client_secret: clientSecret,
    'payment_method_data[type]': 'card',
    'payment_method_data[card][number]': number,
    'payment_method_data[card][exp_month]': '12',
    // Tests and simulations move the clock forward by years.
    'payment_method_data[card][exp_year]': '2060',
    'payment_method_data[card][cvc]': '123',
    return_url: 'http://localhost:3000/payment-success',
  },
]

/** `url` is the address of the sandbox, on its own port or under the server's. */
export function openCardBrowser({ url, key }: { url: string; key: string }): CardBrowser {
  const pageUrl = (address: string) => url + new URL(address, url).pathname.replace(/^\/sandbox/, '')
  const post = (address: string, form: Record<string, string>, headers = {}) =>
    fetch(address, { method: 'POST', redirect: 'manual', headers, body: new URLSearchParams(form) })

  const browser: CardBrowser = {
    async enterCard(clientSecret, number) {
      const headers = { authorization: `Bearer ${key}` }
      const [path, form] = cardForm(clientSecret, number)
      const reply = await post(url + path, form, headers)
      return { status: reply.status, body: (await reply.json()) as CardReply }
    },
    async completeOnboarding(onboardingUrl) {
      const page = await (await fetch(pageUrl(onboardingUrl))).text()
      const [, form] = page.match(/action="([^"]+\/complete)"/) ?? []
      if (!form) throw new Error('the sandbox showed no onboarding form')
      await browser.press(form)
    },
    async press(address, form = {}) {
      const { status } = await post(pageUrl(address), form)
      if (status !== 303) throw new Error(`the sandbox answered ${status} to ${address}`)
    },
  }
  return browser
}

export function cardBrowserOf({ sandbox }: Pick<Services, 'sandbox'>): CardBrowser {
  if (!sandbox?.keys.apiUrl) throw new Error('only the sandbox takes test cards')
  return openCardBrowser({ url: sandbox.keys.apiUrl, key: sandbox.keys.publishableKey })
}
