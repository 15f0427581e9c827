import { isIP } from 'node:net'
import { domainToUnicode } from 'node:url'
import { foldText } from '../../../core/normalize-text.ts'

/* Finds links that pretend to lead somewhere else. */

const LINK = /(?:https?:\/\/|www\.)[^\s<>"']{3,500}/gi

const SHORTENERS = new Set(
  'bit.ly tinyurl.com t.co goo.gl is.gd ow.ly cutt.ly rb.gy t.ly shorturl.at tiny.cc s.id rebrand.ly buff.ly v.gd bl.ink'.split(
    ' ',
  ),
)

/** Names that scammers imitate, with the real domains of each. */
const IMITATED: { name: string; domains: string[] }[] = [
  { name: 'paypal', domains: ['paypal.com', 'paypal.me'] },
  { name: 'stripe', domains: ['stripe.com', 'stripe.network'] },
  { name: 'dhl', domains: ['dhl.com', 'dhl.de', 'dhl.fr', 'dhl.es', 'dhl.it', 'dhlparcel.nl'] },
  { name: 'fedex', domains: ['fedex.com'] },
  { name: 'usps', domains: ['usps.com'] },
  { name: 'royalmail', domains: ['royalmail.com'] },
  { name: 'hermes', domains: ['hermesworld.com', 'myhermes.de', 'hermes.com'] },
  { name: 'colissimo', domains: ['colissimo.fr', 'laposte.fr'] },
  { name: 'correos', domains: ['correos.es'] },
  { name: 'poslaju', domains: ['pos.com.my', 'poslaju.com.my'] },
  { name: 'maybank', domains: ['maybank2u.com.my', 'maybank.com'] },
  { name: 'maybank2u', domains: ['maybank2u.com.my'] },
  { name: 'cimb', domains: ['cimb.com', 'cimbclicks.com.my', 'cimb.com.my'] },
  { name: 'revolut', domains: ['revolut.com', 'revolut.me'] },
  { name: 'sparkasse', domains: ['sparkasse.de'] },
  { name: 'barclays', domains: ['barclays.co.uk', 'barclays.com'] },
  { name: 'santander', domains: ['santander.com', 'santander.co.uk', 'bancosantander.es'] },
  { name: 'wellsfargo', domains: ['wellsfargo.com'] },
]
/** Too many words differ from a shorter name by one letter. */
const TYPO_MIN_LENGTH = 5

export function linksIn(text: string): URL[] {
  return [...text.matchAll(LINK)].flatMap(([found]) => {
    const address = /^www\./i.test(found) ? `http://${found}` : found
    return URL.canParse(address) ? [new URL(address)] : []
  })
}

const isShortened = ({ hostname }: URL): boolean => SHORTENERS.has(hostname.replace(/^www\./, ''))
/** People also write these short links without `https://`. */
const BARE_SHORT_LINK = new RegExp(
  `(?<![\\w.-])(?:${[...SHORTENERS].join('|').replaceAll('.', '[.]')})/\\w`,
  'i',
)
export const hasShortLink = (text: string): boolean =>
  BARE_SHORT_LINK.test(text) || linksIn(text).some(isShortened)

/**
 * Whether a link hides its host behind a name and an @, has an IP address instead of a name, or imitates us or a
 * trusted company.
 */
export function isDeceptive(link: URL, publicUrl: string): boolean {
  if (link.username !== '' || isIP(link.hostname.replace(/[[\]]/g, '')) !== 0) return true
  const own = new URL(publicUrl).hostname
  const [ownName = ''] = own.replace(/^www\./, '').split('.')
  const imitated = own.includes('.') && isIP(own) === 0 ? [{ name: ownName, domains: [own] }] : []
  return [...imitated, ...IMITATED].some((one) => imitates(link.hostname, one))
}

function imitates(host: string, { name, domains }: { name: string; domains: string[] }): boolean {
  if (domains.some((domain) => host === domain || host.endsWith(`.${domain}`))) return false
  return domainToUnicode(host)
    .split(/[.-]/)
    .map(readAsLetters)
    .some((part) => part === name || (name.length >= TYPO_MIN_LENGTH && isTypo(part, name)))
}

const readAsLetters = (part: string) =>
  foldText(part)
    .replace(/rn/g, 'm')
    .replace(/vv/g, 'w')
    .replace(/0/g, 'o')
    .replace(/1/g, 'l')
    .replace(/5/g, 's')

/**
 * Whether one letter was added, left out or replaced, or two were swapped. The first letter must match: bought is
 * not sought.
 */
function isTypo(part: string, name: string): boolean {
  if (part[0] !== name[0] || Math.abs(part.length - name.length) > 1) return false
  let start = 0
  while (start < part.length && part[start] === name[start]) start++
  let end = 0
  while (end < Math.min(part.length, name.length) - start && part.at(-1 - end) === name.at(-1 - end)) end++
  const [changed, original] = [part.slice(start, part.length - end), name.slice(start, name.length - end)]
  if (changed.length <= 1 && original.length <= 1) return true
  return changed.length === 2 && changed === original.split('').reverse().join('')
}
