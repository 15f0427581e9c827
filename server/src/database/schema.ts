/*
 * All tables, by subject. The names are the spec's, in snake_case (ADR 1). Invariants are constraints here, not only
 * checks in actions. Indexes for "newest first" are ascending: PostgreSQL reads them backwards (ADR 30).
 */
export * from './schema/accounts.ts'
export * from './schema/conversations.ts'
export * from './schema/disputes.ts'
export * from './schema/files.ts'
export * from './schema/ledger.ts'
export * from './schema/market.ts'
export * from './schema/moderation.ts'
export * from './schema/notifications.ts'
export * from './schema/payments.ts'
export * from './schema/processes.ts'
export * from './schema/requests.ts'
export * from './schema/reviews.ts'
export * from './schema/support.ts'
