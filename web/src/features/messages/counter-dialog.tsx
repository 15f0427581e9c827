import { counterOffer, type Offer } from '@sought/contract/offers'
import { type FormEvent, useId, useState } from 'react'
import { formatCentsForInput, isInRange, parseCents } from '../../lib/amount.ts'
import { AmountFields } from '../../lib/amount-fields.tsx'
import { useCurrency } from '../../lib/currency.ts'
import { formatCents } from '../../lib/money.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogClose } from '../../ui/dialog.tsx'
import { TextArea } from '../../ui/text-area.tsx'
import { rangeOf } from './amount.ts'
import type { Parties } from './parties.ts'
import { useOfferStep } from './use-offer-step.ts'

interface Props {
  offer: Offer
  parties: Parties
}

/** The buyer names another amount. The offer stands meanwhile. */
export function CounterButton({ offer, parties }: Props) {
  const [open, setOpen] = useState(false)
  const formId = useId()
  const amount = formatCents(offer.amount, useCurrency())
  const { take, busy } = useOfferStep(counterOffer, {
    done: { title: 'Counter-Offer Sent!' },
    failed: 'Failed to send offer. Please try again.',
  })
  return (
    <Dialog
      open={open}
      onOpenChange={setOpen}
      width="slip"
      title="Name another amount"
      description={`${parties.other.name} offers ${amount}. That offer stands while yours is considered.`}
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
          <Button type="submit" form={formId} busy={busy}>
            Send Counter-Offer
          </Button>
        </>
      }
    >
      <CounterForm
        id={formId}
        offer={offer}
        parties={parties}
        onSubmit={(body) =>
          take({ input: { params: { id: String(offer.id) }, body }, onDone: () => setOpen(false) })
        }
      />
    </Dialog>
  )
}

interface FormProps extends Props {
  id: string
  onSubmit: (body: { amount: number; message: string }) => void
}

function CounterForm({ id, offer, parties, onSubmit }: FormProps) {
  const range = rangeOf(parties.item.maxBudget)
  const [text, setText] = useState(formatCentsForInput(offer.amount))
  const [message, setMessage] = useState('')
  const amount = parseCents(text)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isInRange(range, amount)) onSubmit({ amount, message })
  }
  return (
    <form id={id} noValidate onSubmit={submit} className="grid gap-4">
      <AmountFields label="Your amount" range={range} text={text} onText={setText} />
      <TextArea
        label="Message"
        optional
        rows={2}
        maxLength={1000}
        value={message}
        onChange={(event) => setMessage(event.target.value)}
      />
    </form>
  )
}
