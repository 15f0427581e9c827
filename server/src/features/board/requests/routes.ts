import { listOwnRequests } from '@sought/contract/own-requests'
import { cursorAfter } from '@sought/contract/request-filters'
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
import { requireKnownCategory } from '../../../database/market-settings.ts'
import { pictureFile, storeFile } from '../../../files/stored-files.ts'
import { countByAge } from '../../../http/limits.ts'
import { addNextPageLink } from '../../../http/next-page-link.ts'
import { on, type Route } from '../../../http/route.ts'
import type { Services } from '../../../services.ts'
import {
  closeItem,
  countOpenItems,
  editItem,
  itemsOf,
  listOpenItems,
  locateInTime,
  postItem,
  renewItem,
  reopenItem,
  savePicture,
  viewItem,
} from './actions.ts'
import { interestIn } from './interest.ts'
import { ownRequestsOf } from './own-requests.ts'
import { convertPicture } from './pictures/convert-picture.ts'
import { filterOf } from './search/filter-of-query.ts'
import { existingItems, matchesOf, similarTo } from './search/suggestions.ts'

export function requestRoutes({
  database,
  replicas,
  files,
  clock,
  views,
  market,
  limits,
}: Services): Route[] {
  const { read, transact } = database
  return [
    on(listCategories)(async () => (await market.read()).categories.map((name) => ({ name }))),

    on(listWantedItems)(async ({ query, user, reply }) => {
      const { limit, cursor: after, sort } = query
      const filter = await filterOf(query, user, clock())
      const items = await replicas.read(user, (db) => listOpenItems(db, { ...filter, sort, limit, after }))
      const cursors = items.map((item) => ({ id: cursorAfter(item, sort) }))
      addNextPageLink(reply, listWantedItems, { ...query, cursor: undefined }, cursors)
      return items
    }),

    on(countWantedItems)(async ({ query, user }) => {
      const filter = await filterOf(query, user, clock())
      return replicas.read(user, (db) => countOpenItems(db, filter))
    }),

    on(getWantedItem)(async ({ params, user, request }) => {
      const item = await replicas.read(user, (db) => viewItem(db, params.id, clock()))
      views.count(item, user, request)
      if (item.userId !== user?.id) return item
      return { ...item, ...(await interestIn(read, views, [item.id])).get(item.id) }
    }),

    on(listSimilarWantedItems)(({ params, user }) =>
      replicas.read(user, (db) => similarTo(db, params.id, user, clock())),
    ),

    on(listWantedItemsById)(({ query, user }) =>
      replicas.read(user, (db) => existingItems(db, query.ids, clock())),
    ),

    on(listMatches)(async ({ query, user, reply }) => {
      const page = { limit: query.limit, before: query.cursor }
      const items = await replicas.read(user, (db) => matchesOf(db, user, clock(), page))
      addNextPageLink(
        reply,
        listMatches,
        query,
        items.map(({ position }) => ({ id: position })),
      )
      return items
    }),

    on(postWantedItem)(async ({ body, user, request }) => {
      requireKnownCategory(body.category, await market.read())
      await countByAge(limits, 'posts', user, request, clock())
      const located = await locateInTime(body.location)
      return transact((tx) => postItem(tx, body, located, user))
    }),

    on(editWantedItem)(async ({ params, body, user, request }) => {
      await countByAge(limits, 'edits', user, request, clock())
      const located = await locateInTime(body.location)
      const settings = await market.read()
      return transact((tx) => editItem(tx, params.id, body, located, settings, user))
    }),

    on(closeWantedItem)(({ params, user }) => transact((tx) => closeItem(tx, params.id, user))),

    on(reopenWantedItem)(async ({ params, user, request }) => {
      await countByAge(limits, 'edits', user, request, clock())
      return transact((tx) => reopenItem(tx, params.id, user))
    }),

    on(renewWantedItem)(async ({ params, user, request }) => {
      await countByAge(limits, 'edits', user, request, clock())
      return transact((tx) => renewItem(tx, params.id, user))
    }),

    on(uploadItemImage)(async ({ file, user }) => {
      // Decodes the picture before taking a database connection, because that is slow.
      const picture = pictureFile(await convertPicture(file.bytes, user.id))
      return storeFile(files, picture, (stored) => transact((tx) => savePicture(tx, stored, user)))
    }),

    on(listOwnWantedItems)(async ({ query, user, reply }) => {
      const items = await itemsOf(read, user.id, clock(), { limit: query.limit, before: query.cursor })
      addNextPageLink(reply, listOwnWantedItems, query, items)
      return items
    }),

    on(listOwnRequests)(async ({ query, user, reply }) => {
      const requests = await ownRequestsOf(read, views, user.id, clock(), query)
      const ranks = requests.map(({ rank }) => ({ id: rank }))
      addNextPageLink(reply, listOwnRequests, query, ranks)
      return requests
    }),
  ]
}
