/** Thrown if something did not answer within its limit. */
export class NoAnswer extends Error {
  constructor() {
    super('no answer in time')
  }
}

/** Rejects with `NoAnswer` after the limit. The work itself goes on, so it needs a limit of its own. */
export async function inTime<Result>(work: Promise<Result>, limitMs: number): Promise<Result> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new NoAnswer()), limitMs)
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
