/** The policy's promises to both parties of a dispute (ADR 85). */
const FIRST_ANSWER_HOURS = 24
const RULING_BUSINESS_DAYS = 7
/** How long a party can appeal against an admin's ruling. */
const APPEAL_DAYS = 7

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

interface DisputeProgress {
  openedAt: Date
  /** When an admin first answered. */
  firstStepAt: Date | null
  endedAt: Date | null
}

export function firstAnswerDue(openedAt: Date): Date {
  return new Date(openedAt.getTime() + FIRST_ANSWER_HOURS * HOUR_MS)
}

/** The same time of day, seven business days later. Business days are Monday to Friday in UTC. */
export function rulingDue(openedAt: Date): Date {
  const due = new Date(openedAt)
  for (let left = RULING_BUSINESS_DAYS; left > 0; ) {
    due.setUTCDate(due.getUTCDate() + 1)
    if (isBusinessDay(due)) left -= 1
  }
  return due
}

function isBusinessDay(date: Date): boolean {
  const weekday = date.getUTCDay()
  return weekday !== 0 && weekday !== 6
}

/** The next promised time: the first answer, then the ruling. Null once the dispute has ended. */
export function nextDue({ openedAt, firstStepAt, endedAt }: DisputeProgress): Date | null {
  if (endedAt) return null
  return firstStepAt ? rulingDue(openedAt) : firstAnswerDue(openedAt)
}

/** The last moment for an appeal. */
export function appealUntil(ruledAt: Date): Date {
  return new Date(ruledAt.getTime() + APPEAL_DAYS * DAY_MS)
}
