import { useState } from 'react'
import { formatCentsForInput, parseCents } from '../../../format/amount.ts'
import { NumberField, parseNumber } from './number-field.tsx'
import { type SectionProps, SettingsSection } from './settings-section.tsx'
import { useSaveSettings } from './use-save-settings.ts'

const NO_LIMIT = 'Leave empty for no limit.'
const isEmpty = (text: string) => text.trim() === ''

export function LimitsSection({ settings }: SectionProps) {
  const { maxOfferCents, openRequestsMax } = settings
  const [expiry, setExpiry] = useState(String(settings.offerExpiryDays))
  const [maxOffer, setMaxOffer] = useState(maxOfferCents === null ? '' : formatCentsForInput(maxOfferCents))
  const [maxRequests, setMaxRequests] = useState(openRequestsMax === null ? '' : String(openRequestsMax))
  const [goodwill, setGoodwill] = useState(formatCentsForInput(settings.goodwillApprovalCents))
  const { save, isSaving, errorOf } = useSaveSettings()
  return (
    <SettingsSection
      title="Limits"
      lead="They apply to what people do from now on. Requests and offers that exist stay as they are, but an offer above the limit can no longer be accepted."
      onSave={() =>
        void save({
          body: {
            offerExpiryDays: parseNumber(expiry),
            maxOfferCents: isEmpty(maxOffer) ? null : (parseCents(maxOffer) ?? -1),
            openRequestsMax: isEmpty(maxRequests) ? null : parseNumber(maxRequests),
            goodwillApprovalCents: parseCents(goodwill) ?? -1,
          },
        })
      }
      saveLabel="Save Limits"
      busy={isSaving}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <NumberField
          label="Days until an offer expires"
          text={expiry}
          onText={setExpiry}
          error={errorOf('offerExpiryDays')}
        />
        <NumberField
          label="Highest offer"
          hint={NO_LIMIT}
          text={maxOffer}
          onText={setMaxOffer}
          error={errorOf('maxOfferCents')}
        />
        <NumberField
          label="Open requests per person"
          hint={NO_LIMIT}
          text={maxRequests}
          onText={setMaxRequests}
          error={errorOf('openRequestsMax')}
        />
        <NumberField
          label="Goodwill without a second admin, up to"
          text={goodwill}
          onText={setGoodwill}
          error={errorOf('goodwillApprovalCents')}
        />
      </div>
    </SettingsSection>
  )
}
