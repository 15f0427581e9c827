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
  /** Says more than the general message of the code. */
  message?: string | undefined
}

/** An error from the catalogue that a user can cause, as opposed to a bug. */
export class Refused extends Error {
  readonly code: RefusalCode
  /** To refuse the same with another code. */
  readonly details: RefusalDetails
  readonly issues: FieldIssue[] | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(code: RefusalCode, details: RefusalDetails = {}) {
    super(details.message ?? messageOf(code, details))
    this.code = code
    this.details = details
    this.issues = details.issues?.slice(0, ISSUES_MAX)
    this.retryAfterSeconds = details.retryAfterSeconds
  }
}

export function refuse(code: RefusalCode, details?: RefusalDetails) {
  return new Refused(code, details)
}

/** Refuses a field of the body. Null if there is no problem with it. */
export function requireValid(path: string, problem: string | null): void {
  if (problem) throw refuse('invalid', { issues: [{ path, message: problem }] })
}

/** The status and body of a refusal. */
export function refusalOf({ code, message, issues }: Refused) {
  const { status } = refusals[code]
  return { status, body: { code, message, ...(issues && { issues }) } }
}

const FEW_MINUTES_SECONDS = 15 * 60
const HOUR_SECONDS = 3600

function messageOf(code: RefusalCode, { retryAfterSeconds = 0 }: RefusalDetails): string {
  if (code !== 'too_many' || retryAfterSeconds <= FEW_MINUTES_SECONDS) return refusals[code].message
  const hours = Math.ceil(retryAfterSeconds / HOUR_SECONDS)
  return `Too many attempts. Please try again in ${hours === 1 ? 'an hour' : `${hours} hours`}.`
}
