import { CircleAlert } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { classNames } from './class-names.ts'

/** What a control must carry so that its label, hint and error are read out with it. */
export interface ControlProps {
  id: string
  'aria-describedby': string | undefined
  'aria-invalid': true | undefined
}

export interface FieldTexts {
  label: ReactNode
  hint?: ReactNode
  /** What is wrong, if anything; a validation library's message can be handed on as it is. */
  error?: string | undefined
  /** Says so beside the label. Everything else is taken as required. */
  optional?: boolean | undefined
  /** Keeps the label for screen readers alone. */
  hideLabel?: boolean | undefined
  className?: string | undefined
}

interface FieldProps extends FieldTexts {
  id?: string | undefined
  children: (control: ControlProps) => ReactNode
}

/** Label above, control, then hint and error below: the shell that every field of a form has. */
export function Field({ id, label, hint, error, optional, hideLabel, className, children }: FieldProps) {
  const ownId = useId()
  const controlId = id ?? ownId
  const hintId = hint ? `${controlId}-hint` : undefined
  const errorId = error ? `${controlId}-error` : undefined
  return (
    <div className={classNames('grid min-w-0 grid-cols-[minmax(0,1fr)] content-start gap-1.5', className)}>
      <div className={classNames('flex items-baseline justify-between gap-3', hideLabel && 'sr-only')}>
        <label htmlFor={controlId} className="font-strong">
          {label}
        </label>
        {optional && <span className="text-fine text-ink-soft">Optional</span>}
      </div>
      {children({
        id: controlId,
        'aria-describedby': [errorId, hintId].filter(Boolean).join(' ') || undefined,
        'aria-invalid': error ? true : undefined,
      })}
      <FieldError id={errorId}>{error}</FieldError>
      {hint && (
        <p id={hintId} className="text-fine text-ink-soft">
          {hint}
        </p>
      )}
    </div>
  )
}

export function FieldError({ id, children }: { id: string | undefined; children: string | undefined }) {
  if (!children) return null
  return (
    <p id={id} className="flex gap-1.5 text-fine text-danger">
      <CircleAlert aria-hidden="true" className="mt-px size-4 shrink-0" />
      {children}
    </p>
  )
}

/** The look that every box one can type into or choose from shares. */
export const controlLook =
  'w-full rounded-control border border-line-strong bg-paper px-3 text-ink transition-colors duration-150 ' +
  'hover:border-ink focus-visible:border-accent focus-visible:outline-offset-0 ' +
  'aria-invalid:border-danger aria-invalid:focus-visible:outline-danger ' +
  'disabled:cursor-not-allowed disabled:border-line disabled:bg-sunken disabled:text-ink-soft'
