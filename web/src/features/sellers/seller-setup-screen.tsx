import { paths } from '@sought/contract/paths'
import { getBankStatus, getStripeConnectStatus, PAYOUT_WAIT_HOURS } from '@sought/contract/sellers'
import { useId } from 'react'
import { useRead } from '../../data/calls.ts'
import { formatDateTime } from '../../format/dates.ts'
import { TextLink } from '../../shared/navigation/links.tsx'
import { PAYOUT_DAYS } from '../../shared/payouts/payout-status.ts'
import { Steps } from '../../ui/display/steps.tsx'
import { Notice } from '../../ui/feedback/notice.tsx'
import { Skeleton } from '../../ui/feedback/skeleton.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { AccountHealth, findHealth } from './account-health.tsx'
import { BankSection } from './bank-section.tsx'
import { ConnectSection } from './connect-section.tsx'
import { DebtList } from './debt-list.tsx'
import { PayoutList } from './payout-list.tsx'
import type { BankStatus, ConnectStatus } from './status.ts'
import { useOnboardingReturn } from './use-onboarding.ts'

export function SellerSetupScreen() {
  useOnboardingReturn()
  const connect = useRead(getStripeConnectStatus)
  const bank = useRead(getBankStatus)
  return (
    <Page title="Seller Setup" lead="Choose how you want to be paid. You need only one of the two.">
      <div className="grid gap-10">
        <div className="grid gap-4">
          <StatusBanner connect={connect} bank={bank} />
          {bank.data?.payoutsWaitUntil && <PayoutsWait until={bank.data.payoutsWaitUntil} />}
          {bank.data?.payoutsDelayedUntil && <NewSellerWait until={bank.data.payoutsDelayedUntil} />}
        </div>
        <div className="grid items-start gap-6 lg:grid-cols-2">
          <ConnectSection status={connect} />
          <BankSection status={bank} />
        </div>
        <PayoutList />
        <DebtList />
        <HowPayoutsWork />
      </div>
    </Page>
  )
}

/** Whether the seller can be paid. A status that failed to load shows its error in its own card. */
function StatusBanner({ connect, bank }: { connect: ConnectStatus; bank: BankStatus }) {
  if (connect.isPending || bank.isPending) return <Skeleton className="h-20" />
  if (connect.data && findHealth(connect.data, Date.now())) return <AccountHealth status={connect} />
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

/** Says until when payouts wait after the payout account was changed. */
function PayoutsWait({ until }: { until: string }) {
  return (
    <Notice tone="warning" title={`Payouts wait until ${formatDateTime(until)}`}>
      Your payout account was changed. To keep your money safe, we wait {PAYOUT_WAIT_HOURS} hours before we
      send anything to it. If you did not change it,{' '}
      <TextLink to={paths.profile({ tab: 'security' })}>change your password</TextLink> now.
    </Notice>
  )
}

function NewSellerWait({ until }: { until: string }) {
  return (
    <Notice tone="warning" title={`Your first payouts are sent on ${formatDateTime(until)}`}>
      Payouts to new sellers are delayed for a few days after the first deal. Your money is safe, and you do
      not need to do anything.
    </Notice>
  )
}

function HowPayoutsWork() {
  const headingId = useId()
  return (
    <section aria-labelledby={headingId}>
      <h2 id={headingId} className="mb-5 font-display font-strong text-title">
        How payouts work
      </h2>
      <Steps
        steps={[
          { title: 'The buyer pays', text: 'The money is held in escrow while you deliver.' },
          {
            title: 'Delivery is confirmed',
            text: 'By the buyer, or automatically when the hold ends. Fees are deducted at this point.',
          },
          { title: 'You are paid', text: `Your payout reaches your bank in ${PAYOUT_DAYS}.` },
        ]}
      />
    </section>
  )
}
