import { doorChecks } from './door-checks.ts'
import type { Guard } from './guard.ts'
import { keys } from './keys.ts'
import { locks } from './locks.ts'
import { marketChecks } from './market-checks.ts'
import { marketConditions } from './market-conditions.ts'
import { moneyConditions } from './money-conditions.ts'
import { signInChecks } from './sign-in-checks.ts'
import { triggers } from './triggers.ts'

/** Everything that is taken away in turn. A new guard of the product belongs here too. */
export const guardsByKind = {
  locks,
  'unique keys and idempotency keys': keys,
  'triggers and constraints': triggers,
  conditions: [...moneyConditions, ...marketConditions],
  'checks of who somebody is': signInChecks,
  'checks of what comes in and goes out': doorChecks,
  'checks of who may do what': marketChecks,
} satisfies Record<string, Guard[]>

export type Kind = keyof typeof guardsByKind
