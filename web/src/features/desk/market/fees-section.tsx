import { type Currency, rulesOf } from '@sought/contract/currencies'
import { examplePrice } from '@sought/contract/currency-defaults'
import { changeSettings, type ScheduledFees, SettingsChange } from '@sought/contract/market-settings'
import { formatForInput } from '@sought/contract/money'
import { calculateFees, type MarketFees } from '@sought/escrow/fees'
import { useAction } from '../../../data/use-action.ts'
import { readAmount } from '../../../format/amount.ts'
import { formatDateTime } from '../../../format/dates.ts'
import { describePlatformFee, describeProcessingFee } from '../../../format/fee-texts.ts'
import { formatMoney } from '../../../format/money.ts'
import { Button } from '../../../ui/forms/button.tsx'
import { TextField } from '../../../ui/forms/text-field.tsx'
import { DealEarnings } from './deal-earnings.tsx'
import { type EnteredTier, FeeTiersField } from './fee-tiers-field.tsx'
import { parseNumber, settingsOutcome, useSettingsForm } from './settings-form.ts'
import { inCurrency, type SectionProps, SettingsSection } from './settings-section.tsx'

interface EnteredFees extends Record<Exclude<keyof Fees, 'feeTiers'>, string> {
  feeTiers: EnteredTier[]
}

export function FeesSection(props: SectionProps) {
  const { settings, currency } = props
  const form = useSettingsForm(
    {
      platformFeePercent: String(settings.platformFeePercent),
      processingFeePercent: String(settings.processingFeePercent),
      processingFeeCents: formatForInput(settings.processingFeeCents, currency),
      minimumFee: formatForInput(settings.minimumFee, currency),
      feeTiers: settings.feeTiers.map(
        ({ from, percent }, key): EnteredTier => ({
          key,
          from: formatForInput(from, currency),
          percent: String(percent),
        }),
      ),
      feesFrom: '',
    },
    ({ feesFrom, ...entered }) => ({
      ...parseFees(entered, currency),
      ...inCurrency(props),
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
      <Examples {...parseFees(form.watch(), currency)} currency={currency} />
      <Scheduled {...props} />
    </SettingsSection>
  )
}

const parseFees = (entered: EnteredFees, currency: Currency): Fees => ({
  platformFeePercent: parseNumber(entered.platformFeePercent),
  processingFeePercent: parseNumber(entered.processingFeePercent),
  processingFeeCents: readAmount(entered.processingFeeCents, currency) ?? -1,
  minimumFee: readAmount(entered.minimumFee, currency) ?? -1,
  feeTiers: entered.feeTiers.map(({ from, percent }) => ({
    from: readAmount(from, currency) ?? -1,
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
function Examples({ currency, ...entered }: Fees & { currency: Currency }) {
  if (!SettingsChange.safeParse(entered).success) return null
  const fees = asMarketFees(entered)
  const price = examplePrice(currency)
  const { platformFee, processingFee, payout } = calculateFees(price, fees, rulesOf(currency))
  const format = (amount: number) => formatMoney(amount, currency)
  return (
    <div className="grid gap-4 rounded-card bg-sunken p-4 tabular-nums">
      <p>
        Of a sale at {format(price)}, the platform keeps {format(platformFee)}, card processing takes{' '}
        {format(processingFee)}, and the seller receives {format(payout)}.
      </p>
      <DealEarnings fees={fees} currency={currency} />
    </div>
  )
}

/** Cancelling a change schedules the previous fees for the same time. */
function Scheduled(props: SectionProps) {
  const { settings, currency } = props
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
                    ...inCurrency(props),
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
