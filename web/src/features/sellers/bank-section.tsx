import { useState } from 'react'
import { Loaded } from '../../shared/loading/loaded.tsx'
import { DefinitionList } from '../../ui/display/definition-list.tsx'
import { Skeleton } from '../../ui/feedback/skeleton.tsx'
import { Button } from '../../ui/forms/button.tsx'
import { Card, CardHeader } from '../../ui/layout/card.tsx'
import { BankForm } from './bank-form.tsx'
import { SectionTitle } from './section-title.tsx'
import type { BankStatus } from './status.ts'

type SavedDetails = NonNullable<NonNullable<BankStatus['data']>['bankDetails']>

/** Bank details for sellers without a connected account. An admin pays them manually. */
export function BankSection({ status }: { status: BankStatus }) {
  const [isReplacing, setIsReplacing] = useState(false)
  return (
    <Card padding="lg">
      <CardHeader
        title={<SectionTitle badge={status.data?.hasBankAccount && 'Saved'}>Bank details</SectionTitle>}
      >
        We transfer payouts to your bank account manually. Your details are encrypted. This page shows only
        the last four digits.
      </CardHeader>
      <Loaded query={status} loading={<Skeleton className="h-48" />}>
        {({ bankDetails }) =>
          bankDetails && !isReplacing ? (
            <SavedAccount details={bankDetails} onReplace={() => setIsReplacing(true)} />
          ) : (
            <BankForm onSaved={() => setIsReplacing(false)} />
          )
        }
      </Loaded>
    </Card>
  )
}

function SavedAccount({ details, onReplace }: { details: SavedDetails; onReplace: () => void }) {
  return (
    <div className="grid justify-items-start gap-4">
      <DefinitionList
        className="w-full"
        rows={[
          { label: 'Account holder', value: details.account_holder_name },
          {
            label: 'Account',
            value: <span className="tabular-nums">•••• {details.account_number_last4}</span>,
          },
        ]}
      />
      <Button variant="secondary" onClick={onReplace}>
        Replace
      </Button>
    </div>
  )
}
