import * as calls from '@sought/contract/addresses'
import { createEncryption } from '../../../core/encryption.ts'
import { on, type Route } from '../../../http/route.ts'
import type { Services } from '../../../services.ts'
import { deleteAddressOf, readSavedAddress, saveAddress } from './actions.ts'

export function addressRoutes({ database, secrets }: Services): Route[] {
  const { transact } = database
  const encryption = createEncryption(secrets.dataKeys)
  return [
    on(calls.getDeliveryAddress)(({ user }) => readSavedAddress(database.read, encryption, user)),

    on(calls.saveDeliveryAddress)(({ body, user }) =>
      transact((tx) => saveAddress(tx, encryption, body, user)),
    ),

    on(calls.deleteDeliveryAddress)(async ({ user }) => {
      await transact((tx) => deleteAddressOf(tx, user.id))
      return { ok: true }
    }),
  ]
}
