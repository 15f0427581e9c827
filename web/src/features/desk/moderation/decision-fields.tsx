import { DECISION_REASON_MAX_LENGTH, type ModerationAction } from '@sought/contract/moderation'
import type { RefObject } from 'react'
import { useMarket, withMarketName } from '../../../shared/market/market.ts'
import { RadioGroup } from '../../../ui/forms/radio-group.tsx'
import { Select, toOptions } from '../../../ui/forms/select.tsx'
import { TextArea } from '../../../ui/forms/text-area.tsx'
import { TextField } from '../../../ui/forms/text-field.tsx'
import { hasEnd, MODERATION_ACTIONS } from './actions.ts'
import { type DecisionDraft, lengthLabels } from './decision-draft.ts'
import { savedReasons } from './saved-reasons.ts'
import { Key } from './shortcut-help.tsx'

interface DecisionFieldsProps {
  draft: DecisionDraft
  /** The available actions, with their labels. */
  actions: readonly { action: ModerationAction; label: string; hint: string }[]
  hasKeys?: boolean
  reasonRef?: RefObject<HTMLTextAreaElement | null>
}

/** The fields for deciding one case or several. */
export function DecisionFields({ draft, actions, hasKeys = false, reasonRef }: DecisionFieldsProps) {
  const { action, errors } = draft
  const { name } = useMarket()
  const suggestions = (action ? savedReasons[action] : []).map(({ title, text }) => ({
    title: withMarketName(title, name),
    text: withMarketName(text, name),
  }))
  return (
    <>
      <RadioGroup
        label="Action"
        value={action ?? ''}
        error={errors.action}
        onValueChange={(value) => draft.setAction(value as ModerationAction)}
        className="[&>div]:sm:grid-cols-2"
        options={actions.map(({ action: value, label, hint }) => ({
          value,
          hint,
          label: hasKeys ? (
            <span className="flex items-center gap-2">
              {label}
              <span aria-hidden="true" className="max-lg:hidden">
                <Key>{MODERATION_ACTIONS.indexOf(value) + 1}</Key>
              </span>
            </span>
          ) : (
            label
          ),
        }))}
      />
      {action && hasEnd(action) && <EndFields draft={draft} />}
      {action && (
        <Select
          label="Saved reasons"
          optional
          placeholder="Choose one, then change it as needed"
          options={suggestions.map(({ title }) => ({ value: title, label: title }))}
          value={suggestions.find(({ text }) => text === draft.reason)?.title ?? ''}
          onChange={({ target }) => {
            const chosen = suggestions.find(({ title }) => title === target.value)
            if (chosen) draft.setReason(chosen.text)
          }}
        />
      )}
      <TextArea
        ref={reasonRef}
        label="Reason"
        rows={3}
        maxLength={DECISION_REASON_MAX_LENGTH}
        hint="Say what was wrong and which rule applies. Do not name who reported it."
        error={errors.reason}
        value={draft.reason}
        onChange={({ target }) => draft.setReason(target.value)}
      />
    </>
  )
}

function EndFields({ draft }: { draft: DecisionDraft }) {
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Select
        label="How long"
        options={toOptions(lengthLabels)}
        value={draft.length}
        onChange={({ target }) => draft.setLength(target.value)}
      />
      {draft.length === 'date' && (
        <TextField
          label="Last day"
          type="date"
          error={draft.errors.date}
          value={draft.date}
          onChange={({ target }) => draft.setDate(target.value)}
        />
      )}
    </div>
  )
}
