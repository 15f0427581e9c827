import { counterOffer, NewOffer, type Offer } from '@sought/contract/offers'
import * as z from 'zod/mini'
import { formatAmountForInput, parseCents } from '../../format/amount.ts'
import { formatMoney } from '../../format/money.ts'
import { TextArea } from '../../ui/forms/text-area.tsx'
import { describeDelivery } from '../deals/delivery-terms.ts'
import { amountEntry, describeRange } from '../forms/amount-entry.ts'
import { AmountFields } from '../forms/amount-fields.tsx'
import { useContractForm } from '../forms/contract-form.ts'
import { FormDialog } from '../forms/form-dialog.tsx'
import { useCurrency } from '../market/currency.ts'
import { useMarket } from '../market/market.ts'
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
  const currency = useCurrency()
  const range = getOfferRange(parties.item.maxBudget, useMarket().maxOfferCents)
  const photos = usePhotos()
  const form = useContractForm(counterOffer, {
    schema: z.object({
      amount: amountEntry(range, describeRange(range, currency)).check(
        z.refine((cents) => cents !== offer.amount, ANOTHER_AMOUNT),
      ),
      message: NewOffer.shape.message,
    }),
    values: { amount: formatAmountForInput(offer.amount), message: '' },
    input: (body) => ({
      params: { id: String(offer.id) },
      body: { ...body, photoIds: photos.stored.map(({ id }) => id) },
    }),
    success: { title: 'Counter-Offer Sent!' },
    failure: explainOfferFailure('Failed to send offer. Please try again.'),
    onDone: onClose,
  })
  const amount = form.control('amount')
  const isSame = parseCents(amount.value) === offer.amount
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
      <AmountFields label="Your amount" range={range} {...amount} />
      {isSame && !amount.error && <p className="text-fine text-ink-soft">{ANOTHER_AMOUNT}</p>}
      <p className="text-fine text-ink-soft">{describeDelivery(offer)}, as in the offer.</p>
      <TextArea label="Message" optional rows={2} maxLength={1000} {...form.field('message')} />
      <PhotoField photos={photos} />
    </FormDialog>
  )
}
