import { setTimeout as wait } from 'node:timers/promises'
import * as calls from '@sought/contract/accounts'
import { dismissFirstSteps, getFirstSteps } from '@sought/contract/first-steps'
import { paths } from '@sought/contract/paths'
import * as phoneCalls from '@sought/contract/phone'
import * as secondFactorCalls from '@sought/contract/second-factors'
import * as securityCalls from '@sought/contract/security'
import * as sellingCalls from '@sought/contract/selling'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { createEncryption } from '../../../core/encryption.ts'
import { refuse } from '../../../core/errors.ts'
import type { Tx } from '../../../database/database.ts'
import { requireKnownCategory } from '../../../database/market-settings.ts'
import { addressKey } from '../../../http/limits.ts'
import { onPages } from '../../../http/next-page-link.ts'
import { isCrossSite } from '../../../http/refuse-cross-site.ts'
import { originOf } from '../../../http/request-origin.ts'
import { on, type Route } from '../../../http/route.ts'
import type { User } from '../../../http/session.ts'
import type { Services } from '../../../services.ts'
import { findToken } from '../../users/link-tokens.ts'
import * as actions from './actions.ts'
import { devicesOf, signOutDevice, signOutOtherDevices } from './devices.ts'
import { dismissSteps, firstStepsOf } from './first-steps.ts'
import {
  asCurrentUser,
  cancelEmailChange,
  hasNewEmail,
  purchasesOf,
  statsOf,
  updateProfile,
  updateSelling,
  uploadAvatar,
} from './profile.ts'
import {
  changePassword,
  forgotPassword,
  readVerification,
  resendVerification,
  resetPassword,
  verifyEmail,
} from './security.ts'
import {
  completeSignIn,
  confirmIdentity,
  confirmWithGoogle,
  countSignIn,
  passkeyOptions,
  signInWithPasskey,
  siteOf,
  startSignIn,
} from './sign-in.ts'
import { readUndoLink, undoEmailChange } from './undo-email.ts'
import { phoneOf, sendPhoneCode, verifyPhone } from './verify-phone.ts'

/** Longer than sending a link takes, so that the response time does not reveal whether the account exists. */
const FORGOT_PASSWORD_MIN_MS = 200

export function accountRoutes(services: Services): Route[] {
  return [
    ...signInRoutes(services),
    ...factorRoutes(services),
    ...personRoutes(services),
    ...securityRoutes(services),
  ]
}

function signInRoutes(services: Services): Route[] {
  const { database, sessions, limits, google } = services
  const { transact } = database
  const starting = (request: FastifyRequest, reply: FastifyReply) => ({
    begin: (tx: Tx, { id }: User) => sessions.begin(tx, request, reply, id),
    beginPending: (tx: Tx, { id }: User) => sessions.beginPending(tx, request, reply, id),
  })
  return [
    on(calls.signUp)(async ({ body, request, reply }) => {
      await limits.signUpByAddress.count(addressKey(request.ip))
      await limits.signUpByAccount.count(body.email)
      const { begin } = starting(request, reply)
      return asCurrentUser(await actions.createAccount(database, body, begin))
    }),

    on(calls.signIn)(async ({ body, request, reply }) => {
      const counted = await countSignIn(services, request, body.email)
      const startSession = (tx: Tx, user: User) => startSignIn(tx, user, starting(request, reply))
      const started = await actions.signInWithPassword(database, body, originOf(request), startSession)
      await counted.succeeded()
      return 'secondFactors' in started ? started : asCurrentUser(started)
    }),

    on(calls.goToSignIn)(({ query }) => paths.auth(query)),

    on(calls.signOut)(async ({ request, reply }) => {
      // A link on another site must not sign anybody out.
      if (!isCrossSite(request)) await transact((tx) => sessions.end(tx, request, reply))
      return paths.home()
    }),

    on(calls.startGoogleSignIn)(async ({ query, reply }) => {
      if (!google) return paths.auth({ error: 'google_unavailable' })
      const url = await google.start(reply, query.returnTo ?? paths.home(), query.confirm === 'true')
      return url ?? paths.auth({ error: 'google_failed' })
    }),

    on(calls.finishGoogleSignIn)(async ({ user: current, request, reply }) => {
      if (!google) return paths.auth({ error: 'google_unavailable' })
      const returned = await google.finish(request, reply)
      if (!returned) return paths.auth({ error: 'google_failed' })
      const { identity, returnTo, confirms } = returned
      if (confirms) {
        const saveProof = (tx: Tx) => sessions.confirm(tx, request)
        const isConfirmed =
          current && (await transact((tx) => confirmWithGoogle(tx, identity, current, saveProof)))
        return paths.auth({ confirmed: isConfirmed === true })
      }
      return transact(async (tx) => {
        const user = await actions.findOrCreateGoogleAccount(tx, identity, originOf(request))
        if (user === 'read_only' || user === 'maintenance') return paths.auth({ error: user })
        if (user === 'unverified') return paths.auth({ error: 'google_unverified' })
        if (user === 'reserved') return paths.auth({ error: 'google_reserved' })
        const started = await startSignIn(tx, user, starting(request, reply))
        if (!('secondFactors' in started)) return returnTo
        return paths.auth({ returnTo, secondFactors: started.secondFactors.join(',') })
      })
    }),
  ]
}

/** Second factors at sign-in, passkeys, and proofs of identity. */
function factorRoutes({ database, sessions, limits, secrets, config }: Services): Route[] {
  const { read, transact } = database
  const site = siteOf(config.publicUrl)
  const checks = { encryption: createEncryption(secrets.dataKeys), site }
  return [
    on(secondFactorCalls.getPasskeyChallenge)(async ({ body: { purpose }, user, request }) => {
      await limits.passkeyByAddress.count(addressKey(request.ip))
      const pendingId = purpose === 'second_factor' ? await sessions.pendingUserOf(read, request) : null
      if (purpose === 'second_factor' && !pendingId) throw refuse('sign_in_expired')
      if (purpose === 'confirm' && !user) throw refuse('signed_out')
      const userId = purpose === 'confirm' ? (user?.id ?? null) : pendingId
      return transact((tx) => passkeyOptions(tx, site, { purpose, userId }))
    }),

    on(secondFactorCalls.signInWithPasskey)(async ({ body, request, reply }) => {
      const address = addressKey(request.ip)
      await limits.signInByAddress.count(address)
      const begin = (tx: Tx, { id }: User) => sessions.begin(tx, request, reply, id)
      const user = await transact((tx) => signInWithPasskey(tx, site, body.passkey, begin))
      await limits.signInByAddress.giveBack(address)
      return asCurrentUser(user)
    }),

    on(secondFactorCalls.giveSecondFactor)(async ({ body, request, reply }) => {
      const id = await sessions.pendingUserOf(read, request)
      if (!id) throw refuse('sign_in_expired')
      await limits.codeByAccount.count(id)
      const user = await completeSignIn(database, checks, { id, origin: originOf(request) }, body, {
        begin: (tx, user) => sessions.begin(tx, request, reply, user.id),
        findPending: (tx) => sessions.pendingUserOf(tx, request),
      })
      await limits.codeByAccount.reset(id)
      return asCurrentUser(user)
    }),

    on(secondFactorCalls.confirmIdentity)(async ({ body, user, request }) => {
      const limit = body.code === undefined ? limits.passwordByAccount : limits.codeByAccount
      await limit.count(user.id)
      const done = await transact((tx) =>
        confirmIdentity(tx, checks, user, body, (tx) => sessions.confirm(tx, request)),
      )
      await limit.reset(user.id)
      return done
    }),

    on(secondFactorCalls.checkConfirmed)(() => ({ ok: true })),
  ]
}

function personRoutes(services: Services): Route[] {
  const { database, sessions, limits, config, phone, secrets, market } = services
  const encryption = createEncryption(secrets.dataKeys)
  const { read, transact } = database
  return [
    on(calls.getCurrentUser)(({ user }) => asCurrentUser(user)),

    on(calls.getIsAdmin)(async ({ user }) => {
      const role = await actions.findStaffRole(read, user.id)
      if (role === null) return { isAdmin: false, role }
      const isMissing = await actions.needsSecondFactor(read, config, user.id)
      return { isAdmin: role === 'admin', role, ...(isMissing && { needsSecondFactor: true }) }
    }),

    on(calls.getUserStats)(async ({ user }) => statsOf(read, user.id, await market.read())),

    on(getFirstSteps)(({ user }) => firstStepsOf(read, user.id)),

    on(dismissFirstSteps)(({ body, user }) => transact((tx) => dismissSteps(tx, body.list, user.id))),

    onPages(calls.listPurchases)(({ query, user }) => purchasesOf(read, user.id, query)),

    on(calls.updateProfile)(async ({ body, user, request }) => {
      if (hasNewEmail(body, user)) {
        await sessions.requireConfirmed(request)
        await limits.verificationByAccount.count(user.id)
      }
      return asCurrentUser(await transact((tx) => updateProfile(tx, body, user)))
    }),

    on(sellingCalls.updateSelling)(async ({ body, user }) => {
      const settings = await market.read()
      for (const [index, category] of body.categories.entries())
        requireKnownCategory(category, settings, `categories.${index}`)
      return transact((tx) => updateSelling(tx, body, user))
    }),

    on(calls.uploadAvatar)(async ({ file, user }) =>
      asCurrentUser(await uploadAvatar(services, file.bytes, user)),
    ),

    on(phoneCalls.getPhone)(({ user }) => phoneOf(read, user, phone)),

    on(phoneCalls.sendPhoneCode)(async ({ body, user, request }) => {
      if (!phone) throw refuse('phone_unavailable')
      await limits.phoneCodesByAddress.count(addressKey(request.ip))
      await limits.phoneCodesByAccount.count(user.id)
      await limits.phoneCodesByNumber.count(body.phone)
      const { name } = await market.read()
      return sendPhoneCode(database, encryption, phone, body.phone, user, name)
    }),

    on(phoneCalls.verifyPhone)(({ body, user }) => verifyPhone(database, encryption, body.code, user)),

    on(securityCalls.resendVerification)(async ({ user }) => {
      await limits.verificationByAccount.count(user.id)
      return transact((tx) => resendVerification(tx, user))
    }),

    on(securityCalls.cancelEmailChange)(async ({ user }) =>
      asCurrentUser(await transact((tx) => cancelEmailChange(tx, user))),
    ),
  ]
}

function securityRoutes({ database, limits, sessions, secrets, clock }: Services): Route[] {
  const { read, transact } = database
  const { sessionKeys } = secrets
  const browserOf = (request: FastifyRequest, user: User | null) => ({
    userId: user?.id,
    deviceHash: sessions.deviceOf(request)?.hash,
  })
  return [
    on(securityCalls.forgotPassword)(async ({ body, request }) => {
      await limits.forgottenByAddress.count(addressKey(request.ip))
      await limits.forgottenByAccount.count(body.email)
      await Promise.all([transact((tx) => forgotPassword(tx, body.email)), wait(FORGOT_PASSWORD_MIN_MS)])
      return { ok: true }
    }),

    on(securityCalls.resetPassword)(async ({ body, request }) => {
      await limits.linkByAddress.count(addressKey(request.ip))
      return transact((tx) => resetPassword(tx, body.token, body.newPassword, originOf(request)))
    }),

    on(securityCalls.getEmailVerification)(async ({ query, user, request }) => {
      await limits.linkByAddress.count(addressKey(request.ip))
      return readVerification(read, query.token, browserOf(request, user), clock())
    }),

    on(securityCalls.verifyEmail)(async ({ body, user, request }) => {
      await limits.linkByAddress.count(addressKey(request.ip))
      const link =
        body.password === undefined ? undefined : await findToken(read, body.token, 'verify_email', clock())
      if (link) await limits.passwordByAccount.count(link.userId)
      const done = await transact((tx) => verifyEmail(tx, body, browserOf(request, user), originOf(request)))
      if (link) await limits.passwordByAccount.reset(link.userId)
      return done
    }),

    on(securityCalls.getEmailUndo)(async ({ query, request }) => {
      await limits.linkByAddress.count(addressKey(request.ip))
      return readUndoLink(read, query.token, sessionKeys, clock())
    }),

    on(securityCalls.undoEmailChange)(async ({ body, request }) => {
      await limits.linkByAddress.count(addressKey(request.ip))
      return transact((tx) => undoEmailChange(tx, body.token, sessionKeys, originOf(request)))
    }),

    on(calls.changePassword)(async ({ body, user, request, reply }) => {
      await limits.passwordByAccount.count(user.id)
      const done = await transact((tx) =>
        changePassword(
          tx,
          body,
          user,
          () => sessions.renew(tx, request, reply),
          sessions.deviceOf(request)?.hash,
        ),
      )
      await limits.passwordByAccount.reset(user.id)
      return done
    }),

    on(securityCalls.listDevices)(({ user, request }) =>
      devicesOf(read, user, sessions.sidOf(request), clock()),
    ),

    on(securityCalls.signOutDevice)(({ params, user, request }) =>
      transact((tx) => signOutDevice(tx, user, params.id, originOf(request))),
    ),

    on(securityCalls.signOutOtherDevices)(({ user, request }) =>
      transact((tx) => signOutOtherDevices(tx, user, sessions.sidOf(request), originOf(request))),
    ),
  ]
}
