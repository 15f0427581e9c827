const FEATURES = 'server/src/features'

/** What looks like a guard and is none: without it nothing changes that anybody could notice. */
export const noGuards: { file: string; text: string; why: string }[] = [
  {
    file: `${FEATURES}/payments/queries.ts`,
    text: "where(eq(payments.offerId, offerId)).for('update')",
    why: 'Whatever is written after it is written under a condition or another lock, and an intent has its key.',
  },
  {
    file: `${FEATURES}/requests/close-requests-queries.ts`,
    text: ".for('update')",
    why: 'The update right behind it locks the same rows; this one only gives all who do so one order.',
  },
  {
    file: `${FEATURES}/notifications/mail-queries.ts`,
    text: ".for('update', { of: mails })",
    why: 'Whoever takes a mail has locked the person before.',
  },
  {
    file: 'server/migrations/0000_tables.sql',
    text: 'CONSTRAINT "offers_terms" UNIQUE("id","wanted_item_id","buyer_id","seller_id","amount")',
    why: 'Holds what the id alone would; it is there so that the terms of a payment can refer to it.',
  },
]
