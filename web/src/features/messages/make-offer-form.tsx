import { makeOffer } from '@sought/contract/offers'
import type { WantedItem } from '@sought/contract/requests'
import { calculateFees } from '@sought/escrow/fees'
import { type FormEvent, useId, useState } from 'react'
import { formatCentsForInput, isInRange, parseCents } from '../../lib/amount.ts'
import { AmountFields } from '../../lib/amount-fields.tsx'
import { useCurrency } from '../../lib/currency.ts'
import { formatCents } from '../../lib/money.ts'
import { Button } from '../../ui/button.tsx'
import { DefinitionList } from '../../ui/definition-list.tsx'
import { TextArea } from '../../ui/text-area.tsx'
import { rangeOf } from './amount.ts'
import { useOfferStep } from './use-offer-step.ts'

const MESSAGE_MAX_LENGTH = 1000

export function MakeOfferForm({ item, onSent }: { item: WantedItem; onSent: () => void }) {
  const currency = useCurrency()
  const headingId = useId()
  const range = rangeOf(item.maxBudget)
  const [text, setText] = useState(
    formatCentsForInput(range.maxCents ?? Math.max(100, Math.round(item.minBudget * 100))),
  )
  const [message, setMessage] = useState('')
  const { take, busy } = useOfferStep(makeOffer, {
    done: { title: 'Offer Sent!' },
    failed: 'Failed to send offer. Please try again.',
  })
  const cents = parseCents(text)
  const sendable = isInRange(range, cents)

  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!sendable || busy) return
    const body = { wantedItemId: item.id, receiverId: item.userId, amount: cents, message }
    const onDone = () => {
      setMessage('')
      onSent()
    }
    take({ input: { body }, onDone })
  }
  return (
    <form noValidate aria-labelledby={headingId} onSubmit={submit} className="grid gap-4">
      <h3 id={headingId} className="font-display font-strong text-lead">
        Make an offer
      </h3>
      <AmountFields label="Your offer" range={range} text={text} onText={setText} />
      {sendable && <Payout amountCents={cents} />}
      <TextArea
        label="Message"
        optional
        rows={2}
        maxLength={MESSAGE_MAX_LENGTH}
        value={message}
        onChange={(event) => setMessage(event.target.value)}
      />
      <Button type="submit" wide busy={busy} disabled={!sendable}>
        {sendable ? `Offer ${formatCents(cents, currency)}` : 'Send Offer'}
      </Button>
    </form>
  )
}

/** What would be left for the seller. */
function Payout({ amountCents }: { amountCents: number }) {
  const currency = useCurrency()
  const { platformCents, processingCents, payoutCents } = calculateFees(amountCents)
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
