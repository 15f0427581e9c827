import type { Currency } from '@sought/contract/currencies'
import { rulesOf } from '@sought/contract/currencies'
import { calculateShare } from '@sought/escrow/amount'
import { calculateFees, type MarketFees } from '@sought/escrow/fees'
import { describeProcessingFee } from '../../../format/fee-texts.ts'
import { formatMoney } from '../../../format/money.ts'

const EXAMPLES_CENTS = [10_00, 100_00, 1_000_00]

/** Stripe’s list prices for domestic cards. Those of other currencies differ by country. */
const PROVIDER_PRICES: Partial<Record<Currency, Price>> = {
  usd: { processingFeeBasisPoints: 290, processingFeeCents: 30 },
  myr: { processingFeeBasisPoints: 300, processingFeeCents: 100 },
  eur: { processingFeeBasisPoints: 150, processingFeeCents: 25 },
}

type Price = Pick<MarketFees, 'processingFeeBasisPoints' | 'processingFeeCents'>

/** What the market earns of a deal after the card provider has taken its price. */
export function DealEarnings({ fees, currency }: { fees: MarketFees; currency: Currency }) {
  const price = PROVIDER_PRICES[currency]
  if (!price) return null
  const format = (cents: number) => formatMoney(cents, currency)
  return (
    <div className="max-w-full overflow-x-auto">
      <table className="w-full text-fine tabular-nums [&_td]:py-2 [&_td]:pl-3 [&_td]:text-right [&_th:first-child]:pl-0 [&_th:first-child]:text-left [&_th]:py-2 [&_th]:pl-3 [&_th]:text-right">
        <caption className="pb-1 text-left text-ink-soft">
          What you earn, estimated with Stripe’s list price of {describeProcessingFee(price, currency)} for
          domestic cards. Other cards and disputes cost more.
        </caption>
        <thead>
          <tr className="border-line-strong border-b text-ink-soft">
            <th scope="col">Price</th>
            <th scope="col">Both fees</th>
            <th scope="col">Stripe takes</th>
            <th scope="col">You earn</th>
          </tr>
        </thead>
        <tbody>
          {EXAMPLES_CENTS.map((amountCents) => {
            const { platformFee: platformCents, processingFee: processingCents } = calculateFees(
              amountCents,
              fees,
              rulesOf(currency),
            )
            const feeCents = platformCents + processingCents
            const takenCents =
              calculateShare(amountCents, price.processingFeeBasisPoints, rulesOf(currency).step) +
              price.processingFeeCents
            const earnedCents = feeCents - takenCents
            return (
              <tr key={amountCents} className="border-line border-b">
                <th scope="row" className="font-regular">
                  {format(amountCents)}
                </th>
                <td>{format(feeCents)}</td>
                <td>{format(takenCents)}</td>
                <td className={earnedCents < 0 ? 'font-strong text-danger' : 'font-strong'}>
                  {format(earnedCents)}
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}
