import { describe, expect, test } from 'vitest'
import type * as z from 'zod/mini'
import { Id, PathId, pageLimit } from './fields.ts'

/** The parsed value, or the messages of a refusal. */
function parse(schema: z.ZodMiniType, value: unknown): unknown {
  const parsed = schema.safeParse(value)
  return parsed.success ? parsed.data : parsed.error.issues.map(({ message }) => message)
}

describe('a page limit', () => {
  const limit = pageLimit(50, 100)

  test.each([
    ['1', 1],
    ['100', 100],
    [undefined, 50],
  ])('%j is %i', (value, expected) => {
    expect(parse(limit, value)).toBe(expected)
  })

  test.each(['0', '101', '1000', '-1', '1.5', 'ten', '', [['1', '2']]])(
    '%j is refused with the range',
    (value) => {
      expect(parse(limit, value)).toEqual(['Must be a whole number between 1 and 100'])
    },
  )
})

describe('an id', () => {
  const refusal = ['Must be a whole number between 1 and 2147483647']

  test.each(['0', '007', '2147483648', '99999999999', '9'.repeat(400), '1e3', 'abc'])(
    '%j in a path is refused with the range',
    (value) => {
      expect(parse(PathId, value)).toEqual(refusal)
    },
  )

  test.each([0, -1, 1.5, 2_147_483_648, 1e300, '7', null])(
    '%j in a body is refused with the range',
    (value) => {
      expect(parse(Id, value)).toEqual(refusal)
    },
  )

  test('the largest id is accepted', () => {
    expect(parse(PathId, '2147483647')).toBe(2_147_483_647)
    expect(parse(Id, 2_147_483_647)).toBe(2_147_483_647)
  })
})
