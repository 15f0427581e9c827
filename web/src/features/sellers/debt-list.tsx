import { type Debt, listDebts } from '@sought/contract/debts'
import { paths } from '@sought/contract/paths'
import { useId } from 'react'
import { useReadPages } from '../../data/calls.ts'
import { formatMoney } from '../../format/money.ts'
import { PagedList } from '../../shared/loading/paged-list.tsx'
import { TextLink } from '../../shared/navigation/links.tsx'
import { debtReasons } from '../../shared/payouts/debt-reasons.ts'
import { describeDebt } from '../../shared/payouts/debt-state.ts'

const PAGE_SIZE = 100

/** What the seller owes the market, or owed it. Hidden for sellers without debts. */
export function DebtList() {
  const headingId = useId()
  const debts = useReadPages(listDebts, { limit: String(PAGE_SIZE) })
  if (!debts.error && (debts.data ?? []).length === 0) return null
  return (
    <section aria-labelledby={headingId}>
      <h2 id={headingId} className="mb-2 font-display font-strong text-title">
        What you owe
      </h2>
      <p className="mb-3 text-ink-soft">We take it from your next payouts.</p>
      <PagedList pages={debts} loading={null} className="grid">
        {(debt) => <DebtRow key={debt.id} debt={debt} />}
      </PagedList>
    </section>
  )
}

function DebtRow({ debt }: { debt: Debt }) {
  const { amount, currency, reason, paymentId, itemTitle } = debt
  return (
    <li className="flex items-baseline justify-between gap-6 border-line border-t py-3 first:border-t-0">
      <span className="grid min-w-0">
        <span className="[overflow-wrap:anywhere]">
          <TextLink to={paths.deal(paymentId)}>{itemTitle}</TextLink>
        </span>
        <span className="text-fine text-ink-soft">
          {debtReasons[reason]}. {describeDebt(debt)}
        </span>
      </span>
      <span className="whitespace-nowrap font-strong tabular-nums">{formatMoney(amount, currency)}</span>
    </li>
  )
}
