import { getBankStatus, getStripeConnectStatus } from '@sought/contract/sellers'
import { useRead } from '../../data/calls.ts'
import { Page } from '../../ui/layout/page.tsx'
import { BankSection } from './bank-section.tsx'
import { ConnectSection } from './connect-section.tsx'
import { DebtList } from './debt-list.tsx'
import { HowPayoutsWork } from './how-payouts-work.tsx'
import { PayoutList } from './payout-list.tsx'
import { NewSellerWait, PayoutsWait } from './payouts-wait.tsx'
import { StatusBanner } from './status-banner.tsx'
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
