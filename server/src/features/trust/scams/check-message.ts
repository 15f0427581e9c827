import { MARKET_NAME } from '@sought/contract/constants'
import { foldText, listSpellings } from '../../../core/normalize-text.ts'
import { FLAG_SCORE, RULES, WARN_SCORE } from './rules.ts'

interface Context {
  /** Whether the two people have a paid deal about the request. */
  isPaid: boolean
  publicUrl: string
}

/** The names of the rules that a message matches, and whether moderators should see it. */
export function checkMessage(text: string, { isPaid, publicUrl }: Context) {
  const folded = foldText(text)
  const reading = { text, folded, spellings: listSpellings(folded), publicUrl }
  const matching = RULES.filter(({ when, matches }) => (when === 'always' || !isPaid) && matches(reading))
  const score = matching.reduce((total, rule) => total + rule.score, 0)
  return {
    warnings: score >= WARN_SCORE ? matching.map(({ name }) => name) : [],
    isFlagged: score >= FLAG_SCORE,
  }
}

const GENERAL_WARNING = 'Be careful with this message. Only payments through Sought are protected.'

/** The warning shown to the recipient: the most serious one. Null if nothing is wrong. */
export function describeWarnings(names: string[], marketName: string): string | null {
  if (names.length === 0) return null
  const warning = RULES.find(({ name }) => names.includes(name))?.warning ?? GENERAL_WARNING
  return warning.replaceAll(MARKET_NAME, () => marketName)
}
