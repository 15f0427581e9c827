import { fork } from 'node:child_process'
import { once } from 'node:events'

/** Each keeps a core busy. */
const PROCESSES = 2

/**
 * Does each piece of work in a process of its own, which runs the module and answers with {@link answer}, so that both
 * cores are used and whatever a piece leaves running is gone with it. Gives `died` of a process without an answer.
 */
export async function doApart<Piece, Result>(
  module: string,
  pieces: readonly Piece[],
  died: (piece: Piece) => Result,
): Promise<Result[]> {
  const results: Result[] = []
  const left = pieces.entries()
  const goOn = async () => {
    for (const [index, piece] of left) results[index] = await inProcessOfItsOwn(module, piece, died)
  }
  await Promise.all(Array.from({ length: PROCESSES }, goOn))
  return results
}

async function inProcessOfItsOwn<Piece, Result>(
  module: string,
  piece: Piece,
  died: (piece: Piece) => Result,
): Promise<Result> {
  const child = fork(module, [JSON.stringify(piece)])
  const ended = once(child, 'exit').then(() => [died(piece)])
  const [result] = await Promise.race([once(child, 'message'), ended])
  child.kill()
  await ended
  return result
}

/** What such a process does: the piece that it was given, and then it waits for its end. */
export async function answer<Piece, Result>(work: (piece: Piece) => Promise<Result>): Promise<void> {
  process.on('disconnect', () => process.exit())
  process.send?.(await work(JSON.parse(process.argv[2] ?? '')))
}
