import type { SandboxHost } from '../providers/stripe/sandbox-host.ts'

/** Actions that people take in their browser with the card sandbox. None of our own actions does this for them. */
export interface SandboxBrowser {
  enterCard(clientSecret: string, number: string): Promise<void>
  /** Fills in the provider's onboarding form. */
  completeOnboarding(onboardingUrl: string): Promise<void>
  /** Makes the buyer's bank open a chargeback on a payment. */
  chargeBack(intentId: string): Promise<void>
}

export function openSandboxBrowser({ keys, url: publicUrl }: SandboxHost): SandboxBrowser {
  const apiUrl = keys.apiUrl ?? ''
  const pageUrl = (address: string) =>
    apiUrl + new URL(address, publicUrl).pathname.replace(new URL(publicUrl).pathname, '')

  async function press(address: string): Promise<void> {
    const answer = await fetch(pageUrl(address), { method: 'POST', redirect: 'manual' })
    if (answer.status !== 303) throw new Error(`the sandbox answered ${answer.status} to ${address}`)
  }

  return {
    async enterCard(clientSecret, number) {
      const [intentId] = clientSecret.split('_secret_')
      const answer = await fetch(`${apiUrl}/v1/payment_intents/${intentId}/confirm`, {
        method: 'POST',
        headers: { authorization: `Bearer ${keys.publishableKey}` },
        body: new URLSearchParams({
          client_secret: clientSecret,
          'payment_method_data[type]': 'card',
          'payment_method_data[card][number]': number,
          'payment_method_data[card][exp_month]': '12',
          'payment_method_data[card][exp_year]': '2040',
          'payment_method_data[card][cvc]': '123',
          return_url: new URL('/payment-success', publicUrl).href,
        }),
      })
      if (!answer.ok) throw new Error(`the sandbox refused the card: ${await answer.text()}`)
    },
    async completeOnboarding(onboardingUrl) {
      const page = await (await fetch(pageUrl(onboardingUrl))).text()
      const [, form] = page.match(/action="([^"]+\/complete)"/) ?? []
      if (!form) throw new Error('the sandbox showed no onboarding form')
      await press(form)
    },
    chargeBack: (intentId) => press(`${publicUrl}/payments/${intentId}/dispute`),
  }
}
