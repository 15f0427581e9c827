import { formatForInput } from '@sought/contract/money'
import { lookUpBankDetails, type ManualPayout, type PayoutBankDetails } from '@sought/contract/payouts'
import { Check, Copy } from 'lucide-react'
import { useState } from 'react'
import { explainFailure, useAction } from '../../../data/use-action.ts'
import { formatMoney } from '../../../format/money.ts'
import { Notice } from '../../../ui/feedback/notice.tsx'
import { Button } from '../../../ui/forms/button.tsx'
import { Dialog } from '../../../ui/overlays/dialog.tsx'
import { type BankDetailRow, toDetailRows } from './bank-detail-rows.ts'

/** Shows the full bank details. They are kept only while the dialog is open. */
export function BankDetailsButton({ payout }: { payout: ManualPayout }) {
  const amount = formatMoney(payout.amount, payout.currency)
  const [details, setDetails] = useState<PayoutBankDetails | null>(null)
  const [isOpen, setIsOpen] = useState(false)
  const { run, isPending } = useAction(lookUpBankDetails, {
    failure: explainFailure('Payout Failed'),
    onDone: setDetails,
  })
  // Opens after the list was read again, because debts of the seller may just have been taken from the amount.
  const show = async () => setIsOpen(await run({ params: { id: String(payout.id) } }))
  const hide = () => {
    setIsOpen(false)
    setDetails(null)
  }
  return (
    <>
      <Button variant="secondary" size="sm" busy={isPending} onClick={() => void show()}>
        Show Bank Details
      </Button>
      <Dialog
        open={isOpen && details !== null}
        onOpenChange={hide}
        width="slip"
        title="Bank details"
        description={`For the transfer of ${amount} to ${payout.seller.name}.`}
      >
        {details && <Account payout={payout} details={details} />}
      </Dialog>
    </>
  )
}

function Account({ payout, details }: { payout: ManualPayout; details: PayoutBankDetails }) {
  const amount: BankDetailRow = {
    label: 'Amount',
    display: formatMoney(payout.amount, payout.currency),
    copyText: formatForInput(payout.amount, payout.currency),
  }
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <Notice title="This access is recorded">Your name and the time are saved with the payout.</Notice>
      <dl className="grid grid-cols-[minmax(0,1fr)]">
        {[amount, ...toDetailRows(details)].map((row) => (
          <Row key={row.label} row={row} />
        ))}
      </dl>
    </div>
  )
}

function Row({ row: { label, display, copyText } }: { row: BankDetailRow }) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 border-line border-t py-2 first:border-t-0">
      <dt className="text-fine text-ink-soft">{label}</dt>
      <dd className="row-start-2 tabular-nums [overflow-wrap:anywhere]">{display}</dd>
      <dd className="col-start-2 row-span-2 row-start-1">
        <CopyButton label={label} text={copyText} />
      </dd>
    </div>
  )
}

const outcomes = { idle: 'Copy', copied: 'Copied', failed: 'Copy failed' } as const

/** The button itself shows the result, because a toast would appear outside the dialog. */
function CopyButton({ label, text }: { label: string; text: string }) {
  const [outcome, setOutcome] = useState<keyof typeof outcomes>('idle')
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setOutcome('copied')
    } catch {
      // The clipboard needs permission and a page served over HTTPS.
      setOutcome('failed')
    }
  }
  return (
    <Button variant="quiet" size="sm" className="-mr-3 min-w-22 justify-end" onClick={() => void copy()}>
      {outcome === 'copied' ? <Check aria-hidden="true" /> : <Copy aria-hidden="true" />}
      <span aria-live="polite">{outcomes[outcome]}</span>
      <span className="sr-only">{label}</span>
    </Button>
  )
}
