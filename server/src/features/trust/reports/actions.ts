import type { BodyOf } from '@sought/contract/call'
import type { report } from '@sought/contract/reports'
import { refuse } from '../../../core/errors.ts'
import type { Db, Tx } from '../../../database/database.ts'
import type { User } from '../../../http/session.ts'
import { lockActiveUser } from '../../identity/accounts/active-users.ts'
import { openCase, severityOf } from '../cases/open-case.ts'
import { findTarget } from './find-target.ts'
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
