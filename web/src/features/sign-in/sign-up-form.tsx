import { type CurrentUser, SignUp, signUp } from '@sought/contract/accounts'
import { paths } from '@sought/contract/paths'
import { Link } from 'wouter'
import { useAction } from '../../data/use-action.ts'
import { useContractForm } from '../../shared/forms/form.ts'
import { Button } from '../../ui/forms/button.tsx'
import { PasswordField } from '../../ui/forms/password-field.tsx'
import { TextField } from '../../ui/forms/text-field.tsx'

export function SignUpForm({ onDone }: { onDone: (user: CurrentUser) => void }) {
  const form = useContractForm(SignUp, { firstName: '', lastName: '', email: '', password: '' })
  const { run, isPending } = useAction(signUp, {
    failure: ({ userMessage }) => ({
      title: 'Sign up failed',
      description: userMessage ?? 'Please try again',
    }),
    onDone,
  })
  const { errors } = form.formState
  const submit = form.handleSubmit((body) => void run({ body }))

  return (
    <form onSubmit={submit} noValidate aria-label="Sign up" className="grid gap-5">
      <div className="grid gap-5 sm:grid-cols-2">
        <TextField
          label="First name"
          autoComplete="given-name"
          error={errors.firstName?.message}
          {...form.register('firstName')}
        />
        <TextField
          label="Last name"
          autoComplete="family-name"
          error={errors.lastName?.message}
          {...form.register('lastName')}
        />
      </div>
      <TextField
        label="Email"
        type="email"
        autoComplete="username"
        error={errors.email?.message}
        {...form.register('email')}
      />
      <PasswordField
        label="Password"
        autoComplete="new-password"
        hint="At least 6 characters"
        measured={form.watch('password')}
        error={errors.password?.message}
        {...form.register('password')}
      />
      <p className="text-fine text-ink-soft">
        By creating an account you agree to our{' '}
        <Link href={paths.termsOfService()} className="link">
          Terms of Service
        </Link>{' '}
        and{' '}
        <Link href={paths.privacyPolicy()} className="link">
          Privacy Policy
        </Link>
        .
      </p>
      <Button type="submit" wide busy={isPending}>
        Create Account
      </Button>
    </form>
  )
}
