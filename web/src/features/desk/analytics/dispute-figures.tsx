import type { Analytics } from '@sought/contract/analytics'
import { disputeTypeLabels } from '@sought/contract/dispute-draft'
import { DefinitionList } from '../../../ui/display/definition-list.tsx'
import { TitledSection } from '../../../ui/layout/titled-section.tsx'
import { useFormat } from './use-format.ts'

const ratios = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 })
const reasonLabels = { ...disputeTypeLabels, chargeback: 'Chargeback by a bank' }

const HOUR_SECONDS = 3_600
const DAY_HOURS = 24

/** The average time, in hours or days. */
function describeAverage(seconds: number, count: number): string {
  if (count === 0) return '–'
  const hours = seconds / count / HOUR_SECONDS
  return hours < 2 * DAY_HOURS ? `${ratios.format(hours)} hours` : `${ratios.format(hours / DAY_HOURS)} days`
}

/** The number, reasons and outcomes of disputes, and whether we kept the policy's promises. */
export function DisputeFigures({ analytics: { totals, reasons } }: { analytics: Analytics }) {
  const format = useFormat()
  const inTime = (kept: number, all: number) => (all === 0 ? '–' : `${format(kept)} of ${format(all)}`)
  return (
    <TitledSection title="Disputes">
      <div className="grid gap-x-10 gap-y-8 md:grid-cols-2">
        <DefinitionList
          figures
          rows={[
            {
              label: 'Dispute rate',
              note: 'Disputes opened, as a share of the payments in this period.',
              value: totals.paid === 0 ? '–' : `${ratios.format((totals.disputed / totals.paid) * 100)}%`,
            },
            {
              label: 'Time to first answer',
              note: 'From filing to the first step of an admin, on average. We promise 24 hours.',
              value: describeAverage(totals.answerSeconds, totals.answered),
            },
            {
              label: 'Answered in time',
              note: 'Of the disputes that were first answered in this period.',
              value: inTime(totals.answeredInTime, totals.answered),
            },
            {
              label: 'Time to ruling',
              note: 'From filing to an admin’s ruling, on average. We promise 7 business days.',
              value: describeAverage(totals.rulingSeconds, totals.ruled),
            },
            {
              label: 'Ruled in time',
              note: 'Of the disputes that an admin ruled on in this period.',
              value: inTime(totals.ruledInTime, totals.ruled),
            },
          ]}
        />
        <div className="grid content-start gap-6">
          <div>
            <h3 className="font-strong">How disputes ended</h3>
            <DefinitionList
              figures
              rows={[
                { label: 'Ruled by an admin', value: format(totals.ruled) },
                { label: 'Settled by the parties', value: format(totals.settled) },
                { label: 'Withdrawn by the buyer', value: format(totals.withdrawn) },
                { label: 'Decided by a bank', value: format(totals.decidedByBank) },
              ]}
            />
          </div>
          {reasons.length > 0 && (
            <div>
              <h3 className="font-strong">Why disputes were opened</h3>
              <DefinitionList
                figures
                rows={reasons.map(({ reason, count }) => ({
                  key: reason,
                  label: reasonLabels[reason],
                  value: format(count),
                }))}
              />
            </div>
          )}
        </div>
      </div>
    </TitledSection>
  )
}
