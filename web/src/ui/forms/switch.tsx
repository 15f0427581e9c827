import { type ComponentProps, type ReactNode, useId } from 'react'
import { classNames } from '../base/class-names.ts'

export interface SwitchProps extends Omit<ComponentProps<'input'>, 'type' | 'role' | 'className'> {
  label: ReactNode
  hint?: ReactNode
  className?: string | undefined
}

/** A setting that takes effect immediately, without a save button. */
export function Switch({ label, hint, className, id, ...input }: SwitchProps) {
  const ownId = useId()
  const controlId = id ?? ownId
  const hintId = hint ? `${controlId}-hint` : undefined
  return (
    <label
      className={classNames(
        'flex min-h-11 items-center justify-between gap-6 py-1.5 has-disabled:cursor-not-allowed has-disabled:text-ink-soft',
        className,
      )}
    >
      <span className="min-w-0">
        {label}
        {hint && (
          <span id={hintId} className="block text-fine text-ink-soft">
            {hint}
          </span>
        )}
      </span>
      <input
        type="checkbox"
        // biome-ignore lint/a11y/useAriaPropsForRole: a checkbox says by itself whether it is checked
        role="switch"
        id={controlId}
        aria-describedby={hintId}
        className="switch"
        {...input}
      />
    </label>
  )
}
