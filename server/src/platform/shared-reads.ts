import type pg from 'pg'

/*
 * When many ask the same thing at the same time, one answer serves them. At most one read of a kind is under way:
 * who comes meanwhile shares the next, which begins after they asked. So nobody is given what was read before they
 * came, and whoever has just written something sees it (ADR 35).
 */

interface Line {
  /** Settles, and never fails, when the read under way has ended. */
  ended: Promise<void>
  next: Promise<unknown> | null
}

const linesOf = new WeakMap<pg.Pool, Map<string, Line>>()

/** The answer is handed to several: none of them may change it. */
export function shareRead<Answer>(
  pool: pg.Pool,
  key: string,
  read: () => Promise<Answer>,
): Promise<Readonly<Answer>> {
  const lines = linesOf.get(pool) ?? new Map<string, Line>()
  linesOf.set(pool, lines)

  const begin = () => {
    const answer = read()
    const forget = () => {
      if (!line.next) lines.delete(key)
    }
    const line: Line = { ended: answer.then(forget, forget), next: null }
    lines.set(key, line)
    return answer
  }

  const line = lines.get(key)
  if (!line) return begin()
  line.next ??= line.ended.then(begin)
  return line.next as Promise<Answer>
}
