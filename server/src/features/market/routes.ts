import {
  changeSettings as changeSettingsCall,
  getSettings,
  listSettingsHistory,
} from '@sought/contract/market-settings'
import { addNextPageLink } from '../../platform/next-page-link.ts'
import { on, type Route } from '../../platform/route.ts'
import type { Services } from '../../platform/services.ts'
import { changeSettings, readSettings, settingsHistory } from './actions.ts'

export function marketRoutes({ database, market, clock }: Services): Route[] {
  const { read, transact } = database
  return [
    on(getSettings)(() => readSettings(read, clock())),

    on(changeSettingsCall)(async ({ body, user }) => {
      const changed = await transact((tx) => changeSettings(tx, body, user, clock))
      market.forget()
      return changed
    }),

    on(listSettingsHistory)(async ({ query, reply }) => {
      const found = await settingsHistory(read, query)
      addNextPageLink(reply, listSettingsHistory, query, found)
      return found
    }),
  ]
}
