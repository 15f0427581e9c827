import { MARKET_NAME_MAX_LENGTH } from '@sought/contract/market-settings'
import { TextField } from '../../../ui/forms/text-field.tsx'
import { useSettingsForm } from './settings-form.ts'
import { type SectionProps, SettingsSection } from './settings-section.tsx'

export function NameSection({ settings }: SectionProps) {
  const form = useSettingsForm({ name: settings.name }, ({ name }) => ({ name }))
  return (
    <SettingsSection
      title="Name"
      lead="The name of the market on its pages and in its emails."
      form={form}
      saveLabel="Save Name"
    >
      <TextField label="Market name" required maxLength={MARKET_NAME_MAX_LENGTH} {...form.field('name')} />
    </SettingsSection>
  )
}
