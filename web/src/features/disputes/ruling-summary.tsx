import type { Ruling } from '@sought/escrow/rulings'
import { useCurrency } from '../../lib/currency.ts'
import { formatCents } from '../../lib/money.ts'
import { DefinitionList } from '../../ui/definition-list.tsx'

interface RulingSummaryProps {
  ruling: Ruling
  amount: number
  /** Who reads it: their own share is called theirs. */
  reader?: 'buyer' | 'seller' | undefined
  /** It has been done, and nothing is held any more. */
  done?: boolean | undefined
}

/** Where every cent of a payment goes. */
export function RulingSummary({ ruling, amount, reader, done = false }: RulingSummaryProps) {
  const currency = useCurrency()
  const inFull = (cents: number) => formatCents(cents, currency)
  const { refundCents, platformCents, processingCents, payoutCents } = ruling
  const goesToSeller = amount - refundCents > 0
  return (
    <DefinitionList
      figures
      rows={[
        {
          key: 'refund',
          label: reader === 'buyer' ? 'Back to you' : 'Back to the buyer',
          value: inFull(refundCents),
        },
        ...(goesToSeller
          ? [
              { key: 'platform', label: 'Platform fee', value: inFull(platformCents) },
              { key: 'processing', label: 'Card processing', value: inFull(processingCents) },
            ]
          : []),
        {
          key: 'payout',
          label: reader === 'seller' ? 'To you' : 'To the seller',
          value: inFull(payoutCents),
          note: goesToSeller ? 'After fees on the seller’s part' : undefined,
        },
        { key: 'amount', label: done ? 'Paid' : 'Held in escrow', value: inFull(amount), total: true },
      ]}
    />
  )
}
