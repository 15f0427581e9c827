import type { DealDetails } from '@sought/contract/lookup'
import { paths } from '@sought/contract/paths'
import type { PayoutStatus } from '@sought/escrow/payout-status'
import type { ReactNode } from 'react'
import { formatDate, formatDateTime } from '../../../format/dates.ts'
import { formatMoney, formatProviderCents } from '../../../format/money.ts'
import { TextLink } from '../../../shared/navigation/links.tsx'
import { debtReasons } from '../../../shared/payouts/debt-reasons.ts'
import { describeDebt, openAmount } from '../../../shared/payouts/debt-state.ts'
import { classNames } from '../../../ui/base/class-names.ts'
import { DefinitionList } from '../../../ui/display/definition-list.tsx'
import { TitledSection } from '../../../ui/layout/titled-section.tsx'
import { factLabelOf } from './deal-events.ts'

interface DealProps {
  deal: DealDetails
}

/** Ledger entries, provider objects, provider events, goodwill and documents. */
export function DealMoney({ deal }: DealProps) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-10">
      <TitledSection title="Ledger">
        <Table
          label="Ledger entries"
          columns={['Time', 'Amount', 'Account', 'Posting']}
          rows={deal.ledger.map(({ id, createdAt, key, account, amount, currency }) => ({
            key: id,
            cells: [formatDateTime(createdAt), formatProviderCents(amount, currency), account, key],
          }))}
          empty="Nothing is booked yet."
        />
      </TitledSection>
      <Debts deal={deal} />
      <Provider deal={deal} />
      <Goodwill deal={deal} />
      <TitledSection title="Documents">
        <Table
          label="Documents"
          columns={['Issued', 'Kind', 'Number']}
          rows={deal.documents.map(({ number, kind, issuedAt }) => ({
            key: number,
            cells: [formatDate(issuedAt), kind === 'receipt' ? 'Receipt' : 'Statement', number],
          }))}
          empty="No receipt or statement was issued yet."
        />
      </TitledSection>
    </div>
  )
}

/** What the seller owes the market for the deal. */
function Debts({ deal: { debts } }: DealProps) {
  return (
    <TitledSection title="Debts">
      <Table
        label="Debts of the seller"
        columns={['Since', 'Cause', 'Amount', 'Settled', 'Open', 'State']}
        rows={debts.map((debt) => {
          const { id, createdAt, reason, amount, settledAmount, currency } = debt
          return {
            key: id,
            cells: [
              formatDate(createdAt),
              debtReasons[reason],
              formatMoney(amount, currency),
              formatMoney(settledAmount, currency),
              formatMoney(openAmount(debt), currency),
              describeDebt(debt),
            ],
          }
        })}
        empty="The seller owes nothing for this deal."
      />
    </TitledSection>
  )
}

const payoutStatuses = {
  owed: 'owed to the seller',
  sending: 'on its way',
  frozen: 'frozen while a bank decides',
  paid: 'paid',
  reversed: 'reversed',
  cancelled: 'cancelled',
} as const satisfies Record<PayoutStatus, string>

const payoutMethods = { transfer: 'by transfer', manual: 'to a bank account' } as const

function EventName({ name }: { name: string }) {
  return (
    <>
      {factLabelOf(name)}
      <span className="block text-ink-soft">{name}</span>
    </>
  )
}

function Provider({ deal: { provider, currency } }: DealProps) {
  const { intentId, payout, chargebacks, events, transactions } = provider
  return (
    <TitledSection title="Card provider">
      <DefinitionList
        className="mb-4 [overflow-wrap:anywhere]"
        rows={[
          { label: 'Payment intent', value: intentId ?? '–' },
          ...(payout
            ? [
                {
                  label: 'Payout',
                  value: [
                    formatMoney(payout.amount, currency),
                    payout.status === 'paid' && payout.bankFailure
                      ? `failed at the seller’s bank (${payout.bankFailure.replaceAll('_', ' ')})`
                      : payoutStatuses[payout.status],
                    ...(payout.method ? [payoutMethods[payout.method]] : []),
                  ].join(', '),
                },
                { label: 'Transfer', value: payout.transferId ?? '–' },
                { label: 'Account', value: payout.accountId ?? '–' },
              ]
            : []),
          ...chargebacks.map(({ id, amount, outcome, reason }) => ({
            key: id,
            label: 'Chargeback',
            value: `${id}: ${formatMoney(amount, currency)}, ${reason.replaceAll('_', ' ')}, ${outcome}`,
          })),
        ]}
      />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
        <Table
          label="Provider events"
          isTitled
          columns={['Time', 'Event', 'Amount', 'Object']}
          rows={events.map(({ name, objectId, amount, createdAt }) => ({
            key: `${name}:${objectId}`,
            cells: [
              formatDateTime(createdAt),
              <EventName key="name" name={name} />,
              // Fees are listed with the balance movements below.
              amount === 0 ? '–' : formatMoney(amount, currency),
              objectId,
            ],
          }))}
          empty="The provider reported nothing after the charge."
        />
        <Table
          label="Balance movements"
          isTitled
          columns={['Time', 'Kind', 'Amount', 'Fee', 'Movement']}
          rows={transactions.map(({ id, type, amount, fee, currency, createdAt }) => ({
            key: id,
            cells: [
              formatDateTime(createdAt),
              type.replaceAll('_', ' '),
              formatProviderCents(amount, currency),
              formatProviderCents(fee, currency),
              id,
            ],
          }))}
          empty="Balance movements are imported once a night."
        />
      </div>
    </TitledSection>
  )
}

const goodwillStates = { waiting: 'To approve', done: 'To pay', rejected: 'Rejected' } as const

function Goodwill({ deal: { goodwill, currency } }: DealProps) {
  return (
    <TitledSection title="Goodwill">
      <Table
        label="Goodwill payments"
        columns={['Requested', 'To', 'Amount', 'State', 'Reason']}
        rows={goodwill.map(({ id, to, reason, status, paidAt, createdAt, amount }) => ({
          key: id,
          cells: [
            formatDate(createdAt),
            to === 'buyer' ? 'Buyer' : 'Seller',
            formatMoney(amount, currency),
            paidAt ? 'Paid' : goodwillStates[status],
            reason,
          ],
        }))}
        empty="No goodwill was given for this deal."
      />
      {goodwill.length > 0 && (
        <p className="mt-3">
          <TextLink to={paths.adminGoodwill()}>All goodwill payments</TextLink>
        </p>
      )}
    </TitledSection>
  )
}

interface TableProps {
  label: string
  columns: string[]
  rows: { key: string | number; cells: ReactNode[] }[]
  /** Shown instead of a table without rows. */
  empty: string
  /** Shows the label as a title. Used in sections with two tables. */
  isTitled?: boolean
}

const AMOUNT_COLUMNS = ['Amount', 'Fee', 'Settled', 'Open']

/** Wide tables scroll on small screens. Only reasons may wrap. */
function Table({ label, columns, rows, empty, isTitled = false }: TableProps) {
  if (rows.length === 0) return <p className="text-ink-soft">{empty}</p>
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: users must be able to scroll it by keyboard.
    <section aria-label={label} className="scroll-hint overflow-x-auto" tabIndex={0}>
      <table className="w-full text-left text-fine">
        <caption className={classNames(isTitled ? 'pb-1 text-left font-strong text-body' : 'sr-only')}>
          {label}
        </caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th
                key={column}
                scope="col"
                className={classNames(
                  'border-line border-b py-2 pr-4 font-normal text-ink-soft last:pr-0',
                  AMOUNT_COLUMNS.includes(column) && 'text-right',
                )}
              >
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, cells }) => (
            <tr key={key} className="border-line border-b align-top last:border-b-0">
              {columns.map((column, at) => (
                <td
                  key={column}
                  className={classNames(
                    'py-2 pr-4 tabular-nums last:pr-0',
                    column === 'Reason' ? 'min-w-48 [overflow-wrap:anywhere]' : 'whitespace-nowrap',
                    AMOUNT_COLUMNS.includes(column) && 'text-right',
                  )}
                >
                  {cells[at]}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
