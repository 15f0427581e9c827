import * as z from 'zod/mini'
import { EMAIL_MAX_LENGTH, NAME_MAX_LENGTH, PASSWORD_MAX_LENGTH, PASSWORD_MIN_LENGTH } from './constants.ts'

/** The largest value of PostgreSQL's integer, which ids and cents are stored in. */
const INTEGER_MAX = 2_147_483_647

/** PostgreSQL stores neither U+0000 nor half of a character: no text may hold them, or it would come back as another. */
export const mustBeStorable = z.refine<string>(
  (text) => !text.includes('\u0000') && text.isWellFormed(),
  'Contains a character that cannot be stored',
)

export const Id = z.int().check(z.positive(), z.lte(INTEGER_MAX))

/** An id as it stands in a path or a query: decimal digits and nothing else. */
export const PathId = z.pipe(
  z.pipe(z.string().check(z.regex(/^[1-9]\d{0,9}$/, 'Must be a whole number')), z.transform(Number)),
  Id,
)

/** How many of a list to answer with, as it stands in a query. */
export const pageLimit = (usual: number, most: number) =>
  z._default(
    z.pipe(
      z.pipe(z.string().check(z.regex(/^\d{1,3}$/, 'Must be a whole number')), z.transform(Number)),
      z.int().check(z.gte(1), z.lte(most)),
    ),
    usual,
  )

export const Cents = z.int().check(z.positive(), z.lte(INTEGER_MAX))

/** A moment, as ISO 8601 in UTC. The server hands over a Date; the brand is how the types know. */
export const Timestamp = z.iso.datetime().brand<'Timestamp'>()
export type Timestamp = z.output<typeof Timestamp>

/** Only signs that take no room are no text: nobody could see it, or press it. */
const isVisible = (text: string) => /[^\p{Default_Ignorable_Code_Point}\p{Cc}\p{Z}]/u.test(text)

/** Text that a person must fill in: trimmed, at least one character, and one that can be seen. */
export function text(maxLength: number, missing = 'Required') {
  return z.string().check(
    mustBeStorable,
    z.trim(),
    z.minLength(1, missing),
    z.refine((text) => text === '' || isVisible(text), missing),
    z.maxLength(maxLength, `Must be at most ${maxLength} characters`),
  )
}

/** Text that may be left empty. */
export function optionalText(maxLength: number, tooLong = `Must be at most ${maxLength} characters`) {
  return z.string().check(mustBeStorable, z.trim(), z.maxLength(maxLength, tooLong))
}

export const UserId = z.string().check(mustBeStorable, z.minLength(1), z.maxLength(100))

export const Email = z
  .string()
  .check(
    z.trim(),
    z.toLowerCase(),
    z.maxLength(EMAIL_MAX_LENGTH, 'Invalid email address'),
    z.email('Invalid email address'),
  )

export const NewPassword = z
  .string()
  .check(
    z.minLength(PASSWORD_MIN_LENGTH, 'Password must be at least 6 characters long'),
    z.maxLength(PASSWORD_MAX_LENGTH, `Password must be at most ${PASSWORD_MAX_LENGTH} characters long`),
  )

export const FirstName = text(NAME_MAX_LENGTH, 'First name is required')
export const LastName = text(NAME_MAX_LENGTH, 'Last name is required')

/** A path on this site to go back to. Anything that could lead elsewhere is not one. */
export const ReturnTo = z.string().check(z.maxLength(2000), z.regex(/^\/(?![/\\])[!-[\]-~]*$/))

/** What a call answers when there is nothing to say but that it was done. */
export const Done = z.object({ ok: z.literal(true) })
