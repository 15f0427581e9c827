import { changeSettings, SettingsChange } from '@sought/contract/market-settings'
import type { DefaultValues, FieldPath, FieldValues } from 'react-hook-form'
import * as z from 'zod/mini'
import { explainFailure } from '../../../data/use-action.ts'
import { useContractForm } from '../../../shared/forms/contract-form.ts'

/** The whole app reloads the settings after a change. */
export const settingsOutcome = {
  success: { title: 'Settings saved' },
  failure: explainFailure('Settings not saved'),
}

/** Changes some of the settings. Its fields have the names of the settings. */
export function useSettingsForm<Entered extends FieldValues>(
  values: DefaultValues<Entered>,
  toChange: (entered: Entered) => SettingsChange,
  onDone?: (change: SettingsChange) => void,
) {
  const form = useContractForm(changeSettings, {
    ...settingsOutcome,
    schema: z.pipe(z.pipe(z.custom<Entered>(), z.transform(toChange)), SettingsChange),
    values,
    input: (body) => ({ body }),
    failure: (error) => (error.issues.length > 0 ? null : settingsOutcome.failure(error)),
    onDone: (_reply, change) => onDone?.(change),
  })
  /** The props of a field for a number. */
  const number = (name: FieldPath<Entered>) => ({ inputMode: 'decimal' as const, ...form.field(name) })
  return { ...form, number }
}

/** No setting can be negative, so text that is not a number is not valid. */
export function parseNumber(text: string): number {
  const parsed = Number(text)
  return text.trim() === '' || Number.isNaN(parsed) ? -1 : parsed
}
