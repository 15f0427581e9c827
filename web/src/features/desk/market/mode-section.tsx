import { type AdminSettings, changeSettings } from '@sought/contract/market-settings'
import { useAction } from '../../../data/use-action.ts'
import { Button } from '../../../ui/forms/button.tsx'
import { ConfirmDialog } from '../../../ui/overlays/confirm-dialog.tsx'
import { settingsOutcome } from './settings-form.ts'
import { type SectionProps, SettingsSection } from './settings-section.tsx'

type Mode = AdminSettings['mode']

const modes: Record<Mode, { state: string; action: string; effect: string }> = {
  open: {
    state: 'The market is open.',
    action: 'Open the Market',
    effect: 'Everybody can use the market again.',
  },
  read_only: {
    state: 'The market is read-only.',
    action: 'Make Read-Only',
    effect:
      'Everybody can read and sign in, but nobody can change anything except these settings. Background jobs continue, for example payments are released on time.',
  },
  maintenance: {
    state: 'The market is closed for maintenance.',
    action: 'Close for Maintenance',
    effect:
      'Only admins can use the market. Everybody else sees a page that says so. Background jobs continue.',
  },
}

export function ModeSection({ settings }: SectionProps) {
  const { run, isPending } = useAction(changeSettings, settingsOutcome)
  const others = (Object.keys(modes) as Mode[]).filter((mode) => mode !== settings.mode)
  return (
    <SettingsSection
      title="Mode"
      lead={`${modes[settings.mode].state} A change takes effect within two seconds.`}
    >
      <div className="flex flex-wrap gap-3">
        {others.map((mode) => (
          <ConfirmDialog
            key={mode}
            title={`${modes[mode].action}?`}
            description={modes[mode].effect}
            confirmLabel={modes[mode].action}
            tone={mode === 'open' ? 'plain' : 'danger'}
            onConfirm={() => void run({ body: { mode } })}
            trigger={
              <Button variant={mode === 'open' ? 'primary' : 'secondary'} busy={isPending}>
                {modes[mode].action}
              </Button>
            }
          />
        ))}
      </div>
    </SettingsSection>
  )
}
