import { METHOD_RULES, type MethodRules, PAYMENT_METHODS } from '@sought/escrow/payment-methods'
import { Checkbox } from '../../../ui/forms/checkbox.tsx'
import { useSettingsForm } from './settings-form.ts'
import { type SectionProps, SettingsSection } from './settings-section.tsx'

export function MethodsSection({ settings }: SectionProps) {
  const form = useSettingsForm(
    Object.fromEntries(PAYMENT_METHODS.map((method) => [method, settings.paymentMethods.includes(method)])),
    (entered) => ({
      paymentMethods: PAYMENT_METHODS.filter((method) => method === 'card' || entered[method]),
    }),
  )
  return (
    <SettingsSection
      title="Payment methods"
      lead="What buyers can pay with from now on. Switch each one on in your Stripe account first. Apple Pay and Google Pay come with cards."
      form={form}
      saveLabel="Save Payment Methods"
    >
      {PAYMENT_METHODS.map((method) => (
        <Checkbox
          key={method}
          label={METHOD_RULES[method].name}
          hint={describeMethod(METHOD_RULES[method], settings.currencies)}
          disabled={method === 'card'}
          {...form.field(method)}
        />
      ))}
    </SettingsSection>
  )
}

function describeMethod(
  { currencies, waitDays, minHoldDays, reclaimDays }: MethodRules,
  ofMarket: readonly string[],
) {
  const names = currencies?.map((it) => it.toUpperCase()).join(' or ')
  return [
    names &&
      `Only for payments in ${names}${currencies?.some((it) => ofMarket.includes(it)) ? '' : ', so not in your market'}.`,
    waitDays > 1 && `The money takes up to ${waitDays} days.`,
    minHoldDays > 0 && `Held for at least ${minHoldDays} days.`,
    reclaimDays === null
      ? 'The buyer cannot reclaim the money.'
      : `The buyer can reclaim the money for ${reclaimDays} days.`,
  ]
    .filter(Boolean)
    .join(' ')
}
