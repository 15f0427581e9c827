/*
 * Long numbers are easier to check in groups. The characters that a person types are significant; what is
 * set between them is not, and must never get in the way of the caret.
 */

export interface GroupedText {
  text: string
  /** Where the caret belongs in it. */
  caret: number
}

export interface Edit {
  before: string
  after: string
  caret: number
  /** The key that takes away what stands before the caret. */
  isBackspace: boolean
}

const isSignificant = (character: string) => /[0-9a-z]/i.test(character)

export const significant = (text: string): string => [...text].filter(isSignificant).join('')

/** What stands in the field after an edit, grouped again, with the caret behind the same character as before. */
export function regroup(
  { before, after, caret, isBackspace }: Edit,
  group: (text: string) => string,
): GroupedText {
  let kept = significant(after)
  let passed = significant(after.slice(0, caret)).length
  // Only a separator was taken away, which grouping would put back: the character before it is meant.
  if (isBackspace && kept === significant(before) && after.length < before.length && passed > 0) {
    kept = kept.slice(0, passed - 1) + kept.slice(passed)
    passed -= 1
  }
  const text = group(kept)
  return { text, caret: placeAfter(text, passed, caret === after.length && !isBackspace) }
}

/** Behind so many significant characters; at the very end for whoever types on there. */
function placeAfter(text: string, count: number, atEnd: boolean): number {
  if (atEnd) return text.length
  let seen = 0
  for (let index = 0; index < text.length; index += 1) {
    if (seen === count) return index
    if (isSignificant(text.charAt(index))) seen += 1
  }
  return text.length
}

/** Sets spaces after each group of these sizes; the last size repeats. */
export function formatInGroups(text: string, ...sizes: [number, ...number[]]): string {
  const groups: string[] = []
  let rest = text
  while (rest.length > 0) {
    const size = sizes[Math.min(groups.length, sizes.length - 1)] ?? rest.length
    groups.push(rest.slice(0, size))
    rest = rest.slice(size)
  }
  return groups.join(' ')
}
