import type { SupportTopic } from '@sought/contract/support'
import type { people } from './people.ts'

type Key = (typeof people)[number]['key']

/** A support ticket and its steps. Without `by`, a visitor asks. */
export interface DemoTicket {
  by: Key | null
  email?: string
  topic: SupportTopic
  subject: string
  steps: readonly (
    | { hoursAgo: number; says: string }
    | { hoursAgo: number; replies: string }
    | { hoursAgo: number; notes: string }
    | { hoursAgo: number; closes: true }
  )[]
}

/** One waits for an answer, one is answered, one is closed. */
export const tickets = [
  {
    by: 'seller',
    topic: 'selling',
    subject: 'Which fee do I pay if part of a sale is refunded?',
    steps: [
      {
        hoursAgo: 210,
        says: 'A buyer and I agreed on a partial refund because of a scratch. Do I still pay the fees on the whole amount?',
      },
      {
        hoursAgo: 207,
        replies:
          'No. Fees are taken only on the part that goes to you.\n\nYou see both fees and what you receive in My Transactions, and on the statement of the month.',
      },
      { hoursAgo: 206, says: 'Very clear, thank you!' },
      { hoursAgo: 205, closes: true },
    ],
  },
  {
    by: 'buyer',
    topic: 'payments',
    subject: 'Can I get a receipt in my company’s name?',
    steps: [
      {
        hoursAgo: 52,
        says: 'I bought two lamps for our practice. The receipt shows only my own name. Can you add the practice?',
      },
      { hoursAgo: 49, notes: 'Third question about this in a month. Worth a field in the profile?' },
      {
        hoursAgo: 48,
        replies:
          'The receipt names the person who paid, so we cannot change it. Your accountant can accept it together with the statement of your card.',
      },
    ],
  },
  {
    by: null,
    email: 'marisol.prieto@example.com',
    topic: 'account',
    subject: 'I have a new phone and cannot sign in',
    steps: [
      {
        hoursAgo: 3,
        says: 'My authenticator app was on my old phone, and I cannot find my recovery codes. How do I get back into my account?',
      },
    ],
  },
] as const satisfies readonly DemoTicket[]
