import { describePayoutFailure } from '@sought/contract/account-health'
import type { Payout } from '@sought/contract/sellers'
import { formatDate, formatDateTime } from '../../format/dates.ts'
import { formatMoney } from '../../format/money.ts'

/** How long a transfer takes to reach the seller's bank. */
export const PAYOUT_DAYS = '3-5 business days'

/** The status of a payout, what it waits for, and what was taken from it. */
export function describePayout(payout: Payout): string {
  const { status, debtAmount, currency } = payout
  if (!debtAmount) return describeStatus(payout)
  if (status === 'cancelled') return 'All of it went to what you owed.'
  return `${describeStatus(payout)} ${formatMoney(debtAmount, currency)} of it went to what you owed.`
}

function describeStatus({ status, method, paidAt, waitsUntil, failure }: Payout): string {
  switch (status) {
    case 'paid':
      return paidAt ? `Paid on ${formatDate(paidAt)}.` : 'Paid.'
    case 'sending':
      return `On its way: ${PAYOUT_DAYS}.`
    case 'frozen':
      return 'On hold while the buyer’s bank reviews the payment.'
    case 'reversed':
      return 'The transfer was reversed. Our team will contact you.'
    case 'failed':
      return `Failed at your bank: ${describePayoutFailure(failure ?? null)} It is sent again once your bank account is corrected.`
    case 'cancelled':
      return 'Cancelled: the buyer got the money back.'
    case 'owed':
      if (waitsUntil) return `Owed to you. Waits until ${formatDateTime(waitsUntil)}.`
      return owedTexts[method ?? 'none']
  }
}

const owedTexts = {
  none: 'Owed to you. Set up payouts to receive it.',
  transfer: 'Owed to you. We will send it shortly.',
  manual: 'Owed to you. We will transfer it to your bank.',
} as const
