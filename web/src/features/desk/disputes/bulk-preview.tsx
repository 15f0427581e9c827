import type { RulingPreview } from '@sought/contract/casework'
import type { DeskDispute } from '@sought/contract/disputes'
import { formatMoney } from '../../../format/money.ts'
import { disputeTitle } from '../../../shared/disputes/dispute-status.ts'
import { Skeleton } from '../../../ui/feedback/skeleton.tsx'

interface BulkPreviewProps {
  disputes: readonly DeskDispute[]
  preview: readonly RulingPreview[]
  busy: boolean
}

const PARTS = ['refund', 'seller', 'fees'] as const
const headings = { refund: 'Buyer', seller: 'Seller', fees: 'Fees' } as const

/** The payouts and refunds of each dispute, and their totals. */
export function BulkPreview({ disputes, preview, busy }: BulkPreviewProps) {
  if (busy) return <Skeleton className="h-24" />
  const left = disputes.filter(({ id }) => !preview.some((it) => it.id === id))
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      {preview.length > 0 && <PreviewTable disputes={disputes} preview={preview} />}
      {left.length > 0 && (
        <p className="text-ink-soft">
          Cannot be ruled on now, because it ended, a bank decides, or you are a party:{' '}
          {left.map(({ id }) => `#${id}`).join(', ')}
        </p>
      )}
    </div>
  )
}

function PreviewTable({ disputes, preview }: Omit<BulkPreviewProps, 'busy'>) {
  const rows = preview.flatMap((it) => {
    const dispute = disputes.find(({ id }) => id === it.id)
    return dispute ? [{ dispute, ...it }] : []
  })
  const currencies = [...new Set(rows.map(({ dispute }) => dispute.currency))]
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: users must be able to scroll it by keyboard.
    <section aria-label="Where the money goes" tabIndex={0} className="overflow-x-auto">
      <table className="w-full text-fine tabular-nums [&_td]:py-2 [&_th]:py-2 [&_td]:pl-3 [&_th]:pl-3 [&_tr>:first-child]:pl-0">
        <caption className="pb-2 text-left font-strong text-body">Where the money goes</caption>
        <thead>
          <tr className="border-line border-b text-ink-soft">
            <th scope="col" className="text-left">
              Dispute
            </th>
            {PARTS.map((part) => (
              <th key={part} scope="col" className="text-right">
                {headings[part]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ dispute, ...cents }) => (
            <tr key={dispute.id} className="border-line border-b">
              <th scope="row" className="text-left font-regular">
                #{dispute.id}{' '}
                <span className="line-clamp-1 text-ink-soft [overflow-wrap:anywhere]">
                  {disputeTitle(dispute)}
                </span>
              </th>
              {PARTS.map((part) => (
                <td key={part} className="text-right">
                  {formatMoney(cents[part], dispute.currency)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
        <tfoot>
          {currencies.map((currency) => (
            <tr key={currency} className="font-strong">
              <th scope="row" className="text-left">
                Total
              </th>
              {PARTS.map((part) => (
                <td key={part} className="text-right">
                  {formatMoney(
                    rows
                      .filter(({ dispute }) => dispute.currency === currency)
                      .reduce((sum, row) => sum + row[part], 0),
                    currency,
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tfoot>
      </table>
    </section>
  )
}
