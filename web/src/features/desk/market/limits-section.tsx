import { formatAmountForInput, parseCents } from '../../../format/amount.ts'
import { TextField } from '../../../ui/forms/text-field.tsx'
import { parseNumber, useSettingsForm } from './settings-form.ts'
import { type SectionProps, SettingsSection } from './settings-section.tsx'

const NO_LIMIT = 'Leave empty for no limit.'
const isEmpty = (text: string) => text.trim() === ''

export function LimitsSection({ settings }: SectionProps) {
  const { maxOfferCents, openRequestsMax } = settings
  const form = useSettingsForm(
    {
      offerExpiryDays: String(settings.offerExpiryDays),
      maxOfferCents: maxOfferCents === null ? '' : formatAmountForInput(maxOfferCents),
      openRequestsMax: openRequestsMax === null ? '' : String(openRequestsMax),
    },
    (entered) => ({
      offerExpiryDays: parseNumber(entered.offerExpiryDays),
      maxOfferCents: isEmpty(entered.maxOfferCents) ? null : (parseCents(entered.maxOfferCents) ?? -1),
      openRequestsMax: isEmpty(entered.openRequestsMax) ? null : parseNumber(entered.openRequestsMax),
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
