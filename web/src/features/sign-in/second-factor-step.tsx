import type { CurrentUser, PendingSignIn } from '@sought/contract/accounts'
import { giveSecondFactor } from '@sought/contract/second-factors'
import { useState } from 'react'
import { CallError, send } from '../../data/client.ts'
import { toast } from '../../data/toasts.ts'
import { Button } from '../../ui/forms/button.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { SecondFactorForm } from './second-factor-form.tsx'

interface SecondFactorStepProps {
  factors: PendingSignIn['secondFactors']
  onDone: (user: CurrentUser) => void
  onRestart: () => void
}

/** The second step of a sign-in, after the password or Google. */
export function SecondFactorStep({ factors, onDone, onRestart }: SecondFactorStepProps) {
  const [isPending, setIsPending] = useState(false)
  const give = async (body: Parameters<typeof send<typeof giveSecondFactor>>[1]['body']) => {
    setIsPending(true)
    try {
      onDone(await send(giveSecondFactor, { body }))
      return null
    } catch (error) {
      const message = (error instanceof CallError && error.userMessage) || 'Please try again.'
      if (!(error instanceof CallError && error.code === 'sign_in_expired')) return message
      toast({ title: 'Sign in failed', description: message, variant: 'destructive' })
      onRestart()
      return null
    } finally {
      setIsPending(false)
    }
  }
  return (
    <Page
      title="Sign In"
      heading="One more step"
      lead="Your account has a second factor. Please use it to sign in."
      width="slip"
    >
      <Card padding="lg" className="grid gap-6">
        <SecondFactorForm
          factors={factors}
          purpose="second_factor"
          submitLabel="Sign In"
          isPending={isPending}
          onGive={give}
        />
        <Button variant="quiet" size="sm" className="justify-self-center" onClick={onRestart}>
          Start again
        </Button>
      </Card>
    </Page>
  )
}
