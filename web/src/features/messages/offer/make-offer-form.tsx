import { type Currency, rulesOf } from '@sought/contract/currencies'
import { smallestOffer } from '@sought/contract/currency-defaults'
import { formatForInput, minorOf } from '@sought/contract/money'
import { makeOffer, NewOffer } from '@sought/contract/offers'
import type { WantedItem } from '@sought/contract/requests'
import { calculateFees } from '@sought/escrow/fees'
import * as z from 'zod/mini'
import { isInRange, readAmount } from '../../../format/amount.ts'
import { formatMoney } from '../../../format/money.ts'
import { amountEntry } from '../../../shared/forms/amount-entry.ts'
import { AmountFields } from '../../../shared/forms/amount-fields.tsx'
import { useContractForm } from '../../../shared/forms/contract-form.ts'
import { Form } from '../../../shared/forms/form.tsx'
import { useFees, useLimits } from '../../../shared/market/market.ts'
import { withPushOffer } from '../../../shared/notifications/push-offer.ts'
import { explainOfferFailure } from '../../../shared/offers/offer-feedback.ts'
import { getOfferRange } from '../../../shared/offers/offer-range.ts'
import { usePayoutTiming } from '../../../shared/payouts/use-payout-timing.ts'
import { PhotoField } from '../../../shared/photos/photo-field.tsx'
import { usePhotos } from '../../../shared/photos/use-photos.ts'
import { DefinitionList } from '../../../ui/display/definition-list.tsx'
import { TextArea } from '../../../ui/forms/text-area.tsx'
import { DeliveryChoice } from './delivery-choice.tsx'

const MESSAGE_MAX_LENGTH = 1000

export default function MakeOfferForm({ item, onSent }: { item: WantedItem; onSent: () => void }) {
  const { currency } = item
  const range = getOfferRange(item.maxBudget, useLimits(currency).maxOfferCents, currency)
  const timing = usePayoutTiming('seller')
  const photos = usePhotos()
  const { message, delivery, shipWithinDays } = NewOffer.shape
  const form = useContractForm(makeOffer, {
    schema: z.object({
      amount: amountEntry(range, currency),
      message,
      delivery,
      shipWithinDays,
    }),
    values: {
      amount: formatForInput(
        range.max ?? Math.max(smallestOffer(currency), minorOf(item.minBudget, currency)),
        currency,
      ),
      message: '',
      delivery: 'arranged',
    },
    input: (terms) => ({
      body: {
        ...terms,
        wantedItemId: item.id,
        receiverId: item.userId,
        requestVersion: item.version,
        photoIds: photos.stored.map(({ id }) => id),
      },
    }),
    success: () => withPushOffer({ title: 'Offer Sent!' }),
    failure: explainOfferFailure('Failed to send offer. Please try again.'),
    onDone: () => {
      form.setValue('message', '')
      photos.clear()
      onSent()
    },
  })
  const amount = form.control('amount')
  const chosen = readAmount(amount.value, currency)
  const isValid = isInRange(range, chosen)
  return (
    <Form
      form={form}
      name="Make an offer"
      className="gap-4"
      submitLabel={isValid ? `Offer ${formatMoney(chosen, currency)}` : 'Send Offer'}
      disabled={!isValid || !photos.isReady}
      wide
    >
      <h3 className="font-display font-strong text-lead">Make an offer</h3>
      <AmountFields label="Your offer" currency={currency} range={range} {...amount} />
      {isValid && <PayoutEstimate amount={chosen} currency={currency} />}
      {timing && <p className="text-fine text-ink-soft">{timing}</p>}
      <DeliveryChoice method={form.control('delivery')} days={form.control('shipWithinDays')} />
      <TextArea label="Message" optional rows={2} maxLength={MESSAGE_MAX_LENGTH} {...form.field('message')} />
      <PhotoField photos={photos} />
    </Form>
  )
}

function PayoutEstimate({ amount, currency }: { amount: number; currency: Currency }) {
  const fees = useFees(currency)
  if (!fees) return null
  const { platformFee, processingFee, payout } = calculateFees(amount, fees, rulesOf(currency))
  return (
    <DefinitionList
      figures
      className="text-fine"
      rows={[
        { label: 'Platform fee', value: formatMoney(-platformFee, currency) },
        { label: 'Card fee', value: formatMoney(-processingFee, currency) },
        { label: 'You receive', value: formatMoney(payout, currency), total: true },
      ]}
    />
  )
}
