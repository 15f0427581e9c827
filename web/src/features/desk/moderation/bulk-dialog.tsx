import { decideCases, type ModerationCase } from '@sought/contract/moderation'
import { paths } from '@sought/contract/paths'
import { type RefusalCode, refusals } from '@sought/contract/refusals'
import { explainFailure } from '../../../data/use-action.ts'
import { plural } from '../../../format/plural.ts'
import { useContractForm } from '../../../shared/forms/contract-form.ts'
import { FormDialog } from '../../../shared/forms/form-dialog.tsx'
import { TextLink } from '../../../shared/navigation/links.tsx'
import { Notice } from '../../../ui/feedback/notice.tsx'
import { Button } from '../../../ui/forms/button.tsx'
import { actionHints, actionLabels, MODERATION_ACTIONS } from './actions.ts'
import { titleOf } from './case-words.ts'
import { DecisionEntry, noDecision } from './decision-entry.ts'
import { DecisionFields } from './decision-fields.tsx'

const allActions = MODERATION_ACTIONS.map((action) => ({
  action,
  label: actionLabels[action],
  hint: actionHints[action],
}))

export interface RefusedCase {
  id: number
  title: string
  why: string
}

interface BulkDialogProps {
  cases: readonly ModerationCase[]
  onDone: (decidedCount: number, refused: readonly RefusedCase[]) => void
}

/** Decides the selected cases with one action and one reason. */
export function BulkDialog({ cases, onDone }: BulkDialogProps) {
  const count = plural(cases.length, 'case')
  const form = useContractForm(decideCases, {
    schema: DecisionEntry,
    values: noDecision,
    input: (body) => ({ body: { ...body, ids: cases.map(({ id }) => id) } }),
    success: ({ decided }) => ({ title: `${plural(decided.length, 'case')} decided` }),
    failure: explainFailure('The cases were not decided'),
    onDone: ({ decided, refused }) =>
      onDone(
        decided.length,
        refused.map(({ id, code }) => ({ id, title: titleById(cases, id), why: explain(code) })),
      ),
  })
  return (
    <FormDialog
      form={form}
      name="Decision"
      title={`Decide ${count}`}
      description="All of them get the same decision, and each person concerned gets the same reason."
      trigger={<Button size="sm">Decide {count}</Button>}
      submitLabel="Decide All"
    >
      <DecisionFields form={form} actions={allActions} />
    </FormDialog>
  )
}

function titleById(cases: readonly ModerationCase[], id: number): string {
  const found = cases.find((it) => it.id === id)
  return found ? titleOf(found) : ''
}

const explain = (code: string) =>
  code in refusals ? refusals[code as RefusalCode].message : 'Please open the case and try again.'

/** The cases of a bulk decision that are still open. */
export function RefusedCases({ refused, onClose }: { refused: readonly RefusedCase[]; onClose: () => void }) {
  if (refused.length === 0) return null
  return (
    <Notice
      live
      tone="warning"
      title={`${plural(refused.length, 'case')} could not be decided`}
      className="mb-6"
      action={
        <Button size="sm" variant="secondary" onClick={onClose}>
          Close
        </Button>
      }
    >
      <ul aria-label="Not decided" className="mt-1 grid gap-1">
        {refused.map(({ id, title, why }) => (
          <li key={id} className="[overflow-wrap:anywhere]">
            <TextLink to={paths.adminModeration({ case: id })}>Case #{id}</TextLink>{' '}
            {title && <span className="line-clamp-1">{title}</span>}
            <span className="text-fine text-ink-soft">{why}</span>
          </li>
        ))}
      </ul>
    </Notice>
  )
}
