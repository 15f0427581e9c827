import type { Currency } from '@sought/contract/currencies'
import type { Ruling } from '@sought/escrow/rulings'
import { formatMoney } from '../../format/money.ts'
import { DefinitionList } from '../../ui/display/definition-list.tsx'

interface RulingSummaryProps {
  ruling: Ruling
  /** The payment. */
  of: { amount: number; currency: Currency }
  /** The reader's own share is labelled 'you'. */
  reader?: 'buyer' | 'seller' | undefined
  /** The money has been paid out, so nothing is in escrow any more. */
  isFinal?: boolean | undefined
}

/** How a ruling divides a payment, to the cent. */
export function RulingSummary({ ruling, of: payment, reader, isFinal = false }: RulingSummaryProps) {
  const { amount, currency } = payment
  const format = (cents: number) => formatMoney(cents, currency)
  const {
    refund: refundCents,
    platformFee: platformCents,
    processingFee: processingCents,
    payout: payoutCents,
  } = ruling
  const hasSellerShare = amount - refundCents > 0
  return (
    <DefinitionList
      figures
      rows={[
        { label: reader === 'buyer' ? 'Refund to you' : 'Refund to the buyer', value: format(refundCents) },
        ...(hasSellerShare
          ? [
              { label: 'Platform fee', value: format(platformCents) },
              { label: 'Card processing', value: format(processingCents) },
            ]
          : []),
        {
          label: reader === 'seller' ? 'Payout to you' : 'Payout to the seller',
          value: format(payoutCents),
          note: hasSellerShare ? 'After fees on the seller’s share' : undefined,
        },
        { label: isFinal ? 'Paid' : 'Held in escrow', value: format(amount), total: true },
      ]}
    />
  )
}
