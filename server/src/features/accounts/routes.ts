import {
  finishGoogleSignIn,
  getCurrentUser,
  getIsAdmin,
  goToSignIn,
  signIn,
  signOut,
  signUp,
  startGoogleSignIn,
} from '@sought/contract/accounts'
import { paths } from '@sought/contract/paths'
import { addressKey } from '../../platform/limits.ts'
import { isCrossSite } from '../../platform/origin.ts'
import { on, type Route } from '../../platform/route.ts'
import type { Services } from '../../platform/services.ts'
import { accountOfGoogle, checkCredentials, isAdmin, openAccount } from './actions.ts'
import { asCurrentUser } from './presenters.ts'

export function accountRoutes({ database, sessions, limits, google }: Services): Route[] {
  const { read, transact } = database
  return [
    on(getCurrentUser)(({ user }) => asCurrentUser(user)),

    on(getIsAdmin)(async ({ user }) => ({ isAdmin: await isAdmin(read, user.id) })),

    on(signUp)(async ({ body, request, reply }) => {
      await limits.signUpByAddress.count(addressKey(request.ip))
      await limits.signUpByAccount.count(body.email)
      return transact(async (tx) => {
        const user = await openAccount(tx, body)
        await sessions.begin(tx, request, reply, user.id)
        return asCurrentUser(user)
      })
    }),

    on(signIn)(async ({ body, request, reply }) => {
      const address = addressKey(request.ip)
      await limits.signInByAddress.count(address)
      await limits.signInByAccount.count(body.email)
      const user = await transact(async (tx) => {
        const user = await checkCredentials(tx, body)
        await sessions.begin(tx, request, reply, user.id)
        return user
      })
      await limits.signInByAddress.giveBack(address)
      await limits.signInByAccount.forget(body.email)
      return asCurrentUser(user)
    }),

    on(goToSignIn)(({ query }) => paths.auth(query)),

    on(signOut)(async ({ request, reply }) => {
      // A link on another site may lead here, but may not sign anybody out.
      if (!isCrossSite(request)) await transact((tx) => sessions.end(tx, request, reply))
      return paths.home()
    }),

    on(startGoogleSignIn)(async ({ query, reply }) => {
      if (!google) return paths.auth({ error: 'google_unavailable' })
      const address = await google.begin(reply, query.returnTo ?? paths.home())
      return address ?? paths.auth({ error: 'google_failed' })
    }),

    on(finishGoogleSignIn)(async ({ request, reply }) => {
      if (!google) return paths.auth({ error: 'google_unavailable' })
      const returned = await google.finish(request, reply)
      if (!returned) return paths.auth({ error: 'google_failed' })
      return transact(async (tx) => {
        const user = await accountOfGoogle(tx, returned.identity)
        if (user === 'unverified') return paths.auth({ error: 'google_unverified' })
        await sessions.begin(tx, request, reply, user.id)
        return returned.returnTo
      })
    }),
  ]
}
