import {
  type ActName,
  acts,
  type Deal,
  OK,
  PASSED_OVER,
  type SceneName,
  type StepName,
  scenes,
  stepsOf,
  take,
} from './payment-model.ts'

/** Acts that are done at the same moment, and the deal that they are done to. */
export interface Race {
  scene: SceneName
  acts: readonly ActName[]
}

export const nameOf = (race: Race) => `${race.acts.join(' + ')} (${race.scene})`

/** Acts on a payment have no address before there is one: nobody can do them. */
const ON_OFFERS: readonly ActName[] = ['accept', 'reject', 'withdraw the offer', 'pay']

/** Every pair and every three, the same act twice too, wherever at least two of them can come to something. */
export function allRaces(): Race[] {
  const names = Object.keys(acts) as ActName[]
  const together = [...combinations(names, 2), ...combinations(names, 3)]
  return (Object.keys(scenes) as SceneName[]).flatMap((scene) => {
    const addressed = scenes[scene].payment === 'none' ? ON_OFFERS : names
    return together
      .filter((combined) => combined.every((act) => addressed.includes(act)))
      .map((combined) => ({ scene, acts: combined }))
      .filter((race) => endingsOf(race).matters.filter(Boolean).length >= 2)
  })
}

function combinations<Item>(items: readonly Item[], size: number): Item[][] {
  if (size === 0) return [[]]
  return items.flatMap((item, place) =>
    combinations(items.slice(place), size - 1).map((others) => [item, ...others]),
  )
}

/** Each act's answer, and the deal at the end, in words that a run's can be compared with. */
export function ending(answers: readonly string[], deal: Deal): string {
  const { offer, payment, due, refundCents, owedCents, posted, timeline, told } = deal
  return [
    answers.join(', '),
    `offer ${offer}`,
    `payment ${payment}${payment === 'held_in_escrow' && due ? ' and due' : ''}`,
    `refund ${refundCents ?? 'none'}`,
    `owed ${owedCents ?? 'nothing'}`,
    `ledger ${posted.toSorted().join(' ')}`,
    `timeline ${timeline.join(' ')}`,
    `told ${told.toSorted().join(' ')}`,
  ].join('; ')
}

/** Whether a payment lapsed can be told, and not by which of several sweeps: the first is taken for it. */
export const asTold = (acts: readonly ActName[], answers: readonly string[], lapsed: boolean): string[] =>
  acts.map((act, place) => {
    if (act !== 'auto-release') return answers[place] ?? ''
    return lapsed && place === acts.indexOf(act) ? OK : PASSED_OVER
  })

/** What a race may come to. */
export interface Endings {
  all: Set<string>
  /** Those that an order alone gives, without a sweep that passes over what somebody has locked. */
  ofOrders: Set<string>
  /** By the act's place: whether it changes something in one order or another, even where it is refused. */
  matters: boolean[]
  /** By the act's place: whether it can be done. */
  canWin: boolean[]
}

/**
 * Everything that one order or another of the steps gives, if each step happens as a whole. Whoever wins, and
 * who is refused with what, follows from it.
 */
export function endingsOf({ scene, acts }: Race): Endings {
  const endings: Endings = {
    all: new Set(),
    ofOrders: new Set(),
    matters: acts.map(() => false),
    canWin: acts.map(() => false),
  }
  const racers = acts.map((act, place) => ({
    act,
    steps: stepsOf(act, acts.slice(0, place).filter((other) => other === act).length),
    answer: OK,
    matters: false,
  }))
  run(scenes[scene], racers, endings)
  return endings
}

interface Racer {
  act: ActName
  /** Those still to be taken. */
  steps: readonly StepName[]
  answer: string
  /** Whether one of the steps has changed something. */
  matters: boolean
}

/** Lets every racer that is still under way take the next step, each in a course of events of its own. */
function run(deal: Deal, racers: readonly Racer[], endings: Endings, inOrder = true): void {
  if (racers.every(({ steps }) => steps.length === 0)) note(deal, racers, endings, inOrder)
  for (const [place, racer] of racers.entries()) {
    const [step, ...left] = racer.steps
    if (!step) continue
    const { deal: next, answer } = take(step, deal)
    const matters = racer.matters || next !== deal
    const taken = { ...racer, answer, matters, steps: answer === OK ? left : [] }
    run(next, racers.with(place, taken), endings, inOrder)
    // The sweep passes over what somebody has locked, even if nothing comes of it.
    if (step === 'lapse' && racers.some(locksPayment))
      run(deal, racers.with(place, { ...taken, answer: PASSED_OVER, steps: [] }), endings, false)
  }
}

/** Another sweep does not count: what it has locked it releases. */
const locksPayment = ({ act }: Racer) =>
  !['accept', 'reject', 'withdraw the offer', 'auto-release'].includes(act)

function note(deal: Deal, racers: readonly Racer[], endings: Endings, inOrder: boolean): void {
  const lapsed = racers.some(({ act, answer }) => act === 'auto-release' && answer === OK)
  const answers = asTold(
    racers.map(({ act }) => act),
    racers.map(({ answer }) => answer),
    lapsed,
  )
  const ended = ending(answers, deal)
  endings.all.add(ended)
  if (inOrder) endings.ofOrders.add(ended)
  for (const [place, { matters }] of racers.entries()) {
    endings.matters[place] ||= matters
    endings.canWin[place] ||= matters && answers[place] === OK
  }
}
