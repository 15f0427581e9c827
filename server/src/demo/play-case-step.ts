import { and, desc, eq } from 'drizzle-orm'
import type { Tx } from '../database/database.ts'
import { messages, moderationCases, moderationDecisions, reviews } from '../database/schema.ts'
import { appealDecision } from '../features/desk/moderation/appeals.ts'
import { decideCase } from '../features/desk/moderation/decide.ts'
import { reportContent } from '../features/trust/reports/actions.ts'
import type { DemoCaseStep, DemoTarget } from './cases.ts'
import type { Cast } from './cast.ts'

/** Plays one step of a moderation case. */
export async function playCaseStep(
  tx: Tx,
  step: DemoCaseStep,
  about: DemoTarget,
  { userOf, itemOf }: Cast,
): Promise<void> {
  const { kind } = about
  const id = kind === 'request' ? itemOf(about.key).id : await findWords(tx, kind, about.words)
  switch (step.does) {
    case 'report':
      await reportContent(tx, { kind, id, reason: step.reason, note: step.note }, userOf(step.by))
      return
    case 'decide': {
      const { action, reason } = step
      await decideCase(tx, await findCase(tx, kind, id), { action, reason }, userOf('moderator'))
      return
    }
    case 'appeal':
      await appealDecision(tx, await findDecision(tx, kind, id), step.words, userOf(step.by))
      return
  }
}

async function findWords(tx: Tx, kind: 'message' | 'review', words: string): Promise<number> {
  const [found] =
    kind === 'message'
      ? await tx.select({ id: messages.id }).from(messages).where(eq(messages.content, words))
      : await tx.select({ id: reviews.id }).from(reviews).where(eq(reviews.text, words))
  return found?.id ?? missing(words)
}

const isAbout = (kind: DemoTarget['kind'], id: number) =>
  and(eq(moderationCases.kind, kind), eq(moderationCases.targetId, String(id)))

async function findCase(tx: Tx, kind: DemoTarget['kind'], id: number): Promise<number> {
  const [found] = await tx
    .select({ id: moderationCases.id })
    .from(moderationCases)
    .where(isAbout(kind, id))
    .orderBy(desc(moderationCases.id))
  return found?.id ?? missing(`${kind} ${id}`)
}

async function findDecision(tx: Tx, kind: DemoTarget['kind'], id: number): Promise<number> {
  const [found] = await tx
    .select({ id: moderationDecisions.id })
    .from(moderationDecisions)
    .innerJoin(moderationCases, eq(moderationCases.id, moderationDecisions.caseId))
    .where(isAbout(kind, id))
    .orderBy(desc(moderationDecisions.id))
  return found?.id ?? missing(`${kind} ${id}`)
}

function missing(what: string): never {
  throw new Error(`the demo has nothing to moderate: ${what}`)
}
