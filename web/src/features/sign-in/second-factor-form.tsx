import type { PendingSignIn } from '@sought/contract/accounts'
import type { ReplyOf } from '@sought/contract/call'
import {
  type confirmIdentity,
  type getPasskeyChallenge,
  type giveSecondFactor,
  TotpCode,
} from '@sought/contract/second-factors'
import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import type * as z from 'zod/mini'
import type { CallError } from '../../data/client.ts'
import { useAction } from '../../data/use-action.ts'
import { useContractForm } from '../../shared/forms/contract-form.ts'
import { Form } from '../../shared/forms/form.tsx'
import { askForPasskey, explainPasskeyFailure } from '../../shared/sign-in/passkeys.ts'
import { Notice } from '../../ui/feedback/notice.tsx'
import { Button } from '../../ui/forms/button.tsx'
import { TextField } from '../../ui/forms/text-field.tsx'

type FactorCall = typeof giveSecondFactor | typeof confirmIdentity

interface SecondFactorFormProps {
  call: FactorCall
  factors: PendingSignIn['secondFactors']
  purpose: z.output<typeof getPasskeyChallenge.body>['purpose']
  submitLabel: string
  onDone: (reply: ReplyOf<FactorCall>) => void
  /** Returns whether it handled the failure. */
  onFailure?: (error: CallError) => boolean
}

/** Asks for a passkey, a code of the authenticator app or a recovery code. */
export function SecondFactorForm({
  call,
  factors,
  purpose,
  submitLabel,
  onDone,
  onFailure,
}: SecondFactorFormProps) {
  const [passkeyProblem, setPasskeyProblem] = useState<string | null>(null)
  const hasTotp = factors.includes('totp')
  const hasPasskey = factors.includes('passkey')
  const form = useContractForm(call, {
    schema: TotpCode,
    values: { code: '' },
    failure: (error) => {
      if (!onFailure?.(error)) form.setError('code', { message: error.userMessage ?? 'Please try again.' })
      return null
    },
    onDone,
  })
  const { run, isPending } = useAction(call, {
    failure: (error) => {
      if (!onFailure?.(error)) setPasskeyProblem(explainPasskeyFailure(error))
      return null
    },
    onDone,
  })
  const givePasskey = async () => {
    setPasskeyProblem(null)
    try {
      await run({ body: { passkey: await askForPasskey(purpose) } })
    } catch (error) {
      setPasskeyProblem(explainPasskeyFailure(error))
    }
  }
  return (
    <div className="grid gap-6">
      {hasPasskey && (
        <div className="grid gap-3">
          <Button wide disabled={isPending || form.isBusy} onClick={() => void givePasskey()}>
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
      <Form
        form={form}
        name="Second factor"
        submitLabel={submitLabel}
        variant={hasPasskey ? 'secondary' : 'primary'}
        wide
      >
        <TextField
          label={hasTotp ? 'Code' : 'Recovery code'}
          hint={hasTotp ? 'From your authenticator app, or a recovery code' : 'If you have no passkey here'}
          autoComplete="one-time-code"
          autoCapitalize="none"
          spellCheck={false}
          {...form.field('code')}
        />
      </Form>
    </div>
  )
}
