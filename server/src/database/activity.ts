import { type MoveName, moves } from '@sought/escrow/moves'
import { Counter, type Registry } from 'prom-client'

/** Activities of users, for the metrics. */
export type Activity = 'sign_up' | 'request' | 'offer' | 'checkout' | 'events_page' | `payment_${MoveName}`

const paymentMoves = Object.keys(moves) as MoveName[]
const ACTIVITIES: Activity[] = [
  'sign_up',
  'request',
  'offer',
  'checkout',
  'events_page',
  ...paymentMoves.map((name) => `payment_${name}` as const),
]

export interface ActivityCounts {
  add(activities: Activity[]): void
  addTo(metrics: Registry): void
}

/** A transaction collects its activities, and they are counted when it commits. */
export function createActivityCounts(): ActivityCounts {
  const counts = new Map<Activity, number>(ACTIVITIES.map((activity) => [activity, 0]))
  return {
    add(activities) {
      for (const activity of activities) counts.set(activity, (counts.get(activity) ?? 0) + 1)
    },
    addTo(metrics) {
      new Counter({
        name: 'sought_activity_total',
        help: 'What this process has committed: sign-ups, requests, offers, checkouts, payment moves, and pages read of the provider’s events.',
        labelNames: ['activity'],
        registers: [metrics],
        collect() {
          this.reset()
          for (const [activity, count] of counts) this.inc({ activity }, count)
        },
      })
    },
  }
}
