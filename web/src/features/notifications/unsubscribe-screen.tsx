import { getEmailSettings, getUnsubscribe, unsubscribe } from '@sought/contract/notifications'
import { paths } from '@sought/contract/paths'
import type { ReactNode } from 'react'
import { Link, useSearchParams } from 'wouter'
import { useRead } from '../../lib/calls.ts'
import { emailKindLabels } from '../../lib/email-kinds.ts'
import { useAction } from '../../lib/use-action.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Page } from '../../ui/page.tsx'
import { FullPageSpinner } from '../../ui/spinner.tsx'

/** Where the foot of a mail leads. It asks with one button, since mail programs open links of their own accord. */
export function UnsubscribeScreen() {
  const [query] = useSearchParams()
  const token = query.get('token')
  return (
    <Page title="Unsubscribe" heading={null}>
      {token ? <Asked token={token} /> : <WrongLink />}
    </Page>
  )
}

function Asked({ token }: { token: string }) {
  const input = { query: { token } }
  const about = useRead(getUnsubscribe, input)
  const { run, isPending, isSuccess } = useAction(unsubscribe, {
    failure: ({ userMessage }) => ({
      title: 'Error',
      description: userMessage ?? 'You are still subscribed. Please try again.',
    }),
    refreshes: [getEmailSettings],
  })
  if (about.isPending) return <FullPageSpinner />
  if (about.isError) {
    if (about.error.code === 'link_expired') return <WrongLink />
    return <ErrorState onRetry={() => void about.refetch()} busy={about.isFetching} />
  }
  const kind = emailKindLabels[about.data.kind]
  if (about.data.off || isSuccess) return <Done kind={kind} />
  return (
    <EmptyState
      drawing="letters"
      title="No more of these mails?"
      headingLevel="h1"
      action={
        <Button busy={isPending} onClick={() => void run(input)}>
          Unsubscribe
        </Button>
      }
    >
      <Kind>{kind}</Kind> We would still tell you on the page, under the bell.
    </EmptyState>
  )
}

function Kind({ children }: { children: ReactNode }) {
  return <b className="mb-2 block text-ink">{children}</b>
}

function Done({ kind }: { kind: string }) {
  return (
    <div role="status">
      <EmptyState
        drawing="letters"
        title="You are unsubscribed"
        headingLevel="h1"
        action={<ToSettings>Choose Your Mails</ToSettings>}
      >
        <Kind>{kind}</Kind> We no longer send you these. You can switch them on again in your settings.
      </EmptyState>
    </div>
  )
}

function WrongLink() {
  return (
    <EmptyState
      drawing="torn"
      title="This link does not work"
      headingLevel="h1"
      action={<ToSettings>Choose Your Mails</ToSettings>}
    >
      A part of it may be missing. Your settings have a switch for every kind of mail.
    </EmptyState>
  )
}

function ToSettings({ children }: { children: ReactNode }) {
  return (
    <Button asChild variant="secondary">
      <Link href={paths.profile({ tab: 'settings' })}>{children}</Link>
    </Button>
  )
}
