import type { Account } from '../providers/stripe/card-provider.ts'

/* Connected accounts, as the provider describes them. */

/** The seller has not finished the onboarding. */
export const NOT_SET_UP: Account = {
  canReceive: false,
  payoutsEnabled: false,
  detailsSubmitted: false,
  hasDashboard: false,
  hasPayoutSchedule: true,
  disabledReason: null,
  requirements: [],
  lastPayout: null,
}

export const HEALTHY: Account = {
  ...NOT_SET_UP,
  canReceive: true,
  payoutsEnabled: true,
  detailsSubmitted: true,
}
