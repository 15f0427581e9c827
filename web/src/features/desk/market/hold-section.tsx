import { defaultLimits } from '@sought/contract/currency-defaults'
import { formatMoney } from '../../../format/money.ts'
import { useCurrency } from '../../../shared/market/currency.ts'
import { TextField } from '../../../ui/forms/text-field.tsx'
import { parseNumber, useSettingsForm } from './settings-form.ts'
import { type SectionProps, SettingsSection } from './settings-section.tsx'

export function HoldSection({ settings }: SectionProps) {
  const currency = useCurrency()
  const highValue = formatMoney(defaultLimits(currency).highValueCents, currency)
  const form = useSettingsForm(
    { holdDays: String(settings.holdDays), holdDaysHighValue: String(settings.holdDaysHighValue) },
    ({ holdDays, holdDaysHighValue }) => ({
      holdDays: parseNumber(holdDays),
      holdDaysHighValue: parseNumber(holdDaysHighValue),
    }),
  )
  return (
    <SettingsSection
      title="Escrow"
      lead="How many days a payment stays in escrow if the buyer does nothing. Payments that are already in escrow keep their release date."
      form={form}
      saveLabel="Save Escrow"
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField label={`Days below ${highValue}`} {...form.number('holdDays')} />
        <TextField label={`Days from ${highValue} on`} {...form.number('holdDaysHighValue')} />
      </div>
    </SettingsSection>
  )
}
