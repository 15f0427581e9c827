import type { Figures } from '@sought/contract/analytics'
import { DefinitionList } from '../../ui/definition-list.tsx'
import { TitledSection } from '../../ui/titled-section.tsx'
import { describeChange } from './describe-change.ts'
import { listedFigures, textOf } from './figure-texts.ts'
import { useFormat } from './use-format.ts'

interface FigureListProps {
  totals: Figures
  previous: Figures
  /** Such as 'the 30 days before'. */
  before: string
}

/** Every figure with its definition, compared with the time before. */
export function FigureList({ totals, previous, before }: FigureListProps) {
  const format = useFormat()
  return (
    <TitledSection title="All figures">
      <DefinitionList
        figures
        rows={listedFigures.map((figure) => {
          const { label, definition, unit } = textOf(figure)
          return {
            key: figure,
            label,
            note: definition,
            value: (
              <span className="grid justify-items-end">
                <span className="font-strong">{format(totals[figure], unit)}</span>
                <span className="max-w-36 text-right text-fine text-ink-soft whitespace-normal sm:max-w-none">
                  {describeChange(totals[figure], previous[figure], before)}
                  {previous[figure] !== 0 && ` (${format(previous[figure], unit)})`}
                </span>
              </span>
            ),
          }
        })}
      />
    </TitledSection>
  )
}
