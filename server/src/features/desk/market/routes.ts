import * as calls from '@sought/contract/market-settings'
import { refuse } from '../../../core/errors.ts'
import { onPages } from '../../../http/next-page-link.ts'
import { on, type Route } from '../../../http/route.ts'
import type { Services } from '../../../services.ts'
import { changeLogo, changeSettings, readSettings, settingsHistory, uploadLogo } from './actions.ts'

export function marketRoutes(services: Services): Route[] {
  const { database, market, clock, config } = services
  const { read, transact } = database
  return [
    on(calls.getSettings)(() => readSettings(read, clock(), config)),

    on(calls.changeSettings)(async ({ body, user }) => {
      const changed = await transact((tx) => changeSettings(tx, body, user, services))
      market.forget()
      // After the transaction, which has stored the proposal.
      if (!changed)
        throw refuse('second_admin_required', {
          reason:
            'Raising this limit needs a second admin. Your proposal is saved and waits until another admin confirms it. If your team has only one admin, add another one first.',
        })
      return changed
    }),

    on(calls.uploadLogo)(async ({ file, user }) => {
      const changed = await uploadLogo(services, file.bytes, user)
      market.forget()
      return changed
    }),

    on(calls.removeLogo)(async ({ user }) => {
      const changed = await transact((tx) => changeLogo(tx, null, user, config))
      market.forget()
      return changed
    }),

    onPages(calls.listSettingsHistory)(({ query }) => settingsHistory(read, query)),
  ]
}
