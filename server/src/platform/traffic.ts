/** Whether this process serves anybody just now. Work that can wait makes room for them. */
export interface Traffic {
  /** A request was answered. */
  note(): void
  isUnderWay(): boolean
}

/** Nobody has come for so long: then the process has time. */
const QUIET_MS = 500

export function watchTraffic(now: () => number = () => performance.now()): Traffic {
  let lastAt = Number.NEGATIVE_INFINITY
  return {
    note() {
      lastAt = now()
    },
    isUnderWay: () => now() - lastAt < QUIET_MS,
  }
}
