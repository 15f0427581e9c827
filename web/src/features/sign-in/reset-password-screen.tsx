import { NewPassword } from '@sought/contract/fields'
import { paths } from '@sought/contract/paths'
import { resetPassword } from '@sought/contract/security'
import { Link, useSearchParams } from 'wouter'
import * as z from 'zod/mini'
import { useAction } from '../../data/use-action.ts'
import { useContractForm } from '../../shared/forms/form.ts'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { Button } from '../../ui/forms/button.tsx'
import { PasswordField } from '../../ui/forms/password-field.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { ExpiredLink } from './expired-link.tsx'

const Form = z.object({ newPassword: NewPassword })

/** The page of the emailed password link. */
export function ResetPasswordScreen() {
  const [query] = useSearchParams()
  const token = query.get('token')
  const form = useContractForm(Form, { newPassword: '' })
  const { run, isPending, isSuccess, error } = useAction(resetPassword, {
    failure: ({ code, userMessage }) =>
      code === 'link_expired'
        ? null
        : {
            title: 'Error',
            description:
              (code === 'too_many' && userMessage) || 'Failed to change password. Please try again.',
          },
  })
  const submit = form.handleSubmit(
    ({ newPassword }) => void run({ body: { token: token ?? '', newPassword } }),
  )
  if (isSuccess) return <PasswordChanged />
  if (!token || error?.code === 'link_expired') return <ExpiredPasswordLink />
  return (
    <Page
      title="Set a new password"
      lead="You will be signed out on all devices and can then sign in with the new password."
      width="slip"
    >
      <Card padding="lg">
        <form noValidate aria-label="Set a new password" onSubmit={submit} className="grid gap-5">
          <PasswordField
            label="New password"
            autoComplete="new-password"
            hint="At least 6 characters"
            measured={form.watch('newPassword')}
            error={form.formState.errors.newPassword?.message}
            {...form.register('newPassword')}
          />
          <Button type="submit" wide busy={isPending}>
            Set Password
          </Button>
        </form>
      </Card>
    </Page>
  )
}

function PasswordChanged() {
  return (
    <Page title="Password changed" heading={null}>
      <div role="status">
        <EmptyState
          drawing="letters"
          title="Password changed"
          headingLevel="h1"
          action={
            <Button asChild>
              <Link href={paths.auth()}>Sign In</Link>
            </Button>
          }
        >
          Sign in with your new password. Every device was signed out.
        </EmptyState>
      </div>
    </Page>
  )
}

function ExpiredPasswordLink() {
  return (
    <ExpiredLink
      action={
        <Button asChild>
          <Link href={paths.forgotPassword()}>Request a New Link</Link>
        </Button>
      }
    >
      A password link works once, within one hour.
    </ExpiredLink>
  )
}
