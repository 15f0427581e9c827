import { getBankStatus, getStripeConnectStatus } from '@sought/contract/sellers'
import { useRead } from '../../lib/calls.ts'
import { Page } from '../../ui/page.tsx'
import { BankSection } from './bank-section.tsx'
import { ConnectSection } from './connect-section.tsx'
import { HowPayoutsWork } from './how-payouts-work.tsx'
import { Payouts } from './payouts.tsx'
import { StatusBanner } from './status-banner.tsx'
import { useReturnFromOnboarding } from './use-return-from-onboarding.ts'

/** How the seller is to be paid, and what they have been. */
export function SellerSetupScreen() {
  useReturnFromOnboarding()
  const connect = useRead(getStripeConnectStatus, undefined, { staleMs: 0 })
  const bank = useRead(getBankStatus, undefined, { staleMs: 0 })
  return (
    <Page title="Seller Setup" lead="Choose how you want to be paid. One way is enough.">
      <div className="grid gap-10">
        <StatusBanner connect={connect} bank={bank} />
        <div className="grid items-start gap-6 lg:grid-cols-2">
          <ConnectSection status={connect} />
          <BankSection status={bank} />
        </div>
        <Payouts />
        <HowPayoutsWork />
      </div>
    </Page>
  )
}
