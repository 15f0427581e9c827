import * as z from 'zod/mini'
import { EMAIL_MAX_LENGTH, NAME_MAX_LENGTH, PASSWORD_MAX_LENGTH, PASSWORD_MIN_LENGTH } from './constants.ts'

/** The largest value of a PostgreSQL integer, the type of ids. */
export const INTEGER_MAX = 2_147_483_647

/** PostgreSQL cannot store U+0000 or lone surrogates. Text with them would be changed. */
export const mustBeStorable = z.refine<string>(
  (text) => !text.includes('\u0000') && text.isWellFormed(),
  'Contains a character that cannot be stored',
)

const rangeMessage = (max: number) => `Must be a whole number between 1 and ${max}`

/** A whole number from 1 to `max`. */
function wholeNumber(max: number) {
  const error = rangeMessage(max)
  return z.int({ error, abort: true }).check(z.gte(1, error), z.lte(max, error))
}

/** The same in a path or a query string, with decimal digits only. */
function wholeNumberText(max: number) {
  const error = rangeMessage(max)
  return z.pipe(
    z.pipe(z.string(error).check(z.regex(/^[1-9]\d*$/, error)), z.transform(Number)),
    wholeNumber(max),
  )
}

export const Id = wholeNumber(INTEGER_MAX)
export const PathId = wholeNumberText(INTEGER_MAX)

/** Idempotency key that the browser creates, so that a retry happens once. */
export const ClientId = z.string().check(z.regex(/^[\w-]{8,64}$/))

/**
 * The rank of an entry in a list where entries that wait for the user come first: the id, plus 2^31 if the entry
 * waits. The rank of the last entry on a page is the cursor of the next page.
 */
export const Rank = wholeNumber(2 * INTEGER_MAX + 1)
export const RankCursor = wholeNumberText(2 * INTEGER_MAX + 1)

/** Ids in a query string, separated by commas. */
export const idList = (max: number) =>
  z.pipe(
    z.pipe(
      z.string(),
      z.transform((ids) => ids.split(',')),
    ),
    z.array(PathId).check(z.maxLength(max)),
  )

/** The `limit` of a list in a query string. */
export const pageLimit = (defaultLimit: number, max: number) => z._default(wholeNumberText(max), defaultLimit)

/** The largest amount that the provider takes in any currency. */
export const AMOUNT_MAX = 999_999_999_999

/** In the smallest unit of its currency, like all amounts. */
export const Amount = wholeNumber(AMOUNT_MAX)

/** ISO 8601 in UTC. Handlers return a Date; the brand lets the types accept it. */
export const Timestamp = z.iso.datetime().brand<'Timestamp'>()
export type Timestamp = z.output<typeof Timestamp>

/** Users could neither see nor click a text that consists of invisible characters. */
export const isVisible = (text: string) => /[^\p{Default_Ignorable_Code_Point}\p{Cc}\p{Z}]/u.test(text)

/** Required text: trimmed, with at least one visible character. */
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

/** A path on this site to return to. Rejects anything that a browser could read as another site. */
export const ReturnTo = z.string().check(z.maxLength(2000), z.regex(/^\/(?![/\\])[!-[\]-~]*$/))

export const TRANSFER_REFERENCE_MAX_LENGTH = 200

/** A transfer that an admin made at the bank. */
export const BankTransfer = z.object({
  reference: text(TRANSFER_REFERENCE_MAX_LENGTH, 'Please enter the reference of the transfer'),
})

/** The reply of a call that returns no data. */
export const Done = z.object({ ok: z.literal(true) })
