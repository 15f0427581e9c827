import { notificationKinds } from '@sought/contract/notification-kinds'
import { getUnsubscribe, unsubscribe } from '@sought/contract/notifications'
import { paths } from '@sought/contract/paths'
import type { ReactNode } from 'react'
import { useSearchParams } from 'wouter'
import { useRead } from '../../data/calls.ts'
import { explainFailure, useAction } from '../../data/use-action.ts'
import { MarketName } from '../../shared/market/market-name.tsx'
import { LinkButton } from '../../shared/navigation/links.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { FullPageSpinner } from '../../ui/feedback/spinner.tsx'
import { Button } from '../../ui/forms/button.tsx'
import { Page } from '../../ui/layout/page.tsx'

/**
 * The page of the unsubscribe link in emails. It asks for a click, because email programs open links on their own.
 */
export function UnsubscribeScreen() {
  const [query] = useSearchParams()
  const token = query.get('token')
  return (
    <Page title="Unsubscribe" heading={null}>
      {token ? <Unsubscribe token={token} /> : <InvalidLink />}
    </Page>
  )
}

function Unsubscribe({ token }: { token: string }) {
  const input = { query: { token } }
  const subscription = useRead(getUnsubscribe, input)
  const { run, isPending, isSuccess } = useAction(unsubscribe, {
    failure: explainFailure('Error', 'You are still subscribed. Please try again.'),
  })
  if (subscription.isPending) return <FullPageSpinner />
  if (subscription.isError) {
    if (subscription.error.code === 'link_expired') return <InvalidLink />
    return (
      <ErrorState
        reference={subscription.error?.requestId}
        onRetry={() => void subscription.refetch()}
        busy={subscription.isFetching}
      />
    )
  }
  const kind = notificationKinds[subscription.data.kind].label
  if (subscription.data.off || isSuccess) return <Unsubscribed kind={kind} />
  return (
    <EmptyState
      drawing="letters"
      title="Stop these emails?"
      headingLevel="h1"
      action={
        <Button busy={isPending} onClick={() => void run(input)}>
          Unsubscribe
        </Button>
      }
    >
      <Kind>{kind}</Kind> You will still see these under the bell on <MarketName />.
    </EmptyState>
  )
}

function Kind({ children }: { children: ReactNode }) {
  return <b className="mb-2 block text-ink">{children}</b>
}

function Unsubscribed({ kind }: { kind: string }) {
  return (
    <div role="status">
      <EmptyState
        drawing="letters"
        title="You are unsubscribed"
        headingLevel="h1"
        action={<SettingsLink>Email Settings</SettingsLink>}
      >
        <Kind>{kind}</Kind> We no longer send you these emails. You can turn them on again in your settings.
      </EmptyState>
    </div>
  )
}

function InvalidLink() {
  return (
    <EmptyState
      drawing="torn"
      title="This link does not work"
      headingLevel="h1"
      action={<SettingsLink>Email Settings</SettingsLink>}
    >
      Part of it may be missing. You can turn off each kind of email in your settings.
    </EmptyState>
  )
}

function SettingsLink({ children }: { children: ReactNode }) {
  return (
    <LinkButton to={paths.profile({ tab: 'settings' })} variant="secondary">
      {children}
    </LinkButton>
  )
}
