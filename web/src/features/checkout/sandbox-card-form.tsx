import * as z from 'zod/mini'
import { countryOptions } from '../../shared/addresses/countries.ts'
import { type EntryForm, useEntryForm } from '../../shared/forms/entry-form.ts'
import { FormFields } from '../../shared/forms/form.tsx'
import { GroupedField } from '../../ui/forms/grouped-field.tsx'
import { removeSeparators } from '../../ui/forms/grouped-text.ts'
import { Select } from '../../ui/forms/select.tsx'
import { TextField } from '../../ui/forms/text-field.tsx'
import { type CardFields, groupCardNumber, groupExpiry, parseExpiry, validateCard } from './card.ts'
import { confirmInSandbox, type SandboxAccess } from './confirm-in-sandbox.ts'
import { PayButton } from './pay-button.tsx'
import { PaymentFailure } from './payment-failure.tsx'
import type { PaymentFormProps } from './payment-form.ts'
import { usePay } from './use-pay.ts'

/** Prefilled test billing details. */
const testBilling: CardFields = {
  number: '',
  expiry: '',
  cvc: '',
  name: 'Test Buyer',
  email: 'test@example.com',
  postalCode: '12345',
  country: 'US',
}

const CardEntry = z.custom<CardFields>().check(
  z.superRefine((card, context) => {
    for (const [field, message] of Object.entries(validateCard(card, new Date()))) {
      context.addIssue({ code: 'custom', path: [field], message, input: card })
    }
  }),
)

const TEST_EXPIRY = '12 / 34'
const TEST_CVC = '123'
const CARD_ADVICE = 'Check the details or use another card. The CVC has to be entered again.'

interface SandboxCardFormProps extends Omit<PaymentFormProps, 'methods'> {
  access: SandboxAccess
}

/** The card form of the sandbox, which accepts test cards only. */
export function SandboxCardForm({
  access,
  clientSecret,
  amountCents,
  currency,
  escrow,
}: SandboxCardFormProps) {
  const { pay, busy, failure } = usePay({ escrow })
  const form = useEntryForm({
    schema: CardEntry,
    values: testBilling,
    onSubmit: async (card) => {
      const outcome = await pay(() => confirmInSandbox(access, clientSecret, cardParams(card), { escrow }))
      if (outcome?.state !== 'refused' && outcome?.state !== 'unexpected') return
      // The security code has to be entered again for each attempt.
      form.setValue('cvc', '')
      if (outcome.state === 'refused' && outcome.field)
        form.setError(outcome.field, { message: outcome.message ?? '' })
      else form.setFocus('cvc')
    },
  })
  const chooseTestCard = (number: string) => {
    const { expiry, cvc } = form.getValues()
    form.control('number').onValueChange(groupCardNumber(number))
    form.control('expiry').onValueChange(expiry || TEST_EXPIRY)
    form.setValue('cvc', cvc || TEST_CVC)
  }
  return (
    <FormFields
      form={form}
      name="Card payment"
      className="gap-6"
      buttons={
        <>
          <PaymentFailure failure={failure} advice={CARD_ADVICE} />
          <PayButton amountCents={amountCents} currency={currency} busy={busy} />
        </>
      }
    >
      <TestCards onChoose={chooseTestCard} />
      <CardNumberFields form={form} />
      <BillingFields form={form} />
    </FormFields>
  )
}

interface FieldsProps {
  form: EntryForm<CardFields>
}

/** Autocomplete is off, so that no browser fills in or saves a real card in test mode. */
function CardNumberFields({ form }: FieldsProps) {
  const digits = { inputMode: 'numeric', autoComplete: 'off', className: 'tabular-nums' } as const
  return (
    <div className="grid grid-cols-2 gap-x-4 gap-y-5">
      <GroupedField
        {...digits}
        label="Card number"
        name="number"
        className="col-span-2 tabular-nums"
        placeholder="1234 1234 1234 1234"
        group={groupCardNumber}
        {...form.control('number')}
      />
      <GroupedField
        {...digits}
        label="Expiry"
        name="expiry"
        placeholder="MM / YY"
        group={groupExpiry}
        {...form.control('expiry')}
      />
      <TextField
        {...digits}
        label="CVC"
        placeholder="123"
        maxLength={4}
        {...form.field('cvc', {
          onChange: ({ target }) => form.setValue('cvc', target.value.replace(/\D/g, '')),
        })}
      />
    </div>
  )
}

function BillingFields({ form }: FieldsProps) {
  return (
    <div className="grid gap-x-4 gap-y-5 sm:grid-cols-2">
      <TextField label="Name on card" autoComplete="off" {...form.field('name')} />
      <TextField label="Email" type="email" autoComplete="off" {...form.field('email')} />
      <TextField label="Postal code" autoComplete="off" {...form.field('postalCode')} />
      <Select label="Country" options={countryOptions} {...form.field('country')} />
    </div>
  )
}

function cardParams(card: CardFields): Record<string, string> {
  const expiry = parseExpiry(card.expiry)
  return {
    'payment_method_data[type]': 'card',
    'payment_method_data[card][number]': removeSeparators(card.number),
    'payment_method_data[card][exp_month]': String(expiry?.month ?? ''),
    'payment_method_data[card][exp_year]': String(expiry?.year ?? ''),
    'payment_method_data[card][cvc]': card.cvc,
    'payment_method_data[billing_details][name]': card.name.trim(),
    'payment_method_data[billing_details][email]': card.email.trim(),
    'payment_method_data[billing_details][address][postal_code]': card.postalCode.trim(),
    'payment_method_data[billing_details][address][country]': card.country,
  }
}

/** Test card numbers published by Stripe. The sandbox treats them like Stripe does. */
const testCards = [
  { number: '4242424242424242', result: 'Succeeds' },
  { number: '4000000000000002', result: 'Declined' },
  { number: '4000002500003155', result: 'Requires authentication' },
  { number: '4000000000009995', result: 'Insufficient funds' },
] as const

function TestCards({ onChoose }: { onChoose: (number: string) => void }) {
  return (
    <div className="grid gap-2">
      <p className="text-fine text-ink-soft">
        No real card is charged. Choose a test card, or enter one with any future date and any CVC.
      </p>
      <ul aria-label="Test cards" className="grid gap-x-3 gap-y-1.5 sm:grid-cols-2">
        {testCards.map(({ number, result }) => (
          <li key={number}>
            <button
              type="button"
              onClick={() => onChoose(number)}
              className="grid w-full rounded-control border border-line-strong border-dashed px-3 py-1.5 text-left hover:border-ink hover:border-solid hover:bg-sunken"
            >
              <span className="tabular-nums">{groupCardNumber(number)}</span>
              <span className="text-fine text-ink-soft">{result}</span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}
