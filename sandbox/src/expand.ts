import { invalid } from './api-error.ts'
import { first, type Tx } from './database.ts'

const MAX_DEPTH = 4

/**
 * Puts whole objects in the place of their ids: `latest_charge`, `data.latest_charge`, or several steps,
 * `latest_charge.balance_transaction`. Ids are unique over all kinds, so that any of them can be looked up.
 */
export async function expand(tx: Tx, body: object, paths: string[]): Promise<object> {
  let expanded = body
  for (const path of paths) {
    const steps = path.split('.')
    if (steps.length > MAX_DEPTH)
      throw invalid(`You cannot expand more than ${MAX_DEPTH} levels of a property`)
    expanded = await expandAlong(tx, expanded, steps, path)
  }
  return expanded
}

async function expandAlong(tx: Tx, at: object, [step, ...rest]: string[], path: string): Promise<object> {
  if (step === undefined) return at
  if (Array.isArray(at)) {
    return Promise.all(at.map((item: object) => expandAlong(tx, item, [step, ...rest], path)))
  }
  if (!Object.hasOwn(at, step)) {
    throw invalid(`This property cannot be expanded (${path}).`, { param: 'expand' })
  }
  const value: unknown = Reflect.get(at, step)
  const whole = typeof value === 'string' ? await objectOf(tx, value, path) : value
  if (typeof whole !== 'object' || whole === null) return at
  return { ...at, [step]: await expandAlong(tx, whole, rest, path) }
}

async function objectOf(tx: Tx, id: string, path: string): Promise<object> {
  const found = first(
    await tx.query<{ body: object }>('select body from sandbox.objects where id = $1', [id]),
  )
  if (!found) throw invalid(`This property cannot be expanded (${path}).`, { param: 'expand' })
  return found.body
}
