import { formatForInput } from '@sought/contract/money'
import { readAmount } from '../../../format/amount.ts'
import { Checkbox } from '../../../ui/forms/checkbox.tsx'
import { TextField } from '../../../ui/forms/text-field.tsx'
import { parseNumber, useSettingsForm } from './settings-form.ts'
import { inCurrency, type SectionProps, SettingsSection } from './settings-section.tsx'

export function ProtectionSection(props: SectionProps) {
  const { settings, currency } = props
  const form = useSettingsForm(
    {
      requireVerifiedEmail: settings.requireVerifiedEmail,
      sellerPaysCancellation: settings.cancellationFeePayer === 'seller',
      cancellationsMax: String(settings.cancellationsMax),
      debtWriteOffDays: String(settings.debtWriteOffDays),
      ratingMinCents: formatForInput(settings.ratingMinCents, currency),
      payoutDelayHours: String(settings.payoutDelayHours),
      newSellerPayoutDelayDays: String(settings.newSellerPayoutDelayDays),
    },
    (entered) => ({
      requireVerifiedEmail: entered.requireVerifiedEmail,
      cancellationFeePayer: entered.sellerPaysCancellation ? 'seller' : 'market',
      cancellationsMax: parseNumber(entered.cancellationsMax),
      debtWriteOffDays: parseNumber(entered.debtWriteOffDays),
      ratingMinCents: readAmount(entered.ratingMinCents, currency) ?? -1,
      payoutDelayHours: parseNumber(entered.payoutDelayHours),
      newSellerPayoutDelayDays: parseNumber(entered.newSellerPayoutDelayDays),
      ...inCurrency(props),
    }),
  )
  return (
    <SettingsSection
      title="Protection"
      lead="Rules that protect users and the market from abuse."
      form={form}
      saveLabel="Save Protection"
    >
      <Checkbox label="Offers and payments need a verified email" {...form.field('requireVerifiedEmail')} />
      <Checkbox
        label="Sellers pay the card fee of deals that they cancel"
        hint="It is taken from their next payouts. Otherwise the market pays it."
        {...form.field('sellerPaysCancellation')}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label="Cancellations within 30 days"
          hint="A seller with more cancellations cannot make new offers for some time."
          {...form.number('cancellationsMax')}
        />
        <TextField label="Lowest amount whose rating counts" {...form.number('ratingMinCents')} />
        <TextField
          label="Days until a debt is given up"
          hint="0 for never."
          {...form.number('debtWriteOffDays')}
        />
        <TextField
          label="Hours between payment and payout"
          hint="If the buyer’s account or card is new."
          {...form.number('payoutDelayHours')}
        />
        <TextField
          label="Days that a new seller’s payouts wait"
          hint="Counted from the seller’s first release."
          {...form.number('newSellerPayoutDelayDays')}
        />
      </div>
    </SettingsSection>
  )
}
