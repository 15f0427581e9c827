import { paths, type routes } from '@sought/contract/paths'
import { EMAIL_UNDO_HOURS, getEmailUndo, undoEmailChange } from '@sought/contract/security'
import { useParams } from 'wouter'
import { useRead } from '../../data/calls.ts'
import { explainFailure, useAction } from '../../data/use-action.ts'
import { ErrorPage } from '../../shared/loading/error-page.tsx'
import { LinkButton } from '../../shared/navigation/links.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { FullPageSpinner } from '../../ui/feedback/spinner.tsx'
import { Button } from '../../ui/forms/button.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { OutcomePage } from './outcome-page.tsx'

/** The page of the undo link in emails. It asks for a click, because email programs open links on their own. */
export function UndoEmailScreen() {
  const { token } = useParams<typeof routes.undoEmail>()
  const link = useRead(getEmailUndo, { query: { token } })
  const { run, isPending, isSuccess, error } = useAction(undoEmailChange, {
    failure: (failed) =>
      failed.code === 'link_expired' ? null : explainFailure('Email Not Restored')(failed),
  })
  if (link.isPending) return <FullPageSpinner />
  if (link.isError) {
    if (link.error.code === 'link_expired') return <InvalidLink />
    return (
      <Page title="Undo email change" heading={null}>
        <ErrorState
          reference={link.error?.requestId}
          onRetry={() => void link.refetch()}
          busy={link.isFetching}
        />
      </Page>
    )
  }
  const { email, state } = link.data
  if (isSuccess) return <Restored email={email} />
  if (state === 'used' || error?.code === 'link_expired') return <UsedLink />
  if (state === 'expired') return <ExpiredUndoLink />
  return (
    <Page title="Undo email change" heading={null}>
      <EmptyState
        drawing="letters"
        title="Undo the change of your email?"
        headingLevel="h1"
        action={
          <Button busy={isPending} onClick={() => void run({ body: { token } })}>
            Restore My Email
          </Button>
        }
      >
        Your account gets <b className="[overflow-wrap:anywhere]">{email}</b> back. All devices are signed out
        and the password is removed. We email you a link to set a new one.
      </EmptyState>
    </Page>
  )
}

function Restored({ email }: { email: string }) {
  return (
    <OutcomePage title="Email restored" heading="Your email is restored">
      Every device was signed out. We have sent a link to <b className="[overflow-wrap:anywhere]">{email}</b>:
      use it to set a new password. Then check your payout account.
    </OutcomePage>
  )
}

function UsedLink() {
  return (
    <ErrorPage
      title="This link was already used"
      action={<LinkButton to={paths.forgotPassword()}>Set a New Password</LinkButton>}
    >
      The change of the email address was undone before. If you cannot sign in, set a new password.
    </ErrorPage>
  )
}

function ExpiredUndoLink() {
  return (
    <ErrorPage title="This link has expired" action={<LinkButton to={paths.auth()}>Sign In</LinkButton>}>
      A change of the email address can be undone within {EMAIL_UNDO_HOURS} hours.
    </ErrorPage>
  )
}

function InvalidLink() {
  return (
    <ErrorPage title="This link does not work" action={<LinkButton to={paths.auth()}>Sign In</LinkButton>}>
      Part of it may be missing. Please open the link from the email again.
    </ErrorPage>
  )
}
