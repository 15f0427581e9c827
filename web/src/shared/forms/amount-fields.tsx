import type { Currency } from '@sought/contract/currencies'
import { formatAmountForInput, isInRange, parseCents, type Range } from '../../format/amount.ts'
import { formatMoney, getCurrencySymbol } from '../../format/money.ts'
import { Slider } from '../../ui/forms/slider.tsx'
import { TextField } from '../../ui/forms/text-field.tsx'
import { useCurrency } from '../market/currency.ts'
import { describeRange } from './amount-entry.ts'

interface Props {
  label: string
  /** Default: the currency of the deployment. */
  currency?: Currency
  range: Range
  /** The text as typed, so that an unfinished number is not reformatted. */
  value: string
  onValueChange: (text: string) => void
  error?: string | undefined
}

/** A slider and a number field for the same amount. Without a maximum there is no slider. */
export function AmountFields({ label, currency: ownCurrency, range, value, onValueChange, error }: Props) {
  const deploymentCurrency = useCurrency()
  const currency = ownCurrency ?? deploymentCurrency
  const { minCents, maxCents } = range
  const cents = parseCents(value)
  return (
    <div className="grid gap-3">
      {maxCents !== null && (
        <Slider
          label={label}
          min={minCents / 100}
          max={maxCents / 100}
          step={0.01}
          keyStep={1}
          value={Math.min(maxCents, Math.max(minCents, cents ?? minCents)) / 100}
          onValueChange={(amount) => onValueChange(formatAmountForInput(Math.round(amount * 100)))}
          format={(amount) => formatMoney(Math.round(amount * 100), currency)}
        />
      )}
      <TextField
        label={maxCents === null ? label : 'Or type an amount'}
        type="number"
        inputMode="decimal"
        min={minCents / 100}
        {...(maxCents !== null && { max: maxCents / 100 })}
        step={0.01}
        before={getCurrencySymbol(currency)}
        value={value}
        onChange={(event) => onValueChange(event.target.value)}
        error={isInRange(range, cents) ? error : describeRange(range, currency)}
      />
    </div>
  )
}
