import * as z from 'zod/mini'
import type { Subject } from './call.ts'
import { Id, UserId } from './fields.ts'

/** The subjects that other users can change. */
export const ANNOUNCED = [
  'messages',
  'offers',
  'payments',
  'notifications',
] as const satisfies readonly Subject[]

/** A server-sent event: the data that the browser must refetch, or who is typing about which request. */
export const Change = z.union([
  z.object({ about: z.enum([...ANNOUNCED, 'everything']) }),
  z.object({ about: z.literal('typing'), wantedItemId: Id, userId: UserId }),
])
export type Change = z.output<typeof Change>
