import { changePassword, getCurrentUser, PasswordChange } from '@sought/contract/accounts'
import { paths } from '@sought/contract/paths'
import { listDevices } from '@sought/contract/security'
import { Link } from 'wouter'
import { useSend } from '../../lib/calls.ts'
import type { CallError } from '../../lib/client.ts'
import { useContractForm } from '../../lib/form.ts'
import { toast } from '../../lib/toasts.ts'
import { useSessionEnded } from '../../lib/use-session-ended.ts'
import { Button } from '../../ui/button.tsx'
import { PasswordField } from '../../ui/password-field.tsx'

const blank = { currentPassword: '', newPassword: '', confirmPassword: '' }

type Form = ReturnType<typeof usePasswordForm>

const usePasswordForm = () => useContractForm(PasswordChange, blank)

export function PasswordForm({ email }: { email: string }) {
  const form = usePasswordForm()
  const { save, busy } = useSave(form)
  const { errors } = form.formState
  return (
    <form noValidate aria-label="Change password" onSubmit={save} className="grid max-w-slip gap-5">
      {/* Tells a password manager whose password this is. */}
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
        <Button type="submit" busy={busy}>
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
  // The server also drops an address that waits to be proved.
  const send = useSend(changePassword, { refreshes: [listDevices, getCurrentUser] })
  const sessionEnded = useSessionEnded()
  const saved = () => {
    form.reset(blank)
    toast({ title: 'Password changed', description: 'Everywhere else you have been signed out.' })
  }
  const failed = (error: CallError) => {
    if (sessionEnded(error)) return
    if (error.code === 'wrong_password') {
      return form.setError('currentPassword', { message: error.userMessage ?? '' }, { shouldFocus: true })
    }
    toast({
      title: 'Error',
      description:
        (error.code === 'too_many' && error.userMessage) || 'Failed to change password. Please try again.',
      variant: 'destructive',
    })
  }
  const save = form.handleSubmit((body) => send.mutate({ body }, { onSuccess: saved, onError: failed }))
  return { save, busy: send.isPending }
}
