import { Readable } from 'node:stream'
import * as calls from '@sought/contract/security'
import { on, type Route } from '../../../http/route.ts'
import { sendDownload } from '../../../http/serve-files.ts'
import type { Services } from '../../../services.ts'
import { by, recordAudit } from '../../users/audit-log.ts'
import { deleteAccount } from './delete-account.ts'
import { exportData } from './export-data.ts'

export function personalDataRoutes(services: Services): Route[] {
  const { limits, clock, sessions } = services
  return [
    on(calls.downloadOwnData)(async ({ user, request, reply }) => {
      await limits.dataByAccount.count(user.id)
      await services.database.transact((tx) => recordAudit(tx, { action: 'data_exported', ...by(user) }))
      const name = `sought-data-${clock().toISOString().slice(0, 10)}.json`
      const chunks = exportData(services, user, sessions.sidOf(request), (schema) => {
        const serialize = reply.compileSerializationSchema(schema)
        return (item) => serialize({ ...item })
      })
      return sendDownload(reply, name, 'application/json; charset=utf-8', Readable.from(chunks))
    }),

    on(calls.deleteAccount)(async ({ body, user, request, reply }) => {
      if (!user.hasPassword) await sessions.requireConfirmed(request)
      await limits.passwordByAccount.count(user.id)
      return deleteAccount(services, body, user, (tx) => sessions.end(tx, request, reply))
    }),
  ]
}
