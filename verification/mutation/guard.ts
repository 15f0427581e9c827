/** A piece of text to take out of a file, and what stands there then. */
export interface Edit {
  /** From the top of the project. */
  file: string
  /** Occurs exactly once in the file. */
  take: string
  put: string
}

/** Where the test stands that must fail: the name of its file, and a part of its title. */
export interface Place {
  file: string
  test: string
}

/** Something that keeps the product right, and that a test must miss when it is gone. */
export interface Guard {
  /** What it sees to, in words. */
  what: string
  edits: Edit[]
  noticedBy: Place
}

/** The text without the guard. Says so when the list no longer fits the file. */
export function without(text: string, { file, take, put }: Edit): string {
  const [before, after, ...more] = text.split(take)
  if (before === undefined || after === undefined || more.length > 0) {
    const times = after === undefined ? 'nowhere' : `${more.length + 1} times`
    throw new OutOfDate(`${file} has ${times} what the list of guards looks for: ${JSON.stringify(take)}`)
  }
  return before + put + after
}

/** The list of guards does not fit the code any more. */
export class OutOfDate extends Error {}
