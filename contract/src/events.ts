import * as z from 'zod/mini'
import { Id, UserId } from './fields.ts'

/** A server-sent event: the data that the browser must refetch, or who is typing about which request. */
export const Change = z.union([
  z.object({ about: z.enum(['messages', 'offers', 'payments', 'notifications', 'everything']) }),
  z.object({ about: z.literal('typing'), wantedItemId: Id, userId: UserId }),
])
export type Change = z.output<typeof Change>
