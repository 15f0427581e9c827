import * as z from 'zod'
import { type ErrorBody, invalidRequest } from './api-error.ts'
import type { Form } from './form-body.ts'

/*
 * The kinds of parameter that calls take. Everything arrives as strings, in forms within forms. What a
 * call does not know it refuses, as Stripe does, so that a misspelt parameter is not quietly ignored.
 */

const MAX_METADATA_KEYS = 50

export const text = z.string().min(1, 'You passed an empty string.').max(5_000, 'The value is too long.')

const id = z.string().regex(/^\w{1,255}$/, 'Invalid id.')

/** The id of something else; whether there is such a thing is looked up by the call. */
export const reference = id

export const integer = z
  .string()
  .regex(/^-?\d{1,15}$/, 'Invalid integer')
  .transform(Number)

export const boolean = z.enum(['true', 'false']).transform((value) => value === 'true')

export const currency = z
  .string()
  .transform((value) => value.toLowerCase())
  .refine((value) => KNOWN_CURRENCIES.has(value.toUpperCase()), 'Invalid currency')

const KNOWN_CURRENCIES = new Set(Intl.supportedValuesOf('currency'))

/** Only addresses that a browser may be sent to. */
export const url = z.url({ protocol: /^https?$/, error: 'Not a valid URL' })

export const metadata = z
  .record(z.string().max(40, 'Metadata keys have at most 40 characters.'), z.string().max(500))
  .refine((entries) => Object.keys(entries).length <= MAX_METADATA_KEYS, 'Metadata has at most 50 keys.')
  .transform((entries) => ({ ...entries }))

/** `metadata=` with nothing behind it clears all of it. */
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

/** What every list takes. */
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

/** What changes of the kept metadata: an empty value takes its key away, no value at all takes everything. */
export function mergeMetadata(
  kept: Record<string, string>,
  change: Record<string, string> | null | undefined,
): Record<string, string> {
  if (change === null) return {}
  return Object.fromEntries(Object.entries({ ...kept, ...change }).filter(([, value]) => value !== ''))
}

/** The parameters of a call, or the refusal that names the first that is wrong. */
export function parseParams<Schema extends z.ZodType>(schema: Schema, form: Form): z.output<Schema> {
  const parsed = schema.safeParse(form)
  if (parsed.success) return parsed.data
  throw toApiError(innermostIssue(parsed.error.issues[0]), form)
}

type Issue = z.core.$ZodIssue | undefined

/** Of a value that could have had several shapes, what is wrong with the shape that came nearest. */
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
