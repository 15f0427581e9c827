import type { Currency } from '@sought/contract/platform'
import { type FormEvent, useRef, useState } from 'react'
import { countryOptions } from '../../shared/addresses/countries.ts'
import { Badge } from '../../ui/display/badge.tsx'
import { GroupedField } from '../../ui/forms/grouped-field.tsx'
import { Select } from '../../ui/forms/select.tsx'
import { TextField } from '../../ui/forms/text-field.tsx'
import { type CardErrors, type CardFields, groupCardNumber, groupExpiry, validateCard } from './card.ts'
import { PayButton } from './pay-button.tsx'
import { PaymentFailure } from './payment-failure.tsx'
import { confirmInSandbox, type SandboxAccess } from './sandbox-confirm.ts'
import { TestCards } from './test-cards.tsx'
import { getReturnUrl, type ReturnOptions, usePay } from './use-pay.ts'

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

const TEST_EXPIRY = '12 / 34'
const TEST_CVC = '123'

interface SandboxCardFormProps extends ReturnOptions {
  access: SandboxAccess
  clientSecret: string
  amountCents: number
  currency: Currency
}

/** The card form of the sandbox, which accepts test cards only. */
export function SandboxCardForm({
  access,
  clientSecret,
  amountCents,
  currency,
  escrow,
}: SandboxCardFormProps) {
  const [card, setCard] = useState(testBilling)
  const [errors, setErrors] = useState<CardErrors>({})
  const [isChecked, setIsChecked] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const { pay, busy, failure } = usePay({ escrow })

  const change = (changed: Partial<CardFields>) => {
    const next = { ...card, ...changed }
    setCard(next)
    // After the first submit, errors update while typing, as in all other forms.
    if (isChecked) setErrors(validateCard(next, new Date()))
  }

  const showErrors = (found: CardErrors) => {
    setIsChecked(true)
    setErrors(found)
    const [first] = Object.keys(found)
    if (first) focusField(first)
  }

  const focusField = (name: string) => form.current?.querySelector<HTMLElement>(`[name="${name}"]`)?.focus()

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const found = validateCard(card, new Date())
    showErrors(found)
    if (Object.keys(found).length > 0) return
    const outcome = await pay(() => confirmInSandbox(access, clientSecret, card, getReturnUrl({ escrow })))
    if (outcome?.state !== 'refused' && outcome?.state !== 'unexpected') return
    // The security code has to be entered again for each attempt.
    setCard((it) => ({ ...it, cvc: '' }))
    setIsChecked(false)
    if (outcome.state === 'refused' && outcome.field) showErrors({ [outcome.field]: outcome.message })
    else focusField('cvc')
  }

  return (
    <form ref={form} noValidate aria-label="Card payment" onSubmit={submit} className="grid gap-6">
      <div className="flex items-center justify-between gap-4">
        <h2 className="font-display font-strong text-title">Pay by card</h2>
        <Badge tone="outline">Test mode</Badge>
      </div>
      <TestCards
        onChoose={(number) =>
          change({
            number: groupCardNumber(number),
            expiry: card.expiry || TEST_EXPIRY,
            cvc: card.cvc || TEST_CVC,
          })
        }
      />
      <CardNumberFields card={card} errors={errors} onChange={change} />
      <BillingFields card={card} errors={errors} onChange={change} />
      <PaymentFailure failure={failure} nextStep="The CVC has to be entered again." />
      <PayButton amountCents={amountCents} currency={currency} busy={busy} />
    </form>
  )
}

interface FieldsProps {
  card: CardFields
  errors: CardErrors
  onChange: (changed: Partial<CardFields>) => void
}

/** Autocomplete is off, so that no browser fills in or saves a real card in test mode. */
function CardNumberFields({ card, errors, onChange }: FieldsProps) {
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
        value={card.number}
        onValueChange={(number) => onChange({ number })}
        error={errors.number}
      />
      <GroupedField
        {...digits}
        label="Expiry"
        name="expiry"
        placeholder="MM / YY"
        group={groupExpiry}
        value={card.expiry}
        onValueChange={(expiry) => onChange({ expiry })}
        error={errors.expiry}
      />
      <TextField
        {...digits}
        label="CVC"
        name="cvc"
        placeholder="123"
        maxLength={4}
        value={card.cvc}
        onChange={({ target }) => onChange({ cvc: target.value.replace(/\D/g, '') })}
        error={errors.cvc}
      />
    </div>
  )
}

function BillingFields({ card, errors, onChange }: FieldsProps) {
  return (
    <div className="grid gap-x-4 gap-y-5 sm:grid-cols-2">
      <TextField
        label="Name on card"
        name="name"
        autoComplete="off"
        value={card.name}
        onChange={({ target }) => onChange({ name: target.value })}
        error={errors.name}
      />
      <TextField
        label="Email"
        name="email"
        type="email"
        autoComplete="off"
        value={card.email}
        onChange={({ target }) => onChange({ email: target.value })}
        error={errors.email}
      />
      <TextField
        label="Postal code"
        name="postalCode"
        autoComplete="off"
        value={card.postalCode}
        onChange={({ target }) => onChange({ postalCode: target.value })}
        error={errors.postalCode}
      />
      <Select
        label="Country"
        name="country"
        options={countryOptions}
        value={card.country}
        onChange={({ target }) => onChange({ country: target.value })}
      />
    </div>
  )
}
