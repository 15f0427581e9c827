import { useId, useState } from 'react'
import { classNames } from '../base/class-names.ts'
import { FieldError } from '../forms/field.tsx'

const STAR = 'M12 2.6l2.9 6 6.6.9-4.8 4.6 1.2 6.5L12 17.5l-5.9 3.1 1.2-6.5L2.5 9.5l6.6-.9z'

/** In order, from one star to five. */
const starLabels = ['Poor', 'Fair', 'Good', 'Very Good', 'Excellent'] as const

const scores = [1, 2, 3, 4, 5] as const

export interface StarsProps {
  /** 0 to 5, with parts of a star. Null if there are no ratings yet. */
  value: number | null
  /** The number of ratings. */
  count?: number | undefined
  className?: string | undefined
}

/** Shows a rating. */
export function Stars({ value, count, className }: StarsProps) {
  if (value === null)
    return <span className={classNames('text-fine text-ink-soft', className)}>No ratings yet</span>
  const label = `Rated ${value.toFixed(1)} out of 5`
  return (
    <span className={classNames('inline-flex items-center gap-1.5 text-fine tabular-nums', className)}>
      <span role="img" aria-label={label} className="relative inline-flex text-line-strong">
        <Row filled={false} />
        <span
          className="absolute inset-0 flex overflow-hidden text-accent"
          style={{ inlineSize: `${(Math.min(5, Math.max(0, value)) / 5) * 100}%` }}
        >
          <Row filled />
        </span>
      </span>
      <span aria-hidden="true" className="font-strong">
        {value.toFixed(1)}
      </span>
      {count !== undefined && <span className="text-ink-soft">({count})</span>}
    </span>
  )
}

function Row({ filled }: { filled: boolean }) {
  return scores.map((score) => <Star key={score} filled={filled} className="size-4 shrink-0" />)
}

function Star({ filled, className }: { filled: boolean; className: string }) {
  return (
    <svg
      viewBox="0 0 24 24"
      aria-hidden="true"
      className={className}
      fill={filled ? 'currentColor' : 'none'}
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinejoin="round"
    >
      <path d={STAR} />
    </svg>
  )
}

export interface StarsInputProps {
  label: string
  /** 0 if nothing is chosen yet. */
  value: number
  onValueChange: (value: number) => void
  error?: string | undefined
  disabled?: boolean | undefined
  hideLabel?: boolean | undefined
}

/** Chooses a rating: five radio buttons that look like stars, with a label for each. */
export function StarsInput({ label, value, onValueChange, error, disabled, hideLabel }: StarsInputProps) {
  const name = useId()
  const errorId = error ? `${name}-error` : undefined
  const [pointed, setPointed] = useState(0)
  const shown = pointed || value
  return (
    <fieldset
      disabled={disabled}
      aria-describedby={errorId}
      className="grid min-w-0 gap-1.5 disabled:opacity-60"
    >
      <legend className={hideLabel ? 'sr-only' : 'mb-1.5 font-strong'}>{label}</legend>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <div className="-ml-1.5 flex" onPointerLeave={() => setPointed(0)}>
          {scores.map((score) => (
            <label
              key={score}
              onPointerEnter={(event) => {
                if (event.pointerType === 'mouse' && !disabled) setPointed(score)
              }}
              className={classNames(
                'grid size-11 place-items-center rounded-control has-focus-visible:outline-2 has-focus-visible:outline-accent',
                score <= shown ? 'text-accent' : error ? 'text-danger' : 'text-line-strong',
              )}
            >
              <input
                type="radio"
                name={name}
                value={score}
                checked={value === score}
                onChange={() => onValueChange(score)}
                aria-invalid={error ? true : undefined}
                aria-label={`${score} ${score === 1 ? 'star' : 'stars'}, ${starLabels[score - 1]}`}
                className="absolute size-px appearance-none opacity-0"
              />
              <Star filled={score <= shown} className="size-7" />
            </label>
          ))}
        </div>
        <span aria-hidden="true" className="min-w-20 font-strong">
          {starLabels[shown - 1]}
        </span>
      </div>
      <FieldError id={errorId}>{error}</FieldError>
    </fieldset>
  )
}
