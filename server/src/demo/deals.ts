import type { DemoConversation } from './conversations.ts'
import data from './deals.json' with { type: 'json' }

/** Conversations that led to a payment. Together they show every state of a payment, a payout and a dispute. */
export const deals = data as readonly DemoConversation[]
