import * as accounts from './accounts.ts'
import * as addresses from './addresses.ts'
import * as analytics from './analytics.ts'
import * as audit from './audit.ts'
import type { Call } from './call.ts'
import * as casework from './casework.ts'
import * as debts from './debts.ts'
import * as deliveries from './deliveries.ts'
import * as disputes from './disputes.ts'
import * as doctor from './doctor.ts'
import * as documents from './documents.ts'
import * as exports from './exports.ts'
import * as firstSteps from './first-steps.ts'
import * as goodwill from './goodwill.ts'
import * as lookup from './lookup.ts'
import * as marketSettings from './market-settings.ts'
import * as messages from './messages.ts'
import * as moderation from './moderation.ts'
import * as notifications from './notifications.ts'
import * as offers from './offers.ts'
import * as overview from './overview.ts'
import * as ownRequests from './own-requests.ts'
import * as payments from './payments.ts'
import * as payouts from './payouts.ts'
import * as people from './people.ts'
import * as phone from './phone.ts'
import * as photos from './photos.ts'
import * as places from './places.ts'
import * as platform from './platform.ts'
import * as policies from './policies.ts'
import * as push from './push.ts'
import * as reconciliation from './reconciliation.ts'
import * as refunds from './refunds.ts'
import * as reports from './reports.ts'
import * as requests from './requests.ts'
import * as reviews from './reviews.ts'
import * as savedSearches from './saved-searches.ts'
import * as secondFactors from './second-factors.ts'
import * as security from './security.ts'
import * as sellers from './sellers.ts'
import * as selling from './selling.ts'
import * as support from './support.ts'

/** Every call by its name. The web app must not import this file, or its bundle would contain all calls. */
export const calls: Record<string, Call> = Object.fromEntries(
  [
    accounts,
    security,
    audit,
    secondFactors,
    addresses,
    people,
    notifications,
    push,
    firstSteps,
    requests,
    ownRequests,
    selling,
    savedSearches,
    messages,
    offers,
    photos,
    payments,
    deliveries,
    payouts,
    debts,
    refunds,
    goodwill,
    disputes,
    casework,
    documents,
    doctor,
    reconciliation,
    sellers,
    support,
    marketSettings,
    policies,
    lookup,
    analytics,
    overview,
    exports,
    phone,
    reviews,
    reports,
    moderation,
    places,
    platform,
  ].flatMap((module) => Object.entries(module).filter((entry): entry is [string, Call] => isCall(entry[1]))),
)

function isCall(value: unknown): value is Call {
  return typeof value === 'object' && value !== null && 'method' in value && 'path' in value
}
