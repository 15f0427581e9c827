import { Slider } from '../ui/slider.tsx'
import { TextField } from '../ui/text-field.tsx'
import { asText, isWithin, parseCents, type Range } from './amount.ts'
import { useCurrency } from './currency.ts'
import { currencySymbol, formatCents } from './money.ts'

interface Props {
  label: string
  range: Range
  /** As typed, so that a half-written number is left alone. */
  text: string
  onText: (text: string) => void
}

/** A slider and a number field that say the same; where there is no end the field alone. */
export function AmountFields({ label, range, text, onText }: Props) {
  const currency = useCurrency()
  const { leastCents, mostCents } = range
  const cents = parseCents(text)
  const inWords = (amount: number) => formatCents(Math.round(amount * 100), currency)
  return (
    <div className="grid gap-3">
      {mostCents !== null && (
        <Slider
          label={label}
          min={leastCents / 100}
          max={mostCents / 100}
          step={0.01}
          keyStep={1}
          value={Math.min(mostCents, Math.max(leastCents, cents ?? leastCents)) / 100}
          onValueChange={(amount) => onText(asText(Math.round(amount * 100)))}
          format={inWords}
        />
      )}
      <TextField
        label={mostCents === null ? label : 'Or type an amount'}
        type="number"
        inputMode="decimal"
        min={leastCents / 100}
        {...(mostCents !== null && { max: mostCents / 100 })}
        step={0.01}
        before={currencySymbol(currency)}
        value={text}
        onChange={(event) => onText(event.target.value)}
        error={isWithin(range, cents) ? undefined : rangeWords(range, inWords)}
      />
    </div>
  )
}

function rangeWords({ leastCents, mostCents }: Range, inWords: (amount: number) => string): string {
  const least = inWords(leastCents / 100)
  return mostCents === null
    ? `An amount of at least ${least}`
    : `An amount from ${least} to ${inWords(mostCents / 100)}`
}
