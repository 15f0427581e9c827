import { DECISION_REASON_MAX_LENGTH, type ModerationAction } from '@sought/contract/moderation'
import { useMarket, withMarketName } from '../../../shared/market/market.ts'
import { RadioGroup } from '../../../ui/forms/radio-group.tsx'
import { Select, toOptions } from '../../../ui/forms/select.tsx'
import { TextArea } from '../../../ui/forms/text-area.tsx'
import { TextField } from '../../../ui/forms/text-field.tsx'
import { hasEnd, MODERATION_ACTIONS } from './actions.ts'
import { type DecisionForm, lengthLabels } from './decision-entry.ts'
import { savedReasons } from './saved-reasons.ts'
import { Key } from './shortcut-help.tsx'

interface DecisionFieldsProps {
  form: DecisionForm
  /** The available actions, with their labels. */
  actions: readonly { action: ModerationAction; label: string; hint: string }[]
  hasKeys?: boolean
}

/** The fields for deciding one case or several. */
export function DecisionFields({ form, actions, hasKeys = false }: DecisionFieldsProps) {
  const { value: action, onValueChange: chooseAction, error } = form.control('action')
  const { value: reason, onValueChange: setReason } = form.control('reason')
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
        error={error}
        onValueChange={(value) => chooseAction(value as ModerationAction)}
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
      {action && hasEnd(action) && <EndFields form={form} />}
      {action && (
        <Select
          label="Saved reasons"
          optional
          placeholder="Choose one, then change it as needed"
          options={suggestions.map(({ title }) => ({ value: title, label: title }))}
          value={suggestions.find(({ text }) => text === reason)?.title ?? ''}
          onChange={({ target }) => {
            const chosen = suggestions.find(({ title }) => title === target.value)
            if (chosen) setReason(chosen.text)
          }}
        />
      )}
      <TextArea
        label="Reason"
        rows={3}
        maxLength={DECISION_REASON_MAX_LENGTH}
        hint="Say what was wrong and which rule applies. Do not name who reported it."
        {...form.field('reason')}
      />
    </>
  )
}

function EndFields({ form }: { form: DecisionForm }) {
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Select label="How long" options={toOptions(lengthLabels)} {...form.field('length')} />
      {form.watch('length') === 'date' && <TextField label="Last day" type="date" {...form.field('date')} />}
    </div>
  )
}
