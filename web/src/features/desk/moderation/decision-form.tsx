import { decideCase, type ModerationCase } from '@sought/contract/moderation'
import { type FormEvent, useRef } from 'react'
import { explainFailure, useAction } from '../../../data/use-action.ts'
import { describeDecision } from '../../../shared/moderation/moderation-decision.ts'
import { Notice } from '../../../ui/feedback/notice.tsx'
import { Button } from '../../../ui/forms/button.tsx'
import { isPossible, MODERATION_ACTIONS, textsOf } from './actions.ts'
import { type DecisionDraft, useDecisionDraft } from './decision-draft.ts'
import { DecisionFields } from './decision-fields.tsx'
import { useShortcuts } from './shortcuts.ts'

interface DecisionFormProps {
  case: ModerationCase
  onDecided: () => void
  /** Another moderator has the case or has decided it. */
  onLost: (code: 'case_claimed' | 'case_decided') => void
}

export function DecisionForm({ case: it, onDecided, onLost }: DecisionFormProps) {
  const draft = useDecisionDraft()
  const reason = useRef<HTMLTextAreaElement>(null)
  const possible = MODERATION_ACTIONS.filter((action) => isPossible(action, it))
  const { run, isPending } = useAction(decideCase, {
    success: (_reply, { body }) => ({ title: `Decided: ${textsOf(body.action, it).label}` }),
    failure: (error) => {
      if (error.code === 'case_claimed' || error.code === 'case_decided') {
        onLost(error.code)
        return null
      }
      return explainFailure('The case was not decided')(error)
    },
    onDone: onDecided,
  })
  useShortcuts(
    Object.fromEntries(
      possible.map((action) => [
        String(MODERATION_ACTIONS.indexOf(action) + 1),
        (event: KeyboardEvent) => {
          event.preventDefault()
          draft.setAction(action)
          reason.current?.focus()
        },
      ]),
    ),
  )
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const body = draft.submit()
    if (body) void run({ params: { id: String(it.id) }, body })
  }
  return (
    <form noValidate aria-label="Decision" onSubmit={submit} className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <DecisionFields
        draft={draft}
        hasKeys
        reasonRef={reason}
        actions={possible.map((action) => ({ action, ...textsOf(action, it) }))}
      />
      {draft.action && <Preview case={it} draft={draft} />}
      <Button
        type="submit"
        variant={draft.action === 'suspend' ? 'danger' : 'primary'}
        className="justify-self-start"
        busy={isPending}
      >
        {draft.action ? textsOf(draft.action, it).label : 'Decide'}
      </Button>
    </form>
  )
}

/** A preview of the text for the person, as in their profile. */
function Preview({
  case: { kind, content, person, appeal },
  draft,
}: {
  case: ModerationCase
  draft: DecisionDraft
}) {
  const { action, until, reason } = draft
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
          : describeDecision({ action, kind, about: content?.title ?? null, until })}
      </p>
      <p className="whitespace-pre-line [overflow-wrap:anywhere]">
        <span className="font-strong">Reason:</span> {words}
      </p>
    </section>
  )
}
