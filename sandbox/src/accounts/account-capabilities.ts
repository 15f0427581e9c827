import * as z from 'zod'
import { allowsCrossBorder } from '../countries.ts'
import { invalidRequest } from '../http/api-error.ts'
import { boolean } from '../http/params.ts'

export const Capabilities = z.strictObject({
  card_payments: z.strictObject({ requested: boolean }).optional(),
  transfers: z.strictObject({ requested: boolean }).optional(),
})

export type ServiceAgreement = 'full' | 'recipient'

/** An account that requests no capabilities gets both, like with a platform's default settings. */
export const defaultCapabilities = (agreement: ServiceAgreement | undefined): string[] =>
  agreement === 'recipient' ? ['transfers'] : ['card_payments', 'transfers']

/** The requested capabilities after a change. */
export function changeCapabilities(before: string[], change: z.output<typeof Capabilities>): string[] {
  const changed = new Set(before)
  for (const [name, asked] of Object.entries(change)) {
    if (asked?.requested) changed.add(name)
    else changed.delete(name)
  }
  return [...changed].toSorted()
}

interface Request {
  /** The countries of the platform and of the account. */
  platform: string
  country: string
  agreement: ServiceAgreement | undefined
  capabilities: string[]
}

/**
 * Only recipients in another region may request transfers without card payments (ADR 38). All other accounts have to
 * request both capabilities.
 */
export function checkCapabilities({ platform, country, agreement, capabilities }: Request): void {
  const takesCards = capabilities.includes('card_payments')
  if (agreement === 'recipient') {
    checkRecipient(platform, country, takesCards)
    return
  }
  if (takesCards || !capabilities.includes('transfers')) return
  throw invalidRequest(
    country === 'US' && platform !== 'US'
      ? 'You cannot request the `transfers` capability without the `card_payments` capability for accounts in US.'
      : 'Your platform needs approval for accounts to have requested the `transfers` capability without the `card_payments` capability. If you would like to request transfers without card_payments, please contact us via https://support.stripe.com/contact.',
  )
}

function checkRecipient(platform: string, country: string, takesCards: boolean): void {
  if (takesCards) {
    throw invalidRequest(
      'Accounts under the recipient service agreement cannot request the `card_payments` capability.',
      { param: 'capabilities' },
    )
  }
  if (allowsCrossBorder(platform, country)) return
  throw invalidRequest(
    `The recipient ToS agreement is not supported for platforms in ${platform} creating accounts in ${country}. See https://stripe.com/docs/connect/cross-border-payouts for more details.`,
    { param: 'tos_acceptance[service_agreement]' },
  )
}
