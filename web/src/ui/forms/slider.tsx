import type { ComponentProps, CSSProperties, KeyboardEvent } from 'react'
import { Field, type FieldTexts } from './field.tsx'

export interface SliderProps
  extends FieldTexts,
    Omit<ComponentProps<'input'>, 'type' | 'className' | 'value' | 'onChange' | 'min' | 'max' | 'step'> {
  min: number
  max: number
  step: number
  value: number
  onValueChange: (value: number) => void
  /** The step of the arrow keys, if a single step is too small. */
  keyStep?: number | undefined
  /** Formats the value for display and for screen readers. */
  format: (value: number) => string
  /** A small value next to the slider, and no labels at the ends. */
  compact?: boolean | undefined
}

export function Slider({
  label,
  hint,
  error,
  optional,
  hideLabel,
  className,
  id,
  min,
  max,
  step,
  value,
  onValueChange,
  keyStep = step,
  format,
  compact = false,
  ...input
}: SliderProps) {
  const filled = max > min ? ((value - min) / (max - min)) * 100 : 0

  const onKeyDown = (event: KeyboardEvent) => {
    const distance = keyDistances[event.key]
    if (distance === undefined) return
    event.preventDefault()
    onValueChange(clampToStep(min, max, value + distance * keyStep, step))
  }
  return (
    <Field {...{ id, label, hint, error, optional, hideLabel, className }}>
      {(control) => (
        <div className={compact ? 'flex flex-row-reverse items-center gap-4' : 'grid gap-2'}>
          <output
            htmlFor={control.id}
            className={
              compact
                ? 'w-12 text-right text-fine text-ink-soft tabular-nums'
                : 'font-display font-strong text-heading tabular-nums'
            }
          >
            {format(value)}
          </output>
          <input
            type="range"
            className="slider"
            style={{ '--filled': `${filled}%` } as CSSProperties}
            min={min}
            max={max}
            step={step}
            value={value}
            onChange={(event) => onValueChange(event.target.valueAsNumber)}
            onKeyDown={onKeyDown}
            aria-valuetext={format(value)}
            {...input}
            {...control}
          />
          {!compact && (
            <div aria-hidden="true" className="flex justify-between text-fine text-ink-soft tabular-nums">
              <span>{format(min)}</span>
              <span>{format(max)}</span>
            </div>
          )}
        </div>
      )}
    </Field>
  )
}

const keyDistances: Record<string, number | undefined> = {
  ArrowLeft: -1,
  ArrowDown: -1,
  ArrowRight: 1,
  ArrowUp: 1,
  PageDown: -10,
  PageUp: 10,
}

/** The nearest valid value. Counts whole steps, to avoid rounding errors. */
function clampToStep(min: number, max: number, value: number, step: number): number {
  const steps = Math.round((Math.min(max, Math.max(min, value)) - min) / step)
  return Number((min + steps * step).toFixed(6))
}
