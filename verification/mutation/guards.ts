import type { Target } from './remove-guard.ts'

/*
 * The guards that StrykerJS cannot mutate, because they are SQL: locks, unique keys, idempotency keys, conditions
 * of updates, triggers and constraints. Each is named by its location, so that rewording the code does not break
 * the list. guards.test.ts fails while a new guard is missing here.
 */

export interface Guard {
  /** What the guard prevents or ensures. */
  guard: string
  remove: Target
  /** Parts that are removed with it, because they do not work alone. */
  also?: Target[]
  /** A test file below server/src or verification. At least one of its tests must fail without the guard. */
  noticedBy: string
}

const accounts = 'server/src/features/identity/accounts'
const phoneCodes = `${accounts}/verify-phone.ts`
const analytics = 'server/src/features/desk/analytics/queries.ts'
const inboxLock = 'server/src/features/deals/messages/inbox-lock.ts'
const blocks = 'server/src/features/users/blocks.ts'
const openCase = 'server/src/features/trust/cases/open-case.ts'
const debts = 'server/src/features/money/debts/queries.ts'
const deliveries = 'server/src/features/fulfilment/deliveries'
const goodwill = 'server/src/features/money/goodwill/queries.ts'
const documents = 'server/src/features/money/documents/queries.ts'
const messages = 'server/src/features/deals/messages/queries.ts'
const notifications = 'server/src/features/notifications'
const offers = 'server/src/features/deals/offers'
const payments = 'server/src/features/money/payments'
const policies = 'server/src/features/identity/policies/queries.ts'
const payoutAccounts = 'server/src/features/money/payouts/account-queries.ts'
const payouts = 'server/src/features/money/payouts/queries.ts'
const reconciliation = 'server/src/features/money/reconciliation/queries.ts'
const savedSearches = 'server/src/features/board/saved-searches'
const secondFactors = 'server/src/features/identity/second-factors/queries.ts'
const sellers = 'server/src/features/money/sellers/queries.ts'
const requests = 'server/src/features/board/requests'
const reviews = 'server/src/features/fulfilment/reviews/queries.ts'
const google = 'server/src/providers/google/google.ts'
const session = 'server/src/http/session.ts'
const stripe = 'server/src/providers/stripe/stripe.ts'

const figuresTest = 'server/src/features/desk/analytics/figures.test.ts'
const phoneTest = `${accounts}/verify-phone.test.ts`
const migrateTest = 'server/src/database/migrate.test.ts'
const schemaTest = 'server/src/database/schema.test.ts'
const blocksTest = 'server/src/features/trust/blocks/blocks.test.ts'
const reportsTest = 'server/src/features/trust/reports/reports.test.ts'
const caseworkTest = 'server/src/features/money/disputes/casework.test.ts'
const bankDecidesTest = 'server/src/features/money/disputes/bank-decides.test.ts'
const deletionTest = 'server/src/features/privacy/personal-data/delete-account.test.ts'
const embeddedPostgresTest = 'server/src/database/embedded-postgres/embedded-postgres.test.ts'
const debtsTest = 'server/src/features/money/debts/debts.test.ts'
const lossesTest = 'server/src/features/money/debts/losses.test.ts'
const refundReleasedTest = 'server/src/features/money/payments/refund-released.test.ts'
const excludedReviewsTest = 'server/src/features/fulfilment/reviews/excluded-reviews.test.ts'
const versionsTest = `${requests}/request-versions.test.ts`
const deliveriesTest = `${deliveries}/deliveries.test.ts`
const goodwillTest = 'server/src/features/money/goodwill/goodwill.test.ts'
const exportsTest = 'server/src/features/money/exports/exports.test.ts'
const documentsTest = 'server/src/features/money/documents/documents.test.ts'
const googleTest = `${accounts}/google.test.ts`
const emailTest = `${notifications}/email.test.ts`
const mailEventsTest = `${notifications}/mail-events.test.ts`
const messagesTest = 'server/src/features/deals/messages/messages.test.ts'
const notificationsTest = `${notifications}/notifications.test.ts`
const photosTest = 'server/src/features/deals/photos/photos.test.ts'
const offersTest = `${offers}/offers.test.ts`
const paymentsTest = `${payments}/payments.test.ts`
const policiesTest = 'server/src/features/identity/policies/policies.test.ts'
const waitingTest = `${payments}/waiting-payments.test.ts`
const payoutsWaitTest = 'server/src/features/money/payouts/payouts-wait.test.ts'
const takeBackTest = 'server/src/features/money/payouts/take-back.test.ts'
const payoutsTest = 'server/src/features/money/payouts/payouts.test.ts'
const providerFaultsTest = 'verification/simulation/provider-faults.test.ts'
const reservationTest = `${payments}/reservation.test.ts`
const reconciliationTest = 'server/src/features/money/reconciliation/reconciliation.test.ts'
const reviewsTest = 'server/src/features/fulfilment/reviews/reviews.test.ts'
const malformedRequestsTest = 'server/src/http/malformed-requests.test.ts'
const requestsTest = `${requests}/requests.test.ts`
const expiryTest = `${requests}/expire-requests.test.ts`
const imagesTest = `${requests}/pictures/item-images.test.ts`
const releaseTest = `${payments}/release-payments.test.ts`
const moderation = 'server/src/features/desk/moderation'
const moderationTest = `${moderation}/moderation.test.ts`
const savedSearchesTest = `${savedSearches}/saved-searches.test.ts`
const pushTest = `${notifications}/push.test.ts`
const secondFactorsTest = 'server/src/features/identity/second-factors/second-factors.test.ts'
const sellersTest = 'server/src/features/money/sellers/sellers.test.ts'
const providerFactsTest = `${payments}/provider-facts.test.ts`
const stuckRefundsTest = `${payments}/stuck-refunds.test.ts`
const stripeTest = 'server/src/providers/stripe/stripe.test.ts'
const webhookTest = `${payments}/webhook.test.ts`

const locks: Guard[] = [
  {
    guard: 'row lock: a debt is waived once',
    remove: { file: debts, function: 'lockDebt', call: 'for' },
    noticedBy: lossesTest,
  },
  {
    guard: 'row lock: writing off skips a debt that is being waived',
    remove: { file: debts, function: 'lockOldDebts', call: 'for' },
    noticedBy: lossesTest,
  },
  {
    guard: 'row lock: a reversal is asked for again by one process',
    remove: { file: payouts, function: 'claimTakeBacks', call: 'for' },
    noticedBy: takeBackTest,
  },
  {
    guard: 'row lock: two payouts do not settle the same debt',
    remove: { file: debts, function: 'lockOpenDebts', call: 'for' },
    noticedBy: debtsTest,
  },
  {
    guard: 'advisory lock: each cancellation of a seller counts those before it',
    remove: {
      file: `${offers}/queries.ts`,
      function: 'lockCancellations',
      statement: 'pg_advisory_xact_lock',
    },
    noticedBy: debtsTest,
  },
  {
    guard: 'advisory lock: reviews between the same people are excluded one after the other',
    remove: { file: reviews, function: 'lockPair', statement: 'pg_advisory_xact_lock' },
    noticedBy: excludedReviewsTest,
  },
  {
    guard: 'row lock: a review that is being excluded does not change',
    remove: { file: reviews, function: 'excludeReviewsBetween', call: 'for' },
    noticedBy: excludedReviewsTest,
  },
  {
    guard: 'row lock: two workers do not check the same reviews again',
    remove: { file: reviews, function: 'claimReviewsToRecheck', call: 'for' },
    noticedBy: excludedReviewsTest,
  },
  {
    guard: 'row lock: only one of two moderators claims or decides a case',
    remove: { file: `${moderation}/queries.ts`, function: 'lockCase', call: 'for' },
    noticedBy: moderationTest,
  },
  {
    guard: 'row lock: restoring a request does not reopen it while it is being closed',
    remove: { file: `${moderation}/hide-queries.ts`, function: 'lockRequest', call: 'for' },
    noticedBy: `${moderation}/hidden-content.test.ts`,
  },
  {
    guard: 'row lock: hiding a picture waits for changes of the other pictures',
    remove: { file: `${moderation}/hide-queries.ts`, function: 'lockRequestsWith', call: 'for' },
    noticedBy: `${moderation}/hidden-content.test.ts`,
  },
  {
    guard: 'row lock: a decision is appealed once',
    remove: { file: `${moderation}/queries.ts`, function: 'lockDecision', call: 'for' },
    noticedBy: moderationTest,
  },
  {
    guard: 'row lock: the browsers of a session subscribe to push one after the other',
    remove: { file: `${notifications}/push-queries.ts`, function: 'lockSession', call: 'for' },
    noticedBy: pushTest,
  },
  {
    guard: 'skip locked: only one sweep asks the owners of expiring requests',
    remove: { file: `${requests}/expire-requests.ts`, function: 'lockDue', call: 'for' },
    noticedBy: expiryTest,
  },
  {
    guard: 'row lock: a location that is being edited is not looked up',
    remove: { file: `${requests}/locate-requests.ts`, function: 'lockNotLocated', call: 'for' },
    noticedBy: `${requests}/search/filters.test.ts`,
  },
  {
    guard: 'row lock: reports about a parcel are saved one after the other',
    remove: { file: `${deliveries}/track-parcels.ts`, function: 'lockTracker', call: 'for' },
    noticedBy: `${deliveries}/track-parcels.test.ts`,
  },
  {
    guard: 'row lock: changes of the payout methods wait for each other',
    remove: { file: sellers, function: 'lockPayoutMethods', call: 'for' },
    noticedBy: sellersTest,
  },
  {
    guard: 'row lock: reads of an account are saved one after the other',
    remove: { file: payoutAccounts, function: 'lockSellerOf', call: 'for' },
    noticedBy: 'server/src/features/money/payouts/account-health.test.ts',
  },
  {
    guard: 'row lock: moves of a payment wait for each other',
    remove: { file: `${payments}/stored-payment.ts`, function: 'lockWhere', call: 'for' },
    noticedBy: paymentsTest,
  },
  {
    guard: 'row lock: an offer does not change while its payment is started',
    remove: { file: `${payments}/queries.ts`, function: 'lockOffer', call: 'for' },
    noticedBy: deletionTest,
  },
  {
    guard: 'row lock: a request does not change while a payment for it is started',
    remove: { file: `${requests}/reservation.ts`, function: 'lockStatus', call: 'for' },
    noticedBy: reservationTest,
  },
  {
    guard: 'row lock: the sweep and the second review of a deal wait for each other',
    remove: { file: reviews, function: 'lockDueReviews', call: 'for' },
    noticedBy: reviewsTest,
  },
  {
    guard: 'row lock: the stars of two people are added in one order',
    remove: { file: reviews, function: 'addStars', call: 'for' },
    noticedBy: reviewsTest,
  },
  {
    guard: 'row lock: changes of a support ticket wait for each other',
    remove: { file: 'server/src/features/desk/support/queries.ts', function: 'lockTicket', call: 'for' },
    noticedBy: 'server/src/features/desk/support/support.test.ts',
  },
  {
    guard: 'row lock: only one sweep releases due payments',
    remove: { file: `${payments}/queries.ts`, function: 'lockDuePayments', call: 'for' },
    noticedBy: releaseTest,
  },
  {
    guard: 'skip locked: a release does not wait for a payment that is being moved',
    remove: { file: `${payments}/queries.ts`, function: 'lockDuePayments', property: 'skipLocked' },
    noticedBy: releaseTest,
  },
  {
    guard: 'skip locked: only one process at a time asks about a pending payment',
    remove: { file: `${payments}/queries.ts`, function: 'claimPendingPayments', call: 'for' },
    noticedBy: paymentsTest,
  },
  {
    guard: 'on conflict: a payment that fails again is set aside further',
    remove: {
      file: 'server/src/features/money/set-aside/set-aside.ts',
      function: 'setAside',
      call: 'onConflictDoUpdate',
    },
    noticedBy: `${payments}/failing-payments.test.ts`,
  },
  {
    guard: 'skip locked: one process at a time claims a payout',
    remove: { file: payouts, function: 'claimUnpaidPayouts', call: 'for' },
    noticedBy: payoutsTest,
  },
  {
    guard: 'row lock: changing a payout and reporting about its payment cannot deadlock',
    remove: { file: payouts, function: 'lockPaymentOf', call: 'for' },
    noticedBy: payoutsTest,
  },
  {
    guard: 'skip locked: one process at a time claims a refund',
    remove: { file: `${payments}/queries.ts`, function: 'claimDueRefunds', call: 'for' },
    noticedBy: stuckRefundsTest,
  },
  {
    guard: 'row lock: decisions about a goodwill payment wait for each other',
    remove: { file: goodwill, function: 'lockGoodwill', call: 'for' },
    noticedBy: goodwillTest,
  },
  {
    guard: 'row lock: changes of a payout wait for each other',
    remove: { file: payouts, function: 'lockPayout', call: 'for' },
    noticedBy: 'server/src/features/money/payouts/manual-payouts.test.ts',
  },
  {
    guard: 'row lock: answers to the offers between two people wait for each other',
    remove: { file: `${offers}/queries.ts`, function: 'lockOffer', call: 'for' },
    noticedBy: offersTest,
  },
  {
    guard: 'row lock: two messages that send the same photo wait for each other',
    remove: {
      file: 'server/src/features/deals/photos/queries.ts',
      function: 'lockUnsentPhotos',
      call: 'for',
    },
    noticedBy: photosTest,
  },
  {
    guard: 'row lock: a request does not change while an offer on it is accepted',
    remove: { file: `${offers}/queries.ts`, function: 'lockItemShared', call: 'for' },
    noticedBy: offersTest,
  },
  {
    guard: 'row lock: changes of a request wait for each other',
    remove: { file: 'server/src/features/board/requests/queries.ts', function: 'lockItem', call: 'for' },
    noticedBy: requestsTest,
  },
  {
    guard: 'row lock: offers of a user who is being deleted do not change',
    remove: { file: `${offers}/end-offers.ts`, function: 'lockUnpaidOffersOf', call: 'for' },
    noticedBy: deletionTest,
  },
  {
    guard: 'row lock: sign-ins and changes of an account wait for each other',
    remove: { file: `${accounts}/queries.ts`, function: 'lockUser', call: 'for' },
    noticedBy: `${accounts}/security.test.ts`,
  },
  {
    guard: 'row lock: changes of second factors wait for each other',
    remove: { file: secondFactors, function: 'lockOwner', call: 'for' },
    noticedBy: secondFactorsTest,
  },
  {
    guard: 'row lock: deleting an account waits for transactions that rely on it',
    remove: {
      file: 'server/src/features/privacy/personal-data/delete-account.ts',
      function: 'endAndErase',
      literal: 'update',
    },
    noticedBy: deletionTest,
  },
  {
    guard: 'row lock: a user is not deleted while something is created for them',
    remove: { file: `${accounts}/active-users.ts`, function: 'areActive', call: 'for' },
    noticedBy: 'server/src/features/privacy/personal-data/delete-account-races.test.ts',
  },
  {
    guard: 'row lock: a user is not suspended while they post or make an offer',
    remove: { file: `${accounts}/queries.ts`, function: 'lockSanctions', call: 'for' },
    noticedBy: 'server/src/features/desk/moderation/moderation.test.ts',
  },
  {
    guard: 'row lock: one process at a time emails a user',
    remove: { file: `${notifications}/email-queries.ts`, function: 'recipientStatement', call: 'for' },
    noticedBy: emailTest,
  },
  {
    guard: 'row lock: a bounce waits for the deletion of its account',
    remove: { file: `${notifications}/email-queries.ts`, function: 'lockOwners', call: 'for' },
    noticedBy: mailEventsTest,
  },
  {
    guard: 'advisory lock: a process starts before or after a new key comes into use',
    remove: {
      file: 'server/src/database/key-use.ts',
      function: 'withLock',
      statement: 'pg_advisory_xact_lock',
    },
    noticedBy: 'server/src/database/key-use.test.ts',
  },
  {
    guard: 'on conflict: a version records at each start that it has migrated',
    remove: { file: 'server/src/database/releases.ts', function: 'recordRelease', sql: 'on conflict' },
    noticedBy: 'server/src/database/releases.test.ts',
  },
  {
    guard: 'on conflict: a process records again that it runs',
    remove: { file: 'server/src/database/key-use.ts', function: 'record', sql: 'on conflict' },
    noticedBy: 'server/src/database/key-use.test.ts',
  },
  {
    guard: 'advisory lock: reading a conversation waits for messages that are being sent to it',
    remove: { file: inboxLock, function: 'lockInbox', statement: 'pg_advisory_xact_lock' },
    noticedBy: notificationsTest,
  },
  {
    guard: 'advisory lock: messages of a sender wait for each other and for the reader',
    remove: { file: inboxLock, function: 'lockInboxForSending', statement: 'pg_advisory_xact_lock' },
    noticedBy: notificationsTest,
  },
  {
    guard: 'advisory lock: messages and offers wait for a block that begins',
    remove: { file: blocks, function: 'delayBlocks', statement: 'pg_advisory_xact_lock_shared' },
    noticedBy: blocksTest,
  },
  {
    guard: 'advisory lock: a block waits for messages and offers that are being sent',
    remove: { file: blocks, function: 'lockContact', statement: 'pg_advisory_xact_lock' },
    noticedBy: blocksTest,
  },
  {
    guard: 'on conflict: blocking a person twice changes nothing',
    remove: {
      file: 'server/src/features/trust/blocks/actions.ts',
      function: 'insertBlock',
      call: 'onConflictDoNothing',
    },
    noticedBy: blocksTest,
  },
  {
    guard: 'unique: a dispute has one open record',
    remove: { uniqueIndex: 'dispute_cases_one_open' },
    noticedBy: caseworkTest,
  },
  {
    guard: 'unique: a ruling is overturned for one party only',
    remove: { uniqueIndex: 'dispute_appeals_overturned_once' },
    noticedBy: caseworkTest,
  },
  {
    guard: 'unique: reports of the same content join one case',
    remove: { uniqueIndex: 'moderation_cases_one_open' },
    also: [{ file: openCase, function: 'openOrJoinCase', call: 'onConflictDoUpdate' }],
    noticedBy: reportsTest,
  },
  {
    guard: 'unique: concurrent reports by one person count once',
    remove: { uniqueIndex: 'reports_once' },
    also: [{ file: openCase, function: 'insertReport', call: 'onConflictDoNothing' }],
    noticedBy: reportsTest,
  },
  {
    guard: 'advisory lock: offers of a seller on a request are made one after the other',
    remove: { file: `${offers}/queries.ts`, function: 'lockOffering', statement: 'pg_advisory_xact_lock' },
    noticedBy: offersTest,
  },
  {
    guard: 'advisory lock: settings are changed one after the other',
    remove: {
      file: 'server/src/features/desk/market/actions.ts',
      function: 'lockSettings',
      statement: 'pg_advisory_xact_lock',
    },
    noticedBy: 'server/src/features/desk/market/settings.test.ts',
  },
  {
    guard: 'advisory lock: goodwill is granted one after the other',
    remove: { file: goodwill, function: 'lockGrants', statement: 'pg_advisory_xact_lock' },
    noticedBy: goodwillTest,
  },
  {
    guard: 'advisory lock: versions of policies are published one after the other',
    remove: { file: policies, function: 'lockVersions', statement: 'pg_advisory_xact_lock' },
    noticedBy: policiesTest,
  },
  {
    guard: 'advisory lock: requests of a user are opened one after the other',
    remove: {
      file: 'server/src/features/board/requests/queries.ts',
      function: 'lockOpening',
      statement: 'pg_advisory_xact_lock',
    },
    noticedBy: 'server/src/features/desk/market/settings.test.ts',
  },
  {
    guard: 'advisory lock: documents of a series get their numbers one after the other',
    remove: { file: documents, function: 'lockSeries', statement: 'pg_advisory_xact_lock' },
    noticedBy: documentsTest,
  },
  {
    guard: 'advisory lock: one process migrates',
    remove: {
      file: 'server/src/database/migrate.ts',
      function: 'withMigrationLock',
      statement: 'tryLock',
    },
    noticedBy: schemaTest,
  },
  {
    guard: 'advisory lock: one process seeds the demo market',
    remove: { file: 'server/src/demo/seed.ts', function: 'seedDemo', statement: 'pg_advisory_xact_lock' },
    noticedBy: 'server/src/demo/demo.test.ts',
  },
  {
    guard: 'advisory lock: the embedded PostgreSQL runs while a server uses it',
    remove: {
      file: 'server/src/database/embedded-postgres/embedded-postgres.ts',
      function: 'startAndLock',
      statement: 'pg_advisory_lock_shared',
    },
    noticedBy: embeddedPostgresTest,
  },
  {
    guard: 'file lock: one process starts the embedded PostgreSQL',
    remove: {
      file: 'server/src/core/file-lock.ts',
      function: 'tryAcquire',
      statement: 'begin exclusive',
    },
    noticedBy: embeddedPostgresTest,
  },
]

const uniqueKeys: Guard[] = [
  {
    guard: 'unique key: the fee of a cancelled deal is owed once',
    remove: { uniqueIndex: 'debts_cancellation_unique' },
    noticedBy: debtsTest,
  },
  {
    guard: 'unique key: a chargeback or a refund leaves one debt',
    remove: { uniqueIndex: 'debts_cause_unique' },
    noticedBy: lossesTest,
  },
  {
    guard: 'unique key: a loss waits once to be taken back',
    remove: { constraint: 'take_backs_cause_unique' },
    noticedBy: lossesTest,
  },
  {
    guard: 'unique key: the provider is asked for one reversal of a payment at a time',
    remove: { uniqueIndex: 'take_backs_under_way' },
    noticedBy: takeBackTest,
  },
  {
    guard: 'unique: the market has one pair of push keys',
    remove: { uniqueIndex: 'push_keys_one_row' },
    noticedBy: schemaTest,
  },
  {
    guard: 'unique: a browser belongs to one person',
    remove: { constraint: 'push_subscriptions_endpoint' },
    noticedBy: pushTest,
  },
  {
    guard: 'unique: a ledger key posts to an account once in a currency',
    remove: { uniqueIndex: 'ledger_entries_key_account_currency_unique' },
    noticedBy: schemaTest,
  },
  {
    guard: 'unique: a seller has one open offer on a request',
    remove: { uniqueIndex: 'offers_one_open' },
    noticedBy: offersTest,
  },
  {
    guard: 'unique: a request has its own position on the board',
    remove: { uniqueIndex: 'wanted_items_position' },
    noticedBy: schemaTest,
  },
  {
    guard: 'unique: a message has one photo at a position',
    remove: { uniqueIndex: 'photos_message_unique' },
    noticedBy: photosTest,
  },
  {
    guard: 'unique: an offer has one photo at a position',
    remove: { uniqueIndex: 'photos_offer_unique' },
    noticedBy: photosTest,
  },
  {
    guard: 'unique: a file belongs to one photo',
    remove: { uniqueIndex: 'photos_file_unique' },
    noticedBy: photosTest,
  },
  {
    guard: 'unique: an offer has one payment',
    remove: { uniqueIndex: 'payments_offer_unique' },
    also: [{ file: `${payments}/queries.ts`, function: 'findOrInsertPayment', call: 'onConflictDoNothing' }],
    noticedBy: paymentsTest,
  },
  {
    guard: 'unique: a transaction number names one payment',
    remove: { uniqueIndex: 'payments_transaction_number_unique' },
    noticedBy: schemaTest,
  },
  {
    guard: 'unique: an intent has one payment',
    remove: { uniqueIndex: 'payments_intent_unique' },
    noticedBy: schemaTest,
  },
  {
    guard: 'unique: a payment has one payout',
    remove: { uniqueIndex: 'payouts_payment_unique' },
    noticedBy: schemaTest,
  },
  {
    guard: 'unique: a transfer has one payout',
    remove: { uniqueIndex: 'payouts_provider_unique' },
    noticedBy: schemaTest,
  },
  {
    guard: 'unique: an email address has one account',
    remove: { uniqueIndex: 'users_email_unique' },
    noticedBy: `${accounts}/accounts.test.ts`,
  },
  {
    guard: 'unique: a Google account has one account here',
    remove: { uniqueIndex: 'users_provider_id_unique' },
    noticedBy: schemaTest,
  },
  {
    guard: 'unique: a connected account has one seller',
    remove: { uniqueIndex: 'users_stripe_connect_account_id_unique' },
    noticedBy: schemaTest,
  },
  {
    guard: 'unique: a message that is sent twice is stored once',
    remove: { uniqueIndex: 'messages_client_unique' },
    also: [{ file: messages, function: 'insertMessage', call: 'onConflictDoNothing' }],
    noticedBy: messagesTest,
  },
  {
    guard: 'unique: a database has one installation id',
    remove: { uniqueIndex: 'installation_one_row' },
    noticedBy: schemaTest,
  },
  {
    guard: 'unique: a payment has one receipt',
    remove: { uniqueIndex: 'documents_receipt_unique' },
    noticedBy: documentsTest,
  },
  {
    guard: 'unique: a seller has one statement for a month',
    remove: { uniqueIndex: 'documents_statement_unique' },
    noticedBy: documentsTest,
  },
  {
    guard: 'check: a photo is sent once',
    remove: { constraint: 'photos_sent_once' },
    noticedBy: photosTest,
  },
  {
    guard: 'check: a message or an offer has four photos',
    remove: { constraint: 'photos_position' },
    noticedBy: photosTest,
  },
  {
    guard: 'check: a message has a text or photos',
    remove: { constraint: 'messages_content' },
    noticedBy: photosTest,
  },
  {
    guard: 'unique: a user gets each notification once',
    remove: { constraint: 'notifications_once' },
    also: [{ file: `${notifications}/queries.ts`, function: 'insertNotifications', sql: 'on conflict' }],
    noticedBy: notificationsTest,
  },
  {
    guard: 'unique: a notification is emailed once',
    remove: { uniqueIndex: 'mails_notification_unique' },
    noticedBy: schemaTest,
  },
  {
    guard: 'primary key: a person is alerted of a request once',
    remove: { constraint: 'search_alerts_user_id_wanted_item_id_pk' },
    noticedBy: savedSearchesTest,
  },
  {
    guard: 'on conflict: a request is matched with saved searches again without an error',
    remove: { file: `${savedSearches}/match-queries.ts`, function: 'insertAlerts', sql: 'on conflict' },
    noticedBy: savedSearchesTest,
  },
  {
    guard: 'unique: each party reviews a deal once',
    remove: { uniqueIndex: 'reviews_once' },
    noticedBy: schemaTest,
  },
  {
    guard: 'primary key: a provider event is stored once',
    remove: { primaryKeyOf: 'webhook_events' },
    noticedBy: providerFaultsTest,
  },
  {
    guard: 'foreign key: the terms of a payment are those of its offer',
    remove: { constraint: 'payments_offer_terms' },
    noticedBy: schemaTest,
  },
  {
    guard: 'foreign key: a payment is delivered as its offer says',
    remove: { constraint: 'payments_delivery_terms' },
    noticedBy: deliveriesTest,
  },
]

const conflicts: Guard[] = [
  {
    guard: 'on conflict: a loss that is lost while it is taken back waits once',
    remove: { file: payouts, function: 'insertTakeBack', call: 'onConflictDoNothing' },
    noticedBy: takeBackTest,
  },
  {
    guard: 'on conflict: accepting a version of a policy twice changes nothing',
    remove: { file: policies, function: 'insertConsent', call: 'onConflictDoNothing' },
    noticedBy: policiesTest,
  },
  {
    guard: 'on conflict: a browser that subscribes to push again moves to its new user',
    remove: {
      file: `${notifications}/push-queries.ts`,
      function: 'savePushSubscription',
      call: 'onConflictDoUpdate',
    },
    noticedBy: pushTest,
  },
  {
    guard: 'on conflict: an address that is rejected again stays suppressed',
    remove: {
      file: `${notifications}/email-queries.ts`,
      function: 'insertSuppression',
      call: 'onConflictDoUpdate',
    },
    noticedBy: emailTest,
  },
  {
    guard: 'on conflict: a second copy of a bounce is recognised',
    remove: {
      file: `${notifications}/email-queries.ts`,
      function: 'insertMailEvent',
      call: 'onConflictDoNothing',
    },
    noticedBy: mailEventsTest,
  },
  {
    guard: 'on conflict: concurrent processes generate the push keys once',
    remove: { file: 'server/src/providers/push/push-keys.ts', function: 'add', call: 'onConflictDoNothing' },
    noticedBy: pushTest,
  },
  {
    guard: 'on conflict: a device that signs in again is the same device',
    remove: {
      file: 'server/src/features/users/known-devices.ts',
      function: 'rememberDevice',
      call: 'onConflictDoUpdate',
    },
    noticedBy: `${accounts}/recovery.test.ts`,
  },
  {
    guard: 'on conflict: a saved address replaces the one before',
    remove: {
      file: 'server/src/features/identity/addresses/actions.ts',
      function: 'upsertAddress',
      call: 'onConflictDoUpdate',
    },
    noticedBy: 'server/src/features/identity/addresses/addresses.test.ts',
  },
  {
    guard: 'on conflict: a parcel that is registered again is the same parcel',
    remove: {
      file: 'server/src/providers/tracking/stand-in.ts',
      function: 'register',
      call: 'onConflictDoNothing',
    },
    noticedBy: `${deliveries}/track-parcels.test.ts`,
  },
  {
    guard: 'on conflict: a document that another request has issued is not issued again',
    remove: { file: documents, function: 'insertDocument', call: 'onConflictDoNothing' },
    noticedBy: documentsTest,
  },
  {
    guard: 'on conflict: a second start of a payment finds the first',
    remove: { file: `${payments}/queries.ts`, function: 'findOrInsertPayment', call: 'onConflictDoNothing' },
    noticedBy: paymentsTest,
  },
  {
    guard: 'on conflict: a report of the provider counts once',
    remove: { file: `${payments}/provider-queries.ts`, function: 'recordFact', call: 'onConflictDoNothing' },
    noticedBy: providerFactsTest,
  },
  {
    guard: 'on conflict: a chargeback is stored once',
    remove: {
      file: `${payments}/provider-queries.ts`,
      function: 'saveChargeback',
      call: 'onConflictDoUpdate',
    },
    noticedBy: providerFactsTest,
  },
  {
    guard: 'on conflict: a sign of fraud is stored once',
    remove: {
      file: `${payments}/provider-queries.ts`,
      function: 'saveFraudSignal',
      call: 'onConflictDoNothing',
    },
    noticedBy: bankDecidesTest,
  },
  {
    guard: 'on conflict: a movement of the provider’s balance is stored once',
    remove: {
      file: 'server/src/features/money/ledger/provider-movements.ts',
      function: 'saveMovements',
      sql: 'on conflict',
    },
    noticedBy: reconciliationTest,
  },
  {
    guard: 'on conflict: changes are added to the existing figures of a day',
    remove: { file: analytics, function: 'addToFigures', sql: 'on conflict' },
    noticedBy: figuresTest,
  },
  {
    guard: 'on conflict: a difference that is found again is listed once',
    remove: { file: reconciliation, function: 'upsertDifferences', call: 'onConflictDoUpdate' },
    noticedBy: reconciliationTest,
  },
  {
    guard: 'on conflict: a night is reconciled once',
    remove: { file: reconciliation, function: 'insertRun', call: 'onConflictDoNothing' },
    noticedBy: reconciliationTest,
  },
  {
    guard: 'on conflict: a second copy of an event is recognised',
    remove: { file: `${payments}/provider-queries.ts`, function: 'insertEvent', call: 'onConflictDoNothing' },
    noticedBy: webhookTest,
  },
  {
    guard: 'on conflict: a message that is sent twice finds the first',
    remove: { file: messages, function: 'insertMessage', call: 'onConflictDoNothing' },
    noticedBy: messagesTest,
  },
  {
    guard: 'lock: a notification waits for the deletion of its user',
    remove: { file: `${notifications}/queries.ts`, function: 'insertNotifications', sql: 'for key share' },
    noticedBy: 'server/src/features/privacy/personal-data/delete-account-races.test.ts',
  },
  {
    guard: 'on conflict: a repeated notification is left out',
    remove: { file: `${notifications}/queries.ts`, function: 'insertNotifications', sql: 'on conflict' },
    noticedBy: notificationsTest,
  },
  {
    guard: 'on conflict: a second account with an email address is refused',
    remove: { file: `${accounts}/queries.ts`, function: 'insertUser', call: 'onConflictDoNothing' },
    noticedBy: `${accounts}/accounts.test.ts`,
  },
  {
    guard: 'on conflict: the setup of an authenticator app can be started again',
    remove: { file: secondFactors, function: 'saveTotp', call: 'onConflictDoUpdate' },
    noticedBy: secondFactorsTest,
  },
  {
    guard: 'on conflict: a passkey is registered once',
    remove: { file: secondFactors, function: 'insertPasskey', call: 'onConflictDoNothing' },
    noticedBy: secondFactorsTest,
  },
  {
    guard: 'on conflict: granting a role again replaces the old one',
    remove: { file: `${accounts}/queries.ts`, function: 'saveStaffRole', call: 'onConflictDoUpdate' },
    noticedBy: `${accounts}/accounts.test.ts`,
  },
  {
    guard: 'on conflict: presence can be recorded again',
    remove: { file: 'server/src/features/users/presence.ts', function: 'recordPresence', sql: 'on conflict' },
    noticedBy: 'server/src/http/events.test.ts',
  },
  {
    guard: 'on conflict: a worker can report that it is alive again',
    remove: { file: 'server/src/jobs/heartbeat.ts', function: 'recordHeartbeat', sql: 'on conflict' },
    noticedBy: 'server/src/jobs/heartbeat.test.ts',
  },
]

const providerKeys: Guard[] = [
  {
    guard: 'idempotency key of an intent',
    remove: { file: stripe, function: 'createIntent', call: 'idempotencyKey' },
    noticedBy: paymentsTest,
  },
  {
    guard: 'idempotency key of a customer',
    remove: { file: stripe, function: 'createCustomer', call: 'idempotencyKey' },
    noticedBy: `${payments}/intent-details.test.ts`,
  },
  {
    guard: 'idempotency key of a refund',
    remove: { file: stripe, function: 'refund', call: 'idempotencyKey' },
    noticedBy: payoutsTest,
  },
  {
    guard: 'idempotency key of a transfer',
    remove: { file: stripe, function: 'transfer', call: 'idempotencyKey' },
    noticedBy: payoutsTest,
  },
  {
    guard: 'a retry after a refusal has an idempotency key of its own',
    remove: { file: stripe, function: 'idempotencyKey', variable: 'attempt' },
    noticedBy: providerFaultsTest,
  },
  {
    guard: 'a refund that was made under an expired key is found',
    remove: { file: stripe, function: 'refund', statement: 'asRefund(found)' },
    noticedBy: stripeTest,
  },
  {
    guard: 'a transfer that was made under an expired key is found',
    remove: { file: stripe, function: 'transfer', statement: 'asTransfer(found)' },
    noticedBy: payoutsTest,
  },
  {
    guard: 'a transfer names the charge that funds it',
    remove: { file: stripe, function: 'transfer', property: 'source_transaction' },
    noticedBy: stripeTest,
  },
  {
    guard: 'OpenID Connect: the state of the sign-in attempt',
    remove: { file: google, function: 'finish', property: 'expectedState' },
    noticedBy: googleTest,
  },
  {
    guard: 'OpenID Connect: the nonce of the sign-in attempt',
    remove: { file: google, function: 'finish', property: 'expectedNonce' },
    noticedBy: googleTest,
  },
  {
    guard: 'OpenID Connect: the PKCE verifier of the sign-in attempt',
    remove: { file: google, function: 'finish', property: 'pkceCodeVerifier' },
    noticedBy: googleTest,
  },
]

const deletionBlockedBy = (what: string, words: string, become: string): Guard => ({
  guard: `condition: ${what} prevents account deletion`,
  remove: { file: `${payments}/account-deletion.ts`, function: 'hasOpenMoney', words, become },
  noticedBy: deletionTest,
})

const conditions: Guard[] = [
  {
    guard: 'condition: a payment is saved only if its status is still the same',
    remove: {
      file: `${payments}/stored-payment.ts`,
      function: 'updatePayment',
      condition: 'payments.status',
    },
    noticedBy: paymentsTest,
  },
  {
    guard: 'condition: a review has one reply',
    remove: { file: reviews, function: 'saveReply', condition: 'reviews.reply' },
    noticedBy: reviewsTest,
  },
  {
    guard: 'condition: an intent is set only while the payment is pending',
    remove: { file: `${payments}/queries.ts`, function: 'unchangedIntent', condition: 'payments.status' },
    noticedBy: paymentsTest,
  },
  {
    guard: 'condition: an intent is set only if no other attempt came first',
    remove: {
      file: `${payments}/queries.ts`,
      function: 'unchangedIntent',
      condition: 'payments.intentAttempt',
    },
    noticedBy: paymentsTest,
  },
  {
    guard: 'condition: an intent is set only if no other was set',
    remove: {
      file: `${payments}/queries.ts`,
      function: 'unchangedIntent',
      condition: 'payments.stripePaymentIntentId',
    },
    noticedBy: paymentsTest,
  },
  {
    guard: 'condition: a payment with an intent is not deleted',
    remove: {
      file: `${payments}/queries.ts`,
      function: 'deletePaymentWithoutIntent',
      condition: 'payments.stripePaymentIntentId',
    },
    noticedBy: paymentsTest,
  },
  {
    guard: 'condition: only held payments are released when due',
    remove: { file: `${payments}/queries.ts`, function: 'lockDuePayments', condition: 'payments.status' },
    noticedBy: paymentsTest,
  },
  {
    guard: 'condition: payments that may be fraud are not released when due',
    remove: { file: `${payments}/queries.ts`, function: 'lockDuePayments', condition: 'payments.needsCheck' },
    noticedBy: bankDecidesTest,
  },
  {
    guard: 'condition: only expired holds are released',
    remove: {
      file: `${payments}/queries.ts`,
      function: 'lockDuePayments',
      condition: 'lte(payments.escrowHoldUntil',
    },
    noticedBy: paymentsTest,
  },
  {
    guard: 'condition: a refusal counts only the refund attempt that was refused',
    remove: {
      file: `${payments}/queries.ts`,
      function: 'countRefusedRefund',
      condition: 'payments.refundAttempt',
    },
    noticedBy: payoutsTest,
  },
  {
    guard: 'condition: payments are listed to their buyer and seller only',
    remove: { file: `${payments}/queries.ts`, function: 'paymentsStatement', condition: 'payments.buyerId' },
    noticedBy: paymentsTest,
  },
  {
    guard: 'condition: manual payouts are not claimed by the sweep',
    remove: { file: payouts, function: 'unpaid', condition: 'payouts.method' },
    noticedBy: payoutsTest,
  },
  {
    guard: 'condition: only pending siblings are withdrawn',
    remove: { file: `${offers}/queries.ts`, function: 'withdrawSiblings', condition: 'offers.status' },
    noticedBy: offersTest,
  },
  {
    guard: 'condition: offers are listed to their buyer and seller only',
    remove: { file: `${offers}/queries.ts`, function: 'findOffersOf', condition: 'offers.buyerId' },
    noticedBy: offersTest,
  },
  {
    guard: 'condition: deleting an account ends no paid offer',
    remove: {
      file: `${offers}/end-offers.ts`,
      function: 'findUnpaidOffersOf',
      condition: 'not(exists(paid))',
    },
    noticedBy: deletionTest,
  },
  {
    guard: 'condition: jobs are taken only from a worker without heartbeat',
    remove: {
      file: 'server/src/jobs/heartbeat.ts',
      function: 'unlockDeadWorkers',
      words: 'and not exists (',
      become: 'and true or exists (',
    },
    noticedBy: 'server/src/jobs/heartbeat.test.ts',
  },
  {
    guard: 'condition: a new key writes only when all processes have it',
    remove: {
      file: 'server/src/database/key-use.ts',
      function: 'useFirst',
      words: 'and not exists (',
      become: 'and true or exists (',
    },
    noticedBy: 'server/src/database/key-use.test.ts',
  },
  {
    guard: 'on conflict: a new phone code replaces the one before',
    remove: { file: phoneCodes, function: 'replacePhoneCode', call: 'onConflictDoUpdate' },
    noticedBy: phoneTest,
  },
  {
    guard: 'condition: a phone code expires',
    remove: { file: phoneCodes, function: 'countPhoneAttempt', condition: 'phoneCodes.expiresAt' },
    noticedBy: phoneTest,
  },
  {
    guard: 'condition: a phone code can be tried five times',
    remove: { file: phoneCodes, function: 'countPhoneAttempt', condition: 'phoneCodes.attempts' },
    noticedBy: phoneTest,
  },
  {
    guard: 'condition: a phone code works for its user only',
    remove: { file: phoneCodes, function: 'countPhoneAttempt', condition: 'phoneCodes.userId' },
    noticedBy: phoneTest,
  },
  {
    guard: 'condition: a deleted user gets no payout method',
    remove: { file: sellers, function: 'lockPayoutMethods', condition: 'users.deletedAt' },
    noticedBy: sellersTest,
  },
  {
    guard: 'condition: a payout that the provider refused is not retried by a status check',
    remove: { file: sellers, function: 'hasUntriedPayouts', condition: 'payouts.attempt' },
    noticedBy: sellersTest,
  },
  {
    guard: 'condition: payouts are listed to their seller only',
    remove: { file: sellers, function: 'findPayouts', condition: 'payouts.sellerId' },
    noticedBy: sellersTest,
  },
  {
    guard: 'condition: messages are marked read by their receiver only',
    remove: { file: messages, function: 'markRead', condition: 'messages.receiverId' },
    noticedBy: messagesTest,
  },
  {
    guard: 'condition: notifications are listed to their user only',
    remove: {
      file: `${notifications}/queries.ts`,
      function: 'notificationsStatement',
      condition: 'notifications.userId',
    },
    noticedBy: notificationsTest,
  },
  {
    guard: 'condition: notifications are marked read by their user only',
    remove: { file: `${notifications}/queries.ts`, function: 'markRead', condition: 'notifications.userId' },
    noticedBy: notificationsTest,
  },
  {
    guard: 'condition: a deleted user has no profile page',
    remove: {
      file: 'server/src/features/board/profiles/queries.ts',
      function: 'peopleStatement',
      condition: 'users.deletedAt',
    },
    noticedBy: 'server/src/features/board/profiles/people.test.ts',
  },
  {
    guard: 'condition: a session expires',
    remove: { file: session, function: 'sessionStatement', condition: 'sessions.expire' },
    noticedBy: `${accounts}/accounts.test.ts`,
  },
  {
    guard: 'condition: a deleted user has no session',
    remove: { file: session, function: 'sessionStatement', condition: 'users.deletedAt' },
    noticedBy: deletionTest,
  },
  {
    guard: 'condition: a sign-in that waits for a second factor is no session',
    remove: { file: session, function: 'sessionStatement', condition: 'isComplete' },
    noticedBy: secondFactorsTest,
  },
  {
    guard: 'condition: a code of an authenticator app works once',
    remove: { file: secondFactors, function: 'usePeriod', condition: 'lastUsedPeriod' },
    noticedBy: secondFactorsTest,
  },
  {
    guard: 'condition: a challenge for a passkey serves one purpose',
    remove: { file: secondFactors, function: 'takeChallenge', condition: 'passkeyChallenges.purpose' },
    noticedBy: secondFactorsTest,
  },
  {
    guard: 'condition: a passkey is removed by its owner only',
    remove: { file: secondFactors, function: 'deletePasskeys', condition: 'passkeys.userId' },
    noticedBy: secondFactorsTest,
  },
  {
    guard: 'condition: a device is signed out by its owner only',
    remove: { file: `${accounts}/devices.ts`, function: 'deleteSession', condition: 'isOf(userId)' },
    noticedBy: `${accounts}/security.test.ts`,
  },
  {
    guard: 'condition: a link expires',
    remove: {
      file: 'server/src/features/users/link-tokens.ts',
      function: 'findToken',
      condition: 'expiresAt',
    },
    noticedBy: `${accounts}/security.test.ts`,
  },
  {
    guard: 'condition: a link works for its own purpose only',
    remove: {
      file: 'server/src/features/users/link-tokens.ts',
      function: 'findToken',
      condition: 'accountTokens.purpose',
    },
    noticedBy: `${accounts}/security.test.ts`,
  },
  {
    guard: 'condition: an export is finished once',
    remove: {
      file: 'server/src/features/money/exports/queries.ts',
      function: 'updateExport',
      condition: 'exportJobs.status',
    },
    noticedBy: exportsTest,
  },
  deletionBlockedBy('money in escrow', "'held_in_escrow', ", ''),
  deletionBlockedBy('an open checkout', "status = 'pending'", 'false'),
  deletionBlockedBy('an owed refund', 'refund_cents > 0', 'false'),
  deletionBlockedBy('an unpaid payout', "status not in ('paid', 'cancelled')", 'false'),
  deletionBlockedBy('a manual payout that can be undone', "method = 'manual'", 'false'),
]

/** Options of libraries that act as guards. */
const options: Guard[] = [
  {
    guard: 'option: scripts cannot read the session cookie',
    remove: { file: session, function: 'createSessions', property: 'httpOnly' },
    noticedBy: `${accounts}/accounts.test.ts`,
  },
  {
    guard: 'option: no site can frame ours',
    remove: { file: 'server/src/http/security.ts', function: 'pageHeaders', property: 'frameAncestors' },
    noticedBy: malformedRequestsTest,
  },
  {
    guard: 'option: a request body has a maximum size',
    remove: { file: 'server/src/app.ts', function: 'buildApp', property: 'bodyLimit' },
    noticedBy: malformedRequestsTest,
  },
  {
    guard: 'option: an uploaded file has a maximum size',
    remove: { file: 'server/src/http/upload.ts', function: 'readParts', property: 'fileSize' },
    noticedBy: 'server/src/http/upload.test.ts',
  },
  {
    guard: 'option: a picture has a maximum number of pixels',
    remove: {
      file: 'server/src/files/image-decoder.ts',
      function: 'convert',
      property: 'limitInputPixels',
    },
    noticedBy: requestsTest,
  },
  {
    guard: 'an account that Google verifies loses its unverified password',
    remove: { file: `${accounts}/remove-access.ts`, function: 'removeAccess', property: 'password' },
    noticedBy: `${accounts}/sign-in-attacks.test.ts`,
  },
]

const inSchema = (guard: string, remove: Target, noticedBy = schemaTest): Guard => ({
  guard,
  remove,
  noticedBy,
})

const triggers: Guard[] = [
  inSchema(
    'trigger: a posted request has its first version',
    { trigger: 'wanted_items_first_version' },
    versionsTest,
  ),
  inSchema('trigger: a changed request has a new version', { trigger: 'wanted_items_version' }, versionsTest),
  inSchema('trigger: versions of requests stay', { trigger: 'request_versions_stay' }, versionsTest),
  inSchema(
    'trigger: an offer answers the current version',
    { trigger: 'offers_answer_version' },
    versionsTest,
  ),
  inSchema(
    'trigger: only one payment of a request waits for its money',
    { trigger: 'payments_one_waits' },
    waitingTest,
  ),
  inSchema('trigger: a debt needs its postings', { trigger: 'debts_match_ledger' }, debtsTest),
  inSchema('trigger: a debt that was given up stays closed', { trigger: 'debts_stay_closed' }, lossesTest),
  inSchema('trigger: refunds never exceed the price', { trigger: 'payment_refunds_max' }, refundReleasedTest),
  inSchema('trigger: postings of debts need the debt', { trigger: 'ledger_entries_match_debts' }, debtsTest),
  inSchema('trigger: settings are append-only', { trigger: 'market_settings_append_only' }),
  inSchema(
    'trigger: two admins raise the limit of goodwill',
    { trigger: 'market_settings_goodwill' },
    'server/src/features/desk/market/settings.test.ts',
  ),
  inSchema('trigger: a deal gets limited goodwill', { trigger: 'goodwill_payments_max' }, goodwillTest),
  inSchema('trigger: fees are append-only', { trigger: 'fee_rates_append_only' }),
  inSchema(
    'trigger: posted and deleted requests are counted',
    { trigger: 'wanted_items_figures_rows' },
    figuresTest,
  ),
  inSchema(
    'trigger: figures follow a request to another category or country',
    { trigger: 'wanted_items_figures' },
    figuresTest,
  ),
  inSchema('trigger: offers are counted', { trigger: 'offers_figures_rows' }, figuresTest),
  inSchema('trigger: accepted offers are counted', { trigger: 'offers_figures' }, figuresTest),
  inSchema(
    'trigger: inserted and deleted payments are counted',
    { trigger: 'payments_figures_rows' },
    figuresTest,
  ),
  inSchema(
    'trigger: payments are counted when they are paid and when they end',
    { trigger: 'payments_figures' },
    figuresTest,
  ),
  inSchema('trigger: disputes are counted', { trigger: 'dispute_cases_figures' }, figuresTest),
  inSchema('trigger: fees, costs and losses are counted', { trigger: 'ledger_entries_figures' }, figuresTest),
  inSchema('trigger: new users are counted', { trigger: 'users_figures_rows' }, figuresTest),
  inSchema(
    'trigger: users are counted on the day of their sign-up',
    { trigger: 'users_figures' },
    figuresTest,
  ),
  inSchema(
    'trigger: waiting alerts are due a day after the last digest',
    { trigger: 'saved_searches_digest' },
    savedSearchesTest,
  ),
  inSchema('trigger: ledger entries sum to zero under their key', { trigger: 'ledger_entries_balance' }),
  inSchema('trigger: ledger entries without a currency get their payment’s', {
    trigger: 'ledger_entries_currency',
  }),
  ...Object.entries({
    payouts_currency: 'payouts',
    payment_refunds_currency: 'refunds',
    chargebacks_currency: 'chargebacks',
    goodwill_payments_at_currency: 'goodwill payments',
    provider_facts_currency: 'facts of the provider',
  }).map(([trigger, rows]) =>
    inSchema(`trigger: ${rows} without a currency get their payment’s`, { trigger }, migrateTest),
  ),
  inSchema('trigger: ledger entries are append-only', { trigger: 'ledger_entries_append_only' }),
  inSchema(
    'trigger: payouts wait after a change of the payout account',
    { trigger: 'payouts_wait' },
    payoutsWaitTest,
  ),
  inSchema(
    'trigger: two payments cannot both reserve a request',
    { trigger: 'payments_one_per_request' },
    reservationTest,
  ),
  inSchema(
    'trigger: a reserved request does not change',
    { trigger: 'wanted_items_reserved' },
    reservationTest,
  ),
  ...['insert', 'update'].flatMap((change) => [
    inSchema(
      `trigger: the end of a request follows its ${change}`,
      { trigger: `wanted_items_${change}_expiry` },
      expiryTest,
    ),
    inSchema(
      `trigger: image_url and images agree after the ${change} of a request`,
      { trigger: `wanted_items_${change}_images` },
      imagesTest,
    ),
  ]),
  inSchema(
    'trigger: a delivered parcel stays delivered',
    { trigger: 'trackers_stay_delivered' },
    `${deliveries}/track-parcels.test.ts`,
  ),
  inSchema('trigger: the audit log is append-only', { trigger: 'audit_log_append_only' }),
  inSchema('trigger: the audit log cannot be emptied', { trigger: 'audit_log_no_truncate' }),
  inSchema('trigger: the status of a payment matches its escrow balance', {
    trigger: 'payments_match_escrow',
  }),
  inSchema('trigger: money that was returned early has left escrow', {
    trigger: 'payments_match_returned',
  }),
  inSchema(
    'trigger: the end of a session closes its streams',
    { trigger: 'sessions_ended' },
    'server/src/http/events.test.ts',
  ),
  inSchema('trigger: the numbers of documents have no gaps', { trigger: 'documents_follow' }, documentsTest),
  inSchema('trigger: issued documents are append-only', { trigger: 'documents_append_only' }, documentsTest),
  ...['insert', 'update', 'delete'].map((change) =>
    inSchema(
      `trigger: search words follow the ${change} of a request`,
      { trigger: `wanted_items_${change}_words` },
      'server/src/features/board/requests/search/search.test.ts',
    ),
  ),
]

const constraints: Guard[] = [
  inSchema('check: at most six pictures', { constraint: 'wanted_items_images' }, imagesTest),
  inSchema(
    'check: only our copies of pictures are shown',
    { constraint: 'wanted_items_image_copies' },
    imagesTest,
  ),
  inSchema('check: a saved search has a name', { constraint: 'saved_searches_name' }),
  inSchema('check: alerts have a known frequency', { constraint: 'saved_searches_alerts' }),
  inSchema('check: an alert is sent in one digest', { constraint: 'search_alerts_sent_once' }),
  inSchema('check: the number of views is positive', { constraint: 'request_views_count' }),
  inSchema('check: no ledger entry of zero', { constraint: 'ledger_entries_amount' }),
  inSchema('check: only known ledger accounts', { constraint: 'ledger_entries_account' }),
  inSchema('check: ledger entries have a currency in lower case', { constraint: 'ledger_entries_currency' }),
  inSchema('check: requests have a currency in lower case', { constraint: 'wanted_items_currency_code' }),
  ...Object.entries({
    offers_request_currency: 'an offer has the currency of its request',
    payouts_payment_currency: 'a payout has the currency of its payment',
    debts_payment_currency: 'a debt has the currency of its payment',
    payment_refunds_payment_currency: 'a refund has the currency of its payment',
    chargebacks_payment_currency: 'a chargeback has the currency of its payment',
    goodwill_payments_payment_currency: 'goodwill has the currency of its payment',
  }).map(([constraint, guard]) => inSchema(`foreign key: ${guard}`, { constraint })),
  inSchema('check: documents are numbered from 1', { constraint: 'documents_sequence' }, documentsTest),
  inSchema('check: a document is a receipt or a statement', { constraint: 'documents_kind' }, documentsTest),
  inSchema('check: a place is on the globe', { constraint: 'wanted_items_place' }),
  inSchema('check: no offer of zero', { constraint: 'offers_amount' }),
  inSchema('unique key: a party appeals against a ruling once', { constraint: 'dispute_appeals_once' }),
  inSchema('unique key: a change of settings has one set of fees', { constraint: 'fee_rates_settings' }),
  inSchema('unique key: versions of a policy have different numbers', { constraint: 'policy_versions_once' }),
  inSchema(
    'unique key: an overturned ruling is paid once',
    { uniqueIndex: 'goodwill_payments_appeal_unique' },
    goodwillTest,
  ),
  inSchema(
    'check: two people decide about goodwill',
    { constraint: 'goodwill_payments_two_people' },
    goodwillTest,
  ),
  inSchema(
    'unique key: a retry grants goodwill once',
    { uniqueIndex: 'goodwill_payments_client_unique' },
    goodwillTest,
  ),
  inSchema(
    'check: who grants goodwill does not pay it',
    { constraint: 'goodwill_payments_paid_by_another' },
    goodwillTest,
  ),
  inSchema('check: no offer to oneself', { constraint: 'offers_two_people' }),
  inSchema('check: an accepted offer has a date', { constraint: 'offers_accepted' }),
  inSchema('check: only known payment statuses', { constraint: 'payments_status' }),
  inSchema('check: a hold has an end', { constraint: 'payments_held' }),
  inSchema('check: the form of a transaction number', { constraint: 'payments_transaction_number' }),
  inSchema('check: only a withdrawn offer was replaced', { constraint: 'offers_replaced' }),
  inSchema('check: no payout of zero', { constraint: 'payouts_amount' }),
  inSchema('check: only known payout statuses', { constraint: 'payouts_status' }),
  inSchema('check: one to five stars', { constraint: 'reviews_rating' }),
  inSchema('check: no message to oneself', { constraint: 'messages_two_people' }),
  inSchema('check: no refund above the amount paid', { constraint: 'payments_refund' }),
  inSchema('check: a payout that is being sent has a destination', { constraint: 'payouts_sending' }),
  inSchema('check: a paid payout has a date', { constraint: 'payouts_paid' }),
  inSchema('check: a settlement is partial and proposed by a party', { constraint: 'payments_settlement' }),
  ...Object.entries({
    payments_unshipped: 'an unshipped parcel is never released automatically',
    payments_shipped: 'only a paid parcel is shipped, and it has a carrier',
    payments_delivered: 'only a shipped parcel can be delivered',
    payments_cancellation: 'a cancelled deal is refunded, for a reason',
    payments_ship_within: 'only a parcel has days to ship',
    payments_ship_by: 'a paid parcel has a ship-by date',
    payments_handover_failures: 'wrong handover codes are limited',
  }).map(([constraint, guard]) => inSchema(`check: ${guard}`, { constraint }, deliveriesTest)),
]

export const guards: Record<string, Guard[]> = {
  locks,
  'unique keys': uniqueKeys,
  'on conflict clauses': conflicts,
  'keys at providers': providerKeys,
  'conditions of queries': conditions,
  options,
  triggers,
  constraints,
}

/** Locks and keys whose removal no test can notice, and why they exist anyway. */
export const unobservable: { target: Target; why: string }[] = [
  {
    target: { uniqueIndex: 'ledger_entries_key_account_unique' },
    why: 'A later migration replaces it with one that includes the currency.',
  },
  {
    target: { uniqueIndex: 'moderation_cases_appeal_unique' },
    why: 'The decision is locked while its appeal is saved.',
  },
  {
    target: { constraint: 'push_subscriptions_session' },
    why: 'The subscription of a session is deleted before the next one is saved.',
  },
  {
    target: { file: 'server/src/http/session.ts', function: 'renew', call: 'for' },
    why: 'Only a change of the password renews a session, and that locks its user first.',
  },
  {
    target: {
      file: 'server/src/features/board/requests/view-counter.ts',
      function: 'addViews',
      sql: 'on conflict',
    },
    why: 'Without it, the primary key refuses further views. No money or permission depends on views.',
  },
  {
    target: { file: `${payments}/queries.ts`, function: 'findOrInsertPayment', call: 'for' },
    why: 'All later writes have a condition or another lock, and an intent has its idempotency key.',
  },
  {
    target: {
      file: 'server/src/features/board/requests/close-requests.ts',
      function: 'lockItemsOf',
      call: 'for',
    },
    why: 'The update after it locks the same rows. This lock only fixes their order.',
  },
  {
    target: { file: `${notifications}/email-queries.ts`, function: 'emailStatement', call: 'for' },
    why: 'The user is locked before any of their emails.',
  },
  {
    target: { constraint: 'offers_terms' },
    why: 'The id alone is unique already. Foreign keys to the terms of an offer need this constraint.',
  },
  ...['payments_currency', 'wanted_items_currency'].map((constraint) => ({
    target: { constraint },
    why: 'The id alone is unique already. Foreign keys with the currency need this constraint.',
  })),
  ...['offers_terms', 'payments_currency', 'wanted_items_currency'].map((uniqueIndex) => ({
    target: { uniqueIndex },
    why: 'It becomes the constraint of the same name.',
  })),
  {
    target: { constraint: 'offers_delivery_terms' },
    why: 'The id alone is unique already. The foreign key to the delivery of an offer needs this constraint.',
  },
  {
    target: { file: `${deliveries}/queries.ts`, function: 'lockUnshipped', call: 'for' },
    why: 'A payment is saved only if its status did not change. This lock keeps sweeps from doing the same work.',
  },
  {
    target: { file: `${deliveries}/queries.ts`, function: 'eraseExpiredAddresses', call: 'for' },
    why: 'Erasing twice is harmless. This lock keeps sweeps from waiting for each other.',
  },
  {
    target: { file: policies, function: 'lockVersionToNotify', call: 'for' },
    why: 'A unique key already limits a person to one notification of a version. This lock keeps sweeps from doing the same work.',
  },
  {
    target: { file: policies, function: 'lockVersionToAnnounce', call: 'for' },
    why: 'A unique key already limits a person to one announcement of a version. This lock keeps sweeps from doing the same work.',
  },
]
