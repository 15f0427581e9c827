import type { Currency } from '@sought/contract/platform'
import { formatCentsForInput, isInRange, parseCents, type Range } from '../../format/amount.ts'
import { formatCents, getCurrencySymbol } from '../../format/money.ts'
import { Slider } from '../../ui/forms/slider.tsx'
import { TextField } from '../../ui/forms/text-field.tsx'
import { useCurrency } from '../market/currency.ts'

interface Props {
  label: string
  /** Default: the currency of the deployment. */
  currency?: Currency
  range: Range
  /** The typed text, so that an unfinished number is not changed. */
  text: string
  onText: (text: string) => void
}

/** A slider and a number field for the same amount. Without a maximum there is no slider. */
export function AmountFields({ label, currency: ownCurrency, range, text, onText }: Props) {
  const deploymentCurrency = useCurrency()
  const currency = ownCurrency ?? deploymentCurrency
  const { minCents, maxCents } = range
  const cents = parseCents(text)
  const format = (amount: number) => formatCents(Math.round(amount * 100), currency)
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
          onValueChange={(amount) => onText(formatCentsForInput(Math.round(amount * 100)))}
          format={format}
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
        value={text}
        onChange={(event) => onText(event.target.value)}
        error={isInRange(range, cents) ? undefined : describeRange(range, format)}
      />
    </div>
  )
}

function describeRange({ minCents, maxCents }: Range, format: (amount: number) => string): string {
  const min = format(minCents / 100)
  return maxCents === null
    ? `Enter at least ${min}`
    : `Enter an amount from ${min} to ${format(maxCents / 100)}`
}
