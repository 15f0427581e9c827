/**
 * Ends the process even if an exit listener throws, as the readable log's does when its output is closed. The
 * second call runs no listeners.
 */
export function exitProcess(code: number): never {
  try {
    process.exit(code)
  } catch {
    process.exit(code)
  }
}
