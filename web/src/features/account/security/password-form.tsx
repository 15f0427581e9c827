import { changePassword, PasswordChange } from '@sought/contract/accounts'
import { paths } from '@sought/contract/paths'
import { Link } from 'wouter'
import { useAction } from '../../../data/use-action.ts'
import { useContractForm } from '../../../shared/forms/form.ts'
import { Button } from '../../../ui/forms/button.tsx'
import { PasswordField } from '../../../ui/forms/password-field.tsx'

const blank = { currentPassword: '', newPassword: '', confirmPassword: '' }

type Form = ReturnType<typeof usePasswordForm>

const usePasswordForm = () => useContractForm(PasswordChange, blank)

export function PasswordForm({ email }: { email: string }) {
  const form = usePasswordForm()
  const { save, isPending } = useSave(form)
  const { errors } = form.formState
  return (
    <form noValidate aria-label="Change password" onSubmit={save} className="grid max-w-slip gap-5">
      {/* Tells password managers which account this password belongs to. */}
      <input type="text" autoComplete="username" value={email} readOnly hidden />
      <PasswordField
        label="Current password"
        autoComplete="current-password"
        error={errors.currentPassword?.message}
        {...form.register('currentPassword')}
      />
      <PasswordField
        label="New password"
        autoComplete="new-password"
        hint="At least 6 characters"
        measured={form.watch('newPassword')}
        error={errors.newPassword?.message}
        {...form.register('newPassword')}
      />
      <PasswordField
        label="Confirm new password"
        autoComplete="new-password"
        error={errors.confirmPassword?.message}
        {...form.register('confirmPassword')}
      />
      <div className="flex flex-wrap items-center gap-x-5 gap-y-3">
        <Button type="submit" busy={isPending}>
          Change Password
        </Button>
        <Link href={paths.forgotPassword()} className="link text-fine">
          Forgot your password?
        </Link>
      </div>
    </form>
  )
}

function useSave(form: Form) {
  const { run, isPending } = useAction(changePassword, {
    success: { title: 'Password changed', description: 'All your other devices have been signed out.' },
    failure: ({ code, userMessage }) => {
      if (code === 'wrong_password') {
        form.setError('currentPassword', { message: userMessage ?? '' }, { shouldFocus: true })
        return null
      }
      return {
        title: 'Error',
        description: (code === 'too_many' && userMessage) || 'Failed to change password. Please try again.',
      }
    },
    // A password change also cancels an email change that is not confirmed yet.
    onDone: () => form.reset(blank),
  })
  return { save: form.handleSubmit((body) => void run({ body })), isPending }
}
