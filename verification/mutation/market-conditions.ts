// biome-ignore-all lint/suspicious/noTemplateCurlyInString: what is taken out is code, as it stands there.
import type { Guard } from './guard.ts'

/** What must be so before something happens in the market, or to an account. */
export const marketConditions: Guard[] = [
  {
    what: 'only a pending offer is answered',
    edits: [
      {
        file: 'server/src/features/offers/actions.ts',
        take: "  if (offer.status !== 'pending') throw refuse('offer_not_pending')\n",
        put: '',
      },
    ],
    noticedBy: { file: 'offers.test.ts', test: 'the buyer accepts or rejects, once' },
  },
  {
    what: 'an expired offer is not accepted',
    edits: [
      {
        file: 'server/src/features/offers/actions.ts',
        take: "answererOf)\n  if (offer.expiresAt <= tx.now) throw refuse('offer_expired')\n",
        put: 'answererOf)\n',
      },
    ],
    noticedBy: { file: 'offers.test.ts', test: 'an expired offer cannot be accepted' },
  },
  {
    what: 'an expired offer is not countered',
    edits: [
      {
        file: 'server/src/features/offers/actions.ts',
        take: "countererOf)\n  if (offer.expiresAt <= tx.now) throw refuse('offer_expired')\n",
        put: 'countererOf)\n',
      },
    ],
    noticedBy: { file: 'offers.test.ts', test: 'an expired offer cannot be accepted' },
  },
  {
    what: 'nothing is agreed above the budget of today',
    edits: [
      {
        file: 'server/src/features/offers/actions.ts',
        take: '  checkRange(offer.amount, item.maxBudget)\n',
        put: '',
      },
    ],
    noticedBy: { file: 'offers.test.ts', test: 'what lies above a budget that was lowered' },
  },
  {
    what: 'nothing is agreed on a request that is not open',
    edits: [
      {
        file: 'server/src/features/offers/actions.ts',
        take: "if (item?.status !== 'open') throw",
        put: 'if (!item) throw',
      },
    ],
    noticedBy: { file: 'offers.test.ts', test: 'nothing is agreed on a request that is closed or fulfilled' },
  },
  {
    what: 'no offer is made on a request that is not open',
    edits: [
      {
        file: 'server/src/features/offers/actions.ts',
        take: "  if (item.status !== 'open') throw refuse('item_not_open')\n",
        put: '',
      },
    ],
    noticedBy: { file: 'offers.test.ts', test: 'not on one’s own request, not on a closed one' },
  },
  {
    what: 'accepting one offer withdraws the others of the pair',
    edits: [
      {
        file: 'server/src/features/offers/actions.ts',
        take: '  await withdrawSiblings(tx, offer)\n',
        put: '',
      },
    ],
    noticedBy: { file: 'offers.test.ts', test: 'is the buyer’s amount, which the seller accepts' },
  },
  {
    what: 'only what is pending is withdrawn with it',
    edits: [
      {
        file: 'server/src/features/offers/queries.ts',
        take: "        eq(offers.status, 'pending'),\n",
        put: '',
      },
    ],
    noticedBy: { file: 'offers.test.ts', test: 'the buyer accepts or rejects, once' },
  },
  {
    what: 'a second counter-offer withdraws only the buyer’s first',
    edits: [
      {
        file: 'server/src/features/offers/queries.ts',
        take: '        only ? eq(offers.proposedBy, only) : undefined,\n',
        put: '',
      },
    ],
    noticedBy: { file: 'offers.test.ts', test: 'a second takes the place of the first' },
  },
  {
    what: 'who leaves ends no offer that was paid',
    edits: [
      {
        file: 'server/src/features/offers/end-offers-queries.ts',
        take: '        not(exists(paid)),\n',
        put: '',
      },
    ],
    noticedBy: { file: 'deletion.test.ts', test: 'what was agreed and paid stays agreed' },
  },
  {
    what: 'who leaves looks once more for what came meanwhile',
    edits: [
      {
        file: 'server/src/features/personal-data/delete-account.ts',
        take: '  if ((await hasOpenOffers(tx, id)) || (await hasOpenRequests(tx, id))) throw new ConcurrentWrite()\n',
        put: '',
      },
    ],
    noticedBy: { file: 'deletion-races.test.ts', test: 'an offer that is just being made by who leaves' },
  },
  {
    what: 'who is gone posts no request',
    edits: [
      {
        file: 'server/src/features/requests/actions.ts',
        take: '  await lockActiveUser(tx, user.id)\n  const imageUrl',
        put: '  const imageUrl',
      },
    ],
    noticedBy: { file: 'deletion-races.test.ts', test: 'who has just left posts no request' },
  },
  {
    what: 'who is gone makes no offer',
    edits: [
      {
        file: 'server/src/features/offers/actions.ts',
        take: '  await lockActiveUser(tx, seller.id)\n',
        put: '',
      },
    ],
    noticedBy: { file: 'deletion-races.test.ts', test: 'who has just left makes no offer, and gets none' },
  },
  {
    what: 'nobody offers to who is gone',
    edits: [
      {
        file: 'server/src/features/offers/actions.ts',
        take: "  if (!(await areActive(tx, [item.userId]))) throw refuse('item_not_open')\n",
        put: '',
      },
    ],
    noticedBy: { file: 'deletion-races.test.ts', test: 'who has just left makes no offer, and gets none' },
  },
  {
    what: 'who is gone counters no offer',
    edits: [
      {
        file: 'server/src/features/offers/actions.ts',
        take: '  await lockActiveUser(tx, buyer.id)\n',
        put: '',
      },
    ],
    noticedBy: { file: 'deletion-races.test.ts', test: 'who has just left counters no offer' },
  },
  {
    what: 'a fulfilled request stays as it is',
    edits: [
      {
        file: 'server/src/features/requests/actions.ts',
        take: "  if (item.status === 'fulfilled') throw refuse('item_fulfilled')\n",
        put: '',
      },
    ],
    noticedBy: { file: 'requests.test.ts', test: 'leaves a fulfilled one as it is' },
  },
  {
    what: 'only an open dispute is answered, withdrawn or settled',
    edits: [
      {
        file: 'server/src/features/disputes/actions.ts',
        take: "  if (isInDispute(payment)) return { payment, party }\n  throw refuse(payment.status.startsWith('resolved') ? 'dispute_resolved' : 'dispute_not_found')\n",
        put: '  return { payment, party }\n',
      },
    ],
    noticedBy: { file: 'disputes.test.ts', test: 'a dispute that is over, or that never was' },
  },
  {
    what: 'nobody settles or withdraws what a bank decides',
    edits: [
      {
        file: 'server/src/features/disputes/actions.ts',
        take: "  if (dispute.payment.bankDecides) throw refuse('bank_decides')\n",
        put: '',
      },
    ],
    noticedBy: {
      file: 'model/wounds.test.ts',
      test: 'while the bank decides, the two cannot end the dispute: what it gives',
    },
  },
  {
    what: 'a settlement is accepted at the amount that was read',
    edits: [
      {
        file: 'server/src/features/disputes/actions.ts',
        take: 'payment.settlementCents === refundCents && ',
        put: 'payment.settlementCents !== null && ',
      },
    ],
    noticedBy: { file: 'disputes.test.ts', test: 'a settlement: proposed by one' },
  },
  {
    what: 'nobody accepts their own settlement',
    edits: [
      {
        file: 'server/src/features/disputes/actions.ts',
        take: ' && payment.settlementBy !== party',
        put: '',
      },
    ],
    noticedBy: { file: 'disputes.test.ts', test: 'a settlement: proposed by one' },
  },
  {
    what: 'a settlement is of less than all',
    edits: [
      {
        file: 'server/src/features/disputes/actions.ts',
        take: "  if (!calculateRuling('refund_partial', payment.amount, refundCents)) throw refuse('refund_out_of_range')\n",
        put: '',
      },
    ],
    noticedBy: { file: 'disputes.test.ts', test: 'a settlement: proposed by one' },
  },
  {
    what: 'five files of evidence, and no more',
    edits: [
      {
        file: 'server/src/features/disputes/evidence.ts',
        take: "  if (files >= EVIDENCE_MAX_FILES) throw refuse('too_many_files')\n",
        put: '',
      },
    ],
    noticedBy: { file: 'disputes.test.ts', test: 'ten at once are five' },
  },
  {
    what: 'fifty answers, and no more',
    edits: [
      {
        file: 'server/src/features/disputes/actions.ts',
        take: "  if (texts >= ANSWERS_MAX) throw refuse('too_many_answers')\n",
        put: '',
      },
    ],
    noticedBy: { file: 'disputes.test.ts', test: 'fifty answers, and no more' },
  },
  {
    what: 'only an open dispute is ruled on',
    edits: [
      {
        file: 'server/src/features/disputes/desk.ts',
        take: 'if (payment && isInDispute(payment)) {',
        put: 'if (payment) {',
      },
    ],
    noticedBy: { file: 'disputes.test.ts', test: 'what cannot be ruled is refused' },
  },
  {
    what: 'only a settled payment is rated',
    edits: [
      {
        file: 'server/src/features/ratings/actions.ts',
        take: "  if (!SETTLED.includes(payment.status)) throw refuse('payment_wrong_state')\n",
        put: '',
      },
    ],
    noticedBy: { file: 'ratings.test.ts', test: 'is not open while the payment is' },
  },
  {
    what: 'a rating counts once',
    edits: [
      {
        file: 'server/src/features/ratings/actions.ts',
        take: "  if (!isFirst) throw refuse('already_rated')\n",
        put: '',
      },
    ],
    noticedBy: { file: 'ratings.test.ts', test: 'a second time is refused' },
  },
  {
    what: 'ratings add up however many come at once',
    edits: [
      {
        file: 'server/src/features/ratings/queries.ts',
        take: 'ratingSum: sql`${users.ratingSum} + ${rating}`',
        put: 'ratingSum: rating',
      },
    ],
    noticedBy: { file: 'ratings.test.ts', test: 'fifty ratings of one seller' },
  },
  {
    what: 'a mark carries the same message',
    edits: [
      {
        file: 'server/src/features/messages/actions.ts',
        take: "  if (!same) throw refuse('message_mark_used')\n",
        put: '',
      },
    ],
    noticedBy: { file: 'messages.test.ts', test: 'the mark of one is nothing to another' },
  },
  {
    what: 'a connected account is written down only where there is none, or it is gone',
    edits: [
      {
        file: 'server/src/features/sellers/queries.ts',
        take: 'case when ${free} then ${accountId} else ${users.stripeConnectAccountId} end',
        put: '${accountId}',
      },
    ],
    noticedBy: { file: 'sellers.test.ts', test: 'asked for ten times at once is one' },
  },
  {
    what: 'who has left gets no connected account',
    edits: [
      {
        file: 'server/src/features/sellers/queries.ts',
        take: '    .where(and(eq(users.id, userId), isNull(users.deletedAt)))\n    .returning({ accountId',
        put: '    .where(eq(users.id, userId))\n    .returning({ accountId',
      },
    ],
    noticedBy: { file: 'sellers.test.ts', test: 'who has left meanwhile gets neither' },
  },
  {
    what: 'who has left gets no bank details',
    edits: [
      {
        file: 'server/src/features/sellers/queries.ts',
        take: 'set({ ...change, updatedAt: tx.now })\n    .where(and(eq(users.id, userId), isNull(users.deletedAt)))',
        put: 'set({ ...change, updatedAt: tx.now })\n    .where(eq(users.id, userId))',
      },
    ],
    noticedBy: { file: 'sellers.test.ts', test: 'who has left meanwhile gets neither' },
  },
  {
    what: 'what the provider has turned down is not sent by a look at the status',
    edits: [{ file: 'server/src/features/sellers/queries.ts', take: ', eq(payouts.attempt, 0)', put: '' }],
    noticedBy: { file: 'sellers.test.ts', test: 'is not sent again by asking for the status' },
  },
  {
    what: 'a mail that was sent is not sent again',
    edits: [
      {
        file: 'server/src/features/notifications/send-email.ts',
        take: 'if (!found || found.mail.doneAt) return null',
        put: 'if (!found) return null',
      },
    ],
    noticedBy: { file: 'mail.test.ts', test: 'a job that is run twice' },
  },
  {
    what: 'a mail that another is sending is left to them',
    edits: [
      {
        file: 'server/src/features/notifications/send-email.ts',
        take: '  if (mail.heldUntil && mail.heldUntil > tx.now) return later(tx, mail, mail.heldUntil)\n',
        put: '',
      },
    ],
    noticedBy: { file: 'mail.test.ts', test: 'a job that is run twice' },
  },
  {
    what: 'nobody is mailed what they have switched off',
    edits: [
      {
        file: 'server/src/features/notifications/send-email.ts',
        take: 'mailOff.includes(kind) ? null : email',
        put: 'email',
      },
    ],
    noticedBy: { file: 'mail.test.ts', test: 'a kind that is switched off is not mailed' },
  },
  {
    what: 'whoever is gone is mailed nothing',
    edits: [
      {
        file: 'server/src/features/notifications/send-email.ts',
        take: '  if (deletedAt) return null\n  if (isNotification(kind)) return mailOff.includes(kind) ? null : email',
        put: '  if (isNotification(kind)) return mailOff.includes(kind) ? null : (email ?? address)',
      },
    ],
    noticedBy: { file: 'mail.test.ts', test: 'whoever is gone is mailed nothing' },
  },
  {
    what: 'a link goes only to an address that is still the account’s',
    edits: [
      {
        file: 'server/src/features/notifications/send-email.ts',
        take: 'return [email, pendingEmail].includes(address) ? address : null',
        put: 'return address',
      },
    ],
    noticedBy: { file: 'mail.test.ts', test: 'mails about the account come' },
  },
  {
    what: 'a link for a new password goes only to the address in use',
    edits: [
      {
        file: 'server/src/features/notifications/send-email.ts',
        take: 'return address === email ? address : null',
        put: 'return address',
      },
    ],
    noticedBy: { file: 'mail.test.ts', test: 'mails about the account come' },
  },
  {
    what: 'a job is taken only from a process that is silent',
    edits: [
      {
        file: 'server/src/jobs/heartbeat.ts',
        take: `
         and not exists (
           select from job_workers where id = locked_by and seen_at > now() - $1 * interval '1 second'
         )`,
        put: '',
      },
    ],
    noticedBy: { file: 'payouts.test.ts', test: 'a job is taken from a process that has fallen silent' },
  },
  {
    what: 'a worker that asked for a job and was not answered gives up what it may hold',
    edits: [
      { file: 'server/src/jobs/worker.ts', take: ", 'worker:getJob:error'] as const", put: '] as const' },
    ],
    noticedBy: { file: 'database-outage.test.ts', test: 'a job that was given out over a wire that broke' },
  },
]
