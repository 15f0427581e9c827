import type { ReactNode } from 'react'
import { TextField } from '../../../ui/forms/text-field.tsx'

interface NumberFieldProps {
  label: string
  hint?: ReactNode
  error: string | undefined
  text: string
  onText: (text: string) => void
}

export function NumberField({ label, hint, error, text, onText }: NumberFieldProps) {
  return (
    <TextField
      label={label}
      hint={hint}
      error={error}
      inputMode="decimal"
      value={text}
      onChange={(event) => onText(event.target.value)}
    />
  )
}

/** Sends -1, which the server refuses, if the text is not a number. */
export function parseNumber(text: string): number {
  const parsed = Number(text)
  return text.trim() === '' || Number.isNaN(parsed) ? -1 : parsed
}
