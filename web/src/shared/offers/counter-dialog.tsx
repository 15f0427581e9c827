import { formatForInput } from '@sought/contract/money'
import { counterOffer, NewOffer, type Offer } from '@sought/contract/offers'
import * as z from 'zod/mini'
import { readAmount } from '../../format/amount.ts'
import { formatMoney } from '../../format/money.ts'
import { TextArea } from '../../ui/forms/text-area.tsx'
import { describeDelivery } from '../deals/delivery-terms.ts'
import { amountEntry } from '../forms/amount-entry.ts'
import { AmountFields } from '../forms/amount-fields.tsx'
import { useContractForm } from '../forms/contract-form.ts'
import { FormDialog } from '../forms/form-dialog.tsx'
import { useLimits } from '../market/market.ts'
import { PhotoField } from '../photos/photo-field.tsx'
import { usePhotos } from '../photos/use-photos.ts'
import { explainOfferFailure } from './offer-feedback.ts'
import { getOfferRange } from './offer-range.ts'
import type { Parties } from './parties.ts'

const ANOTHER_AMOUNT = 'Choose another amount than the one offered.'

export interface CounterProps {
  offer: Offer
  parties: Parties
}

export default function CounterDialog({ offer, parties, onClose }: CounterProps & { onClose: () => void }) {
  const { currency } = offer
  const range = getOfferRange(parties.item.maxBudget, useLimits(currency).maxOfferCents, currency)
  const photos = usePhotos()
  const form = useContractForm(counterOffer, {
    schema: z.object({
      amount: amountEntry(range, currency).check(
        z.refine((amount) => amount !== offer.amount, ANOTHER_AMOUNT),
      ),
      message: NewOffer.shape.message,
    }),
    values: { amount: formatForInput(offer.amount, currency), message: '' },
    input: (body) => ({
      params: { id: String(offer.id) },
      body: { ...body, photoIds: photos.stored.map(({ id }) => id) },
    }),
    success: { title: 'Counter-Offer Sent!' },
    failure: explainOfferFailure('Failed to send offer. Please try again.'),
    onDone: onClose,
  })
  const amount = form.control('amount')
  const isSame = readAmount(amount.value, currency) === offer.amount
  return (
    <FormDialog
      form={form}
      open
      onOpenChange={onClose}
      width="slip"
      title="Make a counter-offer"
      description={`${parties.other.name} offered ${formatMoney(offer.amount, currency)}. You can still accept that offer until they reply.`}
      submitLabel="Send Counter-Offer"
      disabled={!photos.isReady}
    >
      <AmountFields label="Your amount" currency={currency} range={range} {...amount} />
      {isSame && !amount.error && <p className="text-fine text-ink-soft">{ANOTHER_AMOUNT}</p>}
      <p className="text-fine text-ink-soft">{describeDelivery(offer)}, as in the offer.</p>
      <TextArea label="Message" optional rows={2} maxLength={1000} {...form.field('message')} />
      <PhotoField photos={photos} />
    </FormDialog>
  )
}
