import type { FirstSteps, StepList } from '@sought/contract/first-steps'
import type { Db, Tx } from '../../../database/database.ts'
import { addDismissed, findFirstSteps } from './first-steps-queries.ts'

export function firstStepsOf(db: Db, userId: string): Promise<FirstSteps> {
  return findFirstSteps(db, userId)
}

/** Idempotent. */
export async function dismissSteps(tx: Tx, list: StepList, userId: string): Promise<FirstSteps> {
  await addDismissed(tx, userId, list)
  return findFirstSteps(tx, userId)
}
