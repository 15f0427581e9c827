import type { Figures } from '@sought/contract/analytics'
import { TitledSection } from '../../../ui/layout/titled-section.tsx'
import { useFormat } from './use-format.ts'

const steps = [
  { figure: 'requests', label: 'Posted' },
  { figure: 'offers', label: 'Offers' },
  { figure: 'accepted', label: 'Accepted' },
  { figure: 'paid', label: 'Paid' },
  { figure: 'released', label: 'Released' },
] as const

const ratios = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 })

/** Offers are shown as a number per request, because a request can have many. Other steps are shown as a share. */
function conversionOf(totals: Figures, at: number): string {
  const [before, step] = [steps[at - 1], steps[at]]
  if (!before || !step || totals[before.figure] === 0) return '–'
  const ratio = totals[step.figure] / totals[before.figure]
  return step.figure === 'offers' ? `${ratios.format(ratio)} per request` : `${ratios.format(ratio * 100)}%`
}

/** The steps from posting to release, each as a share of the previous one. */
export function Funnel({ totals }: { totals: Figures }) {
  const format = useFormat()
  return (
    <TitledSection title="From posted to released">
      <ol className="grid grid-cols-2 gap-x-6 gap-y-5 sm:grid-cols-3 md:grid-cols-5">
        {steps.map(({ figure, label }, at) => (
          <li key={figure} className="border-accent border-l-3 pl-3">
            <p className="text-fine text-ink-soft">{label}</p>
            <p className="font-display font-strong text-title tabular-nums">{format(totals[figure])}</p>
            {at > 0 && <p className="text-fine text-ink-soft tabular-nums">{conversionOf(totals, at)}</p>}
          </li>
        ))}
      </ol>
      <p className="mt-4 text-fine text-ink-soft">
        Each step is counted in this period and shown as a share of the previous step. A deal can reach its
        next step after this period.
      </p>
    </TitledSection>
  )
}
