import * as calls from '@sought/contract/exports'
import { onPages } from '../../../http/next-page-link.ts'
import { on, type Route } from '../../../http/route.ts'
import { sendPrivateFile } from '../../../http/serve-files.ts'
import type { Services } from '../../../services.ts'
import { openExport, readExport, readExports, restartExport, startExport } from './actions.ts'

export function exportRoutes({ database: { read, transact }, files }: Services): Route[] {
  return [
    onPages(calls.listExports)(({ query }) => readExports(read, query)),

    on(calls.createExport)(({ body, user }) => transact((tx) => startExport(tx, body, user))),

    on(calls.getExport)(({ params }) => readExport(read, params.id)),

    on(calls.retryExport)(({ params, user }) => transact((tx) => restartExport(tx, params.id, user))),

    on(calls.downloadExport)(async ({ params, user, reply }) => {
      const file = await transact((tx) => openExport(tx, params.id, user))
      return sendPrivateFile(reply, files, file, 'export_not_found')
    }),
  ]
}
