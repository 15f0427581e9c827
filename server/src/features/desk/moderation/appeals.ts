import { refuse } from '../../../core/errors.ts'
import type { Db, Tx } from '../../../database/database.ts'
import type { Actor, User } from '../../../http/session.ts'
import { by, recordAudit } from '../../users/audit-log.ts'
import { keyOf, readContents } from './case-content.ts'
import type { Undo } from './hide-content.ts'
import { asPastDecision } from './present-cases.ts'
import type { Case, Decision } from './queries.ts'
import * as queries from './queries.ts'

const APPEAL_SEVERITY = 2

/** The decisions that people are notified of and can appeal. */
const APPEALABLE = ['hide', 'warn', 'restrict', 'suspend'] as const

const isAppealable = (action: Decision['action']) => APPEALABLE.some((appealable) => appealable === action)

/** Does not reveal which moderator decided. */
export async function ownDecisions(db: Db, { id }: Pick<User, 'id'>) {
  const found = await queries.findDecisionsAbout(db, [id], APPEALABLE)
  const contents = await readContents(
    db,
    found.map((row) => row.case).filter(({ kind }) => kind !== 'profile' && kind !== 'picture'),
  )
  return found.map((row) => ({
    ...asPastDecision(row.decision, row.case),
    about: contents.get(keyOf(row.case))?.title ?? null,
    isUndone: isUndone(row.decision),
    appeal: ownAppeal(row.decision),
  }))
}

const isUndone = ({ undo }: Decision) => (undo as Undo).undoneAt !== undefined

function ownAppeal({ appeal, appealedAt, appealOutcome, appealAnswer }: Decision) {
  if (appeal === null || appealedAt === null) return null
  return {
    text: appeal,
    createdAt: appealedAt,
    outcome: appealOutcome ?? ('open' as const),
    answer: appealAnswer,
  }
}

/** Opens a new case, which another moderator decides. */
export async function appealDecision(tx: Tx, id: number, text: string, person: Actor) {
  const decision = await queries.lockDecision(tx, id)
  if (decision?.personId !== person.id) throw refuse('decision_not_found')
  if (!isAppealable(decision.action) || isUndone(decision)) throw refuse('not_appealable')
  if (decision.appeal !== null) throw refuse('already_appealed')
  await queries.updateDecision(tx, id, { appeal: text, appealedAt: tx.now })
  const caseId = await queries.insertAppealCase(tx, {
    ...(await targetOf(tx, decision)),
    personId: person.id,
    severity: APPEAL_SEVERITY,
    appealedId: id,
  })
  await recordAudit(tx, { action: 'decision_appealed', ...by(person), details: { decisionId: id, caseId } })
  const appealed = (await ownDecisions(tx, person)).find((own) => own.id === id)
  if (!appealed) throw new Error(`the appealed decision ${id} is missing`)
  return appealed
}

async function targetOf(tx: Tx, { caseId }: Decision): Promise<Pick<Case, 'kind' | 'targetId'>> {
  const found = await queries.findCase(tx, caseId)
  if (!found) throw new Error(`the case ${caseId} of a decision is missing`)
  const { kind, targetId } = found.case
  return { kind, targetId }
}
