import { appealDecision, decideCase } from '@sought/contract/moderation'
import { report } from '@sought/contract/reports'
import { saveBankAccount, setUpStripeConnect } from '@sought/contract/sellers'
import { answerTicket, closeTicket, createTicket, noteTicket, replyToTicket } from '@sought/contract/support'
import { and, desc, eq, gt, isNotNull, isNull } from 'drizzle-orm'
import type { Db } from '../database/database.ts'
import {
  messages,
  moderationCases,
  moderationDecisions,
  payments,
  payouts,
  reviews,
} from '../database/schema.ts'
import { updateResponseTimes } from '../features/deals/messages/response-times.ts'
import { publishDueReviews } from '../features/fulfilment/reviews/publish-reviews.ts'
import { remindOfPromises } from '../features/money/disputes/remind-of-promises.ts'
import { notifyHoldEnding } from '../features/money/payments/notify-hold-ending.ts'
import { refundBuyer } from '../features/money/payments/refunds.ts'
import { releaseDue } from '../features/money/payments/release-payments.ts'
import { paySeller } from '../features/money/payouts/send-payouts.ts'
import { cardBrowserOf } from '../market-builder/card-browser.ts'
import type { Person } from '../market-builder/send.ts'
import type { ServicesWithin } from '../market-builder/services-within.ts'
import type { Services } from '../services.ts'
import type { DemoCase, DemoCaseStep, DemoTarget } from './cases.ts'
import type { Cast } from './cast.ts'
import type { DemoConversation } from './conversations.ts'
import type { DemoPayoutSetup } from './payout-setups.ts'
import { type Deal, isTalk, playStep } from './play-step.ts'
import type { DemoTicket } from './tickets.ts'

const HOUR_MS = 3_600_000
/** Buyers are notified this long before a hold ends. */
const NOTICE_MS = 24 * HOUR_MS

export interface Story {
  tickets: readonly DemoTicket[]
  cases: readonly DemoCase[]
  conversations: readonly DemoConversation[]
  payoutSetups: readonly DemoPayoutSetup[]
}

interface Scene {
  hoursAgo: number
  /** Whether the step may move money. */
  isMoney: boolean
  play(services: Services): Promise<void>
}

/**
 * Plays the events of the demo market in order of time, through the product's own calls, so that the demo
 * contains nothing impossible. Money moves as the worker and the sweeps would have moved it.
 */
export async function playStory(
  { services, moveTo }: ServicesWithin,
  story: Story,
  cast: Cast,
): Promise<void> {
  const today = services.clock()
  const swept = new Set<number>()
  let moments: Date[] = []

  const moveMoney = async () => {
    await runMoneyJobs(services)
    moments = await findSweepMoments(services)
  }
  /** Runs the sweeps when a hold has a day left and when it ends, then sets the clock. */
  const sweepUntil = async (end: Date) => {
    for (;;) {
      const next = moments.find((moment) => moment <= end && !swept.has(moment.getTime()))
      if (!next) break
      swept.add(next.getTime())
      moveTo(next)
      await notifyHoldEnding(services)
      await releaseDue(services)
      await moveMoney()
    }
    moveTo(end)
    await publishDueReviews(services)
    await remindOfPromises(services)
  }

  for (const { hoursAgo, isMoney, play } of scenesOf(story, cast)) {
    await sweepUntil(new Date(today.getTime() - hoursAgo * HOUR_MS))
    await play(services)
    if (isMoney) await moveMoney()
  }
  await sweepUntil(today)
  await updateResponseTimes(services)
}

/** Earliest first. */
function scenesOf({ conversations, payoutSetups, tickets, cases }: Story, cast: Cast): Scene[] {
  return [
    ...tickets.flatMap((ticket) => ticketScenes(ticket, cast)),
    ...cases.flatMap((it) => caseScenes(it, cast)),
    ...payoutSetups.map((setup) => payoutScene(setup, cast.personOf(setup.by))),
    ...conversations.flatMap((conversation) => conversationScenes(conversation, cast)),
  ].toSorted((one, other) => other.hoursAgo - one.hoursAgo)
}

function ticketScenes(ticket: DemoTicket, cast: Cast): Scene[] {
  const opened = { id: 0 }
  return ticket.steps.map((step) => ({
    hoursAgo: step.hoursAgo,
    isMoney: false,
    play: () => playTicketStep(step, ticket, opened, cast),
  }))
}

function caseScenes({ about, steps }: DemoCase, cast: Cast): Scene[] {
  return steps.map((step) => ({
    hoursAgo: step.hoursAgo,
    isMoney: false,
    play: ({ database }) => playCaseStep(database.read, step, about, cast),
  }))
}

function payoutScene(setup: DemoPayoutSetup, seller: Person): Scene {
  return {
    hoursAgo: setup.hoursAgo,
    isMoney: true,
    async play(services) {
      if ('bank' in setup) {
        await seller.send(saveBankAccount, { body: setup.bank })
        return
      }
      const body = { country: setup.connectCountry }
      const { onboardingUrl } = await seller.send(setUpStripeConnect, { body })
      await cardBrowserOf(services).completeOnboarding(onboardingUrl)
    },
  }
}

function conversationScenes({ about, with: withKey, steps }: DemoConversation, cast: Cast): Scene[] {
  const item = cast.itemOf(about)
  const deal: Deal = { itemId: item.id, offerId: 0, amount: 0, paymentId: 0 }
  return steps.map((step) => {
    const by = cast.personOf(step.by)
    const other = cast.personOf(step.by === withKey ? item.ownerKey : withKey)
    return {
      hoursAgo: step.hoursAgo,
      isMoney: !isTalk(step),
      play: (services) => playStep({ services, deal, by, other }, step),
    }
  })
}

/** The first step opens the ticket and stores its id in `opened`. */
async function playTicketStep(
  step: DemoTicket['steps'][number],
  { by, email, topic, subject }: DemoTicket,
  opened: { id: number },
  { personOf, visitor }: Cast,
): Promise<void> {
  const asker = by ? personOf(by) : visitor
  const admin = personOf('admin')
  const onTicket = { params: { id: opened.id } }
  if ('replies' in step) await admin.send(answerTicket, { ...onTicket, body: { content: step.replies } })
  else if ('notes' in step) await admin.send(noteTicket, { ...onTicket, body: { content: step.notes } })
  else if ('closes' in step) await admin.send(closeTicket, onTicket)
  else if (opened.id > 0) await asker.send(replyToTicket, { ...onTicket, body: { content: step.says } })
  else {
    const body = { topic, subject, message: step.says, email }
    opened.id = (await asker.send(createTicket, { body })).id
  }
}

/** The times when the sweeps have work to do, earliest first. */
async function findSweepMoments({ database }: Services): Promise<Date[]> {
  const held = await database.read
    .select({ until: payments.escrowHoldUntil })
    .from(payments)
    .where(and(eq(payments.status, 'held_in_escrow'), isNotNull(payments.escrowHoldUntil)))
  return held
    .flatMap(({ until }) => (until ? [new Date(until.getTime() - NOTICE_MS), until] : []))
    .toSorted((one, other) => one.getTime() - other.getTime())
}

/** Does the worker's jobs: pays sellers and refunds buyers. */
async function runMoneyJobs(services: Services): Promise<void> {
  const { read } = services.database
  const owed = await read.select({ id: payouts.id }).from(payouts).where(eq(payouts.status, 'owed'))
  for (const { id } of owed) await paySeller(services, id)
  const due = await read
    .select({ id: payments.id })
    .from(payments)
    .where(and(gt(payments.refundCents, 0), isNull(payments.refundedAt)))
  for (const { id } of due) await refundBuyer(services, id)
}

/** Plays one step of a moderation case. */
async function playCaseStep(
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
