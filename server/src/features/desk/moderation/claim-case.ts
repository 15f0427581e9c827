import { CLAIM_MINUTES } from '@sought/contract/moderation'
import { refuse } from '../../../core/errors.ts'
import type { Tx } from '../../../database/database.ts'
import type { Actor } from '../../../http/session.ts'
import { by, recordAudit } from '../../users/audit-log.ts'
import { lockUnclaimed } from './decide.ts'
import { readCase } from './present-cases.ts'
import * as queries from './queries.ts'

const CLAIM_MS = CLAIM_MINUTES * 60_000

/** Claiming again extends the claim. The claimant of a case about a message can read the messages around it. */
export async function claimCase(tx: Tx, id: number, moderator: Actor) {
  const found = await lockUnclaimed(tx, id, moderator)
  if (found.status === 'decided') throw refuse('case_decided')
  await queries.updateCase(tx, id, {
    claimedBy: moderator.id,
    claimedUntil: new Date(tx.now.getTime() + CLAIM_MS),
  })
  // The audit entry names no person, because people must not learn of reports before they are decided.
  const entry = { ...by(moderator), subjectId: null, details: { caseId: id } }
  await recordAudit(tx, { action: 'case_claimed', ...entry })
  if (found.kind === 'message') await recordAudit(tx, { action: 'conversation_viewed', ...entry })
  return readCase(tx, id, moderator)
}
