import { paths } from '@sought/contract/paths'
import { listPayments } from '@sought/contract/payments'
import { useRead } from '../../data/calls.ts'
import { formatMoney } from '../../format/money.ts'
import { PaymentProgress } from '../../shared/deals/payment-progress.tsx'
import { getPaymentLabel } from '../../shared/deals/payment-status.ts'
import { LinkButton } from '../../shared/navigation/links.tsx'
import { Money } from '../../ui/display/money.tsx'
import { Skeleton } from '../../ui/feedback/skeleton.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { isPaymentFor, type Order } from './order.ts'

/** Shown by the checkout if the offer has been paid before, for example in another tab. */
export function AlreadyPaid({ order }: { order: Order }) {
  const pairs = useRead(listPayments, { query: { wantedItemId: String(order.itemId) } })
  const found = pairs.data?.find(({ payments }) => isPaymentFor(order, payments))
  return (
    <Page
      title="Already paid"
      lead="This offer has already been paid. You were not charged again."
      width="column"
    >
      {pairs.isPending && <Skeleton className="h-48" />}
      {found && (
        <Card padding="lg" className="grid gap-6">
          <div className="flex flex-wrap items-start justify-between gap-4">
            <p className="min-w-0 font-strong [overflow-wrap:anywhere]">{found.wantedItem.title}</p>
            <Money
              amount={formatMoney(found.payments.amount, found.payments.currency)}
              where={getPaymentLabel(found.payments, 'buyer')}
              size="title"
              className="text-right"
            />
          </div>
          <PaymentProgress payment={found.payments} />
        </Card>
      )}
      <div className="mt-6 flex flex-wrap gap-3">
        {found && <LinkButton to={paths.deal(found.payments.id)}>View Transaction</LinkButton>}
        <LinkButton to={paths.payments()} variant="secondary">
          My Transactions
        </LinkButton>
      </div>
    </Page>
  )
}
