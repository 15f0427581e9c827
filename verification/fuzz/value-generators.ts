import fc from 'fast-check'
import type * as z from 'zod/mini'
import { allHostileTexts } from './hostile-texts.ts'

/*
 * Values generated from the schemas of the contract: valid ones, boundary values, and unrelated ones. New calls are
 * covered without further work.
 */

/** Existing values by field name, so that requests refer to real data. */
export type KnownValues = Record<string, readonly unknown[]>

type Schema = z.ZodMiniType

interface Bounds {
  least: number
  most: number
  pattern: RegExp | undefined
  whole: boolean
}

const LONG = 1_000

/** The limits that the checks of a schema set. */
function boundsOf(schema: Schema): Bounds {
  const bounds: Bounds = { least: 0, most: LONG, pattern: undefined, whole: false }
  const { def } = schema._zod as { def: z.core.$ZodTypeDef & { check?: string } }
  const checks = [...(def.checks ?? []).map((check) => check._zod.def), def] as unknown as Record<
    string,
    unknown
  >[]
  for (const check of checks) {
    const step = check.inclusive ? 0 : 1
    if (check.check === 'min_length') bounds.least = Number(check.minimum)
    if (check.check === 'max_length') bounds.most = Number(check.maximum)
    if (check.check === 'greater_than') bounds.least = Number(check.value) + step
    if (check.check === 'less_than') bounds.most = Number(check.value) - step
    if (check.check === 'number_format') bounds.whole = true
    if (check.pattern instanceof RegExp) bounds.pattern = check.pattern
  }
  return bounds
}

/** The kinds of schemas that the contract uses. */
type Definition =
  | { type: 'object'; shape: Record<string, Schema> }
  | { type: 'optional' | 'default' | 'nullable'; innerType: Schema }
  | { type: 'pipe'; in: Schema }
  | { type: 'array'; element: Schema }
  | { type: 'union'; options: Schema[] }
  | { type: 'literal'; values: unknown[] }
  | { type: 'enum'; entries: Record<string, unknown> }
  | { type: 'string' | 'number' | 'boolean' }

const definitionOf = (schema: Schema) => schema._zod.def as unknown as Definition

/** The fields of an object schema. */
export function fieldsOf(schema: Schema): Record<string, Schema> {
  const definition = definitionOf(schema)
  return definition.type === 'object' ? definition.shape : {}
}

/** Whether the field accepts free text. */
export function isText(schema: Schema): boolean {
  const definition = definitionOf(schema)
  if ('innerType' in definition) return isText(definition.innerType)
  if (definition.type === 'union') return definition.options.some(isText)
  return definition.type === 'string'
}

const mayBeMissing = (schema: Schema) => schema._zod.optin === 'optional'

/** A valid value; mostly an existing one if the field name is known. */
export function validValue(schema: Schema, known: KnownValues, name = ''): fc.Arbitrary<unknown> {
  const made = validOfType(schema, known)
  const values = (known[name] ?? [])
    .map((value) => asInput(schema, value))
    .filter((value) => fits(schema, value))
  return values.length === 0
    ? made
    : fc.oneof({ weight: 8, arbitrary: fc.constantFrom(...values) }, { weight: 1, arbitrary: made })
}

const fits = (schema: Schema, value: unknown) => schema.safeParse(value).success

/** Ids are strings in a path or a query. */
const asInput = (schema: Schema, value: unknown) => (fits(schema, value) ? value : String(value))

function validObject(shape: Record<string, Schema>, known: KnownValues): fc.Arbitrary<unknown> {
  const fields = Object.entries(shape)
  const requiredKeys = fields.filter(([, field]) => !mayBeMissing(field)).map(([name]) => name)
  const values = Object.fromEntries(fields.map(([name, field]) => [name, validValue(field, known, name)]))
  return fc.record(values, { requiredKeys, noNullPrototype: true })
}

function validOfType(schema: Schema, known: KnownValues): fc.Arbitrary<unknown> {
  const definition = definitionOf(schema)
  switch (definition.type) {
    case 'optional':
    case 'default':
      return validOfType(definition.innerType, known)
    case 'nullable':
      return fc.option(validOfType(definition.innerType, known), { nil: null })
    case 'pipe':
      return validOfType(definition.in, known).filter((value) => fits(schema, value))
    case 'array':
      return fc.array(validValue(definition.element, known), { maxLength: 6 })
    case 'union':
      return fc.oneof(...definition.options.map((option) => validOfType(option, known)))
    case 'literal':
      return fc.constantFrom(...definition.values)
    case 'enum':
      return fc.constantFrom(...Object.values(definition.entries))
    case 'boolean':
      return fc.boolean()
    case 'number':
      return validNumber(boundsOf(schema))
    case 'string':
      return validText(schema, boundsOf(schema))
    case 'object':
      return validObject(definition.shape, known)
  }
}

function validNumber({ least, most, whole }: Bounds): fc.Arbitrary<number> {
  const max = Math.max(least, most)
  if (whole) return fc.integer({ min: least, max })
  return fc.integer({ min: least * 100, max: max * 100 }).map((cents) => cents / 100)
}

function validText(schema: Schema, { least, most, pattern }: Bounds): fc.Arbitrary<string> {
  if (pattern) return textLike(pattern, schema)
  if (isUrl(schema)) return fc.constantFrom(...samplesOf(schema))
  const short = fc.string({ unit: 'grapheme', minLength: Math.max(1, least), maxLength: Math.min(most, 60) })
  return fc
    .oneof({ weight: 6, arbitrary: short }, { weight: 1, arbitrary: fc.constant('x'.repeat(most)) })
    .filter((text) => fits(schema, text))
}

/** For patterns with lookaround, which fast-check does not support, and for URLs, which random texts never are. */
const SAMPLES = [
  '/',
  '/item/7',
  '/messages?itemId=7',
  'ada@example.com',
  'o.b+c@d-e.example',
  'https://push.example/send/7',
]

const samplesOf = (schema: Schema) => SAMPLES.filter((text) => fits(schema, text))

const isUrl = (schema: Schema) => 'format' in schema._zod.def && schema._zod.def.format === 'url'

function textLike(pattern: RegExp, schema: Schema): fc.Arbitrary<string> {
  if (/\(\?[=!<]/.test(pattern.source)) return fc.constantFrom(...samplesOf(schema))
  return fc.stringMatching(new RegExp(pattern.source)).filter((text) => fits(schema, text))
}

const INTEGERS = [0, -0, 1, -1, 2 ** 31 - 1, 2 ** 31, 2 ** 32, 2 ** 53, 2 ** 63, 1e21, 1e308, -1e308]
const FRACTIONS = [0.1, 1.005, 0.001, 1e-9, 5e-324, 19.999999999, 4.35]

/** A value at a limit, or just beyond it. */
export function boundaryValue(schema: Schema): fc.Arbitrary<unknown> {
  const definition = definitionOf(schema)
  if ('innerType' in definition)
    return fc.oneof(fc.constantFrom(null, ''), boundaryValue(definition.innerType))
  if (definition.type === 'pipe') return boundaryValue(definition.in)
  const { least, most } = boundsOf(schema)
  switch (definition.type) {
    case 'string':
      return fc.oneof(
        fc.constantFrom(least - 1, least, most, most + 1).chain(textOfLength),
        fc.constantFrom(
          ' ',
          '\t\n',
          ' x ',
          '\u00a0',
          '\ufeff',
          '2147483647',
          '2147483648',
          '01',
          '+1',
          '1.0',
        ),
        fc.constantFrom(...allHostileTexts),
      )
    case 'number':
      return fc.constantFrom(
        least - 1,
        least,
        most,
        most + 1,
        least - 0.01,
        most + 0.01,
        ...INTEGERS,
        ...FRACTIONS,
      )
    case 'enum':
      return fc.constantFrom(
        ...Object.values(definition.entries).flatMap((value) => [
          value,
          `${value} `,
          String(value).toUpperCase(),
        ]),
      )
    case 'array':
      return fc.oneof(
        fc.array(validValue(definition.element, {}), { minLength: 100, maxLength: 2_000, size: 'max' }),
        fc.constantFrom('x', null, 7).map((element) => Array(30_000).fill(element)),
      )
    default:
      return anything
  }
}

/** A text of this length, of one-byte, multi-byte or combining characters. */
const textOfLength = (length: number) =>
  fc
    .constantFrom('x', '\u20ac', '\u{1f600}', 'x ', 'e\u0301')
    .map((unit) => unit.repeat(Math.ceil(Math.max(0, length) / unit.length)).slice(0, Math.max(0, length)))

const nestValue = (depth: number, inside: unknown): unknown => {
  let nested = inside
  for (let level = 0; level < depth; level++) nested = level % 2 ? [nested] : { nested }
  return nested
}

/** A value that has nothing to do with the schema. */
export const anything: fc.Arbitrary<unknown> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom(null, true, false, 0, -1, 1.5, '', [], {}, [[]], [null], { id: 1 }),
  },
  { weight: 4, arbitrary: fc.constantFrom(...allHostileTexts) },
  { weight: 2, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
  { weight: 1, arbitrary: fc.constantFrom(...INTEGERS, ...FRACTIONS) },
  { weight: 1, arbitrary: fc.constantFrom(20, 500, 1_500).map((depth) => nestValue(depth, 'x')) },
  { weight: 1, arbitrary: fc.constantFrom(10_000, 100_000, 300_000).map((length) => 'y'.repeat(length)) },
)
