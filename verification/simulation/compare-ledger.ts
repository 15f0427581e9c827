import { checkLedger } from '@sought/server/features/ledger/check-ledger'
import type { Services } from '@sought/server/platform/services'
import { lostTooLate } from './invariants.ts'

/** The ledger check, with the provider asked about every payment there was. */
export async function compareBooks({ database, cards }: Services): Promise<string[]> {
  const { problems } = await checkLedger(database.read, cards)
  const { rows } = await database.pool.query<{ id: number }>(`select id from ${lostTooLate} late`)
  // What a bank takes back once the seller has it is a loss that no entry stands for yet: the check must say so.
  const known = rows.map(({ id }) => `payment ${id}: the provider has`)
  const unknown = problems.filter((problem) => !known.some((start) => problem.startsWith(start)))
  const unsaid = known.filter((start) => !problems.some((problem) => problem.startsWith(start)))
  return [...unknown, ...unsaid.map((start) => `${start} taken it back, and the check does not say so`)]
}
