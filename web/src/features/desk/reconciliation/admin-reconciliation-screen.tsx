import {
  getReconciliation,
  type OwnMovement,
  type Reconciliation,
  type ReconciliationDifference,
} from '@sought/contract/reconciliation'
import { useRead } from '../../../data/calls.ts'
import { formatDate, formatDateTime } from '../../../format/dates.ts'
import { formatProviderCents } from '../../../format/money.ts'
import { plural } from '../../../format/plural.ts'
import { Loaded } from '../../../shared/loading/loaded.tsx'
import { DefinitionList } from '../../../ui/display/definition-list.tsx'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { Card } from '../../../ui/layout/card.tsx'

export function AdminReconciliationScreen() {
  const reconciliation = useRead(getReconciliation)
  return (
    <Loaded query={reconciliation}>
      {(it) => (
        <div className="grid gap-10">
          {it.differences.length > 0 ? <Differences reconciliation={it} /> : <NoDifferences of={it} />}
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
