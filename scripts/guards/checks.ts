// biome-ignore-all lint/suspicious/noTemplateCurlyInString: what is taken out is code, as it stands there.
import type { Guard } from './guard.ts'

/** Who may, how often, and what is let in and out. */
export const checks: Guard[] = [
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
          options.clock().getTime(),
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
        file: 'server/src/features/payments/holding.ts',
        take: "  const intent = await cards.readIntent(intentId)\n  if (!intent) return 'no such payment'\n",
        put: "  const intent = { id: intentId, clientSecret: '', status: 'paid', receivedCents: 12_000, currency: config.currency, chargeId: null } as const\n",
      },
    ],
    noticedBy: { file: 'webhook.test.ts', test: 'what an event says of amount and status is not believed' },
  },
  {
    what: 'visitors are turned away',
    edits: [
      {
        file: 'server/src/platform/route.ts',
        take: "  if (!user) throw refuse('signed_out')\n",
        put: '  if (!user) return user\n',
      },
    ],
    noticedBy: { file: 'requests.test.ts', test: 'and nobody else may' },
  },
  {
    what: 'only admins come to the desk',
    edits: [
      {
        file: 'server/src/platform/route.ts',
        take: "  if (call.access === 'admin' && !(await gate.isAdmin(user))) throw refuse('not_admin')\n",
        put: '',
      },
    ],
    noticedBy: { file: 'disputes.test.ts', test: 'who may do what, in one table' },
  },
  {
    what: 'what is sent is held against its schema',
    edits: [
      {
        file: 'server/src/platform/route.ts',
        take: '  if (parsed.success) return parsed.data\n  throw',
        put: '  return given\n  throw',
      },
    ],
    noticedBy: { file: 'offers.test.ts', test: 'is refused, and nothing is stored' },
  },
  {
    what: 'only declared fields leave the server',
    edits: [
      {
        file: 'server/src/platform/route.ts',
        take: '    ...(serialise && { schema: { response: { [call.status ?? 200]: serialise } } }),\n',
        put: '',
      },
    ],
    noticedBy: { file: 'payments.test.ts', test: 'what a row holds beyond what its call declares' },
  },
  {
    what: 'a payment is moved by its two people alone',
    edits: [
      {
        file: 'server/src/features/payments/moving.ts',
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
        take: '  checkRange(body.amount, item.maxBudget)\n  await holdOneself(tx, seller.id)',
        put: '  await holdOneself(tx, seller.id)',
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
    what: 'a device is signed out by its owner alone',
    edits: [
      {
        file: 'server/src/features/accounts/device-queries.ts',
        take: 'and(isOf(userId), eq(deviceId, id))',
        put: 'eq(deviceId, id)',
      },
    ],
    noticedBy: { file: 'security.test.ts', test: 'one is signed out, or all others' },
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
    what: 'what another site makes a browser send is refused',
    edits: [{ file: 'server/src/app.ts', take: '    refuseCrossSite(request)\n', put: '' }],
    noticedBy: { file: 'refusals.test.ts', test: 'requests that another site makes a browser send' },
  },
  {
    what: 'a link on another site signs nobody out',
    edits: [
      {
        file: 'server/src/features/accounts/routes.ts',
        take: 'if (!isCrossSite(request)) await',
        put: 'await',
      },
    ],
    noticedBy: { file: 'accounts.test.ts', test: 'a link on another site signs nobody out' },
  },
  {
    what: 'the signature of the session’s cookie',
    edits: [
      {
        file: 'server/src/platform/session.ts',
        take: 'request.unsignCookie(value).value',
        put: "value.slice(0, value.lastIndexOf('.'))",
      },
    ],
    noticedBy: { file: 'accounts.test.ts', test: 'a cookie that we have not signed opens nothing' },
  },
  {
    what: 'a session has an end',
    edits: [
      {
        file: 'server/src/platform/session.ts',
        take: 'and(eq(sessions.sid, sid), gt(sessions.expire, now))',
        put: 'eq(sessions.sid, sid)',
      },
    ],
    noticedBy: { file: 'accounts.test.ts', test: 'one in use lasts on' },
  },
  {
    what: 'who has left has no session',
    edits: [{ file: 'server/src/platform/session.ts', take: ', isNull(users.deletedAt)))', put: ')) ' }],
    noticedBy: { file: 'deletion.test.ts', test: 'a deleted person can sign in nowhere' },
  },
  {
    what: 'a new session id at every sign-in',
    edits: [
      {
        file: 'server/src/platform/session.ts',
        take: '      const sid = newSid()\n      const at',
        put: '      const sid = old ?? newSid()\n      const at',
      },
    ],
    noticedBy: { file: 'attacks.test.ts', test: 'that somebody else has set before signing in' },
  },
  {
    what: 'signing in ends the session that was there',
    edits: [
      {
        file: 'server/src/platform/session.ts',
        take: '      if (old !== null) await tx.delete(sessions).where(eq(sessions.sid, old))\n',
        put: '',
      },
    ],
    noticedBy: { file: 'attacks.test.ts', test: 'that somebody else has set before signing in' },
  },
  {
    what: 'signing out ends the session',
    edits: [
      {
        file: 'server/src/platform/session.ts',
        take: '      if (sid !== null) await tx.delete(sessions).where(eq(sessions.sid, sid))\n      reply',
        put: '      reply',
      },
    ],
    noticedBy: { file: 'accounts.test.ts', test: 'signing out ends it for good' },
  },
  {
    what: 'the cookie is out of reach of scripts',
    edits: [{ file: 'server/src/platform/session.ts', take: 'httpOnly: true, ', put: '' }],
    noticedBy: { file: 'accounts.test.ts', test: 'the cookie is for http, this site' },
  },
  {
    what: 'the cookie stays with this site',
    edits: [{ file: 'server/src/platform/session.ts', take: "sameSite: 'lax', ", put: "sameSite: 'none', " }],
    noticedBy: { file: 'accounts.test.ts', test: 'the cookie is for http, this site' },
  },
  {
    what: 'in production the cookie is for https alone',
    edits: [
      {
        file: 'server/src/platform/session.ts',
        take: "sameSite: 'lax', secure, signed",
        put: "sameSite: 'lax', secure: secure && false, signed",
      },
    ],
    noticedBy: { file: 'accounts.test.ts', test: 'in production it is for https alone' },
  },
  {
    what: 'a new password ends the other sessions',
    edits: [
      {
        file: 'server/src/features/accounts/security.ts',
        take: '  await endSessionsOf(tx, id, await renewSession())\n',
        put: '  await renewSession()\n',
      },
    ],
    noticedBy: { file: 'security.test.ts', test: 'ends the other sessions, renews this one' },
  },
  {
    what: 'a new password gives the session that asks another id',
    edits: [
      {
        file: 'server/src/features/accounts/routes.ts',
        take: '() => sessions.renew(tx, request, reply)',
        put: "async () => sessions.sidOf(request) ?? ''",
      },
    ],
    noticedBy: { file: 'security.test.ts', test: 'ends the other sessions, renews this one' },
  },
  {
    what: 'a password set by a link ends every session',
    edits: [
      {
        file: 'server/src/features/accounts/security.ts',
        take: '  await endSessionsOf(tx, userId)\n',
        put: '',
      },
    ],
    noticedBy: { file: 'security.test.ts', test: 'the link sets a new one once' },
  },
  {
    what: 'a deleted account ends every session',
    edits: [
      {
        file: 'server/src/features/accounts/deletion.ts',
        take: '  await endSessionsOf(tx, id)\n  await dropTokens(tx, id)\n  await deleteMails',
        put: '  await dropTokens(tx, id)\n  await deleteMails',
      },
    ],
    noticedBy: { file: 'deletion.test.ts', test: 'a deleted person can sign in nowhere' },
  },
  {
    what: 'the password at sign-in',
    edits: [
      {
        file: 'server/src/features/accounts/passwords.ts',
        take: "return right && typeof stored === 'string'",
        put: "return right || typeof stored === 'string'",
      },
    ],
    noticedBy: { file: 'accounts.test.ts', test: 'a wrong password and an unknown e-mail' },
  },
  {
    what: 'no password opens an account that has none',
    edits: [
      {
        file: 'server/src/features/accounts/passwords.ts',
        take: "return right && typeof stored === 'string'",
        put: 'return right',
      },
    ],
    noticedBy: { file: 'google.test.ts', test: 'no password opens an account that has none' },
  },
  {
    what: 'the password before an account is deleted',
    edits: [
      {
        file: 'server/src/features/accounts/deletion.ts',
        take: "    if (!(await passwordMatches(password, form.password ?? ''))) throw refuse('wrong_password')\n",
        put: '',
      },
    ],
    noticedBy: { file: 'deletion.test.ts', test: 'the password is asked for' },
  },
  {
    what: 'the old password before a new one',
    edits: [
      {
        file: 'server/src/features/accounts/security.ts',
        take: "  if (!(await passwordMatches(password, currentPassword))) throw refuse('wrong_password')\n",
        put: '',
      },
    ],
    noticedBy: { file: 'security.test.ts', test: 'the wrong one is refused' },
  },
  {
    what: 'a link is used up with its siblings',
    edits: [
      {
        file: 'server/src/features/accounts/token-queries.ts',
        take: '  const spent = await tx\n    .delete(accountTokens)\n    .where(and(eq(userId, sql`(${owner})`), eq(accountTokens.purpose, purpose)))\n    .returning({ hash: accountTokens.hash, userId, email: accountTokens.email })\n',
        put: '  const spent = await tx\n    .select({ hash: accountTokens.hash, userId, email: accountTokens.email })\n    .from(accountTokens)\n    .where(and(eq(userId, sql`(${owner})`), eq(accountTokens.purpose, purpose)))\n',
      },
    ],
    noticedBy: { file: 'profile.test.ts', test: 'signing up asks for it, and the link works once' },
  },
  {
    what: 'a link runs out',
    edits: [
      {
        file: 'server/src/features/accounts/token-queries.ts',
        take: '        gt(expiresAt, sql`${tx.now.toISOString()}::timestamptz`),\n',
        put: '',
      },
    ],
    noticedBy: { file: 'security.test.ts', test: 'it lasts an hour' },
  },
  {
    what: 'a link is good for its own purpose alone',
    edits: [
      {
        file: 'server/src/features/accounts/token-queries.ts',
        take: '        eq(accountTokens.purpose, purpose),\n',
        put: '',
      },
      {
        file: 'server/src/features/accounts/token-queries.ts',
        take: '.where(and(eq(userId, sql`(${owner})`), eq(accountTokens.purpose, purpose)))',
        put: '.where(eq(userId, sql`(${owner})`))',
      },
    ],
    noticedBy: { file: 'profile.test.ts', test: 'it works for a day, and for nothing else' },
  },
  {
    what: 'a link proves only the address that it went to',
    edits: [
      {
        file: 'server/src/features/accounts/security.ts',
        take: "  else throw refuse('link_expired')\n",
        put: '',
      },
    ],
    noticedBy: { file: 'profile.test.ts', test: 'it can be called off, and its link with it' },
  },
  {
    what: 'a link is known by its hash alone',
    edits: [
      {
        file: 'server/src/features/accounts/tokens.ts',
        take: "createHash('sha256').update(token).digest('base64url')",
        put: 'token',
      },
    ],
    noticedBy: { file: 'profile.test.ts', test: 'the database holds nothing that a link could be made of' },
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
    what: 'Google’s word that it has verified the address',
    edits: [
      {
        file: 'server/src/features/accounts/actions.ts',
        take: "  if (!identity.emailVerified) return 'unverified'\n",
        put: '',
      },
    ],
    noticedBy: { file: 'google.test.ts', test: 'an address that Google has not verified' },
  },
  {
    what: 'the state of a return from Google',
    edits: [
      {
        file: 'server/src/providers/google/google.ts',
        take: '          expectedState: attempt.state,\n',
        put: '          expectedState: oidc.skipStateCheck,\n',
      },
    ],
    noticedBy: { file: 'google.test.ts', test: 'a return is held against the' },
  },
  {
    what: 'the nonce of a return from Google',
    edits: [
      {
        file: 'server/src/providers/google/google.ts',
        take: '          expectedNonce: attempt.nonce,\n',
        put: '',
      },
    ],
    noticedBy: { file: 'google.test.ts', test: 'a return is held against the' },
  },
  {
    what: 'the proof key of a return from Google',
    edits: [
      {
        file: 'server/src/providers/google/google.ts',
        take: '          pkceCodeVerifier: attempt.verifier,\n',
        put: '',
      },
    ],
    noticedBy: { file: 'google.test.ts', test: 'a return is held against the' },
  },
  {
    what: 'the signature of the cookie of a return from Google',
    edits: [
      {
        file: 'server/src/providers/google/google.ts',
        take: 'if (!unsigned?.valid || unsigned.value === null) return null',
        put: "if (!unsigned) return null\n  unsigned.value ??= kept?.slice(0, kept.lastIndexOf('.')) ?? ''",
      },
    ],
    noticedBy: { file: 'google.test.ts', test: 'an attempt that we have not signed is none' },
  },
  {
    what: 'the way back leads to this site alone',
    edits: [
      { file: 'contract/src/fields.ts', take: 'z.regex(/^\\/(?![/\\\\])[!-[\\]-~]*$/)', put: 'z.regex(/./)' },
    ],
    noticedBy: { file: 'attacks.test.ts', test: 'a return address' },
  },
  {
    what: 'sign-ins are counted by account',
    edits: [
      {
        file: 'server/src/features/accounts/routes.ts',
        take: '      await limits.signInByAccount.count(body.email)\n',
        put: '',
      },
    ],
    noticedBy: { file: 'accounts.test.ts', test: 'the eleventh wrong password' },
  },
  {
    what: 'sign-ins are counted by address',
    edits: [
      {
        file: 'server/src/features/accounts/routes.ts',
        take: '      await limits.signInByAddress.count(address)\n',
        put: '',
      },
    ],
    noticedBy: { file: 'accounts.test.ts', test: 'an address that tries a hundred accounts' },
  },
  {
    what: 'sign-ups are counted by address',
    edits: [
      {
        file: 'server/src/features/accounts/routes.ts',
        take: '      await limits.signUpByAddress.count(addressKey(request.ip))\n',
        put: '',
      },
    ],
    noticedBy: { file: 'accounts.test.ts', test: 'sign-ups from one address are counted too' },
  },
  {
    what: 'sign-ups are counted by account',
    edits: [
      {
        file: 'server/src/features/accounts/routes.ts',
        take: '      await limits.signUpByAccount.count(body.email)\n',
        put: '',
      },
    ],
    noticedBy: { file: 'accounts.test.ts', test: 'and so are those with one e-mail' },
  },
  {
    what: 'forgotten passwords are counted by account',
    edits: [
      {
        file: 'server/src/features/accounts/routes.ts',
        take: '      await limits.forgottenByAccount.count(body.email)\n',
        put: '',
      },
    ],
    noticedBy: { file: 'security.test.ts', test: 'asking is limited' },
  },
  {
    what: 'forgotten passwords are counted by address',
    edits: [
      {
        file: 'server/src/features/accounts/routes.ts',
        take: '      await limits.forgottenByAddress.count(addressKey(request.ip))\n',
        put: '',
      },
    ],
    noticedBy: { file: 'security.test.ts', test: 'asking is limited' },
  },
  {
    what: 'guesses of a link that sets a password are counted',
    edits: [
      {
        file: 'server/src/features/accounts/routes.ts',
        take: '      await limits.linkByAddress.count(addressKey(request.ip))\n      return transact((tx) => resetPassword',
        put: '      return transact((tx) => resetPassword',
      },
    ],
    noticedBy: { file: 'attacks.test.ts', test: 'links are guessed at no more' },
  },
  {
    what: 'guesses of a link that proves an address are counted',
    edits: [
      {
        file: 'server/src/features/accounts/routes.ts',
        take: '      await limits.linkByAddress.count(addressKey(request.ip))\n      return transact((tx) => verifyEmail',
        put: '      return transact((tx) => verifyEmail',
      },
    ],
    noticedBy: { file: 'attacks.test.ts', test: 'links are guessed at no more' },
  },
  {
    what: 'guesses of the password from within are counted',
    edits: [
      {
        file: 'server/src/features/accounts/routes.ts',
        take: '      await limits.passwordByAccount.count(user.id)\n      const done',
        put: '      const done',
      },
    ],
    noticedBy: { file: 'security.test.ts', test: 'guessing it from within a session is limited' },
  },
  {
    what: 'mails that prove an address are counted',
    edits: [
      {
        file: 'server/src/features/accounts/routes.ts',
        take: '      await limits.verificationByAccount.count(user.id)\n      return',
        put: '      return',
      },
    ],
    noticedBy: { file: 'profile.test.ts', test: 'a mail more can be asked for' },
  },
  {
    what: 'changes of address are counted',
    edits: [
      {
        file: 'server/src/features/accounts/routes.ts',
        take: '      if (namesNewEmail(body, user)) await limits.verificationByAccount.count(user.id)\n',
        put: '',
      },
    ],
    noticedBy: { file: 'profile.test.ts', test: 'a mail more can be asked for' },
  },
  {
    what: 'downloads of one’s data are counted',
    edits: [
      {
        file: 'server/src/features/accounts/routes.ts',
        take: '      await limits.dataByAccount.count(user.id)\n',
        put: '',
      },
    ],
    noticedBy: { file: 'security.test.ts', test: 'is done ten times an hour' },
  },
  {
    what: 'the addresses of one household are counted together',
    edits: [
      {
        file: 'server/src/platform/limits.ts',
        take: "return groupsOf(ip).slice(0, NETWORK_GROUPS).join(':')",
        put: 'return ip',
      },
    ],
    noticedBy: { file: 'attacks.test.ts', test: 'are of one network, and counted together' },
  },
  {
    what: 'ten streams a person',
    edits: [
      {
        file: 'server/src/platform/events.ts',
        take: "      if (streams.size >= STREAMS_PER_PERSON) throw refuse('too_many', { retryAfterSeconds: 60 })\n",
        put: '',
      },
    ],
    noticedBy: { file: 'events.test.ts', test: 'ten streams a person' },
  },
  {
    what: 'too much at once is refused at the door',
    edits: [{ file: 'server/src/app.ts', take: '  refuseUnderPressure(app, database.pool)\n', put: '' }],
    noticedBy: { file: 'health.test.ts', test: 'it refuses at the door' },
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
    what: 'bank details open only in their own row',
    edits: [
      {
        file: 'server/src/platform/encryption.ts',
        take: 'const boundTo = (owner: string) => Buffer.from(`${VERSION}:${owner}`)',
        put: 'const boundTo = (_owner: string) => Buffer.from(VERSION)',
      },
    ],
    noticedBy: { file: 'encryption.test.ts', test: 'another secret, another owner' },
  },
  {
    what: 'a changed byte makes bank details unreadable',
    edits: [
      {
        file: 'server/src/platform/encryption.ts',
        take: 'return Buffer.concat([decipher.update(hidden), decipher.final()])',
        put: 'return Buffer.concat([decipher.update(hidden)])',
      },
    ],
    noticedBy: { file: 'encryption.test.ts', test: 'a change of any single byte' },
  },
  {
    what: 'a look at bank details is written down',
    edits: [
      {
        file: 'server/src/features/payments/manual-payouts.ts',
        take: "    await insertPayoutStep(tx, { payoutId: id, action: 'looked_up', adminId: admin.id, reference: null })\n",
        put: '',
      },
    ],
    noticedBy: { file: 'disputes.test.ts', test: 'the account is looked up in full' },
  },
  {
    what: 'scripts come from us alone',
    edits: [
      {
        file: 'server/src/platform/security.ts',
        take: 'scriptSrc: ["\'self\'", ...',
        put: 'scriptSrc: ["\'self\'", "\'unsafe-inline\'", ...',
      },
    ],
    noticedBy: { file: 'refusals.test.ts', test: 'headers' },
  },
  {
    what: 'no site frames ours',
    edits: [
      { file: 'server/src/platform/security.ts', take: '        frameAncestors: ["\'none\'"],\n', put: '' },
    ],
    noticedBy: { file: 'refusals.test.ts', test: 'headers' },
  },
  {
    what: 'an answer of a call loads nothing as a page',
    edits: [
      {
        file: 'server/src/platform/security.ts',
        take: "{ ...Object.fromEntries(kept), 'content-security-policy': NOTHING }",
        put: 'Object.fromEntries(kept)',
      },
    ],
    noticedBy: { file: 'refusals.test.ts', test: 'headers' },
  },
  {
    what: 'no answer is taken for another type than it says',
    edits: [{ file: 'server/src/platform/security.ts', take: "  'x-content-type-options',\n", put: '' }],
    noticedBy: { file: 'refusals.test.ts', test: 'headers' },
  },
  {
    what: 'private answers are kept by nobody',
    edits: [
      {
        file: 'server/src/platform/route.ts',
        take: "  reply.header('cache-control', 'no-store')\n",
        put: '',
      },
    ],
    noticedBy: { file: 'refusals.test.ts', test: 'what is answered to one person is not kept' },
  },
  {
    what: 'evidence is never run as a page',
    edits: [
      {
        file: 'server/src/platform/serve-files.ts',
        take: "    .header('content-security-policy', \"default-src 'none'; sandbox\")\n",
        put: '',
      },
    ],
    noticedBy: {
      file: 'disputes.test.ts',
      test: 'pictures, PDF, doc, docx and txt are told by their content',
    },
  },
  {
    what: 'documents are handed out to be saved, not shown',
    edits: [
      {
        file: 'server/src/platform/serve-files.ts',
        take: "mimeType === 'image/webp' ? 'inline' : 'attachment'",
        put: "mimeType ? 'inline' : 'attachment'",
      },
    ],
    noticedBy: {
      file: 'disputes.test.ts',
      test: 'pictures, PDF, doc, docx and txt are told by their content',
    },
  },
  {
    what: 'evidence is not among the public files',
    edits: [{ file: 'server/src/platform/serve-files.ts', take: " || known.kind === 'evidence'", put: '' }],
    noticedBy: {
      file: 'disputes.test.ts',
      test: 'pictures, PDF, doc, docx and txt are told by their content',
    },
  },
  {
    what: 'only names of ours are looked for on disk',
    edits: [
      {
        file: 'server/src/platform/serve-files.ts',
        take: "      if (!isFileName(name)) throw refuse('not_found')\n",
        put: '',
      },
    ],
    noticedBy: { file: 'refusals.test.ts', test: 'a file name that would lead elsewhere' },
  },
  {
    what: 'metrics are for this machine, or for who has the token',
    edits: [
      {
        file: 'server/src/platform/health.ts',
        take: "    if (!mayReadMetrics(request, config.metricsToken)) throw refuse('not_found')\n",
        put: '',
      },
    ],
    noticedBy: { file: 'health.test.ts', test: 'are for this machine alone' },
  },
  {
    what: 'an error of ours says nothing of its cause',
    edits: [
      {
        file: 'server/src/platform/errors.ts',
        take: 'send({ code: refused.code, message,',
        put: "send({ code: refused.code, message: refused.code === 'internal' ? String(error) : message,",
      },
    ],
    noticedBy: { file: 'refusals.test.ts', test: 'an error of ours says nothing of its cause' },
  },
  {
    what: 'an uploaded picture is what it is by its content',
    edits: [
      {
        file: 'server/src/platform/images.ts',
        take: "  if (!type || !ACCEPTED.has(type.mime)) throw refuse('not_an_image')\n",
        put: '  void type\n',
      },
    ],
    noticedBy: { file: 'requests.test.ts', test: 'a TIFF' },
  },
  {
    what: 'a picture of too many pixels is a bomb',
    edits: [
      {
        file: 'server/src/platform/images.ts',
        take: 'limitInputPixels: PIXELS_MAX',
        put: 'limitInputPixels: false',
      },
    ],
    noticedBy: { file: 'requests.test.ts', test: 'a bomb' },
  },
  {
    what: 'an upload has a size',
    edits: [
      {
        file: 'server/src/platform/upload.ts',
        take: '{ fileSize: maxBytes, files',
        put: '{ fileSize: 1e9, files',
      },
    ],
    noticedBy: { file: 'requests.test.ts', test: 'one byte over 10 MB is too large' },
  },
  {
    what: 'a body has a size',
    edits: [
      { file: 'server/src/app.ts', take: '    bodyLimit: BODY_LIMIT_BYTES,\n', put: '    bodyLimit: 1e9,\n' },
    ],
    noticedBy: { file: 'refusals.test.ts', test: 'what cannot be read is refused' },
  },
  {
    what: 'a Word document is told from an installer',
    edits: [
      {
        file: 'server/src/features/disputes/documents.ts',
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
        file: 'server/src/features/disputes/documents.ts',
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
        file: 'server/src/features/disputes/documents.ts',
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
    what: 'names and titles in mails and pages are words',
    edits: [
      {
        file: 'server/src/platform/page-head.ts',
        take: 'return text.replace(/[&<>"\']/g, (character) => `&#${character.charCodeAt(0)};`)',
        put: 'return text',
      },
    ],
    noticedBy: { file: 'mail.test.ts', test: 'names and titles are words' },
  },
  {
    what: 'a password that was changed meanwhile begins no session',
    edits: [
      {
        file: 'server/src/features/accounts/actions.ts',
        take: "    if (now?.password !== account.password) throw refuse('wrong_credentials')\n",
        put: "    if (!now) throw refuse('wrong_credentials')\n",
      },
    ],
    noticedBy: { file: 'security.test.ts', test: 'whoever was signing in with the old one meanwhile' },
  },
  {
    what: 'an unknown e-mail takes as long as a known one',
    edits: [
      {
        file: 'server/src/features/accounts/passwords.ts',
        take: '  const right = await inTurn(async () => verify(stored ?? (await nobody), password))\n',
        put: '  const right = stored ? await inTurn(() => verify(stored, password)) : false\n',
      },
    ],
    noticedBy: { file: 'accounts.test.ts', test: 'and the same time' },
  },
  {
    what: 'a forgotten password takes as long for an unknown address',
    edits: [
      {
        file: 'server/src/features/accounts/routes.ts',
        take: 'const FORGOTTEN_TAKES_MS = 200',
        put: 'const FORGOTTEN_TAKES_MS = 1',
      },
    ],
    noticedBy: { file: 'security.test.ts', test: 'a known and an unknown address get the same answer' },
  },
  {
    what: 'an account that Google proves loses the password that nobody had proved',
    edits: [
      {
        file: 'server/src/features/accounts/actions.ts',
        take: '    pendingEmail: null,\n    password: null,\n',
        put: '    pendingEmail: null,\n',
      },
    ],
    noticedBy: { file: 'attacks.test.ts', test: 'is its owner’s alone once they come by Google' },
  },
  {
    what: 'an account that Google proves loses the sessions that nobody had proved',
    edits: [
      {
        file: 'server/src/features/accounts/actions.ts',
        take: '  await endSessionsOf(tx, id)\n  await dropTokens',
        put: '  await dropTokens',
      },
    ],
    noticedBy: { file: 'attacks.test.ts', test: 'that was stolen opens nothing after' },
  },
  {
    what: 'an account that Google proves pays nobody whom its owner does not know',
    edits: [
      { file: 'server/src/features/accounts/actions.ts', take: '    ...NO_WAY_TO_BE_PAID,\n', put: '' },
    ],
    noticedBy: { file: 'attacks.test.ts', test: 'is its owner’s alone once they come by Google' },
  },
  {
    what: 'an account that a mailed link proves pays nobody whom its owner does not know',
    edits: [
      {
        file: 'server/src/features/accounts/security.ts',
        take: ', ...(!account.user.emailVerified && NO_WAY_TO_BE_PAID)',
        put: '',
      },
    ],
    noticedBy: { file: 'attacks.test.ts', test: 'and once they set a password by mail' },
  },
  {
    what: 'a new password makes every link worthless',
    edits: [
      {
        file: 'server/src/features/accounts/security.ts',
        take: "  await dropTokens(tx, user.id)\n  if (user.email) await mailAccount(tx, { userId: user.id, address: user.email, kind: 'password_changed' })\n",
        put: "  if (user.email) await mailAccount(tx, { userId: user.id, address: user.email, kind: 'password_changed' })\n",
      },
    ],
    noticedBy: { file: 'security.test.ts', test: 'makes links that were mailed before worthless' },
  },
  {
    what: 'a link for a new password is good only for the address in use',
    edits: [
      {
        file: 'server/src/features/accounts/security.ts',
        take: 'if (!account || account.user.email !== email) throw',
        put: 'if (!account) throw',
      },
    ],
    noticedBy: { file: 'profile.test.ts', test: 'links that went to the old address are worth nothing' },
  },
  {
    what: 'guesses of the password by deleting are counted',
    edits: [
      {
        file: 'server/src/features/accounts/routes.ts',
        take: '      await limits.passwordByAccount.count(user.id)\n      return deleteAccount',
        put: '      return deleteAccount',
      },
    ],
    noticedBy: { file: 'security.test.ts', test: 'guessing it from within a session is limited' },
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
  {
    what: 'where a request comes from, as browsers say it',
    edits: [
      {
        file: 'server/src/platform/origin.ts',
        take: "  if (site !== undefined) return site !== 'same-origin' && site !== 'none'\n",
        put: '',
      },
    ],
    noticedBy: { file: 'refusals.test.ts', test: 'requests that another site makes a browser send' },
  },
  {
    what: 'where a request comes from, as older browsers say it',
    edits: [
      {
        file: 'server/src/platform/origin.ts',
        take: 'return !URL.canParse(origin) || new URL(origin).host !== host',
        put: 'return false',
      },
    ],
    noticedBy: { file: 'refusals.test.ts', test: 'requests that another site makes a browser send' },
  },
  {
    what: 'production has secrets of its own',
    edits: [
      {
        file: 'server/src/platform/config.ts',
        take: '      if (!env[name]) throw new BadConfig(`${name} is required in production`)\n',
        put: '',
      },
    ],
    noticedBy: { file: 'config.test.ts', test: 'stops the start' },
  },
  {
    what: 'production has no demo market',
    edits: [
      {
        file: 'server/src/platform/config.ts',
        take: "    if (env.DEMO) throw new BadConfig('DEMO cannot be on in production')\n",
        put: '',
      },
    ],
    noticedBy: { file: 'config.test.ts', test: 'stops the start' },
  },
  {
    what: 'production has no sandbox unless it was allowed',
    edits: [
      {
        file: 'server/src/platform/config.ts',
        take: "(!production || env.SANDBOX === 'allow')",
        put: 'true',
      },
    ],
    noticedBy: { file: 'config.test.ts', test: 'production takes the sandbox for Stripe only if' },
  },
]
