import { decideCase, type ModerationCase } from '@sought/contract/moderation'
import type * as z from 'zod/mini'
import { explainFailure } from '../../../data/use-action.ts'
import { useContractForm } from '../../../shared/forms/contract-form.ts'
import { Form } from '../../../shared/forms/form.tsx'
import { describeDecision } from '../../../shared/moderation/moderation-decision.ts'
import { Notice } from '../../../ui/feedback/notice.tsx'
import { isPossible, MODERATION_ACTIONS, textsOf } from './actions.ts'
import { DecisionEntry, findEnd, noDecision } from './decision-entry.ts'
import { DecisionFields } from './decision-fields.tsx'
import { useShortcuts } from './shortcuts.ts'

interface DecisionFormProps {
  case: ModerationCase
  onDecided: () => void
  /** Another moderator has the case or has decided it. */
  onLost: (code: 'case_claimed' | 'case_decided') => void
}

export function DecisionForm({ case: it, onDecided, onLost }: DecisionFormProps) {
  const possible = MODERATION_ACTIONS.filter((action) => isPossible(action, it))
  const form = useContractForm(decideCase, {
    schema: DecisionEntry,
    values: noDecision,
    input: (body) => ({ params: { id: String(it.id) }, body }),
    success: (_reply, { action }) => ({ title: `Decided: ${textsOf(action, it).label}` }),
    failure: (error) => {
      if (error.code !== 'case_claimed' && error.code !== 'case_decided')
        return explainFailure('The case was not decided')(error)
      onLost(error.code)
      return null
    },
    onDone: onDecided,
  })
  useShortcuts(
    Object.fromEntries(
      possible.map((action) => [
        String(MODERATION_ACTIONS.indexOf(action) + 1),
        (event: KeyboardEvent) => {
          event.preventDefault()
          form.control('action').onValueChange(action)
          form.focusNow('reason')
        },
      ]),
    ),
  )
  const entered = form.watch()
  return (
    <Form
      form={form}
      name="Decision"
      submitLabel={entered.action ? textsOf(entered.action, it).label : 'Decide'}
      variant={entered.action === 'suspend' ? 'danger' : 'primary'}
    >
      <DecisionFields
        form={form}
        hasKeys
        actions={possible.map((action) => ({ action, ...textsOf(action, it) }))}
      />
      {entered.action && <Preview case={it} entered={entered} />}
    </Form>
  )
}

/** A preview of the text for the person, as in their profile. */
function Preview({
  case: { kind, content, person, appeal },
  entered,
}: {
  case: ModerationCase
  entered: z.input<typeof DecisionEntry>
}) {
  const { action, reason } = entered
  if (!action) return null
  if (action === 'dismiss' && !appeal) {
    return <Notice>The person is not told. The reason stays in the records of our team.</Notice>
  }
  const words = reason.trim() || 'Your reason appears here.'
  return (
    <section
      aria-label="Preview"
      className="grid grid-cols-[minmax(0,1fr)] gap-1 rounded-card border border-line-strong border-dashed p-4"
    >
      <h4 className="text-fine text-ink-soft">What {person?.user.name ?? 'the person'} will read</h4>
      <p className="[overflow-wrap:anywhere]">
        {appeal
          ? action === 'restore'
            ? 'Your appeal was granted. The earlier decision no longer applies.'
            : 'Your appeal was rejected. The earlier decision stays.'
          : describeDecision({
              action,
              kind,
              about: content?.title ?? null,
              until: toTime(findEnd(entered)),
            })}
      </p>
      <p className="whitespace-pre-line [overflow-wrap:anywhere]">
        <span className="font-strong">Reason:</span> {words}
      </p>
    </section>
  )
}

/** Null while no valid day is entered. */
const toTime = (end: Date | null) => (end === null || Number.isNaN(end.getTime()) ? null : end.toISOString())
