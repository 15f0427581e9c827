import { paths } from '@sought/contract/paths'
import { ForgottenPassword, forgotPassword } from '@sought/contract/security'
import { useState } from 'react'
import { explainFailure } from '../../data/use-action.ts'
import { useContractForm } from '../../shared/forms/contract-form.ts'
import { Form } from '../../shared/forms/form.tsx'
import { BackTo } from '../../shared/navigation/back-button.tsx'
import { Button } from '../../ui/forms/button.tsx'
import { TextField } from '../../ui/forms/text-field.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { OutcomePage } from './outcome-page.tsx'

/** The reply is the same whether or not the account exists, so that nobody can find out who has one. */
export function ForgotPasswordScreen() {
  const [sentTo, setSentTo] = useState<string | null>(null)
  const form = useContractForm(forgotPassword, {
    schema: ForgottenPassword,
    values: { email: '' },
    failure: explainFailure('Error', 'The link could not be sent. Please try again.'),
    onDone: (_reply, { email }) => setSentTo(email),
  })
  if (sentTo) return <LinkSent email={sentTo} onRetry={() => setSentTo(null)} />
  return (
    <Page
      title="Forgot password"
      heading="Forgot your password?"
      lead="Enter the email address of your account, and we will email you a link to set a new password."
      width="slip"
      back={<BackTo href={paths.auth()}>Sign in</BackTo>}
    >
      <Card padding="lg">
        <Form form={form} name="Forgot password" submitLabel="Email Me a Link" wide>
          <TextField label="Email" type="email" autoComplete="username" {...form.field('email')} />
        </Form>
      </Card>
    </Page>
  )
}

function LinkSent({ email, onRetry }: { email: string; onRetry: () => void }) {
  return (
    <OutcomePage
      title="Check your inbox"
      back={<BackTo href={paths.auth()}>Sign in</BackTo>}
      action={
        <Button variant="secondary" onClick={onRetry}>
          Try Another Address
        </Button>
      }
    >
      If there is an account for <b className="[overflow-wrap:anywhere]">{email}</b>, a link to set a new
      password is on its way. It works once, for one hour.
    </OutcomePage>
  )
}
