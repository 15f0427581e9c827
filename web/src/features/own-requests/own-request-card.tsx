import type { OwnRequest } from '@sought/contract/own-requests'
import { paths } from '@sought/contract/paths'
import { changeRefusal } from '@sought/escrow/reservation'
import { Ellipsis } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { Link } from 'wouter'
import { formatBudget } from '../../format/budget.ts'
import { formatDate } from '../../format/dates.ts'
import { formatMoney } from '../../format/money.ts'
import { plural } from '../../format/plural.ts'
import { describeAge } from '../../format/relative-time.ts'
import { LinkButton } from '../../shared/navigation/links.tsx'
import { PersonLink } from '../../shared/people/person-link.tsx'
import { describeInterest } from '../../shared/requests/describe-interest.ts'
import { useCloseRequest, useRenewRequest, useReopenRequest } from '../../shared/requests/request-actions.ts'
import { Badge } from '../../ui/display/badge.tsx'
import { Button } from '../../ui/forms/button.tsx'
import { IconButton } from '../../ui/forms/icon-button.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { ConfirmDialog } from '../../ui/overlays/confirm-dialog.tsx'
import { Menu, MenuItem } from '../../ui/overlays/menu.tsx'
import { describeState, getNextLink } from './own-request-state.ts'

const EditDialog = lazy(async () => ({
  default: (await import('../../shared/request-form/edit-dialog.tsx')).EditDialog,
}))

/** A request for its owner: its state, the responses, and the next step. */
export function OwnRequestCard({ request }: { request: OwnRequest }) {
  const { currency } = request
  const state = describeState(request)
  return (
    <Card asChild>
      <article className="flex flex-wrap items-center justify-between gap-x-6 gap-y-4">
        <div className="grid min-w-0 grow basis-80 grid-cols-[minmax(0,1fr)] gap-2 max-sm:basis-full">
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-fine text-ink-soft">
            <Badge tone={state.tone}>{state.label}</Badge>
            <span>{describeAge(request, new Date())}</span>
            {request.status === 'open' && <span>Expires on {formatDate(request.expiresAt)}</span>}
          </div>
          <h3 className="font-display font-strong text-lead [overflow-wrap:anywhere]">
            {request.isHidden ? (
              request.title
            ) : (
              <Link href={paths.item(request.id)} className="text-ink no-underline hover:underline">
                {request.title}
              </Link>
            )}
          </h3>
          <p className="flex flex-wrap gap-x-4 gap-y-1 text-ink-soft">
            <span className="tabular-nums">{formatBudget(request, currency)}</span>
            <Count count={request.offerCount} of="offer" />
            <Count count={request.unreadCount} of="unread message" />
            <span className="tabular-nums">{describeInterest(request)}</span>
          </p>
          {request.deal && (
            <p className="text-ink-soft [overflow-wrap:anywhere]">
              {formatMoney(request.deal.amount, currency)} with <PersonLink person={request.deal.seller} />
            </p>
          )}
        </div>
        <div className="flex items-center gap-2 max-sm:w-full">
          <NextStep request={request} />
          {!request.isHidden && <MoreActions request={request} />}
        </div>
      </article>
    </Card>
  )
}

function Count({ count, of }: { count: number; of: string }) {
  return count > 0 && <span className="font-strong text-ink tabular-nums">{plural(count, of)}</span>
}

function NextStep({ request }: { request: OwnRequest }) {
  const renew = useRenewRequest()
  const link = getNextLink(request)
  if (link) {
    return (
      <LinkButton to={link.to} variant={request.isWaiting ? 'primary' : 'secondary'} className="max-sm:grow">
        {link.label}
      </LinkButton>
    )
  }
  if (request.nextStep === 'renew') {
    return (
      <Button
        variant="secondary"
        busy={renew.isPending}
        className="max-sm:grow"
        onClick={() => void renew.run({ params: { id: String(request.id) } })}
      >
        Renew
      </Button>
    )
  }
  if (request.isHidden) {
    return (
      <LinkButton to={paths.profile({ tab: 'decisions' })} variant="secondary" className="max-sm:grow">
        See the Reason
      </LinkButton>
    )
  }
  return (
    <LinkButton to={paths.item(request.id)} variant="secondary" className="max-sm:grow">
      View Request
    </LinkButton>
  )
}

/** All other actions on a request. */
function MoreActions({ request }: { request: OwnRequest }) {
  const [opened, setOpened] = useState<'edit' | 'close' | null>(null)
  const input = { params: { id: String(request.id) } }
  const close = useCloseRequest()
  const reopen = useReopenRequest()
  const renew = useRenewRequest()
  const { status } = request
  const canChange = changeRefusal(status) === null
  const canRenew = new Date(request.renewableAt) <= new Date()
  return (
    <>
      <Menu trigger={<IconButton label={`More actions for ${request.title}`} Icon={Ellipsis} />}>
        <LinkItem to={paths.item(request.id)}>View Request</LinkItem>
        {canChange && <MenuItem onSelect={() => setOpened('edit')}>Edit</MenuItem>}
        {canChange && status !== 'closed' && (
          <MenuItem disabled={!canRenew} onSelect={() => void renew.run(input)}>
            {canRenew ? 'Renew' : `Renew from ${formatDate(request.renewableAt)}`}
          </MenuItem>
        )}
        {canChange && status !== 'closed' && (
          <MenuItem onSelect={() => setOpened('close')}>Close Request</MenuItem>
        )}
        {canChange && status === 'closed' && (
          <MenuItem onSelect={() => void reopen.run(input)}>Reopen</MenuItem>
        )}
        {['closed', 'fulfilled'].includes(status) && (
          <LinkItem to={paths.post({ repost: request.id })}>Post Again</LinkItem>
        )}
      </Menu>
      <ConfirmDialog
        open={opened === 'close'}
        onOpenChange={() => setOpened(null)}
        title="Close this request?"
        description="Sellers will no longer find it. You can reopen it at any time."
        confirmLabel="Close Request"
        onConfirm={() => {
          setOpened(null)
          void close.run(input)
        }}
      />
      {opened === 'edit' && (
        <Suspense>
          <EditDialog item={request} onClose={() => setOpened(null)} />
        </Suspense>
      )}
    </>
  )
}

function LinkItem({ to, children }: { to: string; children: ReactNode }) {
  return (
    <MenuItem asChild>
      <Link href={to}>{children}</Link>
    </MenuItem>
  )
}
