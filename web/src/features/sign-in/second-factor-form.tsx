import type { PendingSignIn } from '@sought/contract/accounts'
import { type getPasskeyChallenge, type PasskeyUse, TotpCode } from '@sought/contract/second-factors'
import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import type * as z from 'zod/mini'
import { useContractForm } from '../../shared/forms/form.ts'
import { askForPasskey, explainPasskeyFailure } from '../../shared/sign-in/passkeys.ts'
import { Notice } from '../../ui/feedback/notice.tsx'
import { Button } from '../../ui/forms/button.tsx'
import { TextField } from '../../ui/forms/text-field.tsx'

type Factor = { code: string } | { passkey: z.input<typeof PasskeyUse> }

interface SecondFactorFormProps {
  factors: PendingSignIn['secondFactors']
  purpose: z.output<typeof getPasskeyChallenge.body>['purpose']
  submitLabel: string
  isPending: boolean
  /** Returns an error message, or null after success. */
  onGive: (factor: Factor) => Promise<string | null>
}

/** Asks for a passkey, a code of the authenticator app or a recovery code. */
export function SecondFactorForm({
  factors,
  purpose,
  submitLabel,
  isPending,
  onGive,
}: SecondFactorFormProps) {
  const form = useContractForm(TotpCode, { code: '' })
  const [passkeyProblem, setPasskeyProblem] = useState<string | null>(null)
  const hasTotp = factors.includes('totp')
  const hasPasskey = factors.includes('passkey')

  const submit = form.handleSubmit(async (factor) => {
    const problem = await onGive(factor)
    if (problem) form.setError('code', { message: problem }, { shouldFocus: true })
  })
  const givePasskey = async () => {
    setPasskeyProblem(null)
    try {
      setPasskeyProblem(await onGive({ passkey: await askForPasskey(purpose) }))
    } catch (error) {
      setPasskeyProblem(explainPasskeyFailure(error))
    }
  }
  return (
    <div className="grid gap-6">
      {hasPasskey && (
        <div className="grid gap-3">
          <Button wide disabled={isPending} onClick={() => void givePasskey()}>
            <KeyRound aria-hidden="true" />
            Use a Passkey
          </Button>
          {passkeyProblem && (
            <Notice tone="danger" live>
              {passkeyProblem}
            </Notice>
          )}
        </div>
      )}
      <form noValidate aria-label="Second factor" onSubmit={submit} className="grid gap-5">
        <TextField
          label={hasTotp ? 'Code' : 'Recovery code'}
          hint={hasTotp ? 'From your authenticator app, or a recovery code' : 'If you have no passkey here'}
          autoComplete="one-time-code"
          autoCapitalize="none"
          spellCheck={false}
          error={form.formState.errors.code?.message}
          {...form.register('code')}
        />
        <Button type="submit" wide variant={hasPasskey ? 'secondary' : 'primary'} busy={isPending}>
          {submitLabel}
        </Button>
      </form>
    </div>
  )
}
