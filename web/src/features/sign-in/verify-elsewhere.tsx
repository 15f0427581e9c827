import { PasswordEntry } from '@sought/contract/accounts'
import { paths } from '@sought/contract/paths'
import { verifyEmail } from '@sought/contract/security'
import type { CallError } from '../../data/client.ts'
import { explainFailure, useAction } from '../../data/use-action.ts'
import { useContractForm } from '../../shared/forms/contract-form.ts'
import { Form } from '../../shared/forms/form.tsx'
import { LinkButton } from '../../shared/navigation/links.tsx'
import { Button } from '../../ui/forms/button.tsx'
import { PasswordField } from '../../ui/forms/password-field.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { ConfirmDialog } from '../../ui/overlays/confirm-dialog.tsx'
import { ExpiredLink } from './expired-link.tsx'
import { OutcomePage } from './outcome-page.tsx'
import { Verified } from './verified.tsx'

interface VerifyElsewhereProps {
  token: string
  email: string
  isChange: boolean
}

/** Verifies an address in a browser where the user has not signed in. */
export function VerifyElsewhere({ token, email, isChange }: VerifyElsewhereProps) {
  const form = useContractForm(verifyEmail, {
    schema: PasswordEntry,
    values: { password: '' },
    input: ({ password }) => ({ body: { token, password } }),
    failure: (error) => {
      if (error.code !== 'wrong_password') return explainRefusal(error)
      form.setError('password', { message: 'The password is incorrect' })
      return null
    },
  })
  const withoutPassword = useAction(verifyEmail, { failure: explainRefusal })
  if (withoutPassword.isSuccess && !isChange) return <PasswordRemoved />
  if (withoutPassword.isSuccess || form.isSuccess) return <Verified title="Your email is verified" />
  if ([form, withoutPassword].some(({ error }) => error?.code === 'link_expired')) {
    return (
      <ExpiredLink action={<LinkButton to={paths.auth()}>Sign In</LinkButton>}>
        A verification link works once, within 24 hours.
      </ExpiredLink>
    )
  }
  return (
    <Page
      title="Confirm your email"
      lead={
        <>
          Enter the password of your account to confirm{' '}
          <b className="text-ink [overflow-wrap:anywhere]">{email}</b>. We ask because you have not signed in
          with this browser before.
        </>
      }
      width="slip"
    >
      <Card padding="lg" className="grid gap-5">
        <Form form={form} name="Confirm your email" submitLabel="Confirm Email" wide>
          <PasswordField label="Password" autoComplete="current-password" {...form.field('password')} />
        </Form>
        <WithoutPassword
          isChange={isChange}
          busy={withoutPassword.isPending}
          onConfirm={() => void withoutPassword.run({ body: { token } })}
        />
      </Card>
    </Page>
  )
}

const explainRefusal = (error: CallError) =>
  error.code === 'link_expired' ? null : explainFailure('Email Not Verified')(error)

interface WithoutPasswordProps {
  isChange: boolean
  busy: boolean
  onConfirm: () => void
}

const texts = {
  newAccount: {
    trigger: 'I did not create this account',
    title: 'Remove the password?',
    description:
      'Somebody opened an account with your address. We confirm that the address is yours, remove the password and the payout account, and sign out all devices. Then only you can use the account.',
    confirm: 'Remove Password',
  },
  change: {
    trigger: 'Confirm without the password',
    title: 'Confirm without the password?',
    description:
      'The address is confirmed. If you later sign in with Google or set a new password by email, the payout account is removed and all devices are signed out.',
    confirm: 'Confirm Anyway',
  },
} as const

function WithoutPassword({ isChange, busy, onConfirm }: WithoutPasswordProps) {
  const { trigger, title, description, confirm } = isChange ? texts.change : texts.newAccount
  return (
    <ConfirmDialog
      title={title}
      description={description}
      confirmLabel={confirm}
      cancelLabel="Cancel"
      busy={busy}
      onConfirm={onConfirm}
      trigger={
        <Button variant="quiet" wide>
          {trigger}
        </Button>
      }
    />
  )
}

function PasswordRemoved() {
  return (
    <OutcomePage
      title="Email confirmed"
      heading="The password was removed"
      action={<LinkButton to={paths.forgotPassword()}>Set a New Password</LinkButton>}
    >
      Your address is confirmed and all devices are signed out. To use the account, set a password or sign in
      with Google. You can then delete it in your profile.
    </OutcomePage>
  )
}
