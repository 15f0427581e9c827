import { Money } from '../../ui/display/money.tsx'

interface ReviewedDealProps {
  itemTitle: string
  /** Such as '$120.00'. Null if it is not known. */
  amount: string | null
}

/** The item and the price of the deal that is reviewed. */
export function ReviewedDeal({ itemTitle, amount }: ReviewedDealProps) {
  return (
    <div className="flex items-start justify-between gap-4 border-line border-b pb-5">
      <p className="min-w-0 font-strong [overflow-wrap:anywhere]">{itemTitle}</p>
      {amount !== null && <Money amount={amount} size="lead" />}
    </div>
  )
}
