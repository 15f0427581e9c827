import { getConfig } from '@sought/contract/platform'
import { resetStripeConnect } from '@sought/contract/sellers'
import { ExternalLink } from 'lucide-react'
import { useState } from 'react'
import { useRead } from '../../data/calls.ts'
import { explainFailure, useAction } from '../../data/use-action.ts'
import {
  countryOptions,
  findCountry,
  getCountryName,
  type SellerCountry,
} from '../../shared/addresses/countries.ts'
import { Loaded } from '../../shared/loading/loaded.tsx'
import { Notice } from '../../ui/feedback/notice.tsx'
import { Skeleton } from '../../ui/feedback/skeleton.tsx'
import { Button } from '../../ui/forms/button.tsx'
import { Select } from '../../ui/forms/select.tsx'
import { Card, CardHeader } from '../../ui/layout/card.tsx'
import { ConfirmDialog } from '../../ui/overlays/confirm-dialog.tsx'
import { SectionTitle } from './section-title.tsx'
import type { ConnectStatus } from './status.ts'
import { useDefaultCountry } from './use-default-country.ts'
import { useOnboarding } from './use-onboarding.ts'

/** Automatic payouts to an account with Stripe. */
export function ConnectSection({ status }: { status: ConnectStatus }) {
  // Called here and not in SetUp: a live update may unmount SetUp while the pop-up is still open.
  const onboarding = useOnboarding()
  return (
    <Card padding="lg">
      <CardHeader
        title={
          <SectionTitle badge={status.data?.canReceivePayments && 'Active'}>Connected account</SectionTitle>
        }
      >
        Automatic payouts through Stripe. Stripe asks for your identity and your bank account.
      </CardHeader>
      <Loaded query={status} loading={<Skeleton className="h-32" />}>
        {({ hasAccount, canReceivePayments, loginUrl }) =>
          canReceivePayments || loginUrl ? (
            <Active canReceive={canReceivePayments} />
          ) : (
            <SetUp hasAccount={hasAccount} onboarding={onboarding} />
          )
        }
      </Loaded>
    </Card>
  )
}

function Active({ canReceive }: { canReceive: boolean }) {
  return (
    <div className="grid justify-items-start gap-4">
      <p>
        {canReceive
          ? 'Your account is verified and can receive payouts.'
          : 'Your account cannot receive payouts at the moment. The notice above says what is needed.'}
      </p>
      <ResetButton />
    </div>
  )
}

interface SetUpProps {
  hasAccount: boolean
  onboarding: ReturnType<typeof useOnboarding>
}

function SetUp({ hasAccount, onboarding: { open, isPending } }: SetUpProps) {
  const { manualPayoutCountries = [] } = useRead(getConfig).data ?? {}
  const [chosen, setChosen] = useState<SellerCountry>()
  const defaultCountry = useDefaultCountry()
  const country = chosen ?? defaultCountry
  const isPaidManually = !hasAccount && manualPayoutCountries.includes(country)
  return (
    <div className="grid gap-5">
      <Select
        label="Country"
        hint={
          hasAccount
            ? 'To change the country, reset the account first.'
            : 'The country where you live or run your business.'
        }
        options={countryOptions}
        value={country}
        disabled={hasAccount}
        onChange={({ target }) => setChosen(findCountry(target.value))}
      />
      {isPaidManually && (
        <Notice tone="info" title={`No automatic payouts in ${getCountryName(country)}`}>
          Stripe cannot send money from our account to this country. Please enter your bank details instead.
          We then transfer each payout to your bank ourselves.
        </Notice>
      )}
      <div className="flex flex-wrap gap-3">
        <Button busy={isPending} disabled={isPaidManually} onClick={() => void open(country)}>
          {hasAccount ? 'Continue Setup' : 'Set Up Stripe Connect'}
          <ExternalLink aria-hidden="true" />
        </Button>
        {hasAccount && <ResetButton />}
      </div>
    </div>
  )
}

/** Removes the connected account, so that the seller can set up another one. */
function ResetButton() {
  const { run } = useAction(resetStripeConnect, {
    success: { title: 'Account reset', description: 'You can set it up again.' },
    failure: explainFailure('Reset Failed'),
  })
  return (
    <ConfirmDialog
      title="Reset your connected account?"
      description="We remove this connected account and keep any money owed to you until you set up payouts again."
      confirmLabel="Reset Account"
      tone="danger"
      onConfirm={() => run()}
      trigger={<Button variant="secondary">Reset</Button>}
    />
  )
}
