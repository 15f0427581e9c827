import { makeOffer } from '@sought/contract/offers'
import type { WantedItem } from '@sought/contract/requests'
import { calculateFees } from '@sought/escrow/fees'
import { type FormEvent, useId, useState } from 'react'
import { useAction } from '../../../data/use-action.ts'
import { formatCentsForInput, isInRange, parseCents } from '../../../format/amount.ts'
import { formatCents } from '../../../format/money.ts'
import { AmountFields } from '../../../shared/forms/amount-fields.tsx'
import { useCurrency } from '../../../shared/market/currency.ts'
import { useFees, useMarket } from '../../../shared/market/market.ts'
import { withPushOffer } from '../../../shared/notifications/push-offer.ts'
import { explainOfferFailure } from '../../../shared/offers/offer-feedback.ts'
import { getOfferRange } from '../../../shared/offers/offer-range.ts'
import { PhotoField } from '../../../shared/photos/photo-field.tsx'
import { usePhotos } from '../../../shared/photos/use-photos.ts'
import { DefinitionList } from '../../../ui/display/definition-list.tsx'
import { Button } from '../../../ui/forms/button.tsx'
import { TextArea } from '../../../ui/forms/text-area.tsx'
import { DeliveryChoice, initialTerms } from './delivery-choice.tsx'

const MESSAGE_MAX_LENGTH = 1000

/** The make-offer form, behind a button while the seller has an active offer. */
export function MakeOffer({ item, hasActiveOffer }: { item: WantedItem; hasActiveOffer: boolean }) {
  const [isOpen, setIsOpen] = useState(false)
  if (hasActiveOffer && !isOpen) {
    return (
      <Button variant="quiet" size="sm" className="justify-self-start" onClick={() => setIsOpen(true)}>
        Make Another Offer
      </Button>
    )
  }
  return <MakeOfferForm item={item} onSent={() => setIsOpen(false)} />
}

function MakeOfferForm({ item, onSent }: { item: WantedItem; onSent: () => void }) {
  const currency = useCurrency()
  const headingId = useId()
  const range = getOfferRange(item.maxBudget, useMarket().maxOfferCents)
  const [text, setText] = useState(
    formatCentsForInput(range.maxCents ?? Math.max(100, Math.round(item.minBudget * 100))),
  )
  const [message, setMessage] = useState('')
  const [terms, setTerms] = useState(initialTerms)
  const photos = usePhotos()
  const { run, isPending } = useAction(makeOffer, {
    success: () => withPushOffer({ title: 'Offer Sent!' }),
    failure: explainOfferFailure('Failed to send offer. Please try again.'),
    onDone: () => {
      setMessage('')
      photos.clear()
      onSent()
    },
  })
  const cents = parseCents(text)
  const isValid = isInRange(range, cents)

  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isValid || !photos.isReady) return
    const photoIds = photos.stored.map(({ id }) => id)
    const { delivery, shipWithinDays } = terms
    void run({
      body: {
        wantedItemId: item.id,
        receiverId: item.userId,
        amount: cents,
        message,
        photoIds,
        delivery,
        ...(shipWithinDays !== null && { shipWithinDays }),
      },
    })
  }
  return (
    <form noValidate aria-labelledby={headingId} onSubmit={submit} className="grid gap-4">
      <h3 id={headingId} className="font-display font-strong text-lead">
        Make an offer
      </h3>
      <AmountFields label="Your offer" range={range} text={text} onText={setText} />
      {isValid && <PayoutEstimate amountCents={cents} />}
      <DeliveryChoice terms={terms} onTerms={setTerms} />
      <TextArea
        label="Message"
        optional
        rows={2}
        maxLength={MESSAGE_MAX_LENGTH}
        value={message}
        onChange={(event) => setMessage(event.target.value)}
      />
      <PhotoField photos={photos} />
      <Button type="submit" wide busy={isPending} disabled={!isValid || !photos.isReady}>
        {isValid ? `Offer ${formatCents(cents, currency)}` : 'Send Offer'}
      </Button>
    </form>
  )
}

function PayoutEstimate({ amountCents }: { amountCents: number }) {
  const currency = useCurrency()
  const fees = useFees()
  if (!fees) return null
  const { platformCents, processingCents, payoutCents } = calculateFees(amountCents, fees)
  return (
    <DefinitionList
      figures
      className="text-fine"
      rows={[
        { key: 'platform', label: 'Platform fee', value: formatCents(-platformCents, currency) },
        { key: 'card', label: 'Card fee', value: formatCents(-processingCents, currency) },
        { key: 'payout', label: 'You receive', value: formatCents(payoutCents, currency), total: true },
      ]}
    />
  )
}
