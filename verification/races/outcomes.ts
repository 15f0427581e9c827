import {
  type ActionName,
  actions,
  applyStep,
  type Deal,
  OK,
  SKIPPED,
  type StartName,
  type StepName,
  starts,
  stepsOf,
} from './payment-model.ts'

/** Concurrent actions on one deal, and the state in which the deal starts. */
export interface Race {
  start: StartName
  actions: readonly ActionName[]
}

export const nameOf = (race: Race) => `${race.actions.join(' + ')} (${race.start})`

/** Actions that are possible before a payment exists. */
const ON_OFFERS: readonly ActionName[] = ['accept', 'reject', 'withdraw the offer', 'pay']

/** Actions that decide about a parcel or a handover. */
const ON_DELIVERIES: readonly ActionName[] = [
  'ship',
  'hand over',
  'cancel as the seller',
  'cancel as the buyer',
]
/** Other actions that affect a delivered deal. Actions that are not listed do not depend on the delivery. */
const BESIDE_DELIVERIES: readonly ActionName[] = [
  'confirm',
  'dispute',
  'auto-release',
  'withdraw the dispute',
]

function possibleIn(start: StartName): readonly ActionName[] {
  const { payment, delivery } = starts[start]
  if (payment === 'none') return ON_OFFERS
  if (delivery !== 'arranged') return [...ON_DELIVERIES, ...BESIDE_DELIVERIES]
  return (Object.keys(actions) as ActionName[]).filter((action) => !ON_DELIVERIES.includes(action))
}

/** Every pair and triple of actions, with repetitions, in every start state where at least two of them have an effect. */
export function allRaces(): Race[] {
  const names = Object.keys(actions) as ActionName[]
  const together = [...combinations(names, 2), ...combinations(names, 3)]
  return (Object.keys(starts) as StartName[]).flatMap((start) => {
    const possible = possibleIn(start)
    return together
      .filter((combined) => combined.every((action) => possible.includes(action)))
      .map((combined) => ({ start, actions: combined }))
      .filter((race) => outcomesOf(race).hasEffect.filter(Boolean).length >= 2)
  })
}

function combinations<Item>(items: readonly Item[], size: number): Item[][] {
  if (size === 0) return [[]]
  return items.flatMap((item, place) =>
    combinations(items.slice(place), size - 1).map((others) => [item, ...others]),
  )
}

/** The answers and the final state of the deal as text, to compare a run with the model. */
export function describeOutcome(answers: readonly string[], deal: Deal): string {
  const {
    offer,
    request,
    payment,
    due,
    shipped,
    cancelRequested,
    refundCents,
    owedCents,
    posted,
    timeline,
    notified,
  } = deal
  return [
    answers.join(', '),
    `offer ${offer}`,
    `request ${request}`,
    `payment ${payment}${payment === 'held_in_escrow' && due ? ' and due' : ''}`,
    ...(shipped ? ['shipped'] : []),
    ...(cancelRequested ? ['cancellation wanted'] : []),
    `refund ${refundCents ?? 'none'}`,
    `owed ${owedCents ?? 'nothing'}`,
    `ledger ${posted.toSorted().join(' ')}`,
    `timeline ${timeline.join(' ')}`,
    `notified ${notified.toSorted().join(' ')}`,
  ].join('; ')
}

/** The test can see that a sweep released the payment, but not which sweep did, so the first one counts. */
export const normalizeAnswers = (
  actions: readonly ActionName[],
  answers: readonly string[],
  wasReleased: boolean,
): string[] =>
  actions.map((action, place) => {
    if (action !== 'auto-release') return answers[place] ?? ''
    return wasReleased && place === actions.indexOf(action) ? OK : SKIPPED
  })

/** The possible outcomes of a race. */
export interface Outcomes {
  all: Set<string>
  /** The outcomes of sequential orders, without sweeps that skip a locked payment. */
  ofOrders: Set<string>
  /** By action: whether it can have an effect in any order, even if it is refused. */
  hasEffect: boolean[]
  /** By action: whether it can succeed. */
  canWin: boolean[]
}

/**
 * All outcomes that some order of the atomic steps can produce. They determine which action wins, and how the
 * others are refused.
 */
export function outcomesOf({ start, actions }: Race): Outcomes {
  const outcomes: Outcomes = {
    all: new Set(),
    ofOrders: new Set(),
    hasEffect: actions.map(() => false),
    canWin: actions.map(() => false),
  }
  const racers = actions.map((action, place) => ({
    action,
    steps: stepsOf(action, actions.slice(0, place).filter((other) => other === action).length),
    answer: OK,
    hasEffect: false,
  }))
  explore(starts[start], racers, outcomes)
  return outcomes
}

interface Racer {
  action: ActionName
  /** The remaining steps. */
  steps: readonly StepName[]
  answer: string
  hasEffect: boolean
}

/** Tries every racer as the one that takes the next step. */
function explore(deal: Deal, racers: readonly Racer[], outcomes: Outcomes, inOrder = true): void {
  if (racers.every(({ steps }) => steps.length === 0)) addOutcome(deal, racers, outcomes, inOrder)
  for (const [place, racer] of racers.entries()) {
    const [step, ...left] = racer.steps
    if (!step) continue
    const { deal: next, answer } = applyStep(step, deal)
    const hasEffect = racer.hasEffect || next !== deal
    const moved = { ...racer, answer, hasEffect, steps: answer === OK ? left : [] }
    explore(next, racers.with(place, moved), outcomes, inOrder)
    // A sweep skips a payment that another action has locked, even if that action is refused later.
    if (step === 'lapse' && racers.some(locksPayment))
      explore(deal, racers.with(place, { ...moved, answer: SKIPPED, steps: [] }), outcomes, false)
  }
}

/** A payment that another sweep has locked is released by that sweep. */
const locksPayment = ({ action }: Racer) =>
  !['accept', 'reject', 'withdraw the offer', 'auto-release'].includes(action)

function addOutcome(deal: Deal, racers: readonly Racer[], outcomes: Outcomes, inOrder: boolean): void {
  const wasReleased = racers.some(({ action, answer }) => action === 'auto-release' && answer === OK)
  const answers = normalizeAnswers(
    racers.map(({ action }) => action),
    racers.map(({ answer }) => answer),
    wasReleased,
  )
  const outcome = describeOutcome(answers, deal)
  outcomes.all.add(outcome)
  if (inOrder) outcomes.ofOrders.add(outcome)
  for (const [place, { hasEffect }] of racers.entries()) {
    outcomes.hasEffect[place] ||= hasEffect
    outcomes.canWin[place] ||= hasEffect && answers[place] === OK
  }
}
