import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { KeyProblem } from './keys.ts'

/** The start of the server waits at most this long for the first answer. */
const START_WAIT_MS = 3_000
const FIRST_PAUSE_MS = 5_000
const LONGEST_PAUSE_MS = 300_000
/** Keys can be revoked while the server runs. */
const ACCEPTED_PAUSE_MS = 60_000

/** Asks the provider whether it accepts our keys: at the start, more often until it does, and then now and then. */
export interface KeyWatch {
  /** Null while the provider accepts the keys, or has not answered yet: an outage says nothing about them. */
  problem(): string | null
  /** Resolves with the first answer, or without one after a while. */
  start(): Promise<void>
  stop(): void
}

interface Options {
  ask(): Promise<KeyProblem | null>
  log: Pick<FastifyBaseLogger, 'error' | 'info' | 'warn'>
  firstPauseMs?: number
  acceptedPauseMs?: number
}

export function watchKeys({
  ask,
  log,
  firstPauseMs = FIRST_PAUSE_MS,
  acceptedPauseMs = ACCEPTED_PAUSE_MS,
}: Options): KeyWatch {
  const stopped = new AbortController()
  let problem: string | null = null

  /** Returns whether the provider accepts the keys. */
  async function check(): Promise<boolean> {
    try {
      const found = await ask()
      const before = problem
      problem = found && `${found.problem}. ${found.remedy}`
      if (problem && problem !== before)
        log.error(`card payments are not possible: ${problem} npm run stripe:doctor checks the rest.`)
      if (before && !problem) log.info('card payments are possible again: the keys are accepted')
      return !problem
    } catch (error) {
      log.warn({ err: error }, 'the card provider did not answer: the keys are checked again')
      return false
    }
  }

  async function repeat(first: Promise<boolean>): Promise<void> {
    let isAccepted = await first
    for (let pauseMs = firstPauseMs; ; ) {
      await wait(isAccepted ? acceptedPauseMs : pauseMs, undefined, { signal: stopped.signal, ref: false })
      pauseMs = isAccepted ? firstPauseMs : Math.min(2 * pauseMs, LONGEST_PAUSE_MS)
      isAccepted = await check()
    }
  }

  return {
    problem: () => problem,
    async start() {
      const first = check()
      // Rejects only when it is stopped.
      repeat(first).catch(() => {})
      await Promise.race([first, wait(START_WAIT_MS, undefined, { ref: false })])
    },
    stop: () => stopped.abort(),
  }
}
