/** Takes turns between owners, so that nobody waits for everything that another owner has added. */
export function createFairQueue<Task>() {
  /** An owner who was served goes to the end. */
  const lines = new Map<string, Task[]>()

  return {
    get size(): number {
      return [...lines.values()].reduce((sum, line) => sum + line.length, 0)
    },
    countOf: (owner: string): number => lines.get(owner)?.length ?? 0,
    add(owner: string, task: Task): void {
      lines.set(owner, [...(lines.get(owner) ?? []), task])
    },
    /** The next task of an owner who may be served. */
    take(isServed: (owner: string) => boolean): Task | undefined {
      for (const [owner, [next, ...others]] of lines) {
        if (next === undefined || !isServed(owner)) continue
        lines.delete(owner)
        if (others.length > 0) lines.set(owner, others)
        return next
      }
      return undefined
    },
    remove(task: Task): void {
      for (const [owner, line] of lines) {
        const others = line.filter((it) => it !== task)
        if (others.length > 0) lines.set(owner, others)
        else lines.delete(owner)
      }
    },
  }
}
