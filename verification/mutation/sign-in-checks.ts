// biome-ignore-all lint/suspicious/noTemplateCurlyInString: what is taken out is code, as it stands there.
import type { Guard } from './guard.ts'

/** Who somebody is: signing in, sessions, links, and how often one may try. */
export const signInChecks: Guard[] = [
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
    noticedBy: { file: 'sign-in-attacks.test.ts', test: 'that somebody else has set before signing in' },
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
    noticedBy: { file: 'sign-in-attacks.test.ts', test: 'that somebody else has set before signing in' },
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
        file: 'server/src/features/personal-data/delete-account.ts',
        take: '  await endSessionsOf(tx, id)\n  await revokeTokens(tx, id)\n  await deleteMails',
        put: '  await revokeTokens(tx, id)\n  await deleteMails',
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
        file: 'server/src/features/personal-data/delete-account.ts',
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
        file: 'server/src/platform/link-tokens.ts',
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
        file: 'server/src/platform/link-tokens.ts',
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
        file: 'server/src/platform/link-tokens.ts',
        take: '        eq(accountTokens.purpose, purpose),\n',
        put: '',
      },
      {
        file: 'server/src/platform/link-tokens.ts',
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
        file: 'server/src/platform/link-tokens.ts',
        take: "createHash('sha256').update(token).digest('base64url')",
        put: 'token',
      },
    ],
    noticedBy: { file: 'profile.test.ts', test: 'the database holds nothing that a link could be made of' },
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
    noticedBy: { file: 'sign-in-attacks.test.ts', test: 'links are guessed at no more' },
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
    noticedBy: { file: 'sign-in-attacks.test.ts', test: 'links are guessed at no more' },
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
    noticedBy: { file: 'sign-in-attacks.test.ts', test: 'are of one network, and counted together' },
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
    noticedBy: { file: 'sign-in-attacks.test.ts', test: 'is its owner’s alone once they come by Google' },
  },
  {
    what: 'an account that Google proves loses the sessions that nobody had proved',
    edits: [
      {
        file: 'server/src/features/accounts/actions.ts',
        take: '  await endSessionsOf(tx, id)\n  await revokeTokens',
        put: '  await revokeTokens',
      },
    ],
    noticedBy: { file: 'sign-in-attacks.test.ts', test: 'that was stolen opens nothing after' },
  },
  {
    what: 'an account that Google proves pays nobody whom its owner does not know',
    edits: [
      { file: 'server/src/features/accounts/actions.ts', take: '    ...NO_WAY_TO_BE_PAID,\n', put: '' },
    ],
    noticedBy: { file: 'sign-in-attacks.test.ts', test: 'is its owner’s alone once they come by Google' },
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
    noticedBy: { file: 'sign-in-attacks.test.ts', test: 'and once they set a password by mail' },
  },
  {
    what: 'a new password makes every link worthless',
    edits: [
      {
        file: 'server/src/features/accounts/security.ts',
        take: "  await revokeTokens(tx, user.id)\n  if (user.email) await enqueueAccountEmail(tx, { userId: user.id, address: user.email, kind: 'password_changed' })\n",
        put: "  if (user.email) await enqueueAccountEmail(tx, { userId: user.id, address: user.email, kind: 'password_changed' })\n",
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
]
