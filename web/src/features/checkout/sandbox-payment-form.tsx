import { isPaymentMethod, METHOD_RULES, type PaymentMethod } from '@sought/escrow/payment-methods'
import { useState } from 'react'
import { Badge } from '../../ui/display/badge.tsx'
import { RadioGroup } from '../../ui/forms/radio-group.tsx'
import type { SandboxAccess } from './confirm-in-sandbox.ts'
import { describeMethod } from './describe-method.ts'
import type { PaymentFormProps } from './payment-form.ts'
import { SandboxCardForm } from './sandbox-card-form.tsx'
import { SandboxMethodForm } from './sandbox-method-form.tsx'

/** The sandbox's form: the choice of the method, and what it needs. */
export function SandboxPaymentForm(props: PaymentFormProps & { access: SandboxAccess }) {
  const methods = props.methods.filter(isPaymentMethod)
  const [chosen, setChosen] = useState<PaymentMethod>('card')
  return (
    <div className="grid gap-6">
      <div className="flex items-center justify-between gap-4">
        <h2 className="font-display font-strong text-title">Payment</h2>
        <Badge tone="outline">Test mode</Badge>
      </div>
      {methods.length > 1 && (
        <RadioGroup
          label="Pay with"
          value={chosen}
          onValueChange={(value) => isPaymentMethod(value) && setChosen(value)}
          options={methods.map((value) => ({
            value,
            label: METHOD_RULES[value].name,
            hint: describeMethod(value),
          }))}
        />
      )}
      {chosen === 'card' ? (
        <SandboxCardForm {...props} />
      ) : (
        <SandboxMethodForm key={chosen} method={chosen} {...props} />
      )}
    </div>
  )
}
