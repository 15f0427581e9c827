import type { CurrentUser, PendingSignIn } from '@sought/contract/accounts'
import { giveSecondFactor } from '@sought/contract/second-factors'
import { toastFailure } from '../../data/toasts.ts'
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
  return (
    <Page
      title="Sign In"
      heading="One more step"
      lead="Your account has a second factor. Please use it to sign in."
      width="slip"
    >
      <Card padding="lg" className="grid gap-6">
        <SecondFactorForm
          call={giveSecondFactor}
          factors={factors}
          purpose="second_factor"
          submitLabel="Sign In"
          onDone={(reply) => 'id' in reply && onDone(reply)}
          onFailure={(error) => {
            if (error.code !== 'sign_in_expired') return false
            toastFailure('Sign in failed', error.userMessage ?? 'Please try again.')
            onRestart()
            return true
          }}
        />
        <Button variant="quiet" size="sm" className="justify-self-center" onClick={onRestart}>
          Start again
        </Button>
      </Card>
    </Page>
  )
}
