import { appealDecision, decideCase } from '@sought/contract/moderation'
import { report } from '@sought/contract/reports'
import { and, desc, eq } from 'drizzle-orm'
import type { Db } from '../database/database.ts'
import { messages, moderationCases, moderationDecisions, reviews } from '../database/schema.ts'
import type { DemoCaseStep, DemoTarget } from './cases.ts'
import type { Cast } from './cast.ts'

/** Plays one step of a moderation case. */
export async function playCaseStep(
  db: Db,
  step: DemoCaseStep,
  about: DemoTarget,
  { personOf, itemOf }: Cast,
): Promise<void> {
  const { kind } = about
  const id = kind === 'request' ? itemOf(about.key).id : await findWords(db, kind, about.words)
  switch (step.does) {
    case 'report': {
      const body = { kind, id, reason: step.reason, note: step.note }
      await personOf(step.by).send(report, { body })
      return
    }
    case 'decide': {
      const params = { id: await findCase(db, kind, id) }
      const body = { action: step.action, reason: step.reason }
      await personOf('moderator').send(decideCase, { params, body })
      return
    }
    case 'appeal': {
      const params = { id: await findDecision(db, kind, id) }
      await personOf(step.by).send(appealDecision, { params, body: { text: step.words } })
      return
    }
  }
}

async function findWords(db: Db, kind: 'message' | 'review', words: string): Promise<number> {
  const [found] =
    kind === 'message'
      ? await db.select({ id: messages.id }).from(messages).where(eq(messages.content, words))
      : await db.select({ id: reviews.id }).from(reviews).where(eq(reviews.text, words))
  return found?.id ?? missing(words)
}

const isAbout = (kind: DemoTarget['kind'], id: number) =>
  and(eq(moderationCases.kind, kind), eq(moderationCases.targetId, String(id)))

async function findCase(db: Db, kind: DemoTarget['kind'], id: number): Promise<number> {
  const [found] = await db
    .select({ id: moderationCases.id })
    .from(moderationCases)
    .where(isAbout(kind, id))
    .orderBy(desc(moderationCases.id))
  return found?.id ?? missing(`${kind} ${id}`)
}

async function findDecision(db: Db, kind: DemoTarget['kind'], id: number): Promise<number> {
  const [found] = await db
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
