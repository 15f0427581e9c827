import { METHOD_RULES, type PaymentMethod } from '@sought/escrow/payment-methods'
import * as z from 'zod/mini'
import { formatMoney } from '../../format/money.ts'
import { useEntryForm } from '../../shared/forms/entry-form.ts'
import { FormFields } from '../../shared/forms/form.tsx'
import { RadioGroup } from '../../ui/forms/radio-group.tsx'
import { confirmInSandbox, type SandboxAccess } from './confirm-in-sandbox.ts'
import { PayButton } from './pay-button.tsx'
import { PaymentFailure } from './payment-failure.tsx'
import type { PaymentFormProps } from './payment-form.ts'
import { usePay } from './use-pay.ts'

type OtherMethod = Exclude<PaymentMethod, 'card'>

interface Props extends PaymentFormProps {
  access: SandboxAccess
  method: OtherMethod
}

/** Pays with a method other than a card. Bank accounts are Stripe's published test accounts. */
export function SandboxMethodForm({ access, method, clientSecret, amountCents, currency, escrow }: Props) {
  const { pay, busy, failure } = usePay({ escrow })
  const accounts = testAccounts[method]
  const form = useEntryForm({
    schema: z.object({ account: z.string() }),
    values: { account: accounts?.[0]?.value ?? '' },
    onSubmit: async ({ account }) => {
      await pay(() => confirmInSandbox(access, clientSecret, paramsOf(method, account), { escrow }))
    },
  })
  return (
    <FormFields
      form={form}
      name={`Payment with ${METHOD_RULES[method].name}`}
      className="gap-6"
      buttons={
        <>
          <PaymentFailure failure={failure} advice="Try again, or pay with something else." />
          <PayButton amountCents={amountCents} currency={currency} busy={busy} />
        </>
      }
    >
      {accounts ? (
        <RadioGroup
          label="Test account"
          hint={`You allow us to collect ${formatMoney(amountCents, currency)} from this account.`}
          options={accounts.map(({ value, number, result }) => ({ value, label: number, hint: result }))}
          {...form.field('account')}
        />
      ) : (
        <p className="text-ink-soft">No real money moves. The next page lets you agree or refuse.</p>
      )}
    </FormFields>
  )
}

interface TestAccount {
  /** The provider's token of an account that is verified. */
  value: string
  number: string
  result: string
}

/** What the buyer types of an account that is not verified yet. */
const UNVERIFIED = 'unverified'

const testAccounts: Partial<Record<OtherMethod, TestAccount[]>> = {
  sepa_debit: [
    { value: 'pm_success_de', number: 'DE89 3704 0044 0532 0130 00', result: 'Succeeds' },
    { value: 'pm_successDelayed_de', number: 'DE08 3704 0044 0532 0130 03', result: 'Takes three minutes' },
    { value: 'pm_failed_de', number: 'DE62 3704 0044 0532 0130 01', result: 'Fails' },
    { value: 'pm_disputed_de', number: 'DE35 3704 0044 0532 0130 02', result: 'Succeeds, then reclaimed' },
  ],
  us_bank_account: [
    { value: 'pm_usBankAccount_success', number: '000123456789', result: 'Succeeds' },
    { value: 'pm_usBankAccount_processing', number: '000000000009', result: 'Never arrives' },
    { value: 'pm_usBankAccount_insufficientFunds', number: '000222222227', result: 'Insufficient funds' },
    { value: 'pm_usBankAccount_dispute', number: '000555555559', result: 'Succeeds, then reclaimed' },
    { value: UNVERIFIED, number: 'Another account', result: 'Has to be verified first' },
  ],
}

const billing = {
  'payment_method_data[billing_details][name]': 'Test Buyer',
  'payment_method_data[billing_details][email]': 'test@example.com',
}

function paramsOf(method: OtherMethod, account: string): Record<string, string> {
  if (account && account !== UNVERIFIED) return { payment_method: account }
  const data = { 'payment_method_data[type]': method, ...billing }
  switch (method) {
    case 'us_bank_account':
      return {
        ...data,
        'payment_method_data[us_bank_account][account_number]': '000123456789',
        'payment_method_data[us_bank_account][routing_number]': '110000000',
        'payment_method_data[us_bank_account][account_holder_type]': 'individual',
      }
    case 'fpx':
      return { ...data, 'payment_method_data[fpx][bank]': 'maybank2u' }
    default:
      return data
  }
}
