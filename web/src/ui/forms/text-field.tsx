import type { ComponentProps, ReactNode } from 'react'
import { classNames } from '../base/class-names.ts'
import { controlLook, Field, type FieldTexts, splitField } from './field.tsx'

export interface TextFieldProps extends FieldTexts, Omit<ComponentProps<'input'>, 'className'> {
  /** Inside the field, before the text: a currency symbol or an icon. */
  before?: ReactNode
  /** Inside the field, after the text: a unit or a button. */
  after?: ReactNode
}

export function TextField({ before, after, type = 'text', ...props }: TextFieldProps) {
  const [field, input] = splitField(props)
  return (
    <Field {...field}>
      {(control) => (
        <div className="relative flex items-center">
          {before && (
            <span className="pointer-events-none absolute left-3 flex text-ink-soft [&_svg]:size-5">
              {before}
            </span>
          )}
          <input
            type={type}
            className={classNames(
              controlLook,
              'min-h-11 py-2',
              before != null && 'pl-10',
              after != null && 'pr-12',
              (type === 'number' || input.inputMode === 'decimal') && 'tabular-nums',
            )}
            {...input}
            {...control}
          />
          {after && <span className="absolute right-1 flex text-ink-soft">{after}</span>}
        </div>
      )}
    </Field>
  )
}
