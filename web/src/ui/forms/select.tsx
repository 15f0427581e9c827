import { ChevronDown } from 'lucide-react'
import type { ComponentProps } from 'react'
import { classNames } from '../base/class-names.ts'
import { controlLook, Field, type FieldTexts, splitField } from './field.tsx'

export interface SelectOption {
  value: string
  label: string
  disabled?: boolean | undefined
}

export interface SelectProps extends FieldTexts, Omit<ComponentProps<'select'>, 'className' | 'children'> {
  options: readonly SelectOption[]
  /** Shown until an option is chosen. It cannot be chosen itself. */
  placeholder?: string | undefined
}

/** Turns a record of labels into options, in the same order. */
export function toOptions(labels: Record<string, string>): SelectOption[] {
  return Object.entries(labels).map(([value, label]) => ({ value, label }))
}

/** The native select of the browser, which works best on phones and with the keyboard. */
export function Select({ options, placeholder, ...props }: SelectProps) {
  const [field, select] = splitField(props)
  return (
    <Field {...field}>
      {(control) => (
        <div className="relative flex items-center">
          <select
            className={classNames(controlLook, 'min-h-11 appearance-none truncate py-2 pr-10')}
            {...select}
            {...control}
          >
            {placeholder !== undefined && (
              <option value="" disabled hidden>
                {placeholder}
              </option>
            )}
            {options.map((option) => (
              <option key={option.value} value={option.value} disabled={option.disabled}>
                {option.label}
              </option>
            ))}
          </select>
          <ChevronDown
            aria-hidden="true"
            className="pointer-events-none absolute right-3 size-5 text-ink-soft"
          />
        </div>
      )}
    </Field>
  )
}
