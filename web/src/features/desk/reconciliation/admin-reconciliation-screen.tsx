import { paths } from '@sought/contract/paths'
import {
  dismissProviderEvent,
  getReconciliation,
  type OwnMovement,
  type Reconciliation,
  type ReconciliationDifference,
  type SetAsidePayment,
  type UnhandledEvent,
} from '@sought/contract/reconciliation'
import { Link } from 'wouter'
import { useRead } from '../../../data/calls.ts'
import { explainFailure, useAction } from '../../../data/use-action.ts'
import { formatDate, formatDateTime } from '../../../format/dates.ts'
import { formatProviderCents } from '../../../format/money.ts'
import { plural } from '../../../format/plural.ts'
import { Loaded } from '../../../shared/loading/loaded.tsx'
import { DefinitionList } from '../../../ui/display/definition-list.tsx'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { Button } from '../../../ui/forms/button.tsx'
import { Card } from '../../../ui/layout/card.tsx'
import { ConfirmDialog } from '../../../ui/overlays/confirm-dialog.tsx'

export function AdminReconciliationScreen() {
  const reconciliation = useRead(getReconciliation)
  return (
    <Loaded query={reconciliation}>
      {(it) => (
        <div className="grid gap-10">
          {it.differences.length > 0 ? <Differences reconciliation={it} /> : <NoDifferences of={it} />}
          {it.setAside.length > 0 && <SetAside payments={it.setAside} />}
          {it.unhandledEvents.length > 0 && <UnhandledEvents events={it.unhandledEvents} />}
          {it.ownMovements.length > 0 && <OwnMovements movements={it.ownMovements} />}
        </div>
      )}
    </Loaded>
  )
}

const compared = (lastRun: NonNullable<Reconciliation['lastRun']>) =>
  `Last compared on ${formatDateTime(lastRun.finishedAt)}.`

function NoDifferences({ of: { lastRun } }: { of: Reconciliation }) {
  return lastRun ? (
    <EmptyState drawing="letters" title="No differences">
      {compared(lastRun)}
    </EmptyState>
  ) : (
    <EmptyState drawing="letters" title="Not compared yet">
      The first comparison starts a few minutes after the start of the server.
    </EmptyState>
  )
}

function Differences({ reconciliation }: { reconciliation: Reconciliation }) {
  const { lastRun, total, differences } = reconciliation
  return (
    <section className="grid gap-5">
      <p className="text-ink-soft">
        {plural(total, 'difference')}. {lastRun && compared(lastRun)}
        {differences.length < total && ` The oldest ${differences.length} are shown.`}
      </p>
      <ul aria-label="Differences" className="grid grid-cols-[minmax(0,1fr)] gap-5">
        {differences.map((difference) => (
          <li key={difference.text}>
            <DifferenceCard difference={difference} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function DifferenceCard({ difference }: { difference: ReconciliationDifference }) {
  const { day, transactionId, expectedCents, actualCents, currency, text } = difference
  return (
    <Card asChild>
      <article className="grid grid-cols-[minmax(0,1fr)] gap-4">
        <header className="grid gap-1">
          <h2 className="font-strong [overflow-wrap:anywhere]">{text}</h2>
          <p className="text-fine text-ink-soft [overflow-wrap:anywhere]">
            Found on {formatDate(`${day}T12:00:00Z`)}
            {transactionId && `, last transaction ${transactionId}`}
          </p>
        </header>
        <DefinitionList
          figures
          rows={[
            { label: 'Ledger', value: formatProviderCents(expectedCents, currency) },
            { label: 'Card provider', value: formatProviderCents(actualCents, currency) },
            {
              label: 'Difference',
              value: formatProviderCents(actualCents - expectedCents, currency),
              total: true,
            },
          ]}
        />
      </article>
    </Card>
  )
}

const tasks: Record<SetAsidePayment['task'], string> = {
  release: 'Release from escrow',
  cancel: 'Cancellation of an unshipped deal',
  payout: 'Payout to the seller',
  refund: 'Refund to the buyer',
  charge: 'Check of a payment that was started',
  reminder: 'Reminder',
}

/** Payments that the server could not handle. */
function SetAside({ payments }: { payments: SetAsidePayment[] }) {
  return (
    <section className="grid gap-5">
      <header className="grid gap-1">
        <h2 className="font-display font-strong text-lead">Payments set aside</h2>
        <p className="text-ink-soft">
          They failed and are tried again, ever more rarely. No other payment waits for them.
        </p>
      </header>
      <ul aria-label="Payments set aside" className="grid grid-cols-[minmax(0,1fr)] gap-5">
        {payments.map(({ paymentId, task, reason, attempts, since, tryAt }) => (
          <li key={`${paymentId} ${task}`}>
            <Card asChild>
              <article className="grid grid-cols-[minmax(0,1fr)] gap-1">
                <h3 className="font-strong">
                  <Link className="link" href={paths.adminDeal(paymentId)}>
                    Payment {paymentId}
                  </Link>
                  : {tasks[task]}
                </h3>
                <p className="[overflow-wrap:anywhere]">{reason}</p>
                <p className="text-fine text-ink-soft">
                  {plural(attempts, 'attempt')} since {formatDateTime(since)}. Next try from{' '}
                  {formatDateTime(tryAt)}.
                </p>
              </article>
            </Card>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Events of the card provider that nothing came of. */
function UnhandledEvents({ events }: { events: UnhandledEvent[] }) {
  return (
    <section className="grid gap-5">
      <header className="grid gap-1">
        <h2 className="font-display font-strong text-lead">Unhandled events</h2>
        <p className="text-ink-soft">
          The card provider reported something that could not be handled, for example about a payment that we
          do not have. Each is tried again until you dismiss it.
        </p>
      </header>
      <ul aria-label="Unhandled events" className="grid grid-cols-[minmax(0,1fr)] gap-5">
        {events.map((event) => (
          <li key={event.id}>
            <EventCard event={event} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function EventCard({ event: { id, type, objectId, receivedAt, tryAt } }: { event: UnhandledEvent }) {
  const { run } = useAction(dismissProviderEvent, {
    success: { title: 'Event Dismissed', description: 'It is not tried again.' },
    failure: explainFailure('Dismissing Failed'),
  })
  return (
    <Card asChild>
      <article className="grid grid-cols-[minmax(0,1fr)] gap-1">
        <h3 className="font-strong [overflow-wrap:anywhere]">{type}</h3>
        <p className="[overflow-wrap:anywhere]">{objectId}</p>
        <p className="text-fine text-ink-soft">
          Received {formatDateTime(receivedAt)}. Next try from {formatDateTime(tryAt)}.
        </p>
        <ConfirmDialog
          title="Dismiss this event?"
          description={`Look up ${objectId} in the dashboard of the card provider first. Nothing is booked for a dismissed event.`}
          confirmLabel="Dismiss Event"
          cancelLabel="Keep Trying"
          onConfirm={() => run({ params: { id } })}
          trigger={
            <Button size="sm" variant="secondary" className="mt-2 justify-self-start">
              Dismiss
            </Button>
          }
        />
      </article>
    </Card>
  )
}

function OwnMovements({ movements }: { movements: OwnMovement[] }) {
  return (
    <section className="grid gap-3">
      <h2 className="font-display font-strong text-lead">Not related to payments</h2>
      <p className="text-ink-soft">
        Payouts to your bank, top-ups and what the card provider bills. They are not compared.
      </p>
      <DefinitionList
        figures
        rows={movements.map(({ transactionId, type, amountCents, currency, createdAt }) => ({
          key: transactionId,
          label: type.replaceAll('_', ' '),
          note: formatDate(createdAt),
          value: formatProviderCents(amountCents, currency),
        }))}
      />
    </section>
  )
}

/** The balance at the card provider may include currencies that Sought does not use. */
