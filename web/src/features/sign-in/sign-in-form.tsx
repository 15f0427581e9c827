import { type CurrentUser, type PendingSignIn, SignIn, signIn } from '@sought/contract/accounts'
import { paths } from '@sought/contract/paths'
import { KeyRound } from 'lucide-react'
import { Link } from 'wouter'
import type { CallError } from '../../data/client.ts'
import { explainFailure } from '../../data/use-action.ts'
import { useContractForm } from '../../shared/forms/contract-form.ts'
import { Form } from '../../shared/forms/form.tsx'
import { Button } from '../../ui/forms/button.tsx'
import { PasswordField } from '../../ui/forms/password-field.tsx'
import { TextField } from '../../ui/forms/text-field.tsx'
import { usePasskeySignIn } from './use-passkey-sign-in.ts'

/** The user, or the second factors that can complete the sign-in. */
export type SignedIn = (result: CurrentUser | PendingSignIn) => void

/** Shown until the next attempt, unlike the toast. */
function describeError({ code, userMessage }: CallError): string {
  if (code === 'wrong_credentials')
    return 'The email or the password is wrong. Check both, or set a new password.'
  return userMessage ?? 'We could not reach the server. Check your connection and sign in again.'
}

export const refusedToast = explainFailure('Sign in failed', 'Please check your credentials')

export function SignInForm({ onDone }: { onDone: SignedIn }) {
  const form = useContractForm(signIn, {
    schema: SignIn,
    values: { email: '', password: '' },
    failure: (error) => {
      // Keeps the typed password and selects it, so that the user can correct or replace it.
      form.setFocus('password', { shouldSelect: true })
      return refusedToast(error)
    },
    explain: describeError,
    onDone,
  })
  const passkey = usePasskeySignIn(onDone)

  return (
    <Form
      form={form}
      name="Sign in"
      submitLabel="Sign In"
      wide
      aside={
        <>
          {passkey.isSupported && (
            <Button variant="secondary" wide busy={passkey.isPending} onClick={passkey.ask}>
              <KeyRound aria-hidden="true" />
              Use a Passkey
            </Button>
          )}
          <Link href={paths.forgotPassword()} className="link -mt-1 justify-self-center text-fine">
            Forgot password?
          </Link>
        </>
      }
    >
      <TextField label="Email" type="email" autoComplete="username webauthn" {...form.field('email')} />
      <PasswordField label="Password" autoComplete="current-password" {...form.field('password')} />
    </Form>
  )
}
