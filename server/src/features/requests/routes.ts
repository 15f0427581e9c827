import { CATEGORIES } from '@sought/contract/constants'
import { listOwnRequests } from '@sought/contract/own-requests'
import {
  closeWantedItem,
  countWantedItems,
  editWantedItem,
  getWantedItem,
  listCategories,
  listOwnWantedItems,
  listSimilarWantedItems,
  listWantedItems,
  listWantedItemsById,
  postWantedItem,
  renewWantedItem,
  reopenWantedItem,
  uploadItemImage,
} from '@sought/contract/requests'
import { listMatches } from '@sought/contract/selling'
import { addNextPageLink } from '../../platform/next-page-link.ts'
import { on, type Route } from '../../platform/route.ts'
import type { Services } from '../../platform/services.ts'
import {
  closeItem,
  countOpenItems,
  editItem,
  getItem,
  itemsOf,
  listOpenItems,
  postItem,
  renewItem,
  reopenItem,
  storePicture,
} from './actions.ts'
import { convertPicture } from './convert-picture.ts'
import { ownRequestsOf } from './own-requests.ts'
import { existingItems, matchesOf, similarTo } from './suggestions.ts'

export function requestRoutes({ database, files, clock }: Services): Route[] {
  const { read, transact } = database
  return [
    on(listCategories)(() => CATEGORIES.map((name) => ({ name }))),

    on(listWantedItems)(async ({ query, user, reply }) => {
      const { search, category, urgency, limit, cursor } = query
      const notOf = query.mine === 'hide' ? user?.id : undefined
      const items = await listOpenItems(read, {
        search,
        category,
        urgency,
        limit,
        notOf,
        before: cursor,
        now: clock(),
      })
      const positions = items.map(({ position }) => ({ id: position }))
      addNextPageLink(reply, listWantedItems, query, positions)
      return items
    }),

    on(countWantedItems)(({ query, user }) => {
      const { search, category, urgency } = query
      const notOf = query.mine === 'hide' ? user?.id : undefined
      return countOpenItems(read, { search, category, urgency, notOf, now: clock() })
    }),

    on(getWantedItem)(({ params }) => getItem(read, params.id, clock())),

    on(listSimilarWantedItems)(({ params, user }) => similarTo(read, params.id, user, clock())),

    on(listWantedItemsById)(({ query }) => existingItems(read, query.ids, clock())),

    on(listMatches)(async ({ query, user, reply }) => {
      const items = await matchesOf(read, user, clock(), { limit: query.limit, before: query.cursor })
      addNextPageLink(
        reply,
        listMatches,
        query,
        items.map(({ position }) => ({ id: position })),
      )
      return items
    }),

    on(postWantedItem)(({ body, user }) => transact((tx) => postItem(tx, body, user))),

    on(editWantedItem)(({ params, body, user }) => transact((tx) => editItem(tx, params.id, body, user))),

    on(closeWantedItem)(({ params, user }) => transact((tx) => closeItem(tx, params.id, user))),

    on(reopenWantedItem)(({ params, user }) => transact((tx) => reopenItem(tx, params.id, user))),

    on(renewWantedItem)(({ params, user }) => transact((tx) => renewItem(tx, params.id, user))),

    on(uploadItemImage)(async ({ file, user }) => {
      // Decoding is slow, so it happens before a database connection is taken.
      const picture = await convertPicture(file.bytes)
      return transact((tx) => storePicture(tx, files, picture, user))
    }),

    on(listOwnWantedItems)(async ({ query, user, reply }) => {
      const items = await itemsOf(read, user.id, clock(), { limit: query.limit, before: query.cursor })
      addNextPageLink(reply, listOwnWantedItems, query, items)
      return items
    }),

    on(listOwnRequests)(async ({ query, user, reply }) => {
      const requests = await ownRequestsOf(read, user.id, clock(), query)
      const ranks = requests.map(({ rank }) => ({ id: rank }))
      addNextPageLink(reply, listOwnRequests, query, ranks)
      return requests
    }),
  ]
}
