import { listManualPayouts, sendPayoutAgain, undoManualPayout } from '@sought/contract/payouts'
import { createEncryption } from '../../../core/encryption.ts'
import { addNextPageLink } from '../../../http/next-page-link.ts'
import { on, type Route } from '../../../http/route.ts'
import type { Services } from '../../../services.ts'
import { readManualPayouts, sendAgain, undoPaid } from './manual-payouts.ts'

export function payoutRoutes({ database, secrets, clock }: Services): Route[] {
  const encryption = createEncryption(secrets.dataKey)
  return [
    on(listManualPayouts)(async ({ query, reply }) => {
      const found = await readManualPayouts(database.read, encryption, query, clock())
      addNextPageLink(reply, listManualPayouts, query, found)
      return found
    }),

    on(undoManualPayout)(({ params, user }) => undoPaid(database, encryption, params.id, user)),

    on(sendPayoutAgain)(({ params, user }) => sendAgain(database, encryption, params.id, user)),
  ]
}
