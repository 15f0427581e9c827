import type { people } from './people.ts'
import data from './requests.json' with { type: 'json' }

/**
 * A request in the demo marketplace. Budgets are in the main unit of the currency, and a maximum of 0 leaves
 * the budget open. `pictures` names files in pictures/, with their alt texts.
 */
export type DemoRequest = {
  key: string
  by: (typeof people)[number]['key']
  title: string
  description: string
  category:
    | 'Electronics'
    | 'Home & Garden'
    | 'Automotive'
    | 'Fashion'
    | 'Sports'
    | 'Music'
    | 'Books & Media'
    | 'Other'
  minBudget: number
  maxBudget: number
  location: string
  urgency: 'low' | 'medium' | 'high'
  pictures: { file: string; alt: string }[]
  postedHoursAgo: number
}

/** Newest first, as the home page shows them. */
export const requests = data as readonly DemoRequest[]
