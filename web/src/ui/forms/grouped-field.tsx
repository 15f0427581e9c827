import { type ChangeEvent, useLayoutEffect, useRef, useState } from 'react'
import { regroup } from './grouped-text.ts'
import { TextField, type TextFieldProps } from './text-field.tsx'

export interface GroupedFieldProps extends Omit<TextFieldProps, 'value' | 'onChange' | 'ref'> {
  value: string
  onValueChange: (value: string) => void
  /** Formats the significant characters in groups, and cuts off what is too long. */
  group: (text: string) => string
}

/** A field for long numbers that formats them in groups while typing. */
export function GroupedField({ value, onValueChange, group, ...field }: GroupedFieldProps) {
  const input = useRef<HTMLInputElement>(null)
  const [caret, setCaret] = useState<{ at: number }>()
  useLayoutEffect(() => {
    if (caret && document.activeElement === input.current) {
      input.current?.setSelectionRange(caret.at, caret.at)
    }
  }, [caret])

  const change = ({ target, nativeEvent }: ChangeEvent<HTMLInputElement>) => {
    const isBackspace = nativeEvent instanceof InputEvent && nativeEvent.inputType === 'deleteContentBackward'
    const edit = {
      before: value,
      after: target.value,
      caret: target.selectionStart ?? target.value.length,
      isBackspace,
    }
    const next = regroup(edit, group)
    setCaret({ at: next.caret })
    onValueChange(next.text)
  }
  return <TextField ref={input} value={value} onChange={change} {...field} />
}
