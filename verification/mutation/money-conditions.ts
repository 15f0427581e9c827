// biome-ignore-all lint/suspicious/noTemplateCurlyInString: what is taken out is code, as it stands there.
import type { Guard } from './guard.ts'

/** What must be so before money moves. */
export const moneyConditions: Guard[] = [
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
        file: 'server/src/features/payments/hold-payment.ts',
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
        file: 'server/src/features/payments/hold-payment.ts',
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
        file: 'server/src/features/payments/hold-payment.ts',
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
      {
        file: 'server/src/features/payments/hold-payment.ts',
        take: ' || intent.currency !== currency',
        put: '',
      },
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
    edits: [
      { file: 'server/src/features/payments/provider-events.ts', take: '  if (!isNew) return\n', put: '' },
    ],
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
        file: 'server/src/features/payouts/send-payouts.ts',
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
        file: 'server/src/features/payouts/send-payouts.ts',
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
        file: 'server/src/features/payouts/send-payouts.ts',
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
        file: 'server/src/features/payouts/send-payouts.ts',
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
        file: 'server/src/features/payouts/send-payouts.ts',
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
        file: 'server/src/features/payouts/send-payouts.ts',
        take: "    if (locked.method === 'manual' && (await hasLookUp(tx, payout.id))) return\n",
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
        file: 'server/src/features/payouts/queries.ts',
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
        file: 'server/src/features/payouts/manual-payouts.ts',
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
        file: 'server/src/features/payouts/manual-payouts.ts',
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
        file: 'server/src/features/payouts/manual-payouts.ts',
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
        file: 'server/src/features/payouts/manual-payouts.ts',
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
        take: '        await database.transact((tx) => deletePaymentWithoutIntent(tx, payment))\n',
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
        file: 'server/src/features/payments/account-deletion-queries.ts',
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
        file: 'server/src/features/payments/account-deletion-queries.ts',
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
        file: 'server/src/features/payments/account-deletion-queries.ts',
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
        file: 'server/src/features/payments/account-deletion-queries.ts',
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
        file: 'server/src/features/payments/account-deletion-queries.ts',
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
]
