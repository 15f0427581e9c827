import { type ScheduledFees, SettingsChange } from '@sought/contract/market-settings'
import { calculateFees } from '@sought/escrow/fees'
import { useState } from 'react'
import { formatCentsForInput, parseCents } from '../../../format/amount.ts'
import { formatDateTime } from '../../../format/dates.ts'
import { formatCents } from '../../../format/money.ts'
import { useCurrency } from '../../../shared/market/currency.ts'
import { Button } from '../../../ui/forms/button.tsx'
import { TextField } from '../../../ui/forms/text-field.tsx'
import { NumberField, parseNumber } from './number-field.tsx'
import { type SectionProps, SettingsSection } from './settings-section.tsx'
import { useSaveSettings } from './use-save-settings.ts'

const EXAMPLE_CENTS = 120_00

export function FeesSection({ settings }: SectionProps) {
  const [platform, setPlatform] = useState(String(settings.platformFeePercent))
  const [processing, setProcessing] = useState(String(settings.processingFeePercent))
  const [flat, setFlat] = useState(formatCentsForInput(settings.processingFeeCents))
  const [from, setFrom] = useState('')
  const { save, isSaving, errorOf } = useSaveSettings()
  const fees = {
    platformFeePercent: parseNumber(platform),
    processingFeePercent: parseNumber(processing),
    processingFeeCents: parseCents(flat) ?? -1,
  }
  return (
    <SettingsSection
      title="Fees"
      lead="Sellers pay them from the price. They apply to offers accepted from the chosen time on. Offers that were accepted before keep the fees of that time, also if they are paid later."
      onSave={() =>
        void save({ body: { ...fees, ...(from !== '' && { feesFrom: new Date(from).toISOString() }) } })
      }
      saveLabel="Save Fees"
      busy={isSaving}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <NumberField
          label="Platform fee in percent"
          text={platform}
          onText={setPlatform}
          error={errorOf('platformFeePercent')}
        />
        <NumberField
          label="Card fee in percent"
          text={processing}
          onText={setProcessing}
          error={errorOf('processingFeePercent')}
        />
        <NumberField
          label="Card fee, fixed part"
          text={flat}
          onText={setFlat}
          error={errorOf('processingFeeCents')}
        />
        <TextField
          label="In force from"
          type="datetime-local"
          hint="Leave empty for now."
          value={from}
          error={errorOf('feesFrom')}
          onChange={(event) => setFrom(event.target.value)}
        />
      </div>
      <Example {...fees} />
      <Scheduled settings={settings} />
    </SettingsSection>
  )
}

type Percents = Omit<ScheduledFees, 'feesFrom'>

/** Shown only for fees that can be saved. */
function Example(fees: Percents) {
  const currency = useCurrency()
  if (!SettingsChange.safeParse(fees).success) return null
  const { platformFeePercent, processingFeePercent, processingFeeCents } = fees
  const { platformCents, processingCents, payoutCents } = calculateFees(EXAMPLE_CENTS, {
    platformFeeBasisPoints: Math.round(platformFeePercent * 100),
    processingFeeBasisPoints: Math.round(processingFeePercent * 100),
    processingFeeCents,
  })
  const format = (cents: number) => formatCents(cents, currency)
  return (
    <p className="rounded-card bg-sunken p-4 tabular-nums">
      Of a sale at {format(EXAMPLE_CENTS)}, the platform keeps {format(platformCents)}, card processing takes{' '}
      {format(processingCents)}, and the seller receives {format(payoutCents)}.
    </p>
  )
}

/** Cancelling a change schedules the previous fees for the same time. */
function Scheduled({ settings }: SectionProps) {
  const currency = useCurrency()
  const { save, isSaving } = useSaveSettings()
  const all: Percents[] = [settings, ...settings.scheduledFees]
  if (settings.scheduledFees.length === 0) return null
  return (
    <ul aria-label="Scheduled fees" className="grid gap-3">
      {settings.scheduledFees.map((fees, index) => {
        const { platformFeePercent, processingFeePercent, processingFeeCents } = all[index] ?? settings
        return (
          <li key={fees.feesFrom} className="flex flex-wrap items-center justify-between gap-3">
            <span>
              From {formatDateTime(fees.feesFrom)}: {fees.platformFeePercent}% platform fee,{' '}
              {fees.processingFeePercent}% + {formatCents(fees.processingFeeCents, currency)} card fee
            </span>
            <Button
              size="sm"
              variant="secondary"
              busy={isSaving}
              onClick={() =>
                void save({
                  body: {
                    platformFeePercent,
                    processingFeePercent,
                    processingFeeCents,
                    feesFrom: fees.feesFrom,
                  },
                })
              }
            >
              Cancel Change
            </Button>
          </li>
        )
      })}
    </ul>
  )
}
