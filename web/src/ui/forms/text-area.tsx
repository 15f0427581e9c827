import type { ComponentProps } from 'react'
import { classNames } from '../base/class-names.ts'
import { controlLook, Field, type FieldTexts, splitField } from './field.tsx'

export type TextAreaProps = FieldTexts & Omit<ComponentProps<'textarea'>, 'className'>

/** Grows with its text, from `rows` lines to about half the height of the window. */
export function TextArea({ rows = 4, ...props }: TextAreaProps) {
  const [field, area] = splitField(props)
  return (
    <Field {...field}>
      {(control) => (
        <textarea
          rows={rows}
          className={classNames(controlLook, 'field-sizing-content max-h-[50dvh] resize-y py-2.5')}
          style={{ minBlockSize: `calc(${rows} * 1.5em + 1.375rem)` }}
          {...area}
          {...control}
        />
      )}
    </Field>
  )
}
