import type { Currency } from '@sought/contract/currencies'
import { highestProcessingFlat } from '@sought/contract/currency-defaults'
import { type FeeRates, findHighestProcessing, type MarketFees } from '@sought/escrow/fees'
import { formatMoney } from './money.ts'

type ProcessingRates = Pick<FeeRates, 'processingFeeBasisPoints' | 'processingFeeCents'>

/** Such as '2.9%'. */
const formatPercent = (basisPoints: number) => `${basisPoints / 100}%`

/** Such as '2.9% + $0.30'. A zero part is left out, unless both are zero. */
function formatRate(basisPoints: number, flatCents: number, currency: Currency): string {
  const parts = [
    ...(basisPoints > 0 || flatCents === 0 ? [formatPercent(basisPoints)] : []),
    ...(flatCents > 0 ? [formatMoney(flatCents, currency)] : []),
  ]
  return parts.join(' + ')
}

/** Such as '3%' or '3%, 2% from $1,000.00, at least $0.50'. */
export function describePlatformFee(fees: FeeRates | MarketFees, currency: Currency): string {
  const tiers = 'feeTiers' in fees ? fees.feeTiers : []
  return [
    formatPercent(fees.platformFeeBasisPoints),
    ...tiers.map(({ from, percent }) => `${percent}% from ${formatMoney(from, currency)}`),
    ...(fees.minimumFeeCents > 0 ? [`at least ${formatMoney(fees.minimumFeeCents, currency)}`] : []),
  ].join(', ')
}

export const describeProcessingFee = (rates: ProcessingRates, currency: Currency) =>
  formatRate(rates.processingFeeBasisPoints, rates.processingFeeCents, currency)

/** The maximum processing fee, for the order summary. */
export function describeMaxProcessingFee(rates: FeeRates, currency: Currency): string {
  const { basisPoints, flat: flatCents } = findHighestProcessing(rates, highestProcessingFlat(currency))
  return formatRate(basisPoints, flatCents, currency)
}
