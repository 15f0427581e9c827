// biome-ignore-all lint/suspicious/noTemplateCurlyInString: what is taken out is code, as it stands there.
import type { Guard } from './guard.ts'

/** Who may do what with requests, offers, money and disputes. */
export const marketChecks: Guard[] = [
  {
    what: 'the signature of an event',
    edits: [
      {
        file: 'server/src/providers/stripe/stripe.ts',
        take: `        const event = stripe.webhooks.constructEvent(
          rawBody,
          signature,
          options.webhookSecret,
          SIGNATURE_TOLERANCE_SECONDS,
          undefined,
          clock().getTime(),
        )
`,
        put: '        const event: Stripe.Event = JSON.parse(String(rawBody))\n        void signature\n',
      },
    ],
    noticedBy: { file: 'webhook.test.ts', test: 'an event that is unsigned, forged, stale' },
  },
  {
    what: 'the age of a signed event',
    edits: [
      {
        file: 'server/src/providers/stripe/stripe.ts',
        take: 'const SIGNATURE_TOLERANCE_SECONDS = 300',
        put: 'const SIGNATURE_TOLERANCE_SECONDS = 1e9',
      },
    ],
    noticedBy: { file: 'webhook.test.ts', test: 'an event that is unsigned, forged, stale' },
  },
  {
    what: 'an event’s word is not believed: the provider is asked',
    edits: [
      {
        file: 'server/src/features/payments/hold-payment.ts',
        take: "  const intent = await cards.readIntent(intentId)\n  if (!intent) return 'no such payment'\n",
        put: "  const intent = { id: intentId, clientSecret: '', status: 'paid', receivedCents: 12_000, currency: config.currency, chargeId: null } as const\n",
      },
    ],
    noticedBy: { file: 'webhook.test.ts', test: 'what an event says of amount and status is not believed' },
  },
  {
    what: 'a payment is moved by its two people alone',
    edits: [
      {
        file: 'server/src/features/payments/apply-move.ts',
        take: "if (!payment || !party) throw refuse('payment_not_found')\n  return { payment, party }",
        put: "if (!payment) throw refuse('payment_not_found')\n  return { payment, party: party ?? ('buyer' as const) }",
      },
    ],
    noticedBy: { file: 'payments.test.ts', test: 'only its two people see a payment' },
  },
  {
    what: 'a payment is read by its two people alone',
    edits: [
      {
        file: 'server/src/features/payments/actions.ts',
        take: 'if (!row || !partyIn(row.payment, user.id)) throw',
        put: 'if (!row) throw',
      },
    ],
    noticedBy: { file: 'payments.test.ts', test: 'only its two people see a payment' },
  },
  {
    what: 'only the buyer pays',
    edits: [
      {
        file: 'server/src/features/payments/start-payment.ts',
        take: "  if (party !== 'buyer') throw refuse('not_your_offer')\n",
        put: '',
      },
    ],
    noticedBy: { file: 'payments.test.ts', test: 'what cannot be paid is refused' },
  },
  {
    what: 'a payment is started by its two people alone',
    edits: [
      {
        file: 'server/src/features/payments/start-payment.ts',
        take: 'if (!offer || !party) throw',
        put: 'if (!offer) throw',
      },
    ],
    noticedBy: { file: 'payments.test.ts', test: 'what cannot be paid is refused' },
  },
  {
    what: 'payments are listed to their two people alone',
    edits: [
      {
        file: 'server/src/features/payments/queries.ts',
        take: '        or(eq(payments.buyerId, userId), eq(payments.sellerId, userId)),\n        paymentIntent',
        put: '        paymentIntent',
      },
    ],
    noticedBy: { file: 'payments.test.ts', test: 'only its two people see a payment' },
  },
  {
    what: 'offers are listed to their two people alone',
    edits: [
      {
        file: 'server/src/features/offers/queries.ts',
        take: '    .where(or(eq(offers.buyerId, userId), eq(offers.sellerId, userId)))\n',
        put: '',
      },
    ],
    noticedBy: { file: 'offers.test.ts', test: 'is seen by the two people it concerns' },
  },
  {
    what: 'an offer is answered by its two people alone',
    edits: [
      {
        file: 'server/src/features/offers/actions.ts',
        take: ' || ![offer.buyerId, offer.sellerId].includes(user.id)',
        put: '',
      },
    ],
    noticedBy: { file: 'offers.test.ts', test: 'nobody else may' },
  },
  {
    what: 'an offer is answered by whom it was made to, and withdrawn by who made it',
    edits: [
      {
        file: 'server/src/features/offers/actions.ts',
        take: "  if (whoMay(offer) !== user.id) throw refuse('not_your_offer')\n",
        put: '',
      },
    ],
    noticedBy: { file: 'offers.test.ts', test: 'nobody else may' },
  },
  {
    what: 'nobody offers on their own request',
    edits: [
      {
        file: 'server/src/features/offers/actions.ts',
        take: "  if (item.userId === seller.id) throw refuse('own_item')\n",
        put: '',
      },
    ],
    noticedBy: { file: 'offers.test.ts', test: 'not on one’s own request' },
  },
  {
    what: 'an offer lies within the budget',
    edits: [
      {
        file: 'server/src/features/offers/actions.ts',
        take: '  checkRange(body.amount, item.maxBudget)\n  await lockActiveUser(tx, seller.id)',
        put: '  await lockActiveUser(tx, seller.id)',
      },
    ],
    noticedBy: { file: 'offers.test.ts', test: 'is refused, and nothing is stored' },
  },
  {
    what: 'a request is changed by its owner alone',
    edits: [
      {
        file: 'server/src/features/requests/actions.ts',
        take: "  if (item.userId !== user.id) throw refuse('not_your_item')\n",
        put: '',
      },
    ],
    noticedBy: { file: 'requests.test.ts', test: 'and nobody else may' },
  },
  {
    what: 'nobody shows a picture that another uploaded',
    edits: [
      {
        file: 'server/src/features/requests/actions.ts',
        take: `  if (imageUrl.startsWith(FILES_PATH) && !(await ownsFile(tx, imageUrl, user.id, 'request_image'))) {
    throw refuse('image_not_found')
  }
`,
        put: '',
      },
    ],
    noticedBy: { file: 'requests.test.ts', test: 'another’s picture cannot be taken' },
  },
  {
    what: 'a dispute is read by its two parties alone',
    edits: [
      {
        file: 'server/src/features/disputes/actions.ts',
        take: 'if (!row || !partyIn(row.payment, user.id)) throw',
        put: 'if (!row) throw',
      },
    ],
    noticedBy: { file: 'disputes.test.ts', test: 'who may do what, in one table' },
  },
  {
    what: 'evidence is read by the two parties and admins alone',
    edits: [
      {
        file: 'server/src/features/disputes/evidence.ts',
        take: 'dispute && (partyIn(dispute.payment, user.id) || (await isAdmin(db, user.id)))',
        put: 'dispute',
      },
    ],
    noticedBy: {
      file: 'disputes.test.ts',
      test: 'pictures, PDF, doc, docx and txt are told by their content',
    },
  },
  {
    what: 'no admin rules on their own dispute',
    edits: [
      {
        file: 'server/src/features/disputes/desk.ts',
        take: "    if (partyIn(payment, admin.id)) throw refuse('not_impartial')\n",
        put: '',
      },
    ],
    noticedBy: { file: 'disputes.test.ts', test: 'what cannot be ruled is refused' },
  },
  {
    what: 'a seller is rated by the buyer alone',
    edits: [
      {
        file: 'server/src/features/ratings/actions.ts',
        take: "  if (party !== 'buyer') throw refuse('not_the_buyer')\n",
        put: '',
      },
    ],
    noticedBy: { file: 'ratings.test.ts', test: 'is the buyer’s alone' },
  },
  {
    what: 'nobody writes to whom they have nothing to do with',
    edits: [
      {
        file: 'server/src/features/messages/actions.ts',
        take: "  if (!toOwner && !fromOwner) throw refuse('conversation_not_allowed')\n",
        put: '',
      },
    ],
    noticedBy: { file: 'messages.test.ts', test: 'nobody else' },
  },
  {
    what: 'an owner writes only to who has written or offered',
    edits: [
      {
        file: 'server/src/features/messages/actions.ts',
        take: "  if (fromOwner) throw refuse('conversation_not_allowed')\n",
        put: '',
      },
    ],
    noticedBy: { file: 'messages.test.ts', test: 'nobody else' },
  },
  {
    what: 'nobody writes to who has left',
    edits: [
      {
        file: 'server/src/features/messages/actions.ts',
        take: "  if (!(await isHere(tx, receiverId))) throw refuse('conversation_not_allowed')\n",
        put: '',
      },
    ],
    noticedBy: { file: 'deletion.test.ts', test: 'what others have a part in stays' },
  },
  {
    what: 'no conversation begins on a request that is not open',
    edits: [
      {
        file: 'server/src/features/messages/actions.ts',
        take: "  if (item.status !== 'open') throw refuse('item_not_open')\n",
        put: '',
      },
    ],
    noticedBy: { file: 'messages.test.ts', test: 'a conversation goes on when the request is closed' },
  },
  {
    what: 'messages are read by who sent or received them',
    edits: [
      {
        file: 'server/src/features/messages/queries.ts',
        take: 'arm(eq(messages.receiverId, me), userId',
        put: 'arm(sql`true`, userId',
      },
    ],
    noticedBy: { file: 'messages.test.ts', test: 'one’s own conversations and nobody else’s' },
  },
  {
    what: 'messages are marked read by their receiver alone',
    edits: [
      {
        file: 'server/src/features/messages/queries.ts',
        take: `        eq(messages.receiverId, receiverId),
        eq(messages.wantedItemId, wantedItemId),
        eq(messages.isRead, false),
        senderId`,
        put: '        eq(messages.wantedItemId, wantedItemId),\n        eq(messages.isRead, false),\n        senderId',
      },
    ],
    noticedBy: { file: 'messages.test.ts', test: 'reading' },
  },
  {
    what: 'what somebody was told is marked read by them alone',
    edits: [
      {
        file: 'server/src/features/notifications/queries.ts',
        take: '        eq(notifications.userId, userId),\n        unread,',
        put: '        unread,',
      },
    ],
    noticedBy: { file: 'notifications.test.ts', test: 'everybody has their own lines' },
  },
  {
    what: 'what somebody was told is listed to them alone',
    edits: [
      {
        file: 'server/src/features/notifications/queries.ts',
        take: 'and(eq(notifications.userId, userId), before ? lt(notifications.id, before) : undefined)',
        put: 'before ? lt(notifications.id, before) : undefined',
      },
    ],
    noticedBy: { file: 'notifications.test.ts', test: 'everybody has their own lines' },
  },
  {
    what: 'payouts are listed to their seller alone',
    edits: [
      {
        file: 'server/src/features/sellers/queries.ts',
        take: 'and(eq(payouts.sellerId, sellerId), cursor',
        put: 'and(cursor',
      },
    ],
    noticedBy: { file: 'sellers.test.ts', test: 'is listed with its item, the latest first' },
  },
  {
    what: 'a dispute is answered, withdrawn and settled by its two parties alone',
    edits: [
      {
        file: 'server/src/features/disputes/actions.ts',
        take: "  if (!payment || !party) throw refuse('dispute_not_found')\n",
        put: "  if (!payment) throw refuse('dispute_not_found')\n",
      },
    ],
    noticedBy: { file: 'disputes.test.ts', test: 'who may do what, in one table' },
  },
  {
    what: 'the signature of a link that stops mails',
    edits: [
      {
        file: 'server/src/features/notifications/unsubscribe-token.ts',
        take: ' || !timingSafeEqual(given, right)',
        put: '',
      },
    ],
    noticedBy: { file: 'mail.test.ts', test: 'one click on the header of a mail' },
  },
  {
    what: 'bank details lie encrypted',
    edits: [
      {
        file: 'server/src/features/sellers/actions.ts',
        take: 'await encryption.seal(JSON.stringify(details), seller.id)',
        put: 'JSON.stringify(details)',
      },
    ],
    noticedBy: { file: 'sellers.test.ts', test: 'lie sealed in the database' },
  },
  {
    what: 'a look at bank details is written down',
    edits: [
      {
        file: 'server/src/features/payouts/manual-payouts.ts',
        take: "    await insertPayoutStep(tx, { payoutId: id, action: 'looked_up', adminId: admin.id, reference: null })\n",
        put: '',
      },
    ],
    noticedBy: { file: 'disputes.test.ts', test: 'the account is looked up in full' },
  },
  {
    what: 'a Word document is told from an installer',
    edits: [
      {
        file: 'server/src/features/disputes/check-file.ts',
        take: 'if (isWordDocument(bytes)) return',
        put: 'return',
      },
    ],
    noticedBy: { file: 'disputes.test.ts', test: 'an Excel sheet as .doc' },
  },
  {
    what: 'a docx unpacks within limits, and brings no macros',
    edits: [
      {
        file: 'server/src/features/disputes/check-file.ts',
        take: 'if (await isHarmlessDocx(bytes)) return',
        put: 'return',
      },
    ],
    noticedBy: { file: 'disputes.test.ts', test: 'a zip bomb as .docx' },
  },
  {
    what: 'a text is a text',
    edits: [
      {
        file: 'server/src/features/disputes/check-file.ts',
        take: '/\\.txt$/i.test(name) && isText(bytes)',
        put: '/\\.txt$/i.test(name)',
      },
    ],
    noticedBy: { file: 'disputes.test.ts', test: 'a text with control characters' },
  },
  {
    what: 'the name of a file is no path',
    edits: [
      {
        file: 'server/src/features/disputes/evidence.ts',
        take: 'const name = plainName(file.name)',
        put: 'const name = file.name',
      },
    ],
    noticedBy: { file: 'disputes.test.ts', test: 'a path for a name' },
  },
  {
    what: 'the CSV holds no formula',
    edits: [
      {
        file: 'server/src/features/disputes/csv.ts',
        take: "FORMULA.test(text) ? `'${text}` : text",
        put: 'text',
      },
    ],
    noticedBy: { file: 'disputes.test.ts', test: 'the CSV holds no formula' },
  },
  {
    what: 'somebody who has left has no page',
    edits: [
      {
        file: 'server/src/features/people/queries.ts',
        take: 'and(eq(users.id, id), isNull(users.deletedAt))',
        put: 'eq(users.id, id)',
      },
    ],
    noticedBy: { file: 'people.test.ts', test: 'nobody of that name, and somebody who left' },
  },
]
