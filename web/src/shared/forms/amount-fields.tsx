import { type Currency, rulesOf } from '@sought/contract/currencies'
import { smallestOffer } from '@sought/contract/currency-defaults'
import { formatForInput, mainOf } from '@sought/contract/money'
import type { KeyboardEvent } from 'react'
import { isInRange, type Range, readAmount } from '../../format/amount.ts'
import { formatMoney, getCurrencySymbol } from '../../format/money.ts'
import { Slider } from '../../ui/forms/slider.tsx'
import { TextField } from '../../ui/forms/text-field.tsx'
import { describeRange } from './amount-entry.ts'

interface Props {
  label: string
  currency: Currency
  range: Range
  /** The text as typed, so that an unfinished number is not reformatted. */
  value: string
  onValueChange: (text: string) => void
  error?: string | undefined
}

/** A slider and a text field for the same amount. Without a maximum there is no slider. */
export function AmountFields({ label, currency, range, value, onValueChange, error }: Props) {
  const { min, max } = range
  const amount = readAmount(value, currency)
  const { decimals, step } = rulesOf(currency)
  const inMain = (value: number) => mainOf(value, currency)
  const inUnits = (value: number) => Math.round(value * 10 ** decimals)
  const stepWithArrows = (event: KeyboardEvent) => {
    const steps = { ArrowUp: 1, ArrowDown: -1 }[event.key]
    if (!steps) return
    event.preventDefault()
    const next = (amount ?? min) + steps * smallestOffer(currency)
    onValueChange(formatForInput(Math.max(min, Math.min(max ?? next, next)), currency))
  }
  return (
    <div className="grid gap-3">
      {max !== null && (
        <Slider
          label={label}
          min={inMain(min)}
          max={inMain(max)}
          step={inMain(step)}
          keyStep={inMain(smallestOffer(currency))}
          value={inMain(Math.min(max, Math.max(min, amount ?? min)))}
          onValueChange={(value) => onValueChange(formatForInput(inUnits(value), currency))}
          format={(value) => formatMoney(inUnits(value), currency)}
        />
      )}
      <TextField
        label={max === null ? label : 'Or type an amount'}
        // Browsers take only a decimal point or only a comma in a number field.
        role="spinbutton"
        aria-valuenow={amount === null ? undefined : inMain(amount)}
        aria-valuemin={inMain(min)}
        aria-valuemax={max === null ? undefined : inMain(max)}
        onKeyDown={stepWithArrows}
        inputMode={decimals === 0 ? 'numeric' : 'decimal'}
        autoComplete="off"
        before={getCurrencySymbol(currency)}
        value={value}
        onChange={(event) => onValueChange(event.target.value)}
        error={isInRange(range, amount) ? error : describeRange(range, currency)}
      />
    </div>
  )
}
