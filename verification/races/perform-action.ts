import { cancelUnshipped } from '@sought/server/features/fulfilment/deliveries/follow-clock'
import { releaseDue } from '@sought/server/features/money/payments/release-payments'
import { ADMINS, buyerOf, HANDOVER_CODE, intentOf, sellerOf } from './deal-fixtures.ts'
import type { InMemoryProvider } from './in-memory-provider.ts'
import { type ActionName, ALREADY_CHARGED, AMOUNT, OK, PROPOSED_REFUND } from './payment-model.ts'
import type { Server } from './two-servers.ts'

const DECISIONS = ['refund_full', 'release_seller', 'split_difference'] as const

/** Performs an action and returns its answer. `nth` distinguishes several decisions of admins. */
export async function performAction(
  { call, deliver }: Server,
  provider: InMemoryProvider,
  action: Exclude<ActionName, 'auto-release'>,
  deal: number,
  nth: number,
): Promise<string> {
  const [buyer, seller] = [buyerOf(deal), sellerOf(deal)]
  const answerOf = async (userId: string, path: string, body?: object) =>
    (await call(userId, path, body)).answer
  switch (action) {
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
      return provider.charge(clientSecret.split('_secret_')[0] ?? '') ? OK : ALREADY_CHARGED
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
        action: DECISIONS[nth % DECISIONS.length],
      })
    }
    case 'withdraw the dispute':
      return answerOf(buyer, `POST /api/disputes/${deal}/withdraw`)
    case 'ship':
      return answerOf(seller, `POST /api/payments/${deal}/ship`, { carrier: 'dhl' })
    case 'hand over':
      return answerOf(seller, `POST /api/payments/${deal}/handover`, { code: HANDOVER_CODE })
    case 'cancel as the seller':
      return answerOf(seller, `POST /api/payments/${deal}/cancel`, { reason: 'Sold' })
    case 'cancel as the buyer':
      return answerOf(buyer, `POST /api/payments/${deal}/cancel`, { reason: 'Found another' })
  }
}

/** A sweep releases or cancels all due payments, not only one. */
export async function sweep({ services }: Server): Promise<void> {
  await releaseDue(services)
  await cancelUnshipped(services)
}
