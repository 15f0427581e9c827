import { PAYOUT_WAIT_HOURS } from '@sought/contract/sellers'

/** Until when payouts wait after the payout account was changed at this time. */
export const payoutsWaitFrom = (changedAt: Date) =>
  new Date(changedAt.getTime() + PAYOUT_WAIT_HOURS * 3_600_000)
