import { type ComponentProps, type ReactNode, useId } from 'react'
import { classNames } from '../base/class-names.ts'
import { FieldError } from './field.tsx'

export interface CheckboxProps extends Omit<ComponentProps<'input'>, 'type' | 'className'> {
  label: ReactNode
  hint?: ReactNode
  error?: string | undefined
  className?: string | undefined
}

export function Checkbox({ label, hint, error, className, id, ...input }: CheckboxProps) {
  const ownId = useId()
  const controlId = id ?? ownId
  const hintId = hint ? `${controlId}-hint` : undefined
  const errorId = error ? `${controlId}-error` : undefined
  return (
    <div className={classNames('grid gap-1', className)}>
      <label className="flex items-start gap-3 has-disabled:cursor-not-allowed has-disabled:text-ink-soft">
        <input
          type="checkbox"
          id={controlId}
          aria-describedby={[errorId, hintId].filter(Boolean).join(' ') || undefined}
          aria-invalid={error ? true : undefined}
          className="tick-box mt-0.5 rounded-card"
          {...input}
        />
        <span className="min-w-0">
          {label}
          {hint && (
            <span id={hintId} className="block text-fine text-ink-soft">
              {hint}
            </span>
          )}
        </span>
      </label>
      <FieldError id={errorId}>{error}</FieldError>
    </div>
  )
}
