import { CANCEL_REASON_MAX_LENGTH, Cancellation, cancelPayment } from '@sought/contract/deliveries'
import type { PaymentDetails } from '@sought/contract/payments'
import { decideCancellation } from '@sought/escrow/delivery'
import { explainFailure } from '../../data/use-action.ts'
import { formatMoney } from '../../format/money.ts'
import { parseDelivery } from '../../shared/deals/deal-step.ts'
import type { DealProps } from '../../shared/deals/own-deal.tsx'
import { useContractForm } from '../../shared/forms/contract-form.ts'
import { ConfirmForm } from '../../shared/forms/form-dialog.tsx'
import { Button } from '../../ui/forms/button.tsx'
import { TextArea } from '../../ui/forms/text-area.tsx'

/** The effect of the party's cancellation at this time. */
export function getCancellation({ deal, party }: DealProps, now: Date) {
  return decideCancellation({ ...parseDelivery(deal), status: deal.status }, party, now)
}

interface Props extends DealProps {
  variant: 'primary' | 'secondary' | 'quiet'
}

/** Cancels the deal. If the seller is still in time, the buyer can only ask the seller to cancel. */
export function CancelButton({ deal, party, variant }: Props) {
  const decision = getCancellation({ deal, party }, new Date())
  const isRequest = decision === 'ask_seller'
  const form = useContractForm(cancelPayment, {
    schema: Cancellation,
    values: { reason: '' },
    input: (body) => ({ params: { id: String(deal.id) }, body }),
    success: isRequest
      ? { title: 'Cancellation requested', description: `${deal.seller.name} can accept it.` }
      : { title: 'Deal cancelled', description: `${formatAmount(deal)} goes back to the buyer.` },
    failure: explainFailure('The deal was not cancelled'),
  })
  if (decision === 'refuse' || (isRequest && deal.cancelRequestedAt !== null)) return null
  const { trigger, title, description, confirm } = getTexts(deal, party, isRequest)
  return (
    <ConfirmForm
      form={form}
      tone={isRequest ? 'plain' : 'danger'}
      title={title}
      description={description}
      confirmLabel={confirm}
      cancelLabel="Keep the Deal"
      trigger={<Button variant={variant}>{trigger}</Button>}
    >
      <TextArea
        label="Reason"
        rows={2}
        maxLength={CANCEL_REASON_MAX_LENGTH}
        hint={`${party === 'buyer' ? deal.seller.name : deal.buyer.name} sees it.`}
        {...form.field('reason')}
      />
    </ConfirmForm>
  )
}

const formatAmount = ({ amount, currency }: PaymentDetails) => formatMoney(amount, currency)

const LIMITED = 'After several cancelled deals, you can make no new offers for a while.'

/** What the seller will owe. Empty if the market bears the card fee. */
function describeFee({ cancellationFee, currency }: PaymentDetails): string {
  if (!cancellationFee) return ''
  const { amount } = cancellationFee
  const fee = amount === null ? 'the card fee' : `the card fee of ${formatMoney(amount, currency)}`
  return `You then owe ${fee}, which we take from your next payouts.`
}

function getTexts(deal: PaymentDetails, party: DealProps['party'], isRequest: boolean) {
  const amount = formatAmount(deal)
  const { name: buyer } = deal.buyer
  const { name: seller } = deal.seller
  if (party === 'seller') {
    const isAsked = deal.cancelRequestedAt !== null
    const refund = `${buyer} gets ${amount} back, and you receive nothing.`
    const record = isAsked
      ? 'It does not count as a cancellation by you on your public profile.'
      : 'Your public profile counts the deal as cancelled.'
    return {
      trigger: isAsked ? 'Accept Cancellation' : 'Cancel Deal',
      title: isAsked ? 'Accept the cancellation?' : 'Cancel this deal?',
      description: [refund, describeFee(deal), record, LIMITED, 'This cannot be undone.']
        .filter(Boolean)
        .join(' '),
      confirm: `Refund ${amount}`,
    }
  }
  if (isRequest) {
    return {
      trigger: 'Ask to Cancel',
      title: `Ask ${seller} to cancel?`,
      description: `If ${seller} accepts, you get ${amount} back. Your request ends if the item is shipped first.`,
      confirm: 'Send Request',
    }
  }
  return {
    trigger: 'Cancel Deal',
    title: 'Cancel this deal?',
    description: `${seller} did not ship in time, so you get ${amount} back. Your request opens again for other offers. This cannot be undone.`,
    confirm: `Cancel and Refund ${amount}`,
  }
}
