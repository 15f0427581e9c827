import { checkLedger } from '@sought/server/features/ledger/check-ledger'
import type { Services } from '@sought/server/platform/services'
import { lostAfterPayout } from './invariants.ts'

/** Runs the ledger check, including a comparison of every payment with the provider. */
export async function compareLedgerWithProvider({ database, cards }: Services): Promise<string[]> {
  const { problems } = await checkLedger(database.read, cards)
  const { rows } = await database.pool.query<{ id: number }>(`select id from ${lostAfterPayout} late`)
  // A chargeback that is lost after the payout has no ledger entry yet. The check must report each of them.
  const expected = rows.map(({ id }) => `payment ${id}: the provider has`)
  const unexpected = problems.filter((problem) => !expected.some((start) => problem.startsWith(start)))
  const missing = expected.filter((start) => !problems.some((problem) => problem.startsWith(start)))
  return [
    ...unexpected,
    ...missing.map((start) => `${start} charged it back, and the ledger check does not report it`),
  ]
}
