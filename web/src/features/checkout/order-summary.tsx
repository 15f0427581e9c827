import type { Currency } from '@sought/contract/currencies'
import { rulesOf } from '@sought/contract/currencies'
import { highestProcessingFlat } from '@sought/contract/currency-defaults'
import type { Offer } from '@sought/contract/offers'
import type { RequestVersion } from '@sought/contract/requests'
import { calculateFees, calculateMaxProcessing, type FeeRates, ratesOfDeal } from '@sought/escrow/fees'
import type { ReactNode } from 'react'
import { describeMaxProcessingFee, describePlatformFee } from '../../format/fee-texts.ts'
import { formatMoney } from '../../format/money.ts'
import { describeDelivery } from '../../shared/deals/delivery-terms.ts'
import { useFees } from '../../shared/market/market.ts'
import { Avatar } from '../../ui/display/avatar.tsx'
import { DefinitionList } from '../../ui/display/definition-list.tsx'
import { Skeleton } from '../../ui/feedback/skeleton.tsx'
import { Card } from '../../ui/layout/card.tsx'

type Item = Pick<RequestVersion, 'title' | 'category' | 'pictures'>

interface OrderSummaryProps {
  /** As agreed. Undefined while loading. */
  item: Item | undefined
  offer: Offer | undefined
  amountCents: number
  currency: Currency
  /** The delivery address. */
  children?: ReactNode
}

/** The buyer pays exactly the agreed price. Fees are deducted from the payout. */
export function OrderSummary({ item, offer, amountCents, currency, children }: OrderSummaryProps) {
  const seller = offer?.seller
  const currentFees = useFees(currency)
  // The deal keeps the fees that were in force when the offer was accepted.
  const fees = offer?.fees ?? (currentFees && ratesOfDeal(amountCents, currentFees))
  return (
    <Card asChild>
      <section aria-label="Order summary" className="grid grid-cols-[minmax(0,1fr)] gap-5">
        <h2 className="font-display font-strong text-title">Order summary</h2>
        {item ? <ItemLine item={item} /> : <Skeleton className="h-16" />}
        {seller && (
          <p className="flex items-center gap-2.5 text-ink-soft">
            <Avatar name={seller.name} imageUrl={seller.profileImageUrl} size="sm" />
            <span className="min-w-0 truncate">
              From <span className="font-strong text-ink">{seller.name}</span>
            </span>
          </p>
        )}
        {offer && <p className="text-ink-soft">{describeDelivery(offer)}</p>}
        {children}
        <DefinitionList
          figures
          rows={[
            { label: 'Agreed price', value: formatMoney(amountCents, currency) },
            { label: 'Fees added', value: formatMoney(0, currency) },
            { label: 'You pay', value: formatMoney(amountCents, currency), total: true },
          ]}
        />
        {fees && <SellerFees amountCents={amountCents} currency={currency} fees={fees} />}
      </section>
    </Card>
  )
}

function ItemLine({ item }: { item: Item }) {
  const [picture] = item.pictures
  return (
    <div className="flex items-center gap-4">
      {picture && (
        <img src={picture.url} alt="" className="size-16 shrink-0 rounded-card bg-sunken object-cover" />
      )}
      <div className="min-w-0">
        <p className="line-clamp-2 font-strong [overflow-wrap:anywhere]">{item.title}</p>
        <p className="text-fine text-ink-soft">{item.category}</p>
      </div>
    </div>
  )
}

interface SellerFeesProps {
  amountCents: number
  currency: Currency
  fees: FeeRates
}

/** Separate from the total, so that buyers do not add it to the price. */
function SellerFees({ amountCents, currency, fees }: SellerFeesProps) {
  const format = (cents: number) => formatMoney(cents, currency)
  return (
    <div className="rounded-card bg-sunken p-4 text-fine">
      <p className="mb-1 font-strong">Fees paid by the seller from the price</p>
      <DefinitionList
        figures
        rows={[
          {
            label: 'Platform fee',
            note: describePlatformFee(fees, currency),
            value: format(calculateFees(amountCents, fees, rulesOf(currency)).platformFee),
          },
          {
            label: 'Card processing, at most',
            note: describeMaxProcessingFee(fees, currency),
            value: format(
              calculateMaxProcessing(amountCents, fees, highestProcessingFlat(currency), rulesOf(currency)),
            ),
          },
        ]}
      />
    </div>
  )
}
