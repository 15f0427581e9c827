/*
 * Undoes the spellings that hide a word from a filter: look-alike letters, invisible characters, letters with spaces
 * between them and digits instead of letters.
 */

/** Letters of other scripts that look like Latin letters. */
const LOOK_ALIKES: Record<string, string> = Object.fromEntries(
  [
    ...['аa', 'вb', 'еe', 'ёe', 'кk', 'мm', 'нh', 'оo', 'рp', 'сc', 'тt', 'уy', 'хx', 'ѕs', 'іi', 'їi', 'јj'],
    ...['ԁd', 'ɡg', 'һh', 'ӏl', 'ԛq', 'ԝw', 'ѵv', 'ɩi', 'ıi', 'ɑa', 'ʟl', 'ℓl'],
    ...['αa', 'βb', 'εe', 'ηn', 'ιi', 'κk', 'νv', 'οo', 'ρp', 'τt', 'υu', 'χx', 'γy', 'ωw', 'ςs'],
  ].map(([look = '', latin = '']) => [look, latin]),
)
const LOOK_ALIKE = new RegExp(`[${Object.keys(LOOK_ALIKES).join('')}]`, 'gu')

/** Lower case, without accents and invisible characters, in Latin letters. */
export function foldText(text: string): string {
  return (
    text
      .normalize('NFKC')
      // A capital I that looks like a lower-case l, as in PayPaI.
      .replace(/(?<=\p{Ll})I/gu, 'l')
      .toLowerCase()
      .replace(/ß/g, 'ss')
      .normalize('NFKD')
      .replace(/[\p{M}\p{Cf}]/gu, '')
      .replace(LOOK_ALIKE, (letter) => LOOK_ALIKES[letter] ?? letter)
      .replace(/[’‘`´]/g, "'")
      .replace(/[^\S\n]+/g, ' ')
  )
}

/** Four or more single letters with separators between them. */
const SPACED_OUT = /(?<![a-z\d])[a-z\d@$](?:[ ._*|/-]{1,2}[a-z\d@$]){3,}(?![a-z\d])/g
const joinLetters = (text: string) =>
  text.replace(SPACED_OUT, (word) => (/[a-z]/.test(word) ? word.replace(/[ ._*|/-]/g, '') : word))

const DIGITS_AS_LETTERS: Record<string, string> = {
  '0': 'o',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
}
/** Letters mixed with digits or signs, but not a number with a unit. */
const MIXED_WORD = /(?<![a-z\d@$!])[a-z]{1,20}[\d@$!]{1,2}[a-z][a-z\d@$!]{0,20}/g
const readDigits = (text: string, one: string) =>
  text.replace(MIXED_WORD, (word) =>
    word.replace(/[\d@$!]/g, (sign) => (sign === '1' ? one : (DIGITS_AS_LETTERS[sign] ?? sign))),
  )

/** All readings of the text, one after the other, to search for words. */
export function listSpellings(folded: string): string {
  const joined = joinLetters(folded)
  return [...new Set([folded, joined, readDigits(joined, 'l'), readDigits(joined, 'i')])].join('\n')
}
