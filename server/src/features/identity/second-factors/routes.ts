import {
  addPasskey as addPasskeyCall,
  deletePasskey as deletePasskeyCall,
  disableTotp as disableTotpCall,
  enableTotp as enableTotpCall,
  getSecondFactors,
  renamePasskey as renamePasskeyCall,
  replaceRecoveryCodes as replaceRecoveryCodesCall,
  startPasskey as startPasskeyCall,
  startTotp as startTotpCall,
} from '@sought/contract/second-factors'
import { createEncryption } from '../../../core/encryption.ts'
import { addressKey } from '../../../http/limits.ts'
import { on, type Route } from '../../../http/route.ts'
import type { Services } from '../../../services.ts'
import {
  addPasskey,
  deletePasskey,
  disableTotp,
  enableTotp,
  readSecondFactors,
  renamePasskey,
  replaceRecoveryCodes,
  startPasskey,
  startTotp,
} from './actions.ts'
import { siteOf } from './passkeys.ts'

/** The contract declares that calls which change second factors need a proof of identity. */
export function secondFactorRoutes({ database, limits, secrets, config, market }: Services): Route[] {
  const { read, transact } = database
  const encryption = createEncryption(secrets.dataKey)
  const site = siteOf(config.publicUrl)
  return [
    on(getSecondFactors)(({ user }) => readSecondFactors(read, user.id)),

    on(startTotpCall)(({ user }) => transact((tx) => startTotp(tx, encryption, user, market.latest().name))),

    on(enableTotpCall)(async ({ user, body }) => {
      await limits.codeByAccount.count(user.id)
      return transact((tx) => enableTotp(tx, encryption, user, body.code))
    }),

    on(disableTotpCall)(({ user }) => transact((tx) => disableTotp(tx, user))),

    on(replaceRecoveryCodesCall)(({ user }) => transact((tx) => replaceRecoveryCodes(tx, user))),

    on(startPasskeyCall)(async ({ user, request }) => {
      await limits.passkeyByAddress.count(addressKey(request.ip))
      return transact((tx) => startPasskey(tx, { ...site, name: market.latest().name }, user))
    }),

    on(addPasskeyCall)(({ user, body }) => transact((tx) => addPasskey(tx, site, user, body.passkey))),

    on(renamePasskeyCall)(({ user, params, body }) =>
      transact((tx) => renamePasskey(tx, user, params.id, body.name)),
    ),

    on(deletePasskeyCall)(({ user, params }) => transact((tx) => deletePasskey(tx, user, params.id))),
  ]
}
