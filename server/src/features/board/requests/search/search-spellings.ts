const ALPHABETS = [
  'abcdefghijklmnopqrstuvwxyz',
  'абвгдежзийклмнопрстуфхцчшщъыьэюя',
  'αβγδεζηθικλμνξοπρστυφχψω',
]

/** Excludes short words and numbers: changing one letter turns them into another word. */
const HAS_SIMILAR_SPELLINGS = /^\p{L}{4,24}$/u

/** All words that differ by one typo: one letter added, missing, wrong or swapped. */
export function similarSpellings(word: string): string[] {
  if (!HAS_SIMILAR_SPELLINGS.test(word)) return []
  const alphabets = ALPHABETS.filter((alphabet) => [...word].some((letter) => alphabet.includes(letter)))
  const letters = alphabets.join('')
  const similar = new Set<string>()
  for (let index = 0; index <= word.length; index++) {
    const [head, tail] = [word.slice(0, index), word.slice(index)]
    similar.add(head + tail.slice(1))
    similar.add(head + tail.slice(1, 2) + tail.slice(0, 1) + tail.slice(2))
    for (const letter of letters) {
      similar.add(head + letter + tail)
      similar.add(head + letter + tail.slice(1))
    }
  }
  similar.delete(word)
  return [...similar]
}
