import { listOwnRequests } from '@sought/contract/own-requests'
import { cursorAfter } from '@sought/contract/request-filters'
import * as calls from '@sought/contract/requests'
import { listMatches } from '@sought/contract/selling'
import { requireKnownCategory } from '../../../database/market-settings.ts'
import { pictureFile, storeFile } from '../../../files/stored-files.ts'
import { countByAge } from '../../../http/limits.ts'
import { onPages } from '../../../http/next-page-link.ts'
import { on, type Route } from '../../../http/route.ts'
import type { Services } from '../../../services.ts'
import * as actions from './actions.ts'
import { interestIn } from './interest.ts'
import { ownRequestsOf } from './own-requests.ts'
import { convertPicture } from './pictures/convert-picture.ts'
import { versionsOf } from './request-versions.ts'
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
    on(calls.listCategories)(async () => (await market.read()).categories.map((name) => ({ name }))),

    onPages(calls.listWantedItems)(
      async ({ query, user }) => {
        const { limit, cursor: after, sort } = query
        const filter = await filterOf(query, user, clock(), await market.read())
        return replicas.read(user, (db) => actions.listOpenItems(db, { ...filter, sort, limit, after }))
      },
      (item, { sort }) => cursorAfter(item, sort),
    ),

    on(calls.countWantedItems)(async ({ query, user }) => {
      const filter = await filterOf(query, user, clock(), await market.read())
      return replicas.read(user, (db) => actions.countOpenItems(db, filter))
    }),

    on(calls.getWantedItem)(async ({ params, user, request }) => {
      const item = await replicas.read(user, (db) => actions.viewItem(db, params.id, clock()))
      views.count(item, user, request)
      if (item.userId !== user?.id) return item
      return { ...item, ...(await interestIn(read, views, [item.id])).get(item.id) }
    }),

    on(calls.listSimilarWantedItems)(({ params, user }) =>
      replicas.read(user, (db) => similarTo(db, params.id, user, clock())),
    ),

    on(calls.listWantedItemsById)(({ query, user }) =>
      replicas.read(user, (db) => existingItems(db, query.ids, clock())),
    ),

    onPages(listMatches)(
      ({ query, user }) => {
        const page = { limit: query.limit, before: query.cursor }
        return replicas.read(user, (db) => matchesOf(db, user, clock(), page))
      },
      ({ position }) => position,
    ),

    on(calls.postWantedItem)(async ({ body, user, request }) => {
      requireKnownCategory(body.category, await market.read())
      await countByAge(limits, 'posts', user, request, clock())
      const located = await actions.locateInTime(body.location)
      return transact((tx) => actions.postItem(tx, body, located, user))
    }),

    on(calls.editWantedItem)(async ({ params, body, user, request }) => {
      await countByAge(limits, 'edits', user, request, clock())
      const located = await actions.locateInTime(body.location)
      const settings = await market.read()
      return transact((tx) => actions.editItem(tx, params.id, body, located, settings, user))
    }),

    on(calls.listRequestVersions)(({ params, user }) => versionsOf(read, params.id, user.id)),

    on(calls.closeWantedItem)(({ params, user }) => transact((tx) => actions.closeItem(tx, params.id, user))),

    on(calls.reopenWantedItem)(async ({ params, user, request }) => {
      await countByAge(limits, 'edits', user, request, clock())
      return transact((tx) => actions.reopenItem(tx, params.id, user))
    }),

    on(calls.renewWantedItem)(async ({ params, user, request }) => {
      await countByAge(limits, 'edits', user, request, clock())
      return transact((tx) => actions.renewItem(tx, params.id, user))
    }),

    on(calls.uploadItemImage)(async ({ file, user }) => {
      // Decodes the picture before taking a database connection, because that is slow.
      const picture = pictureFile(await convertPicture(file.bytes, user.id))
      return storeFile(files, picture, (stored) => transact((tx) => actions.savePicture(tx, stored, user)))
    }),

    onPages(calls.listOwnWantedItems)(({ query, user }) =>
      actions.itemsOf(read, user.id, clock(), {
        limit: query.limit,
        before: query.cursor,
      }),
    ),

    onPages(listOwnRequests)(
      ({ query, user }) => ownRequestsOf(read, views, user.id, clock(), query),
      ({ rank }) => rank,
    ),
  ]
}
