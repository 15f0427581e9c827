import { presentTransaction } from '../balance.ts'
import { firstRow, type Tx } from '../database.ts'
import type { Body, Kind } from '../kinds.ts'
import { invalidRequest } from './api-error.ts'

const MAX_DEPTH = 4

/**
 * Replaces ids with their objects, for paths such as `latest_charge`, `data.latest_charge` or
 * `latest_charge.balance_transaction`. Ids are unique across all kinds, so an id alone finds its object.
 */
export async function expand(tx: Tx, body: object, paths: string[]): Promise<object> {
  let expanded = body
  for (const path of paths) {
    const steps = path.split('.')
    if (steps.length > MAX_DEPTH)
      throw invalidRequest(`You cannot expand more than ${MAX_DEPTH} levels of a property`)
    expanded = await expandPath(tx, expanded, steps, path)
  }
  return expanded
}

async function expandPath(tx: Tx, at: object, [step, ...rest]: string[], path: string): Promise<object> {
  if (step === undefined) return at
  if (Array.isArray(at)) {
    return Promise.all(at.map((item: object) => expandPath(tx, item, [step, ...rest], path)))
  }
  if (!Object.hasOwn(at, step)) {
    throw invalidRequest(`This property cannot be expanded (${path}).`, { param: 'expand' })
  }
  const value: unknown = Reflect.get(at, step)
  const whole = typeof value === 'string' ? await loadObject(tx, value, path) : value
  if (typeof whole !== 'object' || whole === null) return at
  return { ...at, [step]: await expandPath(tx, whole, rest, path) }
}

type Found =
  | { kind: 'balance_transaction'; body: Body<'balance_transaction'> }
  | { kind: Exclude<Kind, 'balance_transaction'>; body: object }

async function loadObject(tx: Tx, id: string, path: string): Promise<object> {
  const found = firstRow(await tx.query<Found>('select kind, body from sandbox.objects where id = $1', [id]))
  if (!found) throw invalidRequest(`This property cannot be expanded (${path}).`, { param: 'expand' })
  return found.kind === 'balance_transaction' ? presentTransaction(tx, found.body) : found.body
}
