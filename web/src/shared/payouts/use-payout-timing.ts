import { formatDateTime } from '../../format/dates.ts'
import { useMarket } from '../market/market.ts'

const HOUR_MS = 3_600_000

/** What a party should know before they agree about when the seller is paid. Empty if no payouts wait. */
export function usePayoutTiming(party: 'buyer' | 'seller'): string {
  const { payoutDelayHours, newSellerPayoutDelayDays } = useMarket()
  const earliest = formatDateTime(new Date(Date.now() + payoutDelayHours * HOUR_MS).toISOString())
  const texts = {
    buyer: [
      payoutDelayHours > 0 &&
        `If your account or card is new here, the seller is paid on ${earliest} at the earliest.`,
    ],
    seller: [
      payoutDelayHours > 0 &&
        `If the buyer’s account or card is new here, you are paid ${payoutDelayHours} hours after the payment at the earliest.`,
      newSellerPayoutDelayDays > 0 &&
        `Your first payouts wait ${newSellerPayoutDelayDays} days after your first deal.`,
    ],
  }
  return texts[party].filter(Boolean).join(' ')
}
