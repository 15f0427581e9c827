import { releaseDue } from '@sought/server/features/payments/release-payments'
import { ADMINS, buyerOf, intentOf, sellerOf } from './deal-fixtures.ts'
import type { MemoryProvider } from './in-memory-provider.ts'
import { type ActName, AMOUNT, CHARGED_BEFORE, OK, PROPOSED_REFUND } from './payment-model.ts'
import type { Server } from './two-servers.ts'

const RULINGS = ['refund_full', 'release_seller', 'split_difference'] as const

/** Does an act to a deal on a server, and gives its answer. `nth` tells apart several of the same act. */
export async function fire(
  { call, deliver }: Server,
  provider: MemoryProvider,
  act: Exclude<ActName, 'auto-release'>,
  deal: number,
  nth: number,
): Promise<string> {
  const [buyer, seller] = [buyerOf(deal), sellerOf(deal)]
  const answerOf = async (who: string, what: string, body?: object) => (await call(who, what, body)).answer
  switch (act) {
    case 'accept':
      return answerOf(buyer, `PATCH /api/offers/${deal}/accept`)
    case 'reject':
      return answerOf(buyer, `PATCH /api/offers/${deal}/reject`)
    case 'withdraw the offer':
      return answerOf(seller, `PATCH /api/offers/${deal}/withdraw`)
    case 'pay': {
      const terms = { itemId: deal, offerId: deal, amount: AMOUNT }
      const { answer, body } = await call(buyer, 'POST /api/create-escrow-payment', terms)
      if (answer !== OK) return answer
      const { clientSecret } = body as { clientSecret: string }
      return provider.charge(clientSecret.split('_secret_')[0] ?? '') ? OK : CHARGED_BEFORE
    }
    case 'webhook':
      return deliver(intentOf(deal))
    case 'confirm':
      return answerOf(buyer, `POST /api/payments/${deal}/confirm-delivery`)
    case 'confirm manually':
      return answerOf(buyer, `POST /api/manual-delivery-confirm/${deal}`)
    case 'dispute':
      return answerOf(buyer, `POST /api/payments/${deal}/dispute`, { reason: 'Not green' })
    case 'settle':
      return answerOf(buyer, `POST /api/disputes/${deal}/settlement/accept`, {
        refundAmount: PROPOSED_REFUND,
      })
    case 'rule': {
      const admin = ADMINS[nth % ADMINS.length] ?? ''
      return answerOf(admin, `POST /api/admin/disputes/${deal}/resolve`, {
        action: RULINGS[nth % RULINGS.length],
      })
    }
    case 'withdraw the dispute':
      return answerOf(buyer, `POST /api/disputes/${deal}/withdraw`)
  }
}

/** The clock's act is one for all that is due. */
export async function sweep({ services }: Server): Promise<void> {
  await releaseDue(services)
}
