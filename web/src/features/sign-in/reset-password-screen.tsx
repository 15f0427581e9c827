import { NewPassword } from '@sought/contract/fields'
import { paths } from '@sought/contract/paths'
import { resetPassword } from '@sought/contract/security'
import { useSearchParams } from 'wouter'
import * as z from 'zod/mini'
import { useContractForm } from '../../shared/forms/contract-form.ts'
import { Form } from '../../shared/forms/form.tsx'
import { LinkButton } from '../../shared/navigation/links.tsx'
import { PasswordField } from '../../ui/forms/password-field.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { ExpiredLink } from './expired-link.tsx'
import { OutcomePage } from './outcome-page.tsx'

const NewPasswordEntry = z.object({ newPassword: NewPassword })

/** The page of the emailed password link. */
export function ResetPasswordScreen() {
  const [query] = useSearchParams()
  const token = query.get('token')
  const form = useContractForm(resetPassword, {
    schema: NewPasswordEntry,
    values: { newPassword: '' },
    input: ({ newPassword }) => ({ body: { token: token ?? '', newPassword } }),
    failure: ({ code, userMessage }) =>
      code === 'link_expired'
        ? null
        : {
            title: 'Error',
            description:
              (code === 'too_many' && userMessage) || 'Failed to change password. Please try again.',
          },
  })
  if (form.isSuccess) return <PasswordChanged />
  if (!token || form.error?.code === 'link_expired') return <ExpiredPasswordLink />
  return (
    <Page
      title="Set a new password"
      lead="You will be signed out on all devices and can then sign in with the new password."
      width="slip"
    >
      <Card padding="lg">
        <Form form={form} name="Set a new password" submitLabel="Set Password" wide>
          <PasswordField
            label="New password"
            autoComplete="new-password"
            hint="At least 6 characters"
            measured={form.watch('newPassword')}
            {...form.field('newPassword')}
          />
        </Form>
      </Card>
    </Page>
  )
}

function PasswordChanged() {
  return (
    <OutcomePage title="Password changed" action={<LinkButton to={paths.auth()}>Sign In</LinkButton>}>
      Sign in with your new password. Every device was signed out.
    </OutcomePage>
  )
}

function ExpiredPasswordLink() {
  return (
    <ExpiredLink action={<LinkButton to={paths.forgotPassword()}>Request a New Link</LinkButton>}>
      A password link works once, within one hour.
    </ExpiredLink>
  )
}
