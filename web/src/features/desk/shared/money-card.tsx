import type { Currency } from '@sought/contract/currencies'
import type { ReactNode } from 'react'
import { formatMoney } from '../../../format/money.ts'
import { TransactionNumber } from '../../../shared/deals/transaction-number.tsx'
import { Money } from '../../../ui/display/money.tsx'
import { Card } from '../../../ui/layout/card.tsx'
import { DealLink } from './desk-links.tsx'

interface MoneyCardProps {
  /** The name of the card for screen readers. */
  label: string
  /** Who gets the money. */
  title: ReactNode
  of: { paymentId: number; itemTitle: string; transactionNumber: string; amount: number; currency: Currency }
  /** Where the money is, in words. */
  state: string
  children: ReactNode
}

/** Money of a deal that a person has to get, with what the team can do about it. */
export function MoneyCard({ label, title, of: money, state, children }: MoneyCardProps) {
  return (
    <Card asChild>
      <article aria-label={label} className="grid grid-cols-[minmax(0,1fr)] gap-4">
        <header className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
          <div className="min-w-0 grow basis-64">
            <h2 className="font-display font-strong text-lead [overflow-wrap:anywhere]">{title}</h2>
            <p className="mt-1 text-ink-soft [overflow-wrap:anywhere]">
              <DealLink paymentId={money.paymentId}>{money.itemTitle}</DealLink> ·{' '}
              <TransactionNumber value={money.transactionNumber} />
            </p>
          </div>
          <Money
            amount={formatMoney(money.amount, money.currency)}
            where={state}
            size="title"
            className="sm:justify-items-end"
          />
        </header>
        {children}
      </article>
    </Card>
  )
}
