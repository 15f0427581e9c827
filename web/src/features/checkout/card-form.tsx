import { type Currency, getConfig } from '@sought/contract/platform'
import { lazy, Suspense } from 'react'
import { useRead } from '../../data/calls.ts'
import { Loaded } from '../../shared/loading/loaded.tsx'
import { CardFormSkeleton } from './card-form-skeleton.tsx'
import type { ReturnOptions } from './use-pay.ts'

const StripeCardForm = lazy(async () => ({
  default: (await import('./stripe-card-form.tsx')).StripeCardForm,
}))
const SandboxCardForm = lazy(async () => ({
  default: (await import('./sandbox-card-form.tsx')).SandboxCardForm,
}))

interface CardFormProps extends ReturnOptions {
  clientSecret: string
  amountCents: number
  currency: Currency
}

/** The card form of the configured provider. */
export function CardForm(props: CardFormProps) {
  const config = useRead(getConfig)
  return (
    <Loaded query={config} loading={<CardFormSkeleton />}>
      {({ provider, publishableKey, sandboxUrl }) => (
        <Suspense fallback={<CardFormSkeleton />}>
          {provider === 'stripe' && publishableKey && (
            <StripeCardForm publishableKey={publishableKey} {...props} />
          )}
          {provider === 'sandbox' && publishableKey && sandboxUrl && (
            <SandboxCardForm access={{ sandboxUrl, publishableKey }} {...props} />
          )}
        </Suspense>
      )}
    </Loaded>
  )
}
