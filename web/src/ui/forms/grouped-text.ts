/*
 * Long numbers are easier to check in groups. Letters and digits are significant. The separators between
 * groups are added here and must not get in the way of the caret.
 */

export interface GroupedText {
  text: string
  /** The position of the caret. */
  caret: number
}

export interface Edit {
  before: string
  after: string
  caret: number
  isBackspace: boolean
}

const isSignificant = (character: string) => /[0-9a-z]/i.test(character)

export const removeSeparators = (text: string): string => [...text].filter(isSignificant).join('')

/** Groups the text again after an edit, and keeps the caret after the same character. */
export function regroup(
  { before, after, caret, isBackspace }: Edit,
  group: (text: string) => string,
): GroupedText {
  let kept = removeSeparators(after)
  let passed = removeSeparators(after.slice(0, caret)).length
  // Backspace deleted only a separator, which grouping adds again: delete the character before it instead.
  if (isBackspace && kept === removeSeparators(before) && after.length < before.length && passed > 0) {
    kept = kept.slice(0, passed - 1) + kept.slice(passed)
    passed -= 1
  }
  const text = group(kept)
  return { text, caret: placeAfter(text, passed, caret === after.length && !isBackspace) }
}

/** The position after a number of significant characters, or the end of the text. */
function placeAfter(text: string, count: number, atEnd: boolean): number {
  if (atEnd) return text.length
  let seen = 0
  for (let index = 0; index < text.length; index += 1) {
    if (seen === count) return index
    if (isSignificant(text.charAt(index))) seen += 1
  }
  return text.length
}

/** Puts a space after each group. The last size is used for all further groups. */
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
