import type { Debt } from '@sought/contract/debts'
import { formatDate } from '../../format/dates.ts'
import { formatMoney } from '../../format/money.ts'

/** What is still to be paid of a debt. */
export const openAmount = ({ amount, settledAmount, settledAt, waivedAt, writtenOffAt }: Debt): number =>
  settledAt || waivedAt || writtenOffAt ? 0 : amount - settledAmount

/** How much of a debt is settled, or why nothing more is owed. */
export function describeDebt({
  amount,
  settledAmount,
  currency,
  createdAt,
  settledAt,
  waivedAt,
  writtenOffAt,
}: Debt): string {
  if (settledAt) return `Taken from payouts by ${formatDate(settledAt)}.`
  if (waivedAt) return `Waived on ${formatDate(waivedAt)}.`
  if (writtenOffAt) return `Written off on ${formatDate(writtenOffAt)}.`
  const open = `Open since ${formatDate(createdAt)}.`
  if (settledAmount === 0) return open
  const [taken, rest] = [settledAmount, amount - settledAmount].map((cents) => formatMoney(cents, currency))
  return `${open} ${taken} was taken from payouts, ${rest} is left.`
}
