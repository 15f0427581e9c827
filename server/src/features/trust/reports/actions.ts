import type { BodyOf } from '@sought/contract/call'
import { INTEGER_MAX } from '@sought/contract/fields'
import type { ReportKind, report } from '@sought/contract/reports'
import { refuse } from '../../../core/errors.ts'
import type { Db, Tx } from '../../../database/database.ts'
import { parseVariant } from '../../../files/picture-variants.ts'
import { FILES_PATH } from '../../../files/stored-files.ts'
import type { User } from '../../../http/session.ts'
import { lockActiveUser } from '../../identity/accounts/active-users.ts'
import { openCase, severityOf } from '../cases/open-case.ts'
import * as queries from './queries.ts'

/** Users can report only content that they can see and have not written themselves. */
export async function reportContent(
  tx: Tx,
  { kind, id, reason, note }: BodyOf<typeof report>,
  reporter: Pick<User, 'id'>,
): Promise<void> {
  await lockActiveUser(tx, reporter.id)
  const target = await findTarget(tx, kind, String(id), reporter.id)
  if (!target) throw refuse('content_not_found')
  if (target.personId === reporter.id) throw refuse('own_content')
  await openCase(tx, {
    kind,
    ...target,
    severity: severityOf[reason],
    report: { reporterId: reporter.id, reason, note: note || null },
  })
}

/** A user's reports, latest first. */
export function reportsBy(db: Db, user: Pick<User, 'id'>) {
  return queries.findReportsBy(db, user.id)
}

interface Target {
  targetId: string
  personId: string
}

/** The content that a user wants to report, and the person responsible for it. Null if the user cannot see it. */
async function findTarget(
  db: Db & { readonly now: Date },
  kind: ReportKind,
  id: string,
  reader: string,
): Promise<Target | null> {
  switch (kind) {
    case 'request':
      return findNumbered(id, (itemId) => queries.findOwnerOfRequest(db, itemId))
    case 'message':
      return findNumbered(id, (messageId) => queries.findSender(db, messageId, reader))
    case 'review':
      return findNumbered(id, (reviewId) => queries.findAuthorOfReview(db, reviewId, db.now))
    case 'profile':
      return asTarget(id, await queries.findPerson(db, id))
    case 'picture':
      return findPicture(db, id, reader)
  }
}

const asTarget = (targetId: string, personId: string | null): Target | null =>
  personId === null ? null : { targetId, personId }

/** Null if there is no such content, or if `id` is not a valid id. */
async function findNumbered(
  id: string,
  find: (id: number) => Promise<string | null>,
): Promise<Target | null> {
  const isId = /^[1-9]\d{0,9}$/.test(id) && Number(id) <= INTEGER_MAX
  return isId ? asTarget(id, await find(Number(id))) : null
}

const PHOTO_PATH = /^\/api\/photos\/(\d+)$/

/** All sizes of a picture are one target. */
async function findPicture(db: Db, address: string, reader: string): Promise<Target | null> {
  const [path = ''] = address.split('?')
  const [, photoId] = PHOTO_PATH.exec(path) ?? []
  if (photoId !== undefined) {
    const photo = await findNumbered(photoId, (id) => queries.findOwnerOfPhoto(db, id, reader))
    return photo && { ...photo, targetId: path }
  }
  if (!path.startsWith(FILES_PATH)) return null
  const name = path.slice(FILES_PATH.length)
  const original = parseVariant(name)?.original ?? name
  return asTarget(FILES_PATH + original, await queries.findOwnerOfPicture(db, original))
}
