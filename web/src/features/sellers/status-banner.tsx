import { Notice } from '../../ui/notice.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import type { BankStatus, ConnectStatus } from './status.ts'

/** Whether the seller can be paid as things stand, in one sentence. What did not load says so in its own card. */
export function StatusBanner({ connect, bank }: { connect: ConnectStatus; bank: BankStatus }) {
  if (connect.isPending || bank.isPending) return <Skeleton className="h-20" />
  if (connect.data?.canReceivePayments) {
    return (
      <Notice tone="success" title="Ready to be paid">
        What is released to you goes to your connected account by itself.
      </Notice>
    )
  }
  if (bank.data?.bankDetails) {
    return (
      <Notice tone="success" title="Ready to be paid by bank transfer">
        We send what is released to you to the account ending in {bank.data.bankDetails.account_number_last4}.
      </Notice>
    )
  }
  if (connect.isError || bank.isError) return null
  if (connect.data.hasAccount) {
    return (
      <Notice tone="warning" title="Setup is not finished">
        Your connected account exists, but cannot receive yet. Continue where you left off.
      </Notice>
    )
  }
  return (
    <Notice tone="warning" title="No way to pay you yet">
      You can sell all the same: what you are owed waits for you here.
    </Notice>
  )
}
