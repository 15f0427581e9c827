import { changeSettings, type ScheduledFees, SettingsChange } from '@sought/contract/market-settings'
import { calculateFees } from '@sought/escrow/fees'
import { useAction } from '../../../data/use-action.ts'
import { formatCentsForInput, parseCents } from '../../../format/amount.ts'
import { formatDateTime } from '../../../format/dates.ts'
import { formatCents } from '../../../format/money.ts'
import { useCurrency } from '../../../shared/market/currency.ts'
import { Button } from '../../../ui/forms/button.tsx'
import { TextField } from '../../../ui/forms/text-field.tsx'
import { parseNumber, settingsOutcome, useSettingsForm } from './settings-form.ts'
import { type SectionProps, SettingsSection } from './settings-section.tsx'

const EXAMPLE_CENTS = 120_00

export function FeesSection({ settings }: SectionProps) {
  const form = useSettingsForm(
    {
      platformFeePercent: String(settings.platformFeePercent),
      processingFeePercent: String(settings.processingFeePercent),
      processingFeeCents: formatCentsForInput(settings.processingFeeCents),
      feesFrom: '',
    },
    ({ feesFrom, ...entered }) => ({
      ...parseFees(entered),
      ...(feesFrom !== '' && { feesFrom: new Date(feesFrom).toISOString() }),
    }),
  )
  return (
    <SettingsSection
      title="Fees"
      lead="Fees are deducted from the price, so sellers pay them. Changed fees apply to offers that are accepted from the chosen time on. Offers accepted earlier keep the earlier fees, even if they are paid later."
      form={form}
      saveLabel="Save Fees"
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField label="Platform fee in percent" {...form.number('platformFeePercent')} />
        <TextField label="Card fee in percent" {...form.number('processingFeePercent')} />
        <TextField label="Card fee, fixed part" {...form.number('processingFeeCents')} />
        <TextField
          label="In force from"
          type="datetime-local"
          hint="Leave empty for now."
          {...form.field('feesFrom')}
        />
      </div>
      <Example {...parseFees(form.watch())} />
      <Scheduled settings={settings} />
    </SettingsSection>
  )
}

const parseFees = (entered: Record<keyof Percents, string>): Percents => ({
  platformFeePercent: parseNumber(entered.platformFeePercent),
  processingFeePercent: parseNumber(entered.processingFeePercent),
  processingFeeCents: parseCents(entered.processingFeeCents) ?? -1,
})

type Percents = Omit<ScheduledFees, 'feesFrom'>

/** An example sale with the entered fees. Hidden while the fees are invalid. */
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
  const { run, isPending } = useAction(changeSettings, settingsOutcome)
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
              busy={isPending}
              onClick={() =>
                void run({
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
