import { createUndoToken } from '@sought/server/features/users/email-changes'
import { type Authenticator, createAuthenticator } from '@sought/server/testing/authenticator'
import { totpCode } from '@sought/server/testing/totp-code'
import { completed, type PrepareActions, type RaceAction, type RaceCase } from './non-payment-races.ts'
import { type Server, sessionIdOf } from './two-servers.ts'

/*
 * Races about second factors, proofs of identity, undone email changes and changed bank accounts. Sue of case n is the
 * user; her factors are set up through the product's calls, because secrets are encrypted.
 */

const TIMES = 200

const all = 'generate_series($1::int, $2::int) n'
const sue = (n: number) => `sue-${n}`
const asSue =
  (call: string, body?: object): RaceAction =>
  async (server, { n }) =>
    (await server.call(sue(n), call, body)).answer

/** Two browsers where Sue has entered the password and that wait for the second factor. */
const pendingSignIns = `
  insert into sessions (sid, sess, expire)
  select '${sessionIdOf('')}' || browser || '-sue-' || n,
    jsonb_build_object('userId', 'sue-' || n, 'createdAt', now(), 'seenAt', now(), 'pending', true),
    now() + interval '10 minutes'
  from ${all}, (values ('first'), ('second')) browsers (browser)`

const giveFactor =
  (browser: 'first' | 'second', body: object): RaceAction =>
  async (server, { n }) =>
    (await server.call(`${browser}-sue-${n}`, 'POST /api/auth/second-factor', body)).answer

/** The reply to a call that must succeed. */
async function mustCall(server: Server, n: number, call: string, body?: object): Promise<never> {
  const { answer, body: reply } = await server.call(sue(n), call, body)
  if (answer !== 'ok') throw new Error(`${call} in the setup of case ${n}: ${answer}`)
  return reply as never
}

async function enableTotp(server: Server, n: number): Promise<{ code: string; recoveryCodes: string[] }> {
  const { secret } = await mustCall(server, n, 'POST /api/user/totp')
  const code = totpCode(secret, new Date())
  const { recoveryCodes } = await mustCall(server, n, 'POST /api/user/totp/enable', { code })
  return { code: totpCode(secret, new Date()), recoveryCodes }
}

async function newPasskey(server: Server, n: number, authenticator: Authenticator = createAuthenticator()) {
  const options = await mustCall(server, n, 'POST /api/user/passkeys/options')
  return { passkey: authenticator.create(options) }
}

async function addPasskey(server: Server, n: number): Promise<string> {
  const added: { passkey: { id: string } } = await mustCall(
    server,
    n,
    'POST /api/user/passkeys',
    await newPasskey(server, n),
  )
  return added.passkey.id
}

/** Returns whether the reply contained recovery codes, which are shown only once. */
const addAndReadCodes =
  (body: object): RaceAction =>
  async (server, { n }) => {
    const { answer, body: reply } = await server.call(sue(n), 'POST /api/user/passkeys', body)
    if (answer !== 'ok') return answer
    return (reply as { recoveryCodes: string[] | null }).recoveryCodes ? 'with codes' : 'without codes'
  }

const factorsOfCase = `(select count(*) from passkeys where user_id = 'sue-' || n) || ' passkeys, '
  || (select count(*) from recovery_codes where user_id = 'sue-' || n) || ' codes'`
const actionsOfCase = (...actions: string[]) =>
  actions
    .map(
      (action) =>
        `(select count(*) from audit_log where subject_id = 'sue-' || n and action = '${action}') || ' ${action}'`,
    )
    .join(` || ', ' || `)
const emailOfCase = `(select email from users where id = 'sue-' || n)`

/** Sue's address was changed, and the old address has the undo link. */
const changedAddress = `
  insert into email_changes (id, user_id, old_email, payout_methods_hash)
  select 10 * n + 1, 'sue-' || n, 'old-' || n || '@example.com', '' from ${all}`

/** A second change of the address waits for confirmation. */
const secondChange = [
  `update users set pending_email = 'third-' || n || '@example.com' from ${all} where users.id = 'sue-' || n`,
  `insert into account_tokens (hash, user_id, purpose, email, expires_at)
   select translate(encode(sha256(('token-sue-' || n)::bytea), 'base64'), '+/=', '-_'), 'sue-' || n,
     'verify_email', 'third-' || n || '@example.com', now() + interval '1 hour' from ${all}`,
]

const undo: RaceAction = async (server, { n }) => {
  const token = createUndoToken(10 * n + 1, server.services.secrets.sessionKeys)
  return (await server.call(null, 'POST /api/auth/undo-email', { token })).answer
}
const verify: RaceAction = async (server, { n }) =>
  (await server.call(null, 'POST /api/auth/verify-email', { token: `token-sue-${n}` })).answer

const bankAccount = (number: string) => ({
  account_holder_name: 'Race Tester',
  country: 'US',
  routing_number: '110000000',
  account_number: number,
})
const saveBank = asSue('POST /api/seller/save-bank-account', bankAccount('000123456789'))

/** Sue already has a bank account, so changing it makes payouts wait. */
const withBankAccount =
  (...actions: RaceAction[]): PrepareActions =>
  async (server, { n }) => {
    await mustCall(server, n, 'POST /api/seller/save-bank-account', bankAccount('000987654321'))
    return actions
  }

const onPayout =
  (what: 'paid' | 'bank-details', body?: object): RaceAction =>
  async (server, { n }) =>
    (await server.call('admin-0', `POST /api/admin/payouts/${10 * n + 1}/${what}`, body)).answer

/** Sets Sue's last proof of identity to ten minutes ago. */
async function endProof(server: Server, n: number): Promise<void> {
  await server.services.database.pool.query(
    `update sessions set sess = sess || jsonb_build_object('confirmedAt', now() - interval '10 minutes') where sid = $1`,
    [sessionIdOf(sue(n))],
  )
}

export const accountSecurityRaces: readonly RaceCase[] = [
  {
    what: 'using one code of an authenticator app in two browsers',
    times: TIMES,
    setup: [pendingSignIns],
    actions: async (server, { n }) => {
      const { code } = await enableTotp(server, n)
      return [giveFactor('first', { code }), giveFactor('second', { code })]
    },
    result: actionsOfCase('signed_in', 'sign_in_failed'),
    allowed: [
      'ok, wrong_code; 1 signed_in, 1 sign_in_failed',
      'wrong_code, ok; 1 signed_in, 1 sign_in_failed',
    ],
  },
  {
    what: 'using one code of an authenticator app to sign in and to confirm the identity',
    times: TIMES,
    setup: [pendingSignIns],
    actions: async (server, { n }) => {
      const { code } = await enableTotp(server, n)
      return [giveFactor('first', { code }), asSue('POST /api/auth/confirm', { code })]
    },
    result: actionsOfCase('signed_in', 'identity_confirmed'),
    allowed: [
      'ok, wrong_code; 1 signed_in, 0 identity_confirmed',
      'wrong_code, ok; 0 signed_in, 1 identity_confirmed',
    ],
  },
  {
    what: 'using one recovery code in two browsers',
    times: TIMES,
    setup: [pendingSignIns],
    actions: async (server, { n }) => {
      const [code] = (await enableTotp(server, n)).recoveryCodes
      return [giveFactor('first', { code }), giveFactor('second', { code })]
    },
    result: `${actionsOfCase('signed_in', 'recovery_code_used')} || ', ' || ${factorsOfCase}`,
    allowed: [
      'ok, wrong_code; 1 signed_in, 1 recovery_code_used, 0 passkeys, 9 codes',
      'wrong_code, ok; 1 signed_in, 1 recovery_code_used, 0 passkeys, 9 codes',
    ],
  },
  {
    what: 'adding two passkeys as first factor',
    times: TIMES,
    setup: [],
    actions: async (server, { n }) => [
      addAndReadCodes(await newPasskey(server, n)),
      addAndReadCodes(await newPasskey(server, n)),
    ],
    result: factorsOfCase,
    allowed: [
      'with codes, without codes; 2 passkeys, 10 codes',
      'without codes, with codes; 2 passkeys, 10 codes',
    ],
  },
  {
    what: 'registering one passkey twice',
    times: TIMES,
    setup: [],
    actions: async (server, { n }) => {
      const body = await newPasskey(server, n)
      return [addAndReadCodes(body), addAndReadCodes(body)]
    },
    result: factorsOfCase,
    allowed: [
      'with codes, passkey_refused; 1 passkeys, 10 codes',
      'passkey_refused, with codes; 1 passkeys, 10 codes',
    ],
  },
  {
    what: 'adding two passkeys when only one more is allowed',
    times: TIMES,
    setup: [
      `insert into passkeys (id, user_id, public_key, counter, transports, name)
       select 'key-' || place || '-' || n, 'sue-' || n, 'a', 0, '{}', 'Key' from ${all}, generate_series(1, 19) place`,
    ],
    actions: async (server, { n }) => [
      asSue('POST /api/user/passkeys', await newPasskey(server, n)),
      asSue('POST /api/user/passkeys', await newPasskey(server, n)),
    ],
    result: factorsOfCase,
    allowed: ['ok, too_many_passkeys; 20 passkeys, 0 codes', 'too_many_passkeys, ok; 20 passkeys, 0 codes'],
  },
  {
    what: 'removing the last passkey twice',
    times: TIMES,
    setup: [],
    actions: async (server, { n }) => {
      const id = await addPasskey(server, n)
      return [asSue(`DELETE /api/user/passkeys/${id}`), asSue(`DELETE /api/user/passkeys/${id}`)]
    },
    result: factorsOfCase,
    allowed: ['ok, passkey_not_found; 0 passkeys, 0 codes', 'passkey_not_found, ok; 0 passkeys, 0 codes'],
  },
  {
    what: 'removing the passkey and the authenticator app',
    times: TIMES,
    setup: [],
    actions: async (server, { n }) => {
      await enableTotp(server, n)
      const id = await addPasskey(server, n)
      return [asSue(`DELETE /api/user/passkeys/${id}`), asSue('DELETE /api/user/totp')]
    },
    result: factorsOfCase,
    allowed: ['ok, ok; 0 passkeys, 0 codes'],
  },
  {
    what: 'removing the last passkey and adding another one',
    times: TIMES,
    setup: [],
    actions: async (server, { n }) => {
      const id = await addPasskey(server, n)
      return [asSue(`DELETE /api/user/passkeys/${id}`), addAndReadCodes(await newPasskey(server, n))]
    },
    result: factorsOfCase,
    allowed: ['ok, with codes; 1 passkeys, 10 codes', 'ok, without codes; 1 passkeys, 10 codes'],
  },
  {
    what: 'removing the only factor and signing in with a recovery code',
    times: TIMES,
    setup: [pendingSignIns],
    actions: async (server, { n }) => {
      const [code] = (await enableTotp(server, n)).recoveryCodes
      return [asSue('DELETE /api/user/totp'), giveFactor('first', { code })]
    },
    result: factorsOfCase,
    allowed: ['ok, ok; 0 passkeys, 0 codes', 'ok, wrong_code; 0 passkeys, 0 codes'],
  },
  {
    what: 'undoing an email change twice',
    times: TIMES,
    setup: [changedAddress],
    actions: [undo, undo],
    result: `${emailOfCase} || ', ' || ${actionsOfCase('email_change_undone')}`,
    allowed: [
      'ok, link_expired; old@example.com, 1 email_change_undone',
      'link_expired, ok; old@example.com, 1 email_change_undone',
    ],
  },
  {
    what: 'undoing an email change and confirming the next one',
    times: TIMES,
    setup: [changedAddress, ...secondChange],
    actions: [undo, verify],
    result: `${emailOfCase} || ', ' || (select count(*) from sessions where sess ->> 'userId' = 'sue-' || n) || ' sessions'`,
    allowed: ['ok, ok; old@example.com, 0 sessions', 'ok, link_expired; old@example.com, 0 sessions'],
  },
  {
    what: 'proving the identity after ten minutes and changing the bank account',
    times: TIMES,
    setup: [],
    actions: async (server, { n }) => {
      const { code } = await enableTotp(server, n)
      await endProof(server, n)
      return [asSue('POST /api/auth/confirm', { code }), saveBank]
    },
    result: `(select case when bank_account_details is null then 'not saved' else 'saved' end from users where id = 'sue-' || n)`,
    allowed: ['ok, ok; saved', 'ok, confirm_identity; not saved'],
  },
  {
    what: 'changing the bank account and marking a payout as paid',
    times: TIMES,
    setup: completed,
    actions: withBankAccount(saveBank, onPayout('paid', { reference: 'W-1' })),
    result: `(select status from payouts where id = 10 * n + 1)`,
    allowed: ['ok, ok; paid', 'ok, payout_waits; owed'],
  },
  {
    what: 'changing the bank account and looking it up for a payout',
    times: TIMES,
    setup: completed,
    actions: withBankAccount(saveBank, onPayout('bank-details')),
    result: actionsOfCase('bank_account_viewed'),
    allowed: ['ok, ok; 1 bank_account_viewed', 'ok, payout_waits; 0 bank_account_viewed'],
  },
]
