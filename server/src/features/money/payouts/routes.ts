import * as calls from '@sought/contract/payouts'
import { createEncryption } from '../../../core/encryption.ts'
import { onPages } from '../../../http/next-page-link.ts'
import { on, type Route } from '../../../http/route.ts'
import type { Services } from '../../../services.ts'
import { readManualPayouts, sendAgain, undoPaid } from './manual-payouts.ts'

export function payoutRoutes({ database, secrets, clock }: Services): Route[] {
  const encryption = createEncryption(secrets.dataKeys)
  return [
    onPages(calls.listManualPayouts)(({ query }) =>
      readManualPayouts(database.read, encryption, query, clock()),
    ),

    on(calls.undoManualPayout)(({ params, user }) => undoPaid(database, encryption, params.id, user)),

    on(calls.sendPayoutAgain)(({ params, user }) => sendAgain(database, encryption, params.id, user)),
  ]
}
