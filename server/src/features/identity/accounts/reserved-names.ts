import { refuse } from '../../../core/errors.ts'
import { foldText, listSpellings } from '../../../core/normalize-text.ts'
import type { Tx } from '../../../database/database.ts'
import { findSettings } from '../../../database/market-settings.ts'

interface Name {
  firstName: string | null
  lastName: string | null
}

/** Signs that look like the mark of a verified account. */
const BADGE =
  /[\u221a\u2605\u2606\u2610-\u2612\u2705\u2713\u2714\u2b50\u{1f396}\u{1f530}\u{1f5f8}\u{1f5f9}\u{1f6e1}]/u
/** A name with one of these words and no word of its own belongs to our team, such as Support Team. */
const ROLES = [
  'admin',
  'administrator',
  'moderator',
  'moderators',
  'support',
  'staff',
  'official',
  'helpdesk',
]
const FILLERS = [
  'the',
  'a',
  'of',
  'our',
  'and',
  'your',
  'team',
  'service',
  'customer',
  'customers',
  'account',
  'help',
]
const SUBJECTS = [
  'desk',
  'center',
  'centre',
  'trust',
  'safety',
  'security',
  'payment',
  'payments',
  'escrow',
  'refunds',
]
const OFFICIAL = new Set([...ROLES, ...FILLERS, ...SUBJECTS])

/** Whether people could mistake the name for our team. */
export function isReservedName({ firstName, lastName }: Name, marketName: string): boolean {
  const name = `${firstName ?? ''} ${lastName ?? ''}`
  if (BADGE.test(name)) return true
  const market = wordsOf(foldText(marketName))
  return listSpellings(foldText(name))
    .split('\n')
    .map(wordsOf)
    .some((words) => containsWords(words, market) || isRole(words) || joinsThem(words, market))
}

const wordsOf = (text: string): string[] => text.match(/[\p{L}\d]+/gu) ?? []

const containsWords = (words: string[], part: string[]) =>
  part.length > 0 && ` ${words.join(' ')} `.includes(` ${part.join(' ')} `)

const isRole = (words: string[]) =>
  words.some((word) => ROLES.includes(word)) && words.every((word) => OFFICIAL.has(word))

/** Such as SoughtSupport. */
function joinsThem(words: string[], market: string[]): boolean {
  const [name, brand] = [words.join(''), market.join('')]
  return brand !== '' && name.includes(brand) && ROLES.some((role) => name.replace(brand, '').includes(role))
}

/** Refuses a name that belongs to our team. */
export async function requireOwnName(tx: Tx, name: Name): Promise<void> {
  if (!isReservedName(name, (await findSettings(tx)).name)) return
  const message = 'Please use your own name. People could mistake this one for our team.'
  throw refuse('invalid', { issues: [{ path: 'firstName', message }] })
}

/** Google decides the name of its users, so a reserved one is replaced. */
export async function replaceReservedName<Named extends Name>(tx: Tx, named: Named): Promise<Named> {
  if (!isReservedName(named, (await findSettings(tx)).name)) return named
  return { ...named, firstName: 'Member', lastName: null }
}
