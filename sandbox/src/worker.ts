export interface Worker {
  /** Call when there may be new work. */
  wake(): void
  stop(): Promise<void>
}

interface Options {
  /** Processes one item. Returns false if there is none. */
  runNext(signal: AbortSignal): Promise<boolean>
  concurrency: number
  pollMs: number
  onError(error: unknown): void
}

/**
 * Runs work concurrently when woken. Also polls, because other processes add work without waking this one and
 * because items become due over time.
 */
export function startWorker({ runNext, concurrency, pollMs, onError }: Options): Worker {
  const stopping = new AbortController()
  const runs = new Set<Promise<void>>()
  let wasWoken = false

  const wake = () => {
    if (stopping.signal.aborted) return
    if (runs.size >= concurrency) {
      wasWoken = true
      return
    }
    const run = work().finally(() => {
      runs.delete(run)
      if (!wasWoken) return
      wasWoken = false
      wake()
    })
    runs.add(run)
  }

  const work = async () => {
    try {
      while (!stopping.signal.aborted && (await runNext(stopping.signal))) {
        // There may be more work, so start another run.
        wake()
      }
    } catch (error) {
      if (!stopping.signal.aborted) onError(error)
    }
  }

  const poll = setInterval(wake, pollMs)
  poll.unref()
  wake()
  return {
    wake,
    async stop() {
      clearInterval(poll)
      stopping.abort()
      await Promise.all(runs)
    },
  }
}
