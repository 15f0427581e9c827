/** Why a user owes the market money (ADR 90). */
export const DEBT_REASONS = [
  /** The provider's fee of a deal that the seller cancelled, or did not ship in time. */
  'cancellation',
  'chargeback',
  'refund',
] as const

export type DebtReason = (typeof DEBT_REASONS)[number]

interface OpenDebt {
  amountCents: number
  settledCents: number
}

/** How much of an amount settles each debt, in the given order. Debts that get nothing are left out. */
export function settleDebts<Debt extends OpenDebt>(
  availableCents: number,
  debts: Debt[],
): { debt: Debt; cents: number }[] {
  let rest = availableCents
  return debts.flatMap((debt) => {
    const cents = Math.min(rest, debt.amountCents - debt.settledCents)
    rest -= cents
    return cents > 0 ? { debt, cents } : []
  })
}
