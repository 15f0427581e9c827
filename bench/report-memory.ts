/* Preloaded into a server with --expose-gc: reports its memory without garbage when the parent process asks. */
process.on('message', (message) => {
  if (message !== 'memory') return
  globalThis.gc?.()
  const { heapUsed, external } = process.memoryUsage()
  process.send?.(heapUsed + external)
})
