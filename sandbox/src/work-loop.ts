export interface WorkLoop {
  /** There may be something to do. */
  wake(): void
  stop(): Promise<void>
}

interface Options {
  /** Does one thing, if there is one to do. */
  doNext(signal: AbortSignal): Promise<boolean>
  atOnce: number
  pollMs: number
  onError(error: unknown): void
}

/**
 * Does what there is to do, several things at once, whenever it is woken and every so often besides: other
 * processes make work without telling us, and things fall due by themselves.
 */
export function startWorkLoop({ doNext, atOnce, pollMs, onError }: Options): WorkLoop {
  const stopping = new AbortController()
  const runs = new Set<Promise<void>>()
  let wokenMeanwhile = false

  const wake = () => {
    if (stopping.signal.aborted) return
    if (runs.size >= atOnce) {
      wokenMeanwhile = true
      return
    }
    const run = work().finally(() => {
      runs.delete(run)
      if (!wokenMeanwhile) return
      wokenMeanwhile = false
      wake()
    })
    runs.add(run)
  }

  const work = async () => {
    try {
      while (!stopping.signal.aborted && (await doNext(stopping.signal))) {
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
