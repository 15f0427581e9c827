import { changePassword, PasswordChange } from '@sought/contract/accounts'
import { paths } from '@sought/contract/paths'
import { Link } from 'wouter'
import { useContractForm } from '../../../shared/forms/contract-form.ts'
import { Form } from '../../../shared/forms/form.tsx'
import { PasswordField } from '../../../ui/forms/password-field.tsx'

const blank = { currentPassword: '', newPassword: '', confirmPassword: '' }

export function PasswordForm({ email }: { email: string }) {
  const form = useContractForm(changePassword, {
    schema: PasswordChange,
    values: blank,
    success: { title: 'Password changed', description: 'All your other devices have been signed out.' },
    failure: ({ code, userMessage }) => ({
      title: 'Error',
      description: (code === 'too_many' && userMessage) || 'Failed to change password. Please try again.',
    }),
    refusals: { wrong_password: 'currentPassword' },
    // A password change also cancels an email change that is not confirmed yet.
    onDone: () => form.reset(blank),
  })
  return (
    <Form
      form={form}
      name="Change password"
      className="max-w-slip gap-5"
      submitLabel="Change Password"
      aside={
        <Link href={paths.forgotPassword()} className="link ml-2 text-fine">
          Forgot your password?
        </Link>
      }
    >
      {/* Tells password managers which account this password belongs to. */}
      <input type="text" autoComplete="username" value={email} readOnly hidden />
      <PasswordField
        label="Current password"
        autoComplete="current-password"
        {...form.field('currentPassword')}
      />
      <PasswordField
        label="New password"
        autoComplete="new-password"
        hint="At least 6 characters"
        measured={form.watch('newPassword')}
        {...form.field('newPassword')}
      />
      <PasswordField
        label="Confirm new password"
        autoComplete="new-password"
        {...form.field('confirmPassword')}
      />
    </Form>
  )
}
