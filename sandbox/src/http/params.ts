import * as z from 'zod'
import { isCurrency } from '../currencies.ts'
import { type ErrorBody, invalidRequest } from './api-error.ts'
import type { Form } from './form-body.ts'

/*
 * Schemas of parameters, which arrive as strings in nested forms. Like Stripe, the sandbox refuses unknown
 * parameters.
 */

const MAX_METADATA_KEYS = 50

export const text = z.string().min(1, 'You passed an empty string.').max(5_000, 'The value is too long.')

const id = z.string().regex(/^\w{1,255}$/, 'Invalid id.')

/** The id of another object. The call checks that it exists. */
export const reference = id

export const integer = z
  .string()
  .regex(/^-?\d{1,15}$/, 'Invalid integer')
  .transform(Number)

export const boolean = z.enum(['true', 'false']).transform((value) => value === 'true')

export const currency = z
  .string()
  .transform((value) => value.toLowerCase())
  .refine((value): boolean => isCurrency(value), 'Invalid currency')

/** URLs that a browser can be redirected to. */
export const url = z.url({ protocol: /^https?$/, error: 'Not a valid URL' })

export const metadata = z
  .record(z.string().max(40, 'Metadata keys have at most 40 characters.'), z.string().max(500))
  .refine((entries) => Object.keys(entries).length <= MAX_METADATA_KEYS, 'Metadata has at most 50 keys.')
  .transform((entries) => ({ ...entries }))

/** An empty `metadata=` clears all metadata. */
export const metadataChange = z.union([z.literal('').transform(() => null), metadata])

/** `a[0]=x&a[1]=y`, or `a[]=x&a[]=y`. */
export const list = <Item extends z.ZodType>(item: Item) =>
  z.preprocess((value) => (hasNumericKeys(value) ? Object.values(value) : value), z.array(item).max(100))

function hasNumericKeys(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.keys(value).every((key) => /^\d+$/.test(key))
}

export const createdFilter = z.union([
  integer.transform((at) => ({ gte: at, lte: at })),
  z.strictObject({
    gt: integer.optional(),
    gte: integer.optional(),
    lt: integer.optional(),
    lte: integer.optional(),
  }),
])

/** Parameters of all lists. */
export const page = {
  limit: integer.refine((limit) => limit >= 1 && limit <= 100, 'Invalid limit: between 1 and 100').optional(),
  starting_after: reference.optional(),
  ending_before: reference.optional(),
  created: createdFilter.optional(),
}

export const address = z.strictObject({
  city: z.string().optional(),
  country: z.string().optional(),
  line1: z.string().optional(),
  line2: z.string().optional(),
  postal_code: z.string().optional(),
  state: z.string().optional(),
})

/** An empty value removes its key; null removes all keys. */
export function mergeMetadata(
  kept: Record<string, string>,
  change: Record<string, string> | null | undefined,
): Record<string, string> {
  if (change === null) return {}
  return Object.fromEntries(Object.entries({ ...kept, ...change }).filter(([, value]) => value !== ''))
}

/** Throws an error for the first invalid parameter. */
export function parseParams<Schema extends z.ZodType>(schema: Schema, form: Form): z.output<Schema> {
  const parsed = schema.safeParse(form)
  if (parsed.success) return parsed.data
  throw toApiError(innermostIssue(parsed.error.issues[0]), form)
}

type Issue = z.core.$ZodIssue | undefined

/** The issue inside the last alternative of a union. */
function innermostIssue(issue: Issue): Issue {
  if (issue?.code !== 'invalid_union') return issue
  const inner = issue.errors.at(-1)?.[0]
  return inner ? innermostIssue({ ...inner, path: [...issue.path, ...inner.path] }) : issue
}

function toApiError(issue: Issue, form: Form): Error {
  const path = issue?.path.map(String) ?? []
  if (issue?.code === 'unrecognized_keys') {
    const param = paramName([...path, issue.keys[0] ?? ''])
    return invalidRequest(`Received unknown parameter: ${param}`, { code: 'parameter_unknown', param })
  }
  const param = paramName(path)
  if (valueAt(form, path) === undefined) {
    return invalidRequest(`Missing required param: ${param}.`, { code: 'parameter_missing', param })
  }
  return invalidRequest(`${issue?.message ?? 'Invalid value'}: ${param}`, {
    ...errorCode(issue, form, path),
    param,
  })
}

function errorCode(issue: Issue, form: Form, path: string[]): Pick<ErrorBody, 'code'> {
  if (valueAt(form, path) === '') return { code: 'parameter_invalid_empty' }
  if (issue?.message === 'Invalid integer') return { code: 'parameter_invalid_integer' }
  if (issue?.message === 'Not a valid URL') return { code: 'url_invalid' }
  return {}
}

function valueAt(form: Form, path: string[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined),
    form,
  )
}

const paramName = ([first = '', ...rest]: string[]) => first + rest.map((key) => `[${key}]`).join('')
