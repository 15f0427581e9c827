import * as calls from '@sought/contract/second-factors'
import { createEncryption } from '../../../core/encryption.ts'
import { addressKey } from '../../../http/limits.ts'
import { on, type Route } from '../../../http/route.ts'
import type { Services } from '../../../services.ts'
import * as actions from './actions.ts'
import { siteOf } from './passkeys.ts'

/** The contract declares that calls which change second factors need a proof of identity. */
export function secondFactorRoutes({ database, limits, secrets, config, market }: Services): Route[] {
  const { read, transact } = database
  const encryption = createEncryption(secrets.dataKeys)
  const site = siteOf(config.publicUrl)
  return [
    on(calls.getSecondFactors)(({ user }) => actions.readSecondFactors(read, user.id)),

    on(calls.startTotp)(({ user }) =>
      transact((tx) => actions.startTotp(tx, encryption, user, market.latest().name)),
    ),

    on(calls.enableTotp)(async ({ user, body }) => {
      await limits.codeByAccount.count(user.id)
      return transact((tx) => actions.enableTotp(tx, encryption, user, body.code))
    }),

    on(calls.disableTotp)(({ user }) => transact((tx) => actions.disableTotp(tx, user))),

    on(calls.replaceRecoveryCodes)(({ user }) => transact((tx) => actions.replaceRecoveryCodes(tx, user))),

    on(calls.startPasskey)(async ({ user, request }) => {
      await limits.passkeyByAddress.count(addressKey(request.ip))
      return transact((tx) => actions.startPasskey(tx, { ...site, name: market.latest().name }, user))
    }),

    on(calls.addPasskey)(({ user, body }) =>
      transact((tx) => actions.addPasskey(tx, site, user, body.passkey)),
    ),

    on(calls.renamePasskey)(({ user, params, body }) =>
      transact((tx) => actions.renamePasskey(tx, user, params.id, body.name)),
    ),

    on(calls.deletePasskey)(({ user, params }) =>
      transact((tx) => actions.deletePasskey(tx, user, params.id)),
    ),
  ]
}
