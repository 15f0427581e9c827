import { HIGH_VALUE_CENTS } from '@sought/escrow/hold'
import { useState } from 'react'
import { formatCents } from '../../../format/money.ts'
import { useCurrency } from '../../../shared/market/currency.ts'
import { NumberField, parseNumber } from './number-field.tsx'
import { type SectionProps, SettingsSection } from './settings-section.tsx'
import { useSaveSettings } from './use-save-settings.ts'

export function HoldSection({ settings }: SectionProps) {
  const highValue = formatCents(HIGH_VALUE_CENTS, useCurrency())
  const [days, setDays] = useState(String(settings.holdDays))
  const [daysHighValue, setDaysHighValue] = useState(String(settings.holdDaysHighValue))
  const { save, isSaving, errorOf } = useSaveSettings()
  return (
    <SettingsSection
      title="Escrow"
      lead="How many days a payment stays in escrow if the buyer does nothing. Payments that are in escrow already keep their time."
      onSave={() =>
        void save({
          body: { holdDays: parseNumber(days), holdDaysHighValue: parseNumber(daysHighValue) },
        })
      }
      saveLabel="Save Escrow"
      busy={isSaving}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <NumberField
          label={`Days below ${highValue}`}
          text={days}
          onText={setDays}
          error={errorOf('holdDays')}
        />
        <NumberField
          label={`Days from ${highValue} on`}
          text={daysHighValue}
          onText={setDaysHighValue}
          error={errorOf('holdDaysHighValue')}
        />
      </div>
    </SettingsSection>
  )
}
