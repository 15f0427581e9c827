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
} from './acts.ts'

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

/** What a race may come to. */
export interface Endings {
  all: Set<string>
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
  const endings: Endings = { all: new Set(), matters: acts.map(() => false), canWin: acts.map(() => false) }
  const racers = acts.map((act, place) => ({
    steps: stepsOf(act, acts.slice(0, place).filter((other) => other === act).length),
    answer: OK,
    matters: false,
  }))
  run(scenes[scene], racers, endings)
  return endings
}

interface Racer {
  /** Those still to be taken. */
  steps: readonly StepName[]
  answer: string
  /** Whether one of the steps has changed something. */
  matters: boolean
}

/** Lets every racer that is still under way take the next step, each in a course of events of its own. */
function run(deal: Deal, racers: readonly Racer[], endings: Endings): void {
  const underWay = racers.flatMap(({ steps: [step, ...left] }, place) => (step ? { place, step, left } : []))
  if (underWay.length === 0) note(deal, racers, endings)
  for (const { place, step, left } of underWay) {
    const { deal: next, answer } = take(step, deal)
    const matters = racers[place]?.matters || next !== deal
    run(next, racers.with(place, { answer, matters, steps: answer === OK ? left : [] }), endings)
    // The sweep passes over what somebody has locked, even if nothing comes of it.
    if (step === 'lapse') run(deal, racers.with(place, { answer: PASSED_OVER, matters, steps: [] }), endings)
  }
}

function note(deal: Deal, racers: readonly Racer[], endings: Endings): void {
  const answers = racers.map(({ answer }) => answer)
  endings.all.add(ending(answers, deal))
  for (const [place, { answer, matters }] of racers.entries()) {
    endings.matters[place] ||= matters
    endings.canWin[place] ||= matters && answer === OK
  }
}
