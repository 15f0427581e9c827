import { checkLedger } from '@sought/server/features/money/ledger/check-ledger'
import type { Services } from '@sought/server/services'

/** Runs the ledger check, including a comparison of every movement of the provider's balance. */
export async function compareLedgerWithProvider({ database, cards }: Services): Promise<string[]> {
  const { problems } = await checkLedger(database.read, cards)
  return problems
}
