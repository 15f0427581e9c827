import { changeSettings } from '@sought/contract/market-settings'
import { explainFailure, useAction } from '../../../data/use-action.ts'

/** Saves some of the settings. The whole app then reloads them. */
export function useSaveSettings() {
  const { run, isPending, error } = useAction(changeSettings, {
    success: { title: 'Settings saved' },
    failure: (failed) => (failed.issues ? null : explainFailure('Settings not saved')(failed)),
  })
  /** The server's error for a field. */
  const errorOf = (field: string) =>
    error?.issues?.find(({ path }) => path === field || path.startsWith(`${field}.`))?.message
  return { save: run, isSaving: isPending, errorOf }
}
