import type { Currency } from '@sought/contract/currencies'
import { rulesOf } from '@sought/contract/currencies'
import { highestLimits } from '@sought/contract/currency-defaults'
import { createGoodwill, GOODWILL_REASON_MAX_LENGTH, NewGoodwill } from '@sought/contract/goodwill'
import { type ReactElement, useRef } from 'react'
import * as z from 'zod/mini'
import { explainFailure } from '../../../data/use-action.ts'
import { isInRange, readAmount } from '../../../format/amount.ts'
import { formatMoney, getCurrencySymbol } from '../../../format/money.ts'
import { amountEntry } from '../../../shared/forms/amount-entry.ts'
import { useContractForm } from '../../../shared/forms/contract-form.ts'
import { ConfirmForm } from '../../../shared/forms/form-dialog.tsx'
import { Select } from '../../../ui/forms/select.tsx'
import { TextArea } from '../../../ui/forms/text-area.tsx'
import { TextField } from '../../../ui/forms/text-field.tsx'

interface GoodwillDialogProps {
  deal: { id: number; currency: Currency; buyer: { name: string }; seller: { name: string } }
  trigger: ReactElement
}

/** An admin gives a goodwill payment to a party of a deal. */
export function GoodwillDialog({ deal, trigger }: GoodwillDialogProps) {
  const { currency, buyer, seller } = deal
  const range = { min: rulesOf(currency).step, max: highestLimits(currency).goodwill }
  const clientIdOf = useClientId()
  const form = useContractForm(createGoodwill, {
    schema: z.extend(z.pick(NewGoodwill, { to: true, reason: true }), {
      amount: amountEntry(range, currency, `Enter an amount of at most ${formatMoney(range.max, currency)}`),
    }),
    values: { to: 'buyer', amount: '', reason: '' },
    input: (body) => ({ body: { paymentId: deal.id, ...body, clientId: clientIdOf(body) } }),
    success: ({ status }, { to }) => ({
      title: status === 'done' ? 'Goodwill Payment Granted' : 'Goodwill Payment Requested',
      description:
        status === 'done'
          ? `We notify the ${to}. Another admin pays it on the goodwill page.`
          : 'It is above the limit, so another admin must approve it.',
    }),
    failure: explainFailure('Goodwill Payment Failed'),
    onDone() {
      clientIdOf(null)
      form.reset()
    },
  })
  const cents = readAmount(form.watch('amount'), currency)
  return (
    <ConfirmForm
      form={form}
      title="Goodwill payment"
      description="From the platform’s own money. Above the limit within 30 days, a second admin must approve it. Another admin pays it."
      confirmLabel={isInRange(range, cents) ? `Give ${formatMoney(cents, currency)}` : 'Give Goodwill'}
      trigger={trigger}
    >
      <Select
        label="Recipient"
        options={[
          { value: 'buyer', label: `${buyer.name}, buyer` },
          { value: 'seller', label: `${seller.name}, seller` },
        ]}
        {...form.field('to')}
      />
      <TextField
        label="Amount"
        type="number"
        inputMode="decimal"
        min={0.01}
        step={0.01}
        before={getCurrencySymbol(currency)}
        {...form.field('amount')}
      />
      <TextArea
        label="Reason"
        hint="For the team. The recipient does not see it."
        rows={3}
        maxLength={GOODWILL_REASON_MAX_LENGTH}
        {...form.field('reason')}
      />
    </ConfirmForm>
  )
}

/** A retry of the same entries has the same id, so that it grants once. Null begins anew. */
function useClientId() {
  const last = useRef({ entries: '', id: '' })
  return (entered: object | null) => {
    const entries = JSON.stringify(entered)
    if (entries !== last.current.entries) last.current = { entries, id: crypto.randomUUID() }
    return last.current.id
  }
}
