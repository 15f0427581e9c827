import { rulesOf } from '@sought/contract/currencies'
import { HandoverCode as CodeOfBuyer, handOver } from '@sought/contract/deliveries'
import { paths } from '@sought/contract/paths'
import type { PaymentDetails } from '@sought/contract/payments'
import { HANDOVER_CODE_DIGITS, HANDOVER_MAX_ATTEMPTS } from '@sought/escrow/delivery'
import { calculateFees } from '@sought/escrow/fees'
import { renderSVG } from 'uqr'
import * as z from 'zod/mini'
import { explainFailure } from '../../data/use-action.ts'
import { formatMoney } from '../../format/money.ts'
import { useContractForm } from '../../shared/forms/contract-form.ts'
import { Form } from '../../shared/forms/form.tsx'
import { Notice } from '../../ui/feedback/notice.tsx'
import { TextField } from '../../ui/forms/text-field.tsx'

/**
 * The buyer's code. Anyone who has it can release the money. The QR code is a link, so that any phone's camera
 * opens the seller's page with the code filled in. Servers never see the part after the `#`.
 */
export function HandoverCode({ deal, code }: { deal: PaymentDetails; code: string }) {
  const half = HANDOVER_CODE_DIGITS / 2
  const link = `${window.location.origin}${paths.deal(deal.id)}#${code}`
  return (
    <div className="grid justify-items-center gap-4 rounded-card bg-sunken p-5">
      {/* Cameras need dark squares on a light background, even in the dark theme. */}
      <img
        src={`data:image/svg+xml,${encodeURIComponent(renderSVG(link, { border: 2 }))}`}
        alt="QR code of the handover code"
        className="size-44 rounded-card bg-white"
      />
      <p className="grid justify-items-center">
        <span className="text-fine text-ink-soft">Handover code</span>
        <span className="select-all font-display font-strong text-heading tabular-nums">
          {code.slice(0, half)} {code.slice(half)}
        </span>
      </p>
      <p className="max-w-slip text-center text-fine">
        Don’t send it in messages. Anyone who has it can release {formatMoney(deal.amount, deal.currency)} to{' '}
        {deal.seller.name}.
      </p>
    </div>
  )
}

/** The code from the link of a QR code, or '' if the page was opened otherwise. */
const scannedCode = () =>
  new RegExp(`^#(\\d{${HANDOVER_CODE_DIGITS}})$`).exec(window.location.hash)?.[1] ?? ''

/** The code is shown in two halves, so people may type a space between them. */
const TypedCode = z.pipe(
  z.pipe(
    z.object({ code: z.string() }),
    z.transform(({ code }) => ({ code: code.replace(/\D/g, '') })),
  ),
  CodeOfBuyer,
)

/** The seller enters or scans the code that the buyer shows, which releases the money. */
export function HandoverEntry({ deal }: { deal: PaymentDetails }) {
  const payout = formatMoney(calculateFees(deal.amount, deal, rulesOf(deal.currency)).payout, deal.currency)
  const form = useContractForm(handOver, {
    schema: TypedCode,
    values: { code: scannedCode() },
    input: (body) => ({ params: { id: String(deal.id) }, body }),
    success: { title: 'Handover confirmed!', description: `${payout} is released to you.` },
    failure: (error) =>
      error.code === 'handover_locked' ? null : explainFailure('The code was not checked')(error),
    refusals: { handover_code_wrong: 'code' },
  })
  if (form.error?.code === 'handover_locked') {
    return (
      <Notice tone="danger" live title="Too many wrong codes">
        You can enter a code again in one hour. {deal.buyer.name} can also confirm the delivery with their own
        account.
      </Notice>
    )
  }
  return (
    <Form form={form} name="Handover" className="max-w-slip gap-4" submitLabel="Confirm Handover" wide>
      <TextField
        label="Handover code"
        inputMode="numeric"
        autoComplete="off"
        maxLength={HANDOVER_CODE_DIGITS + 1}
        hint={`Scan the QR code on the page of ${deal.buyer.name} with your phone, or enter the code below it. After ${HANDOVER_MAX_ATTEMPTS} wrong codes, you have to wait one hour.`}
        {...form.field('code')}
      />
    </Form>
  )
}
