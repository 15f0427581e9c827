import { FEE_TIERS_MAX } from '@sought/contract/market-settings'
import { Trash2 } from 'lucide-react'
import { type ChangeEvent, useRef } from 'react'
import { Button } from '../../../ui/forms/button.tsx'
import { IconButton } from '../../../ui/forms/icon-button.tsx'
import { TextField, type TextFieldProps } from '../../../ui/forms/text-field.tsx'

/** A tier as it is typed. */
export interface EnteredTier {
  key: number
  from: string
  percent: string
}

type TierPart = 'from' | 'percent'

interface FeeTiersFieldProps {
  value: EnteredTier[]
  error: string | undefined
  onValueChange: (value: EnteredTier[]) => void
  errorOf: (index: number, part: TierPart) => string | undefined
}

export function FeeTiersField({ value: tiers, error, onValueChange, errorOf }: FeeTiersFieldProps) {
  const partOf = (index: number, part: TierPart) => ({
    value: tiers[index]?.[part],
    error: errorOf(index, part),
    onChange: ({ target }: ChangeEvent<HTMLInputElement>) =>
      onValueChange(tiers.map((tier, at) => (at === index ? { ...tier, [part]: target.value } : tier))),
  })
  const nextKey = useRef(tiers.length)
  const addButton = useRef<HTMLButtonElement>(null)
  const add = () => onValueChange([...tiers, { key: nextKey.current++, from: '', percent: '' }])
  const remove = (key: number) => {
    // The pressed button disappears.
    addButton.current?.focus()
    onValueChange(tiers.filter((tier) => tier.key !== key))
  }
  return (
    <fieldset className="grid gap-3">
      <legend className="mb-1 font-strong">Platform fees of larger amounts</legend>
      <p className="text-fine text-ink-soft">
        From each amount on, its percentage counts for the whole price, in place of the platform fee above.
      </p>
      {tiers.length > 0 && (
        <ol className="grid gap-3">
          {tiers.map(({ key }, index) => (
            <li key={key} className="flex items-end gap-2">
              <TierPartField label={`Tier ${index + 1} from`} {...partOf(index, 'from')} />
              <TierPartField label="Percent" {...partOf(index, 'percent')} />
              <IconButton label={`Remove tier ${index + 1}`} Icon={Trash2} onClick={() => remove(key)} />
            </li>
          ))}
        </ol>
      )}
      {error && (
        <p role="alert" className="text-danger">
          {error}
        </p>
      )}
      <Button
        ref={addButton}
        size="sm"
        variant="secondary"
        className="justify-self-start"
        aria-disabled={tiers.length >= FEE_TIERS_MAX}
        onClick={() => tiers.length < FEE_TIERS_MAX && add()}
      >
        Add Tier
      </Button>
    </fieldset>
  )
}

const TierPartField = (props: TextFieldProps) => (
  <TextField inputMode="decimal" className="min-w-0 grow" {...props} />
)
