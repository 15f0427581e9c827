import { type CurrentUser, type PendingSignIn, SignIn, signIn } from '@sought/contract/accounts'
import { paths } from '@sought/contract/paths'
import { KeyRound } from 'lucide-react'
import { Link } from 'wouter'
import type { CallError } from '../../data/client.ts'
import { useAction } from '../../data/use-action.ts'
import { useContractForm } from '../../shared/forms/form.ts'
import { Notice } from '../../ui/feedback/notice.tsx'
import { Button } from '../../ui/forms/button.tsx'
import { PasswordField } from '../../ui/forms/password-field.tsx'
import { TextField } from '../../ui/forms/text-field.tsx'
import { usePasskeySignIn } from './use-passkey-sign-in.ts'

/** The user, or the second factors that can complete the sign-in. */
export type SignedIn = (result: CurrentUser | PendingSignIn) => void

export function useSignIn(onDone: SignedIn) {
  return useAction(signIn, {
    failure: ({ userMessage }) => ({
      title: 'Sign in failed',
      description: userMessage ?? 'Please check your credentials',
    }),
    onDone,
  })
}

/** Shown until the next attempt, unlike the toast. */
function describeError({ code, userMessage }: CallError): string {
  if (code === 'wrong_credentials')
    return 'This email and password do not belong together. Check both, or set a new password.'
  return userMessage ?? 'We could not reach the server. Check your connection and sign in again.'
}

export function SignInForm({ onDone }: { onDone: SignedIn }) {
  const form = useContractForm(SignIn, { email: '', password: '' })
  const { run, isPending, error } = useSignIn(onDone)
  const { errors } = form.formState
  const submit = form.handleSubmit(async (body) => {
    // Keeps the typed password and selects it, so that the user can correct or replace it.
    if (!(await run({ body }))) form.setFocus('password', { shouldSelect: true })
  })
  const passkey = usePasskeySignIn(onDone)

  return (
    <form onSubmit={submit} noValidate aria-label="Sign in" className="grid gap-5">
      <TextField
        label="Email"
        type="email"
        autoComplete="username webauthn"
        error={errors.email?.message}
        {...form.register('email')}
      />
      <PasswordField
        label="Password"
        autoComplete="current-password"
        error={errors.password?.message}
        {...form.register('password')}
      />
      {error && (
        <Notice tone="danger" live>
          {describeError(error)}
        </Notice>
      )}
      <Button type="submit" wide busy={isPending}>
        Sign In
      </Button>
      {passkey.isSupported && (
        <Button variant="secondary" wide busy={passkey.isPending} onClick={passkey.ask}>
          <KeyRound aria-hidden="true" />
          Use a Passkey
        </Button>
      )}
      <Link href={paths.forgotPassword()} className="link -mt-1 justify-self-center text-fine">
        Forgot password?
      </Link>
    </form>
  )
}
