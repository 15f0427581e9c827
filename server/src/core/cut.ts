/** Counts whole characters, so that none is cut in half. */
export function cut(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text
  const kept: string[] = []
  let left = maxLength - 1
  for (const character of text) {
    if (character.length > left) break
    kept.push(character)
    left -= character.length
  }
  return `${kept.join('')}…`
}
