import { formatForInput } from '@sought/contract/money'
import { readAmount } from '../../../format/amount.ts'
import { formatMoney } from '../../../format/money.ts'
import { TextField } from '../../../ui/forms/text-field.tsx'
import { parseNumber, useSettingsForm } from './settings-form.ts'
import { inCurrency, type SectionProps, SettingsSection } from './settings-section.tsx'

export function HoldSection(props: SectionProps) {
  const { settings, currency } = props
  const highValue = formatMoney(settings.highValueCents, currency)
  const form = useSettingsForm(
    {
      highValueCents: formatForInput(settings.highValueCents, currency),
      holdDays: String(settings.holdDays),
      holdDaysHighValue: String(settings.holdDaysHighValue),
    },
    (entered) => ({
      highValueCents: readAmount(entered.highValueCents, currency) ?? -1,
      holdDays: parseNumber(entered.holdDays),
      holdDaysHighValue: parseNumber(entered.holdDaysHighValue),
      ...inCurrency(props),
    }),
  )
  return (
    <SettingsSection
      title="Escrow"
      lead="How many days a payment stays in escrow if the buyer does nothing. Payments that are already in escrow keep their release date."
      form={form}
      saveLabel="Save Escrow"
    >
      <div className="grid gap-4 sm:grid-cols-3">
        <TextField label={`Days below ${highValue}`} {...form.number('holdDays')} />
        <TextField label={`Days from ${highValue} on`} {...form.number('holdDaysHighValue')} />
        <TextField label="High value begins at" {...form.number('highValueCents')} />
      </div>
    </SettingsSection>
  )
}
