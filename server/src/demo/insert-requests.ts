import { EXPIRY_NOTICE_DAYS, REQUEST_OPEN_DAYS } from '@sought/contract/constants'
import type { Tx } from '../database/database.ts'
import { type StoredImage, wantedItems } from '../database/schema.ts'
import { type DemoRequest, requests } from './requests.ts'

const HOUR_MS = 3_600_000
const NOTICE_AFTER_HOURS = (REQUEST_OPEN_DAYS - EXPIRY_NOTICE_DAYS) * 24

export const personId = (personKey: string) => `demo-${personKey}`

/** Adds the oldest first, so that ids grow with time as in a real market. Returns the ids by key. */
export async function insertRequests(
  tx: Tx,
  imagesOf: Map<string, StoredImage[]>,
): Promise<Map<string, number>> {
  const oldestFirst = requests.toSorted((one, two) => two.postedHoursAgo - one.postedHoursAgo)
  const added = await tx
    .insert(wantedItems)
    .values(oldestFirst.map((request) => requestRow(request, imagesOf.get(request.key), tx.now)))
    .returning({ id: wantedItems.id })
  return new Map(
    oldestFirst.map(({ key }, at) => {
      const id = added[at]?.id
      if (id === undefined) throw new Error('insert returned too few rows')
      return [key, id]
    }),
  )
}

function requestRow(
  request: DemoRequest,
  images: StoredImage[] | undefined,
  now: Date,
): typeof wantedItems.$inferInsert {
  const { key: _, by, pictures: __, postedHoursAgo, ...fields } = request
  const posted = new Date(now.getTime() - postedHoursAgo * HOUR_MS)
  return {
    ...fields,
    images,
    userId: personId(by),
    createdAt: posted,
    updatedAt: posted,
    // Owners are not asked to renew immediately after the start.
    expiryNoticeAt: postedHoursAgo > NOTICE_AFTER_HOURS ? posted : null,
  }
}
