// biome-ignore-all lint/suspicious/noTemplateCurlyInString: what is taken out is code, as it stands there.
import type { Guard } from './guard.ts'

/** What must be so before something is done. */
export const conditions: Guard[] = [
  {
    what: 'a moved payment is written only if nobody has moved it since',
    edits: [
      {
        file: 'server/src/features/payments/queries.ts',
        take: 'and(eq(payments.id, id), eq(payments.status, before))',
        put: 'eq(payments.id, id)',
      },
    ],
    noticedBy: { file: 'payments.test.ts', test: 'what was moved since it was read is not written over' },
  },
  {
    what: 'an intent is noted only on a payment that is still pending',
    edits: [
      {
        file: 'server/src/features/payments/queries.ts',
        take: "    eq(payments.status, 'pending'),\n    eq(payments.intentAttempt, intentAttempt),",
        put: '    eq(payments.intentAttempt, intentAttempt),',
      },
    ],
    noticedBy: { file: 'payments.test.ts', test: 'an intent is noted only on a payment that is as it was' },
  },
  {
    what: 'an intent is noted only if no other try came first',
    edits: [
      {
        file: 'server/src/features/payments/queries.ts',
        take: '    eq(payments.intentAttempt, intentAttempt),\n',
        put: '',
      },
    ],
    noticedBy: { file: 'payments.test.ts', test: 'an intent is noted only on a payment that is as it was' },
  },
  {
    what: 'an intent is noted only if no other was noted meanwhile',
    edits: [
      {
        file: 'server/src/features/payments/queries.ts',
        take: '    sql`${payments.stripePaymentIntentId} is not distinct from ${stripePaymentIntentId}`,\n',
        put: '',
      },
    ],
    noticedBy: { file: 'payments.test.ts', test: 'an intent is noted only on a payment that is as it was' },
  },
  {
    what: 'money is held once: only a pending payment',
    edits: [
      {
        file: 'server/src/features/payments/holding.ts',
        take: "if (payment.status !== 'pending' || intent.status !== 'paid')",
        put: "if (intent.status !== 'paid')",
      },
    ],
    noticedBy: { file: 'webhook.test.ts', test: 'whoever hears of a payment while another is holding it' },
  },
  {
    what: 'money is held only once the provider says that it was paid',
    edits: [
      {
        file: 'server/src/features/payments/holding.ts',
        take: "if (payment.status !== 'pending' || intent.status !== 'paid')",
        put: "if (payment.status !== 'pending')",
      },
    ],
    noticedBy: {
      file: 'webhook.test.ts',
      test: 'or another amount or currency than was agreed, holds nothing',
    },
  },
  {
    what: 'money is held only if the amount is the one agreed',
    edits: [
      {
        file: 'server/src/features/payments/holding.ts',
        take: 'intent.receivedCents !== payment.amount || ',
        put: '',
      },
    ],
    noticedBy: {
      file: 'webhook.test.ts',
      test: 'or another amount or currency than was agreed, holds nothing',
    },
  },
  {
    what: 'money is held only if the currency is ours',
    edits: [
      { file: 'server/src/features/payments/holding.ts', take: ' || intent.currency !== currency', put: '' },
    ],
    noticedBy: {
      file: 'webhook.test.ts',
      test: 'or another amount or currency than was agreed, holds nothing',
    },
  },
  {
    what: 'an event is handled once',
    edits: [
      {
        file: 'server/src/features/payments/event-queries.ts',
        take: "and(eq(webhookEvents.id, id), eq(webhookEvents.status, 'parked'))",
        put: 'eq(webhookEvents.id, id)',
      },
    ],
    noticedBy: { file: 'webhook.test.ts', test: 'a chargeback’s event that is handled twice' },
  },
  {
    what: 'an event that came before is not looked into again',
    edits: [{ file: 'server/src/features/payments/events.ts', take: '  if (!isNew) return\n', put: '' }],
    noticedBy: { file: 'model/wounds.test.ts', test: 'an event that was handled is not looked into again' },
  },
  {
    what: 'only held payments are released by the clock',
    edits: [
      {
        file: 'server/src/features/payments/queries.ts',
        take: "        eq(payments.status, 'held_in_escrow'),\n        lte(payments.escrowHoldUntil, tx.now),",
        put: '        lte(payments.escrowHoldUntil, tx.now),',
      },
    ],
    noticedBy: { file: 'payments.test.ts', test: 'holds up no release of others' },
  },
  {
    what: 'only holds that have run out are released by the clock',
    edits: [
      {
        file: 'server/src/features/payments/queries.ts',
        take: '        lte(payments.escrowHoldUntil, tx.now),\n        from',
        put: '        from',
      },
    ],
    noticedBy: { file: 'payments.test.ts', test: 'holds up no release of others' },
  },
  {
    what: 'a refusal of a refund counts only the try that was refused',
    edits: [
      {
        file: 'server/src/features/payments/queries.ts',
        take: 'eq(payments.refundAttempt, attempt), ',
        put: '',
      },
    ],
    noticedBy: { file: 'payouts.test.ts', test: 'a refusal that comes late' },
  },
  {
    what: 'a refund is written into the ledger once',
    edits: [
      {
        file: 'server/src/features/payments/refunds.ts',
        take: 'if (!payment?.refundCents || payment.refundedAt) return',
        put: 'if (!payment?.refundCents) return',
      },
    ],
    noticedBy: { file: 'payouts.test.ts', test: 'is neither noted twice nor asked for again' },
  },
  {
    what: 'a refund that was made is not asked for again',
    edits: [
      {
        file: 'server/src/features/payments/refunds.ts',
        take: '!payment?.refundCents || payment.refundedAt || !payment',
        put: '!payment?.refundCents || !payment',
      },
    ],
    noticedBy: { file: 'payouts.test.ts', test: 'is neither noted twice nor asked for again' },
  },
  {
    what: 'a payout that was paid is not sent again',
    edits: [
      {
        file: 'server/src/features/payments/payouts.ts',
        take: "!payout || payout.status === 'paid' || !cards",
        put: '!payout || !cards',
      },
    ],
    noticedBy: { file: 'payouts.test.ts', test: 'is neither noted twice nor asked for again' },
  },
  {
    what: 'the way of a payout is chosen once',
    edits: [
      {
        file: 'server/src/features/payments/payouts.ts',
        take: "    if (locked?.status !== 'owed') return\n",
        put: '',
      },
    ],
    noticedBy: { file: 'payouts.test.ts', test: 'a payout that two send without knowing of each other' },
  },
  {
    what: 'a payout is written into the ledger only while it is being sent',
    edits: [
      {
        file: 'server/src/features/payments/payouts.ts',
        take: "  if (payout?.status !== 'sending') return\n",
        put: '  if (!payout) return\n',
      },
    ],
    noticedBy: { file: 'payouts.test.ts', test: 'a payout that two send without knowing of each other' },
  },
  {
    what: 'a refused transfer is owed again only if it is still being sent',
    edits: [
      {
        file: 'server/src/features/payments/payouts.ts',
        take: "if (payout?.status !== 'sending' || payout.attempt",
        put: 'if (payout?.attempt',
      },
    ],
    noticedBy: { file: 'payouts.test.ts', test: 'a refusal that comes late' },
  },
  {
    what: 'a refused transfer takes back only the try that was refused',
    edits: [
      {
        file: 'server/src/features/payments/payouts.ts',
        take: ' || payout.attempt !== sent.attempt',
        put: '',
      },
    ],
    noticedBy: { file: 'payouts.test.ts', test: 'a refusal that comes late' },
  },
  {
    what: 'a payout that an admin may be paying by hand is not sent by transfer',
    edits: [
      {
        file: 'server/src/features/payments/payouts.ts',
        take: "    if (locked.method === 'manual' && (await wasLookedUp(tx, payout.id))) return\n",
        put: '',
      },
    ],
    noticedBy: {
      file: 'disputes.test.ts',
      test: 'what an admin may be paying already is not sent by transfer too',
    },
  },
  {
    what: 'payouts by hand are not taken up by the sweep',
    edits: [
      {
        file: 'server/src/features/payments/payout-queries.ts',
        take: "and(ne(payouts.status, 'paid'), sql`${payouts.method} is distinct from 'manual'`)",
        put: "ne(payouts.status, 'paid')",
      },
    ],
    noticedBy: { file: 'payouts.test.ts', test: 'with bank details alone it waits' },
  },
  {
    what: 'only payouts by hand are handled at the desk',
    edits: [
      {
        file: 'server/src/features/payments/manual-payouts.ts',
        take: "if (payout?.method !== 'manual')",
        put: 'if (!payout)',
      },
    ],
    noticedBy: { file: 'disputes.test.ts', test: 'only what is paid by hand is handled here' },
  },
  {
    what: 'nobody handles the payout of their own deal',
    edits: [
      {
        file: 'server/src/features/payments/manual-payouts.ts',
        take: "  if (partyIn(await findParties(tx, payout.paymentId), admin.id)) throw refuse('not_impartial')\n",
        put: '',
      },
    ],
    noticedBy: { file: 'disputes.test.ts', test: 'nobody handles the payout of their own deal' },
  },
  {
    what: 'a payout by hand is marked and undone only in its state',
    edits: [
      {
        file: 'server/src/features/payments/manual-payouts.ts',
        take: "  if (payout.status !== status) throw refuse('payout_wrong_state')\n",
        put: '',
      },
    ],
    noticedBy: { file: 'disputes.test.ts', test: 'are listed, marked paid, undone within the day' },
  },
  {
    what: 'a payout by hand is undone within the day',
    edits: [
      {
        file: 'server/src/features/payments/manual-payouts.ts',
        take: "    if (tx.now.getTime() - paidAt > PAYOUT_UNDO_HOURS * 3_600_000) throw refuse('undo_too_late')\n",
        put: '',
      },
    ],
    noticedBy: { file: 'disputes.test.ts', test: 'are listed, marked paid, undone within the day' },
  },
  {
    what: 'a payment of what was withdrawn meanwhile is handed to nobody',
    edits: [
      {
        file: 'server/src/features/payments/start-payment.ts',
        take: "    if (intent.status !== 'paid') await holdAgreed(tx, payment.offerId)\n",
        put: '',
      },
    ],
    noticedBy: { file: 'deletion.test.ts', test: 'who leaves while a payment is being started' },
  },
  {
    what: 'a payout is sent only soon after having looked for it',
    edits: [
      {
        file: 'server/src/providers/stripe/stripe.ts',
        take: '        requireInSight(lookedAt)\n        const transfer =',
        put: '        const transfer =',
      },
    ],
    noticedBy: { file: 'payouts.test.ts', test: 'held up for a day between looking and sending' },
  },
  {
    what: 'a refund is sent only soon after having looked for it',
    edits: [
      {
        file: 'server/src/providers/stripe/stripe.ts',
        take: '        requireInSight(lookedAt)\n        await stripe.refunds.create',
        put: '        await stripe.refunds.create',
      },
    ],
    noticedBy: { file: 'payouts.test.ts', test: 'held up for a day between looking and sending' },
  },
  {
    what: 'of a payment that the provider does not take nothing stays',
    edits: [
      {
        file: 'server/src/features/payments/start-payment.ts',
        take: '        await database.transact((tx) => dropUnasked(tx, payment))\n',
        put: '',
      },
    ],
    noticedBy: { file: 'payouts.test.ts', test: 'a smaller one is refused' },
  },
  {
    what: 'a payment whose intent was made meanwhile stays',
    edits: [
      {
        file: 'server/src/features/payments/queries.ts',
        take: 'and(unchangedIntent(payment), isNull(payments.stripePaymentIntentId))',
        put: 'eq(payments.id, payment.id)',
      },
    ],
    noticedBy: { file: 'payments.test.ts', test: 'and one with an intent stays' },
  },
  {
    what: 'only an accepted offer is paid',
    edits: [
      {
        file: 'server/src/features/payments/start-payment.ts',
        take: "  if (offer.status !== 'accepted') throw refuse('offer_not_accepted')\n  if (offer.amount",
        put: '  if (offer.amount',
      },
    ],
    noticedBy: { file: 'payments.test.ts', test: 'what cannot be paid is refused' },
  },
  {
    what: 'only the agreed amount is paid',
    edits: [
      {
        file: 'server/src/features/payments/start-payment.ts',
        take: "  if (offer.amount !== terms.amount) throw refuse('amount_mismatch')\n",
        put: '',
      },
    ],
    noticedBy: { file: 'payments.test.ts', test: 'what cannot be paid is refused' },
  },
  {
    what: 'a paid offer is not paid again',
    edits: [
      {
        file: 'server/src/features/payments/start-payment.ts',
        take: "  if (payment.status !== 'pending') throw refuse('offer_already_paid')\n",
        put: '',
      },
    ],
    noticedBy: { file: 'payments.test.ts', test: 'a paid offer is not paid again' },
  },
  {
    what: 'nobody leaves with money in escrow',
    edits: [
      {
        file: 'server/src/features/payments/leaving-queries.ts',
        take: "status in ('held_in_escrow', 'disputed', 'under_review')",
        put: 'false',
      },
    ],
    noticedBy: { file: 'deletion.test.ts', test: 'neither side can leave' },
  },
  {
    what: 'nobody leaves with a checkout that can still be paid',
    edits: [
      {
        file: 'server/src/features/payments/leaving-queries.ts',
        take: "or status = 'pending' and",
        put: 'or false and',
      },
    ],
    noticedBy: { file: 'deletion.test.ts', test: 'one that was paid without our hearing of it keeps both' },
  },
  {
    what: 'nobody leaves before their refund was made',
    edits: [
      {
        file: 'server/src/features/payments/leaving-queries.ts',
        take: 'buyer_id = ${userId} and refund_cents > 0 and refunded_at is null',
        put: 'false',
      },
    ],
    noticedBy: { file: 'deletion.test.ts', test: 'a refund that was not made yet keeps the buyer' },
  },
  {
    what: 'nobody leaves before they were paid',
    edits: [
      {
        file: 'server/src/features/payments/leaving-queries.ts',
        take: "status <> 'paid' or method",
        put: 'false or method',
      },
    ],
    noticedBy: { file: 'deletion.test.ts', test: 'a payout that is owed keeps the seller' },
  },
  {
    what: 'nobody leaves while their payout by hand can be undone',
    edits: [
      {
        file: 'server/src/features/payments/leaving-queries.ts',
        take: "or method = 'manual'\n",
        put: 'or false\n',
      },
    ],
    noticedBy: { file: 'deletion.test.ts', test: 'a payout that is owed keeps the seller' },
  },
  {
    what: 'a move is made only from its states',
    edits: [
      {
        file: 'escrow/src/moves.ts',
        take: "  if (!move.from.includes(payment.status)) throw new MoveRefused('wrong_state', name)\n",
        put: '',
      },
    ],
    noticedBy: { file: 'payments.test.ts', test: 'a settled payment moves no more' },
  },
  {
    what: 'a move is made only by its actors',
    edits: [
      {
        file: 'escrow/src/moves.ts',
        take: "  if (!move.by.includes(actor)) throw new MoveRefused('wrong_actor', name)\n",
        put: '',
      },
    ],
    noticedBy: { file: 'payments.test.ts', test: 'only its two people see a payment' },
  },
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
        file: 'server/src/features/offers/leaving-queries.ts',
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
        file: 'server/src/features/accounts/deletion.ts',
        take: '  if ((await hasOpenOffers(tx, id)) || (await hasOpenRequests(tx, id))) throw new CameMeanwhile()\n',
        put: '',
      },
    ],
    noticedBy: { file: 'leaving.test.ts', test: 'an offer that is just being made by who leaves' },
  },
  {
    what: 'who is gone posts no request',
    edits: [
      {
        file: 'server/src/features/requests/actions.ts',
        take: '  await holdOneself(tx, user.id)\n  const imageUrl',
        put: '  const imageUrl',
      },
    ],
    noticedBy: { file: 'leaving.test.ts', test: 'who has just left posts no request' },
  },
  {
    what: 'who is gone makes no offer',
    edits: [
      {
        file: 'server/src/features/offers/actions.ts',
        take: '  await holdOneself(tx, seller.id)\n',
        put: '',
      },
    ],
    noticedBy: { file: 'leaving.test.ts', test: 'who has just left makes no offer, and gets none' },
  },
  {
    what: 'nobody offers to who is gone',
    edits: [
      {
        file: 'server/src/features/offers/actions.ts',
        take: "  if (!(await areHeld(tx, [item.userId]))) throw refuse('item_not_open')\n",
        put: '',
      },
    ],
    noticedBy: { file: 'leaving.test.ts', test: 'who has just left makes no offer, and gets none' },
  },
  {
    what: 'who is gone counters no offer',
    edits: [
      { file: 'server/src/features/offers/actions.ts', take: '  await holdOneself(tx, buyer.id)\n', put: '' },
    ],
    noticedBy: { file: 'leaving.test.ts', test: 'who has just left counters no offer' },
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
        take: "  if (!ruling('refund_partial', payment.amount, refundCents)) throw refuse('refund_out_of_range')\n",
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
        file: 'server/src/features/notifications/sending.ts',
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
        file: 'server/src/features/notifications/sending.ts',
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
        file: 'server/src/features/notifications/sending.ts',
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
        file: 'server/src/features/notifications/sending.ts',
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
        file: 'server/src/features/notifications/sending.ts',
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
        file: 'server/src/features/notifications/sending.ts',
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
        file: 'server/src/jobs/liveness.ts',
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
    noticedBy: { file: 'outage.test.ts', test: 'a job that was given out over a wire that broke' },
  },
]
