import { type ComponentProps, type ReactNode, useId } from 'react'
import { classNames } from '../base/class-names.ts'
import { FieldError } from './field.tsx'

export interface RadioOption {
  value: string
  label: ReactNode
  hint?: ReactNode
  disabled?: boolean | undefined
}

/** Passed to each radio button, such as the `register` props of a form. */
type RadioProps = Omit<ComponentProps<'input'>, 'type' | 'className' | 'value' | 'defaultValue' | 'id'>

export interface RadioGroupProps extends RadioProps {
  label: ReactNode
  options: readonly RadioOption[]
  /** The chosen option. Left out when a form controls it. */
  value?: string | undefined
  onValueChange?: ((value: string) => void) | undefined
  hint?: ReactNode
  error?: string | undefined
  /** Puts the options next to each other if there is room. */
  inRow?: boolean | undefined
  className?: string | undefined
}

export function RadioGroup({
  label,
  options,
  value,
  onValueChange,
  hint,
  error,
  inRow = false,
  className,
  name,
  onChange,
  ...radio
}: RadioGroupProps) {
  const ownName = useId()
  const hintId = hint ? `${ownName}-hint` : undefined
  const errorId = error ? `${ownName}-error` : undefined
  return (
    <fieldset
      className={classNames('min-w-0', className)}
      aria-describedby={[errorId, hintId].filter(Boolean).join(' ') || undefined}
    >
      <legend className="mb-1.5 font-strong">{label}</legend>
      <div className={classNames('grid gap-2', inRow && 'sm:auto-cols-fr sm:grid-flow-col')}>
        {options.map((option) => (
          <label
            key={option.value}
            className={
              'flex min-h-11 items-start gap-3 rounded-control border border-line-strong bg-paper px-3 py-2.5 transition-colors duration-150 ' +
              'hover:border-ink has-checked:border-accent has-checked:bg-accent-wash ' +
              'has-disabled:cursor-not-allowed has-disabled:border-line has-disabled:bg-sunken has-disabled:text-ink-soft'
            }
          >
            <input
              {...radio}
              type="radio"
              name={name ?? ownName}
              value={option.value}
              disabled={option.disabled || radio.disabled}
              {...(value === undefined ? {} : { checked: value === option.value })}
              onChange={(event) => {
                onChange?.(event)
                onValueChange?.(option.value)
              }}
              aria-invalid={error ? true : undefined}
              className="tick-box mt-0.5 rounded-round"
            />
            <span className="min-w-0">
              {option.label}
              {option.hint && <span className="block text-fine text-ink-soft">{option.hint}</span>}
            </span>
          </label>
        ))}
      </div>
      <div className="mt-1.5 grid gap-1.5 empty:hidden">
        <FieldError id={errorId}>{error}</FieldError>
        {hint && (
          <p id={hintId} className="text-fine text-ink-soft">
            {hint}
          </p>
        )}
      </div>
    </fieldset>
  )
}
