const ALPHABETS = [
  'abcdefghijklmnopqrstuvwxyz',
  'абвгдежзийклмнопрстуфхцчшщъыьэюя',
  'αβγδεζηθικλμνξοπρστυφχψω',
]

/** Shorter words and numbers are left as they are: one letter more or less makes another word of them. */
const MAY_BE_MISSPELT = /^\p{L}{4,24}$/u

/** Every word that one slip of the hand turns into this one: a letter too many, too few, wrong, or swapped. */
export function nearSpellings(word: string): string[] {
  if (!MAY_BE_MISSPELT.test(word)) return []
  const alphabets = ALPHABETS.filter((alphabet) => [...word].some((letter) => alphabet.includes(letter)))
  const letters = alphabets.join('')
  const near = new Set<string>()
  for (let at = 0; at <= word.length; at++) {
    const [head, tail] = [word.slice(0, at), word.slice(at)]
    near.add(head + tail.slice(1))
    near.add(head + tail.slice(1, 2) + tail.slice(0, 1) + tail.slice(2))
    for (const letter of letters) {
      near.add(head + letter + tail)
      near.add(head + letter + tail.slice(1))
    }
  }
  near.delete(word)
  return [...near]
}
