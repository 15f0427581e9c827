import { Notice } from '../../ui/feedback/notice.tsx'
import { Skeleton } from '../../ui/feedback/skeleton.tsx'
import type { BankStatus, ConnectStatus } from './status.ts'

/** Whether the seller can be paid. A status that failed to load shows its error in its own card. */
export function StatusBanner({ connect, bank }: { connect: ConnectStatus; bank: BankStatus }) {
  if (connect.isPending || bank.isPending) return <Skeleton className="h-20" />
  if (connect.data?.canReceivePayments) {
    return (
      <Notice tone="success" title="Ready to be paid">
        Released payments are sent to your connected account automatically.
      </Notice>
    )
  }
  if (bank.data?.bankDetails) {
    return (
      <Notice tone="success" title="Ready to be paid by bank transfer">
        We send released payments to your account ending in {bank.data.bankDetails.account_number_last4}.
      </Notice>
    )
  }
  if (connect.isError || bank.isError) return null
  if (connect.data.hasAccount) {
    return (
      <Notice tone="warning" title="Setup is not finished">
        Your connected account cannot receive payouts yet. Continue the setup to finish it.
      </Notice>
    )
  }
  return (
    <Notice tone="warning" title="You haven’t set up payouts yet">
      You can already sell. We keep your earnings for you until you set up payouts.
    </Notice>
  )
}
