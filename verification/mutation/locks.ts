// biome-ignore-all lint/suspicious/noTemplateCurlyInString: what is taken out is code, as it stands there.
import type { Guard } from './guard.ts'

const FEATURES = 'server/src/features'

/** What makes those who come at the same moment wait for each other, or pass each other by. */
export const locks: Guard[] = [
  {
    what: 'the lock of a payment, for whoever moves it',
    edits: [
      {
        file: `${FEATURES}/payments/queries.ts`,
        take: "where(eq(payments.id, id)).for('update')",
        put: 'where(eq(payments.id, id))',
      },
    ],
    noticedBy: { file: 'payments.test.ts', test: 'one of them happens, two hundred times' },
  },
  {
    what: 'the lock of a payment, for the provider’s news of its intent',
    edits: [
      {
        file: `${FEATURES}/payments/queries.ts`,
        take: "intentId))\n    .for('update')",
        put: 'intentId))',
      },
    ],
    noticedBy: { file: 'webhook.test.ts', test: 'whoever hears of a payment while another is holding it' },
  },
  {
    what: 'the lock of an offer while its payment is started',
    edits: [
      {
        file: `${FEATURES}/payments/queries.ts`,
        take: "where(eq(offers.id, id)).for('share')",
        put: 'where(eq(offers.id, id))',
      },
    ],
    noticedBy: { file: 'deletion.test.ts', test: 'who leaves while a checkout is being opened' },
  },
  {
    what: 'the hold of the two people while a payment between them is started',
    edits: [
      {
        file: `${FEATURES}/payments/start-payment.ts`,
        take: "  if (!(await areActive(tx, [offer.buyerId, offer.sellerId]))) throw refuse('offer_not_accepted')\n",
        put: '',
      },
    ],
    noticedBy: {
      file: 'deletion.test.ts',
      test: 'a payment that is started while one of the two is leaving',
    },
  },
  {
    what: 'the lock of payments whose hold has run out',
    edits: [
      {
        file: `${FEATURES}/payments/queries.ts`,
        take: ".orderBy(payments.escrowHoldUntil)\n    .limit(limit)\n    .for('update', { skipLocked: true })",
        put: '.orderBy(payments.escrowHoldUntil)\n    .limit(limit)',
      },
    ],
    noticedBy: { file: 'releasing.test.ts', test: 'more than a batch due at one moment' },
  },
  {
    what: 'passing over payments that somebody else is moving, when holds have run out',
    edits: [
      {
        file: `${FEATURES}/payments/queries.ts`,
        take: ".orderBy(payments.escrowHoldUntil)\n    .limit(limit)\n    .for('update', { skipLocked: true })",
        put: ".orderBy(payments.escrowHoldUntil)\n    .limit(limit)\n    .for('update')",
      },
    ],
    noticedBy: { file: 'releasing.test.ts', test: 'more than a batch due at one moment' },
  },
  {
    what: 'passing over pending payments that another process is asking about',
    edits: [
      {
        file: `${FEATURES}/payments/queries.ts`,
        take: ".orderBy(payments.askAt)\n    .limit(limit)\n    .for('update', { skipLocked: true })",
        put: '.orderBy(payments.askAt)\n    .limit(limit)',
      },
    ],
    noticedBy: {
      file: 'payments.test.ts',
      test: 'a pending payment is asked about by one process at a time',
    },
  },
  {
    what: 'passing over payouts that another process is taking up',
    edits: [
      {
        file: `${FEATURES}/payouts/queries.ts`,
        take: "    .for('update', { skipLocked: true })\n",
        put: '',
      },
    ],
    noticedBy: { file: 'payouts.test.ts', test: 'a payout is taken up by one process at a time' },
  },
  {
    what: 'the lock of a payout',
    edits: [
      {
        file: `${FEATURES}/payouts/queries.ts`,
        take: "where(eq(payouts.id, id)).for('update')",
        put: 'where(eq(payouts.id, id))',
      },
    ],
    noticedBy: { file: 'disputes.test.ts', test: 'are listed, marked paid, undone within the day' },
  },
  {
    what: 'the lock of all offers between two people, for whoever answers one',
    edits: [
      { file: `${FEATURES}/offers/queries.ts`, take: ".orderBy(offers.id)\n    .for('update')", put: '' },
    ],
    noticedBy: { file: 'offers.test.ts', test: 'accept, reject and withdraw at the same moment' },
  },
  {
    what: 'the lock of a request while something is agreed on it',
    edits: [
      {
        file: `${FEATURES}/offers/queries.ts`,
        take: "where(eq(wantedItems.id, id)).for('share')",
        put: 'where(eq(wantedItems.id, id))',
      },
    ],
    noticedBy: { file: 'offers.test.ts', test: 'nothing is agreed on a request that is just being closed' },
  },
  {
    what: 'the lock of a request that its owner changes',
    edits: [
      {
        file: `${FEATURES}/requests/queries.ts`,
        take: "where(eq(wantedItems.id, id)).for('update')",
        put: 'where(eq(wantedItems.id, id))',
      },
    ],
    noticedBy: { file: 'requests.test.ts', test: 'leaves one as it is that is just being fulfilled' },
  },
  {
    what: 'the lock of the offers of somebody who leaves',
    edits: [
      {
        file: `${FEATURES}/offers/end-offers-queries.ts`,
        take: "findUnpaidOffersOf(tx, userId).for('update')",
        put: 'findUnpaidOffersOf(tx, userId)',
      },
    ],
    noticedBy: { file: 'deletion.test.ts', test: 'an offer that is just being rejected stays so' },
  },
  {
    what: 'the lock of an account, for whoever enters or changes it',
    edits: [{ file: `${FEATURES}/accounts/queries.ts`, take: '\n    .for(strength)', put: '' }],
    noticedBy: { file: 'security.test.ts', test: 'whoever was signing in with the old one meanwhile' },
  },
  {
    what: 'leaving waits for those who rely on the person’s being there',
    edits: [
      {
        file: `${FEATURES}/personal-data/delete-account.ts`,
        take: "lockOwnAccount(tx, id, 'update')",
        put: 'lockOwnAccount(tx, id)',
      },
    ],
    noticedBy: { file: 'deletion.test.ts', test: 'a deal that is just being made is waited for' },
  },
  {
    what: 'the lock of whoever leaves something behind that others can answer',
    edits: [{ file: `${FEATURES}/accounts/queries.ts`, take: "\n    .for('key share')", put: '' }],
    noticedBy: { file: 'deletion-races.test.ts', test: 'who has just left makes no offer, and gets none' },
  },
  {
    what: 'writing to somebody about a request and reading it there come one after the other',
    edits: [
      {
        file: `${FEATURES}/messages/queries.ts`,
        take: 'await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${receiverId}, ${wantedItemId}))`)',
        put: 'void [tx, receiverId, wantedItemId]',
      },
    ],
    noticedBy: {
      file: 'notifications.test.ts',
      test: 'a message that comes while those before it are being read is news of its own',
    },
  },
  {
    what: 'the lock of a person whom a mail is about to be sent to',
    edits: [
      {
        file: `${FEATURES}/notifications/mail-queries.ts`,
        take: "\n    .for('no key update', { of: users })",
        put: '',
      },
    ],
    noticedBy: { file: 'mail.test.ts', test: 'two mails about one conversation at the same moment' },
  },
  {
    what: 'the payment’s lock while pieces of evidence are counted',
    edits: [
      {
        file: `${FEATURES}/disputes/evidence.ts`,
        take: 'const { payment } = await lockForFile(tx, paymentId, user)',
        put: 'const { payment } = await lockOpenDispute(tx, paymentId, user)',
      },
    ],
    noticedBy: { file: 'disputes.test.ts', test: 'ten at once are five' },
  },
  {
    what: 'the advisory lock of the migrations',
    edits: [
      {
        file: 'server/src/platform/migrate.ts',
        take: "    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK])\n",
        put: '',
      },
    ],
    noticedBy: { file: 'schema.test.ts', test: 'eight processes may migrate at once' },
  },
  {
    what: 'the advisory lock of the demo market',
    edits: [
      {
        file: 'server/src/demo/seed.ts',
        take: '    await tx.execute(sql`select pg_advisory_xact_lock(${SEED_LOCK})`)\n',
        put: '',
      },
    ],
    noticedBy: { file: 'demo.test.ts', test: 'an empty database becomes a living market, once' },
  },
  {
    what: 'the advisory lock of those who use the embedded PostgreSQL',
    edits: [
      {
        file: 'server/src/platform/embedded-postgres.ts',
        take: "  await running.client.query('select pg_advisory_lock_shared($1)', [IN_USE])\n",
        put: '',
      },
    ],
    noticedBy: { file: 'embedded-postgres.test.ts', test: 'two servers on one data folder share it' },
  },
  {
    what: 'the file lock of those who start the embedded PostgreSQL at once',
    edits: [
      {
        file: 'server/src/platform/file-lock.ts',
        take: "file.exec('begin exclusive')",
        put: "file.exec('begin')",
      },
    ],
    noticedBy: { file: 'embedded-postgres.test.ts', test: 'two servers on one data folder share it' },
  },
]
