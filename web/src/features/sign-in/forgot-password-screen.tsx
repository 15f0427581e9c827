import { paths } from '@sought/contract/paths'
import { ForgottenPassword, forgotPassword } from '@sought/contract/security'
import { useState } from 'react'
import { Link } from 'wouter'
import { explainFailure } from '../../data/use-action.ts'
import { useContractForm } from '../../shared/forms/contract-form.ts'
import { Form } from '../../shared/forms/form.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { Button } from '../../ui/forms/button.tsx'
import { TextField } from '../../ui/forms/text-field.tsx'
import { BackLink } from '../../ui/layout/back-link.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { Page } from '../../ui/layout/page.tsx'

/** The reply is the same whether or not the account exists, so that nobody can find out who has one. */
export function ForgotPasswordScreen() {
  const [sentTo, setSentTo] = useState<string | null>(null)
  const form = useContractForm(forgotPassword, {
    schema: ForgottenPassword,
    values: { email: '' },
    input: (body) => ({ body }),
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
      back={<SignInLink />}
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
    <Page title="Check your inbox" heading={null} back={<SignInLink />}>
      <div role="status">
        <EmptyState
          drawing="letters"
          title="Check your inbox"
          headingLevel="h1"
          action={
            <Button variant="secondary" onClick={onRetry}>
              Try Another Address
            </Button>
          }
        >
          If there is an account for <b className="[overflow-wrap:anywhere]">{email}</b>, a link to set a new
          password is on its way. It works once, for one hour.
        </EmptyState>
      </div>
    </Page>
  )
}

function SignInLink() {
  return (
    <BackLink asChild>
      <Link href={paths.auth()}>Sign in</Link>
    </BackLink>
  )
}
