import { type RefusalCode, refusals } from '@sought/contract/refusals'

export interface FieldIssue {
  path: string
  message: string
}

/**
 * More than any form's fields. Keeps the reply small if a body contains thousands of invalid values. Messages that
 * list the allowed values are long.
 */
const ISSUES_MAX = 20

interface RefusalDetails {
  issues?: FieldIssue[]
  retryAfterSeconds?: number
  /** A sentence that is more exact than that of the catalogue. */
  reason?: string | undefined
}

/** An error from the catalogue that a user can cause, as opposed to a bug. */
export class Refused extends Error {
  readonly code: RefusalCode
  readonly issues: FieldIssue[] | undefined
  readonly retryAfterSeconds: number | undefined

  readonly reason: string | undefined

  constructor(code: RefusalCode, details: RefusalDetails = {}) {
    super(refusals[code].message)
    this.code = code
    this.reason = details.reason
    this.issues = details.issues?.slice(0, ISSUES_MAX)
    this.retryAfterSeconds = details.retryAfterSeconds
  }
}

export function refuse(code: RefusalCode, details?: RefusalDetails) {
  return new Refused(code, details)
}

/** The status and body of a refusal. */
export function refusalOf({ code, issues, reason, retryAfterSeconds = 0 }: Refused) {
  const { status, message } = refusals[code]
  const isLong = code === 'too_many' && retryAfterSeconds > FEW_MINUTES_SECONDS
  const sentence = reason ?? (isLong ? inHours(retryAfterSeconds) : message)
  return { status, body: { code, message: sentence, ...(issues && { issues }) } }
}

const FEW_MINUTES_SECONDS = 15 * 60
const HOUR_SECONDS = 3600

function inHours(seconds: number): string {
  const hours = Math.ceil(seconds / HOUR_SECONDS)
  return `Too many attempts. Please try again in ${hours === 1 ? 'an hour' : `${hours} hours`}.`
}
