import * as z from 'zod/mini'
import { callsOf } from './call.ts'

const call = callsOf({ subjects: ['first-steps'] })

/** The two checklists for new accounts. */
export const StepList = z.enum(['buyer', 'seller'])
export type StepList = z.output<typeof StepList>

/** Steps that a user has completed. `CurrentUser` has the other ones. */
const FirstSteps = z.object({
  hasPosted: z.boolean(),
  hasMadeOffer: z.boolean(),
  hasPayoutMethod: z.boolean(),
  dismissed: z.array(StepList),
})
export type FirstSteps = z.output<typeof FirstSteps>

export const getFirstSteps = call({
  method: 'GET',
  path: '/api/user/first-steps',
  access: 'user',
  about: ['first-steps', 'requests', 'payout-methods'],
  fresh: 'on open',
  summary: 'Gets which first steps the signed-in user has done',
  reply: FirstSteps,
})

export const dismissFirstSteps = call({
  method: 'POST',
  path: '/api/user/first-steps/dismiss',
  access: 'user',
  summary: 'Hides a checklist of first steps',
  body: z.object({ list: StepList }),
  reply: FirstSteps,
})
