/**
 * Ends the process also if a listener of the exit throws, as that of the readable log does when nobody reads its
 * output any more. The second call runs no listeners.
 */
export function exitProcess(code: number): never {
  try {
    process.exit(code)
  } catch {
    process.exit(code)
  }
}
