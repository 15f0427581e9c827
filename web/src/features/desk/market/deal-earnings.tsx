import { type Currency, rulesOf } from '@sought/contract/currencies'
import { minorOf } from '@sought/contract/money'
import { calculateShare } from '@sought/escrow/amount'
import { calculateFees, type MarketFees } from '@sought/escrow/fees'
import { describeProcessingFee } from '../../../format/fee-texts.ts'
import { formatMoney } from '../../../format/money.ts'

/** In main units. */
const EXAMPLES = [10, 100, 1_000]

/** Stripe’s list prices for domestic cards. Those of other currencies differ by country. */
const PROVIDER_PRICES: Partial<Record<Currency, Price>> = {
  usd: { processingFeeBasisPoints: 290, processingFeeCents: 30 },
  myr: { processingFeeBasisPoints: 300, processingFeeCents: 100 },
  eur: { processingFeeBasisPoints: 150, processingFeeCents: 25 },
}

type Price = Pick<MarketFees, 'processingFeeBasisPoints' | 'processingFeeCents'>

/** What the market earns of a deal after the card provider has taken its price. */
export function DealEarnings({ fees, currency }: { fees: MarketFees; currency: Currency }) {
  const prices = PROVIDER_PRICES[currency]
  if (!prices) return null
  const format = (amount: number) => formatMoney(amount, currency)
  return (
    <div className="max-w-full overflow-x-auto">
      <table className="w-full text-fine tabular-nums [&_td]:py-2 [&_td]:pl-3 [&_td]:text-right [&_th:first-child]:pl-0 [&_th:first-child]:text-left [&_th]:py-2 [&_th]:pl-3 [&_th]:text-right">
        <caption className="pb-1 text-left text-ink-soft">
          What you earn, estimated with Stripe’s list price of {describeProcessingFee(prices, currency)} for
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
          {EXAMPLES.map((price) => {
            const amount = minorOf(price, currency)
            const { platformFee, processingFee } = calculateFees(amount, fees, rulesOf(currency))
            const fee = platformFee + processingFee
            const taken =
              calculateShare(amount, prices.processingFeeBasisPoints, rulesOf(currency).step) +
              prices.processingFeeCents
            const earned = fee - taken
            return (
              <tr key={price} className="border-line border-b">
                <th scope="row" className="font-regular">
                  {format(amount)}
                </th>
                <td>{format(fee)}</td>
                <td>{format(taken)}</td>
                <td className={earned < 0 ? 'font-strong text-danger' : 'font-strong'}>{format(earned)}</td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}
