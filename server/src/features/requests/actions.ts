import type { Db } from '../../platform/database.ts'
import { refuse } from '../../platform/errors.ts'
import { asPublicUser } from '../accounts/presenters.ts'
import { findItem, findItemsOf, findOpenItems, type ItemFilter } from './queries.ts'

export async function browse(db: Db, filter: ItemFilter) {
  const items = await findOpenItems(db, filter)
  return items.map(asWantedItem)
}

export async function getItem(db: Db, id: number) {
  const item = await findItem(db, id)
  if (!item) throw refuse('item_not_found')
  return asWantedItem(item)
}

export async function itemsOf(db: Db, userId: string) {
  const items = await findItemsOf(db, userId)
  return items.map(asWantedItem)
}

type Row = NonNullable<Awaited<ReturnType<typeof findItem>>>

function asWantedItem({ owner, ...item }: Row) {
  return { ...item, user: asPublicUser(owner) }
}
