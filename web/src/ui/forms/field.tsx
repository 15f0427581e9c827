import { CircleAlert } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { classNames } from '../base/class-names.ts'

/** The props that connect a control with its label, hint and error for screen readers. */
export interface ControlProps {
  id: string
  'aria-describedby': string | undefined
  'aria-invalid': true | undefined
}

export interface FieldTexts {
  label: ReactNode
  hint?: ReactNode
  /** The error message, if any. */
  error?: string | undefined
  /** Marks the field as optional next to its label. Other fields are required. */
  optional?: boolean | undefined
  /** Shows the label only to screen readers. */
  hideLabel?: boolean | undefined
  className?: string | undefined
}

interface FieldProps extends FieldTexts {
  id?: string | undefined
  children: (control: ControlProps) => ReactNode
}

/** Separates the texts around a control from the props of the control itself. */
export function splitField<Props extends FieldTexts & { id?: string | undefined }>(props: Props) {
  const { id, label, hint, error, optional, hideLabel, className, ...control } = props
  return [{ id, label, hint, error, optional, hideLabel, className }, control] as const
}

/** The layout of every form field: the label above the control, the hint and the error below it. */
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

/** The shared style of text fields and selects. */
export const controlLook =
  'w-full rounded-control border border-line-strong bg-paper px-3 text-ink transition-colors duration-150 ' +
  'hover:border-ink focus-visible:border-accent focus-visible:outline-offset-0 ' +
  'aria-invalid:border-danger aria-invalid:focus-visible:outline-danger ' +
  'disabled:cursor-not-allowed disabled:border-line disabled:bg-sunken disabled:text-ink-soft'
