import { formatForInput } from '@sought/contract/money'
import { readAmount } from '../../../format/amount.ts'
import { TextField } from '../../../ui/forms/text-field.tsx'
import { parseNumber, useSettingsForm } from './settings-form.ts'
import { inCurrency, type SectionProps, SettingsSection } from './settings-section.tsx'

const NO_LIMIT = 'Leave empty for no limit.'
const isEmpty = (text: string) => text.trim() === ''

export function LimitsSection(props: SectionProps) {
  const { settings, currency } = props
  const { maxOfferCents, openRequestsMax } = settings
  const form = useSettingsForm(
    {
      offerExpiryDays: String(settings.offerExpiryDays),
      maxOfferCents: maxOfferCents === null ? '' : formatForInput(maxOfferCents, currency),
      openRequestsMax: openRequestsMax === null ? '' : String(openRequestsMax),
    },
    (entered) => ({
      offerExpiryDays: parseNumber(entered.offerExpiryDays),
      maxOfferCents: isEmpty(entered.maxOfferCents)
        ? null
        : (readAmount(entered.maxOfferCents, currency) ?? -1),
      openRequestsMax: isEmpty(entered.openRequestsMax) ? null : parseNumber(entered.openRequestsMax),
      ...inCurrency(props),
    }),
  )
  return (
    <SettingsSection
      title="Limits"
      lead="Limits apply from now on. Existing requests and offers do not change, but an offer above the limit can no longer be accepted."
      form={form}
      saveLabel="Save Limits"
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField label="Days until an offer expires" {...form.number('offerExpiryDays')} />
        <TextField label="Highest offer" hint={NO_LIMIT} {...form.number('maxOfferCents')} />
        <TextField label="Open requests per person" hint={NO_LIMIT} {...form.number('openRequestsMax')} />
      </div>
    </SettingsSection>
  )
}
