import { type CurrentUser, SignUp, signUp } from '@sought/contract/accounts'
import { paths } from '@sought/contract/paths'
import { explainFailure } from '../../data/use-action.ts'
import { useContractForm } from '../../shared/forms/contract-form.ts'
import { Form } from '../../shared/forms/form.tsx'
import { TextLink } from '../../shared/navigation/links.tsx'
import { PasswordField } from '../../ui/forms/password-field.tsx'
import { TextField } from '../../ui/forms/text-field.tsx'

export function SignUpForm({ onDone }: { onDone: (user: CurrentUser) => void }) {
  const form = useContractForm(signUp, {
    schema: SignUp,
    values: { firstName: '', lastName: '', email: '', password: '' },
    failure: explainFailure('Sign up failed', 'Please try again'),
    onDone,
  })
  return (
    <Form form={form} name="Sign up" submitLabel="Create Account" wide>
      <div className="grid gap-5 sm:grid-cols-2">
        <TextField label="First name" autoComplete="given-name" {...form.field('firstName')} />
        <TextField label="Last name" autoComplete="family-name" {...form.field('lastName')} />
      </div>
      <TextField label="Email" type="email" autoComplete="username" {...form.field('email')} />
      <PasswordField
        label="Password"
        autoComplete="new-password"
        hint="At least 6 characters"
        measured={form.watch('password')}
        {...form.field('password')}
      />
      <p className="text-fine text-ink-soft">
        By creating an account you agree to our{' '}
        <TextLink to={paths.termsOfService()}>Terms of Service</TextLink> and{' '}
        <TextLink to={paths.privacyPolicy()}>Privacy Policy</TextLink>.
      </p>
    </Form>
  )
}
