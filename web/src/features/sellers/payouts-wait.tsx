import { paths } from '@sought/contract/paths'
import { PAYOUT_WAIT_HOURS } from '@sought/contract/sellers'
import { Link } from 'wouter'
import { formatDateTime } from '../../format/dates.ts'
import { Notice } from '../../ui/feedback/notice.tsx'

/** Says until when payouts wait after the payout account was changed. */
export function PayoutsWait({ until }: { until: string }) {
  return (
    <Notice tone="warning" title={`Payouts wait until ${formatDateTime(until)}`}>
      Your payout account was changed. To keep your money safe, we wait {PAYOUT_WAIT_HOURS} hours before we
      send anything to it. If you did not change it,{' '}
      <Link href={paths.profile({ tab: 'security' })} className="link">
        change your password
      </Link>{' '}
      now.
    </Notice>
  )
}

export function NewSellerWait({ until }: { until: string }) {
  return (
    <Notice tone="warning" title={`Your first payouts are sent on ${formatDateTime(until)}`}>
      Payouts to new sellers are delayed for a few days after the first deal. Your money is safe, and you do
      not need to do anything.
    </Notice>
  )
}
