import { type CurrentUser, SignIn, signIn } from '@sought/contract/accounts'
import { paths } from '@sought/contract/paths'
import { Link } from 'wouter'
import { useSend } from '../../lib/calls.ts'
import { useContractForm } from '../../lib/form.ts'
import { Button } from '../../ui/button.tsx'
import { PasswordField } from '../../ui/password-field.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { failed } from './failed.ts'

export function SignInForm({ onDone }: { onDone: (user: CurrentUser) => void }) {
  const form = useContractForm(SignIn, { email: '', password: '' })
  const send = useSend(signIn)
  const { errors } = form.formState

  const submit = form.handleSubmit((body) =>
    send.mutate(
      { body },
      {
        onSuccess: onDone,
        onError: failed('Sign in failed'),
      },
    ),
  )

  return (
    <form onSubmit={submit} noValidate aria-label="Sign in" className="grid gap-5">
      <TextField
        label="Email"
        type="email"
        autoComplete="username"
        error={errors.email?.message}
        {...form.register('email')}
      />
      <PasswordField
        label="Password"
        autoComplete="current-password"
        error={errors.password?.message}
        {...form.register('password')}
      />
      <Button type="submit" wide busy={send.isPending}>
        Sign In
      </Button>
      <Link href={paths.forgotPassword()} className="link -mt-1 justify-self-center text-fine">
        Forgot password?
      </Link>
    </form>
  )
}
