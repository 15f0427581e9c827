import { CATEGORIES } from '@sought/contract/constants'
import { search } from '@sought/contract/paths'
import { getWantedItem, listCategories, listOwnWantedItems, listWantedItems } from '@sought/contract/requests'
import { on, type Route } from '../../platform/route.ts'
import type { Services } from '../../platform/services.ts'
import { browse, getItem, itemsOf } from './actions.ts'

export function requestRoutes({ database }: Services): Route[] {
  const { read } = database
  return [
    on(listCategories)(() => CATEGORIES.map((name) => ({ name }))),

    on(listWantedItems)(async ({ query, user, reply }) => {
      const { cursor, mine, ...filter } = query
      const notOf = mine === 'hide' ? user?.id : undefined
      const items = await browse(read, { ...filter, notOf, before: cursor })
      const last = items.at(-1)
      if (last && items.length === query.limit) {
        reply.header('link', `<${listWantedItems.path}${search({ ...query, cursor: last.id })}>; rel="next"`)
      }
      return items
    }),

    on(getWantedItem)(({ params }) => getItem(read, params.id)),

    on(listOwnWantedItems)(({ user }) => itemsOf(read, user.id)),
  ]
}
