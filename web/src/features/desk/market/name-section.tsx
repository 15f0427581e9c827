import { MARKET_NAME_MAX_LENGTH } from '@sought/contract/market-settings'
import { useState } from 'react'
import { TextField } from '../../../ui/forms/text-field.tsx'
import { type SectionProps, SettingsSection } from './settings-section.tsx'
import { useSaveSettings } from './use-save-settings.ts'

export function NameSection({ settings }: SectionProps) {
  const [name, setName] = useState(settings.name)
  const { save, isSaving, errorOf } = useSaveSettings()
  return (
    <SettingsSection
      title="Name"
      lead="The name of the market on its pages and in its emails."
      onSave={() => void save({ body: { name } })}
      saveLabel="Save Name"
      busy={isSaving}
    >
      <TextField
        label="Market name"
        required
        maxLength={MARKET_NAME_MAX_LENGTH}
        value={name}
        error={errorOf('name')}
        onChange={(event) => setName(event.target.value)}
      />
    </SettingsSection>
  )
}
