import { HIDDEN_TITLE } from './features/board/requests/hidden-request.ts'
import * as requests from './features/board/requests/notifications.ts'
import * as savedSearches from './features/board/saved-searches/notifications.ts'
import * as messages from './features/deals/messages/notifications.ts'
import * as offers from './features/deals/offers/notifications.ts'
import * as moderation from './features/desk/moderation/notifications.ts'
import * as support from './features/desk/support/notifications.ts'
import * as deliveries from './features/fulfilment/deliveries/notifications.ts'
import * as reviews from './features/fulfilment/reviews/notifications.ts'
import * as accounts from './features/identity/accounts/emails.ts'
import * as policies from './features/identity/policies/notifications.ts'
import * as secondFactors from './features/identity/second-factors/emails.ts'
import * as debts from './features/money/debts/notifications.ts'
import * as disputes from './features/money/disputes/notifications.ts'
import * as exports from './features/money/exports/notifications.ts'
import * as goodwill from './features/money/goodwill/notifications.ts'
import * as paymentDeliveries from './features/money/payments/notifications/deliveries.ts'
import * as paymentDisputes from './features/money/payments/notifications/disputes.ts'
import * as payments from './features/money/payments/notifications/payments.ts'
import * as payouts from './features/money/payouts/notifications.ts'
import * as reconciliation from './features/money/reconciliation/emails.ts'
import * as sellers from './features/money/sellers/emails.ts'
import { createNotifications } from './features/notifications/describe-notifications.ts'
import * as scans from './features/trust/scans/notifications.ts'

/** Every notification and email. Each of these files exports definitions only. */
export const definitions = [
  accounts,
  secondFactors,
  policies,
  requests,
  savedSearches,
  offers,
  messages,
  payouts,
  payments,
  paymentDeliveries,
  paymentDisputes,
  goodwill,
  debts,
  disputes,
  sellers,
  exports,
  reconciliation,
  deliveries,
  reviews,
  moderation,
  support,
  scans,
]

export const openNotifications = () => createNotifications(definitions, { hiddenTitle: HIDDEN_TITLE })
