import { fork } from 'node:child_process'
import { once } from 'node:events'

/** One for each core. */
const PROCESSES = 2

/**
 * Runs a module in a separate process for each task, to use all cores and to clean up anything a task leaves
 * running. The module replies with {@link runAsWorker}. `onExit` returns the result of a process that ended without
 * a reply.
 */
export async function runInProcesses<Task, Result>(
  module: string,
  tasks: readonly Task[],
  onExit: (task: Task) => Result,
): Promise<Result[]> {
  const results: Result[] = []
  const queue = tasks.entries()
  const work = async () => {
    for (const [index, task] of queue) results[index] = await runInProcess(module, task, onExit)
  }
  await Promise.all(Array.from({ length: PROCESSES }, work))
  return results
}

async function runInProcess<Task, Result>(
  module: string,
  task: Task,
  onExit: (task: Task) => Result,
): Promise<Result> {
  const child = fork(module, [JSON.stringify(task)])
  const exited = once(child, 'exit').then(() => [onExit(task)])
  const [result] = await Promise.race([once(child, 'message'), exited])
  child.kill()
  await exited
  return result
}

/** Runs the task of this process and sends its result to the parent, which ends the process. */
export async function runAsWorker<Task, Result>(work: (task: Task) => Promise<Result>): Promise<void> {
  process.on('disconnect', () => process.exit())
  process.send?.(await work(JSON.parse(process.argv[2] ?? '')))
}
