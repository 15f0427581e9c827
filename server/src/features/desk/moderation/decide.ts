import type { BodyOf } from '@sought/contract/call'
import type {
  decideCase as decideCaseCall,
  decideCases as decideCasesCall,
} from '@sought/contract/moderation'
import { CLAIM_MINUTES } from '@sought/contract/moderation'
import { Refused, refuse } from '../../../core/errors.ts'
import { ConcurrentWrite, retryConcurrentWrites } from '../../../database/concurrent-write.ts'
import type { Database, Tx } from '../../../database/database.ts'
import { hasRow, updateRows } from '../../../database/rows.ts'
import { admins, users } from '../../../database/schema.ts'
import type { Actor } from '../../../http/session.ts'
import { closeOpenRequestsOf, hasOpenRequests, reopenRequests } from '../../board/requests/close-requests.ts'
import { endOffersOf, hasOpenOffers } from '../../deals/offers/end-offers.ts'
import { findStaffRole } from '../../identity/accounts/actions.ts'
import { notify } from '../../notifications/actions.ts'
import { by, recordAudit } from '../../users/audit-log.ts'
import { hideContent, restoreContent, type Undo } from './hide-content.ts'
import { appealGranted, appealRejected, decisionMade } from './notifications.ts'
import { readCase } from './present-cases.ts'
import type { Case, Decision } from './queries.ts'
import * as queries from './queries.ts'

type Form = BodyOf<typeof decideCaseCall>

export async function decideCase(tx: Tx, id: number, form: Form, moderator: Actor) {
  const found = await lockUnclaimed(tx, id, moderator)
  checkUntil(form, tx.now)
  if (found.appealedId !== null) await decideAppeal(tx, found, found.appealedId, form, moderator)
  else if (found.status === 'decided') await undoOwnDecision(tx, found, form, moderator)
  else await decideReports(tx, found, form, moderator)
  return readCase(tx, id, moderator)
}

/** Decides each case in its own transaction, so that a refused one does not stop the others. */
export async function decideCases(
  { transact }: Pick<Database, 'transact'>,
  { ids, ...form }: BodyOf<typeof decideCasesCall>,
  moderator: Actor,
) {
  const decided: number[] = []
  const refused: { id: number; code: string }[] = []
  for (const id of new Set(ids)) {
    try {
      await retryConcurrentWrites(() => transact((tx) => decideCase(tx, id, form, moderator)))
      decided.push(id)
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      refused.push({ id, code: error.code })
    }
  }
  return { decided, refused }
}

/** Deciding a case needs no claim, but a claim by another moderator prevents it. */
export async function lockUnclaimed(tx: Tx, id: number, moderator: Actor): Promise<Case> {
  const found = await queries.lockCase(tx, id)
  if (!found) throw refuse('case_not_found')
  if (found.personId === moderator.id) throw refuse('not_impartial')
  const { status, claimedBy, claimedUntil } = found
  const isClaimed = claimedUntil !== null && claimedUntil > tx.now && claimedBy !== moderator.id
  if (status === 'open' && isClaimed) throw refuse('case_claimed')
  return found
}

function checkUntil({ action, until }: Form, now: Date): void {
  if (until === undefined) return
  if (action !== 'restrict' && action !== 'suspend') throw refuse('until_not_allowed')
  if (new Date(until) <= now) throw refuse('until_past')
}

async function decideReports(tx: Tx, found: Case, form: Form, moderator: Actor): Promise<void> {
  const undo = await apply(tx, found, form)
  await close(tx, found)
  await saveDecision(tx, found, form, undo, moderator)
}

async function apply(tx: Tx, found: Case, { action, until }: Form): Promise<Undo> {
  switch (action) {
    case 'hide':
      return hideContent(tx, found)
    case 'restore': {
      const hiding = await queries.findHiding(tx, found)
      if (!hiding) throw refuse('not_hideable')
      await undo(tx, found, hiding)
      return {}
    }
    case 'restrict':
    case 'suspend':
      if (await hasRow(tx, admins, { userId: found.personId })) throw refuse('team_member')
      return impose(tx, found.personId, action, until === undefined ? null : new Date(until))
    case 'warn':
    case 'dismiss':
      return {}
  }
}

/**
 * Moderators can correct a decision by restoring the content or account. After an appeal, only the appeal
 * case can do that.
 */
async function undoOwnDecision(tx: Tx, found: Case, form: Form, moderator: Actor): Promise<void> {
  const decision = form.action === 'restore' ? await queries.findDecisionOf(tx, found.id) : undefined
  if (!decision || decision.appeal !== null || !UNDOABLE.has(decision.action)) throw refuse('case_decided')
  await undo(tx, found, decision)
  await saveDecision(tx, found, form, {}, moderator)
}

const UNDOABLE: ReadonlySet<Decision['action']> = new Set(['hide', 'restrict', 'suspend'])

/** Restoring grants the appeal. Dismissing rejects it. */
async function decideAppeal(
  tx: Tx,
  found: Case,
  appealedId: number,
  form: Form,
  moderator: Actor,
): Promise<void> {
  const { action, reason } = form
  if (found.status === 'decided') throw refuse('case_decided')
  if (action !== 'restore' && action !== 'dismiss') throw refuse('appeal_action')
  const appealed = await queries.lockDecision(tx, appealedId)
  if (!appealed) throw new Error(`the decision ${appealedId} of an appeal is missing`)
  const isOwn = appealed.decidedBy === moderator.id
  if (isOwn && (await findStaffRole(tx, moderator.id)) !== 'admin') throw refuse('not_impartial')
  const isGranted = action === 'restore'
  if (isGranted) await undo(tx, found, appealed)
  await queries.updateDecision(tx, appealed.id, {
    appealOutcome: isGranted ? 'granted' : 'rejected',
    appealAnswer: reason,
  })
  await close(tx, found)
  const decision = await queries.insertDecision(tx, {
    caseId: found.id,
    personId: found.personId,
    action,
    reason,
    decidedBy: moderator.id,
  })
  await record(tx, found, decision, moderator)
  await notify(tx, isGranted ? appealGranted(appealed) : appealRejected(appealed))
}

/** Undoes only this decision. Later decisions stay in force. */
async function undo(tx: Tx, target: Pick<Case, 'kind' | 'targetId'>, decision: Decision): Promise<void> {
  const stored = decision.undo as Undo
  if (stored.undoneAt) return
  await queries.updateDecision(tx, decision.id, { undo: { ...stored, undoneAt: tx.now.toISOString() } })
  switch (decision.action) {
    case 'hide':
      return restoreContent(tx, target, stored)
    case 'restrict':
    case 'suspend':
      return lift(tx, decision.personId, decision.action, stored)
    case 'restore':
    case 'warn':
    case 'dismiss':
      return
  }
}

async function close(tx: Tx, { id }: Case): Promise<void> {
  await queries.updateCase(tx, id, { status: 'decided', decidedAt: tx.now })
}

async function saveDecision(
  tx: Tx,
  found: Case,
  { action, reason, until }: Form,
  undo: Undo,
  moderator: Actor,
): Promise<void> {
  const decision = await queries.insertDecision(tx, {
    caseId: found.id,
    personId: found.personId,
    action,
    reason,
    until: until === undefined ? null : new Date(until),
    decidedBy: moderator.id,
    undo: { ...undo },
  })
  await record(tx, found, decision, moderator)
  if (action === 'dismiss') return
  await notify(tx, decisionMade(decision, found.kind === 'request' ? Number(found.targetId) : null))
}

/** Audit entries about dismissed reports name no person, because people do not learn of them. */
function record(tx: Tx, { id }: Case, decision: Decision, moderator: Actor): Promise<void> {
  return recordAudit(tx, {
    action: 'case_decided',
    ...by(moderator),
    subjectId: decision.action === 'dismiss' ? null : decision.personId,
    details: { caseId: id, decisionId: decision.id, decision: decision.action },
  })
}

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

/** For restrictions and suspensions without an end. */
const FOREVER = new Date('9999-12-31T00:00:00.000Z')

type Sanction = 'restrict' | 'suspend'

/** A suspension also closes open requests and ends pending offers. Deals that were agreed continue. */
async function impose(tx: Tx, personId: string, sanction: Sanction, until: Date | null): Promise<Undo> {
  const undo: Undo = {}
  if (sanction === 'suspend') {
    // Offers, then requests, then the user: all transactions lock them in this order.
    await endOffersOf(tx, personId, ['pending'])
    undo.closedIds = await closeOpenRequestsOf(tx, personId)
  }
  await setEnd(tx, personId, sanction, until ?? FOREVER)
  // Creating an offer or a request locks the user (`requireUnrestricted`), so none can be added from here on.
  if (sanction === 'suspend' && (await hasAnythingOpen(tx, personId))) throw new ConcurrentWrite()
  return undo
}

const hasAnythingOpen = async (tx: Tx, personId: string) =>
  (await hasOpenOffers(tx, personId, ['pending'])) || (await hasOpenRequests(tx, personId))

/** Ends a sanction. If another decision imposed the same sanction, that decision's end applies. */
async function lift(tx: Tx, personId: string, sanction: Sanction, { closedIds = [] }: Undo): Promise<void> {
  const remaining = await queries.findSanction(tx, personId, sanction)
  const end = remaining ? (remaining.until ?? FOREVER) : null
  if (sanction === 'suspend' && !(end && end > tx.now)) await reopenRequests(tx, closedIds)
  await setEnd(tx, personId, sanction, end)
}

async function setEnd(tx: Tx, personId: string, sanction: Sanction, end: Date | null): Promise<void> {
  const change = sanction === 'restrict' ? { restrictedUntil: end } : { suspendedUntil: end }
  await updateRows(tx, users, { id: personId }, change)
}
