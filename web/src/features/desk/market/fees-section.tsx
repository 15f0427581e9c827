import { rulesOf } from '@sought/contract/currencies'
import { changeSettings, type ScheduledFees, SettingsChange } from '@sought/contract/market-settings'
import { calculateFees, type MarketFees } from '@sought/escrow/fees'
import { useAction } from '../../../data/use-action.ts'
import { formatAmountForInput, parseCents } from '../../../format/amount.ts'
import { formatDateTime } from '../../../format/dates.ts'
import { describePlatformFee, describeProcessingFee } from '../../../format/fee-texts.ts'
import { formatMoney } from '../../../format/money.ts'
import { useCurrency } from '../../../shared/market/currency.ts'
import { Button } from '../../../ui/forms/button.tsx'
import { TextField } from '../../../ui/forms/text-field.tsx'
import { DealEarnings } from './deal-earnings.tsx'
import { type EnteredTier, FeeTiersField } from './fee-tiers-field.tsx'
import { parseNumber, settingsOutcome, useSettingsForm } from './settings-form.ts'
import { type SectionProps, SettingsSection } from './settings-section.tsx'

const EXAMPLE_CENTS = 120_00

interface EnteredFees extends Record<Exclude<keyof Fees, 'feeTiers'>, string> {
  feeTiers: EnteredTier[]
}

export function FeesSection({ settings }: SectionProps) {
  const form = useSettingsForm(
    {
      platformFeePercent: String(settings.platformFeePercent),
      processingFeePercent: String(settings.processingFeePercent),
      processingFeeCents: formatAmountForInput(settings.processingFeeCents),
      minimumFee: formatAmountForInput(settings.minimumFee),
      feeTiers: settings.feeTiers.map(
        ({ from, percent }, key): EnteredTier => ({
          key,
          from: formatAmountForInput(from),
          percent: String(percent),
        }),
      ),
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
        <TextField label="Lowest platform fee of a deal" {...form.number('minimumFee')} />
        <TextField label="Card fee in percent" {...form.number('processingFeePercent')} />
        <TextField label="Card fee, fixed part" {...form.number('processingFeeCents')} />
      </div>
      <FeeTiersField
        {...form.control('feeTiers')}
        errorOf={(index, part) => form.control(`feeTiers.${index}.${part}`).error}
      />
      <TextField
        label="In force from"
        type="datetime-local"
        hint="Leave empty for now."
        {...form.field('feesFrom')}
      />
      <Examples {...parseFees(form.watch())} />
      <Scheduled settings={settings} />
    </SettingsSection>
  )
}

const parseFees = (entered: EnteredFees): Fees => ({
  platformFeePercent: parseNumber(entered.platformFeePercent),
  processingFeePercent: parseNumber(entered.processingFeePercent),
  processingFeeCents: parseCents(entered.processingFeeCents) ?? -1,
  minimumFee: parseCents(entered.minimumFee) ?? -1,
  feeTiers: entered.feeTiers.map(({ from, percent }) => ({
    from: parseCents(from) ?? -1,
    percent: parseNumber(percent),
  })),
})

type Fees = Omit<ScheduledFees, 'feesFrom'>

const asMarketFees = (fees: Fees): MarketFees => ({
  platformFeeBasisPoints: Math.round(fees.platformFeePercent * 100),
  processingFeeBasisPoints: Math.round(fees.processingFeePercent * 100),
  processingFeeCents: fees.processingFeeCents,
  minimumFeeCents: fees.minimumFee,
  feeTiers: fees.feeTiers,
})

/** Example sales with the entered fees. Hidden while the fees are invalid. */
function Examples(entered: Fees) {
  const currency = useCurrency()
  if (!SettingsChange.safeParse(entered).success) return null
  const fees = asMarketFees(entered)
  const {
    platformFee: platformCents,
    processingFee: processingCents,
    payout: payoutCents,
  } = calculateFees(EXAMPLE_CENTS, fees, rulesOf(currency))
  const format = (cents: number) => formatMoney(cents, currency)
  return (
    <div className="grid gap-4 rounded-card bg-sunken p-4 tabular-nums">
      <p>
        Of a sale at {format(EXAMPLE_CENTS)}, the platform keeps {format(platformCents)}, card processing
        takes {format(processingCents)}, and the seller receives {format(payoutCents)}.
      </p>
      <DealEarnings fees={fees} currency={currency} />
    </div>
  )
}

/** Cancelling a change schedules the previous fees for the same time. */
function Scheduled({ settings }: SectionProps) {
  const currency = useCurrency()
  const { run, isPending } = useAction(changeSettings, settingsOutcome)
  const all: Fees[] = [settings, ...settings.scheduledFees]
  if (settings.scheduledFees.length === 0) return null
  return (
    <ul aria-label="Scheduled fees" className="grid gap-3">
      {settings.scheduledFees.map((scheduled, index) => {
        const fees = asMarketFees(scheduled)
        const { platformFeePercent, processingFeePercent, processingFeeCents, minimumFee, feeTiers } =
          all[index] ?? settings
        return (
          <li key={scheduled.feesFrom} className="flex flex-wrap items-center justify-between gap-3">
            <span>
              From {formatDateTime(scheduled.feesFrom)}: {describePlatformFee(fees, currency)} platform fee,{' '}
              {describeProcessingFee(fees, currency)} card fee
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
                    minimumFee,
                    feeTiers,
                    feesFrom: scheduled.feesFrom,
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
