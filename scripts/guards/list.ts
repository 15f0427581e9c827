import { checks } from './checks.ts'
import { conditions } from './conditions.ts'
import type { Guard } from './guard.ts'
import { keys } from './keys.ts'
import { locks } from './locks.ts'
import { triggers } from './triggers.ts'

/** Everything that is taken away in turn. A new guard of the product belongs here too. */
export const guardsByKind = {
  locks,
  'unique keys and idempotency keys': keys,
  'triggers and constraints': triggers,
  conditions,
  checks,
} satisfies Record<string, Guard[]>

export type Kind = keyof typeof guardsByKind
