export interface Worker {
  /** There may be something to do. */
  wake(): void
  stop(): Promise<void>
}

interface Options {
  /** Does one thing, if there is one to do. */
  runNext(signal: AbortSignal): Promise<boolean>
  concurrency: number
  pollMs: number
  onError(error: unknown): void
}

/**
 * Does what there is to do, several things at once, whenever it is woken and every so often besides: other
 * processes make work without telling us, and things fall due by themselves.
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
        // Where there was one there may be more: somebody else can begin on it.
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
