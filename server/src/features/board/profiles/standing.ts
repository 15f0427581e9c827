import { BADGES, type Badge } from '@sought/contract/people'
import { reviewableSince } from '../../users/review-window.ts'
import type { Person } from './queries.ts'

/**
 * The average rating of a user. Blind reviews count once their period is over, even before the sweep has
 * counted them (ADR 78).
 */
export function standingOf(person: Person, now: Date) {
  const { ratingSum, ratingCount, buyerRatingSum, buyerRatingCount } = person
  const since = reviewableSince(now)
  const due = person.uncounted.filter(([, endedAt]) => new Date(endedAt) <= since)
  const dueSum = due.reduce((sum, [rating]) => sum + rating, 0)
  return {
    rating: average(ratingSum + dueSum, ratingCount + due.length),
    ratingCount: ratingCount + due.length,
    asBuyer: inRole(buyerRatingSum + dueSum, buyerRatingCount + due.length),
    asSeller: inRole(ratingSum - buyerRatingSum, ratingCount - buyerRatingCount),
  }
}

const average = (sum: number, count: number) => (count === 0 ? 0 : sum / count)
const inRole = (sum: number, count: number) => ({ rating: average(sum, count), count })

export function dealsOf(person: Person) {
  return {
    completed: person.completedAsSeller + person.completedAsBuyer,
    cancelled: person.cancelledAsSeller + person.cancelledAsBuyer,
    lost: person.lostAsSeller + person.lostAsBuyer,
  }
}

export function badgesOf({ hasEmail, hasPhone, hasPayouts, hasSecondFactor }: Person): Badge[] {
  const has = { email: hasEmail, phone: hasPhone, payouts: hasPayouts, second_factor: hasSecondFactor }
  return BADGES.filter((badge) => has[badge])
}
