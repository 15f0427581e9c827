import { counterOffer, type Offer } from '@sought/contract/offers'
import { type FormEvent, useId, useState } from 'react'
import { useAction } from '../../data/use-action.ts'
import { formatCentsForInput, isInRange, parseCents } from '../../format/amount.ts'
import { formatCents } from '../../format/money.ts'
import { Button } from '../../ui/forms/button.tsx'
import { TextArea } from '../../ui/forms/text-area.tsx'
import { Dialog, DialogClose } from '../../ui/overlays/dialog.tsx'
import { describeDelivery } from '../deals/delivery-terms.ts'
import { AmountFields } from '../forms/amount-fields.tsx'
import { useCurrency } from '../market/currency.ts'
import { useMarket } from '../market/market.ts'
import { PhotoField } from '../photos/photo-field.tsx'
import { usePhotos } from '../photos/use-photos.ts'
import { explainOfferFailure } from './offer-feedback.ts'
import { getOfferRange } from './offer-range.ts'
import type { Parties } from './parties.ts'

interface Props {
  offer: Offer
  parties: Parties
}

/** The buyer proposes another amount. The original offer stays open. */
export function CounterButton({ offer, parties }: Props) {
  const [isOpen, setIsOpen] = useState(false)
  const formId = useId()
  const amount = formatCents(offer.amount, useCurrency())
  const { run, isPending } = useAction(counterOffer, {
    success: { title: 'Counter-Offer Sent!' },
    failure: explainOfferFailure('Failed to send offer. Please try again.'),
    onDone: () => setIsOpen(false),
  })
  return (
    <Dialog
      open={isOpen}
      onOpenChange={setIsOpen}
      width="slip"
      title="Make a counter-offer"
      description={`${parties.other.name} offered ${amount}. You can still accept that offer until they reply.`}
      trigger={
        <Button size="sm" variant="quiet">
          Counter
        </Button>
      }
      actions={
        <>
          <DialogClose>
            <Button variant="secondary">Cancel</Button>
          </DialogClose>
          <Button type="submit" form={formId} busy={isPending}>
            Send Counter-Offer
          </Button>
        </>
      }
    >
      <CounterForm
        id={formId}
        offer={offer}
        parties={parties}
        onSubmit={(body) => void run({ params: { id: String(offer.id) }, body })}
      />
    </Dialog>
  )
}

interface FormProps extends Props {
  id: string
  onSubmit: (body: { amount: number; message: string; photoIds: number[] }) => void
}

function CounterForm({ id, offer, parties, onSubmit }: FormProps) {
  const range = getOfferRange(parties.item.maxBudget, useMarket().maxOfferCents)
  const [text, setText] = useState(formatCentsForInput(offer.amount))
  const [message, setMessage] = useState('')
  const photos = usePhotos()
  const amount = parseCents(text)
  const isSame = amount === offer.amount
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isInRange(range, amount) || isSame || !photos.isReady) return
    onSubmit({ amount, message, photoIds: photos.stored.map(({ id }) => id) })
  }
  return (
    <form id={id} noValidate onSubmit={submit} className="grid gap-4">
      <AmountFields label="Your amount" range={range} text={text} onText={setText} />
      {isSame && <p className="text-fine text-ink-soft">Choose another amount than the one offered.</p>}
      <p className="text-fine text-ink-soft">{describeDelivery(offer)}, as in the offer.</p>
      <TextArea
        label="Message"
        optional
        rows={2}
        maxLength={1000}
        value={message}
        onChange={(event) => setMessage(event.target.value)}
      />
      <PhotoField photos={photos} />
    </form>
  )
}
