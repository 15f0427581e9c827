import type { Currency } from '@sought/contract/currencies'
import type { ReturnOptions } from './use-pay.ts'

/** What the form of each provider needs. */
export interface PaymentFormProps extends ReturnOptions {
  clientSecret: string
  /** What the payment can be made with. */
  methods: readonly string[]
  amountCents: number
  currency: Currency
}
