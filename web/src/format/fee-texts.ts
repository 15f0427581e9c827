import type { Currency } from '@sought/contract/platform'
import { type FeeRates, findHighestProcessing } from '@sought/escrow/fees'
import { formatCents } from './money.ts'

/** Such as '2.9%'. */
const formatPercent = (basisPoints: number) => `${basisPoints / 100}%`

/** Such as '2.9% + $0.30'. A zero part is left out, unless both are zero. */
function formatRate(basisPoints: number, flatCents: number, currency: Currency): string {
  const parts = [
    ...(basisPoints > 0 || flatCents === 0 ? [formatPercent(basisPoints)] : []),
    ...(flatCents > 0 ? [formatCents(flatCents, currency)] : []),
  ]
  return parts.join(' + ')
}

export const describePlatformFee = (rates: FeeRates) => formatPercent(rates.platformFeeBasisPoints)

export const describeProcessingFee = (rates: FeeRates, currency: Currency) =>
  formatRate(rates.processingFeeBasisPoints, rates.processingFeeCents, currency)

/** The maximum processing fee, for the order summary. */
export function describeMaxProcessingFee(rates: FeeRates, currency: Currency): string {
  const { basisPoints, flatCents } = findHighestProcessing(rates)
  return formatRate(basisPoints, flatCents, currency)
}
