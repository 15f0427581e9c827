import { countrySpecs, isValidIBAN } from 'ibantools'

/* Phone numbers, email addresses and bank accounts in a folded text. */

const NUMBER = /(?<![\w+])\+?\(?\d[\d ().\-/]{5,24}\d(?!\w)/g
/** Labels of numbers that are not phone numbers. */
const OTHER_LABEL =
  /\b(isbn|issn|ean|upc|sku|imei|serial|serie[a-z]*|siri|tracking|track|sendung[a-z]*|seguimiento|suivi|order|invoice|inv|rechnung[a-z]*|receipt|part|art|article|artikel[a-z]*|item|model|catalog(ue)?|ref|lot|no|nr|num|nummer|vin|version|royal mail|dhl|ups|(frame|chassis|engine|batch|certificate|registration|membership|customer) number|(rahmen|fahrgestell|motor|kunden)nummer|nombor (rangka|enjin|casis)|numero de (cadre|chassis|bastidor|motor)|numero di telaio)\b[^\d]{0,20}$/
/** A number without a plus, a leading zero or groups is a phone number only after one of these. */
const PHONE_LABEL =
  /\b(call|text|ring|phone|tel|telephone|telefon[a-z]*|mobile|cell|(my|our|his|her|their)( new| own| other| private| work)? number|whats?app|wa|signal|zap|whats|sms|contact|llama(me)?|movil|(mi|mon|mio|meu) numero|numero de tele[a-z]+|appel(er|ez)|portable|handy|ruf|anruf|mobil|hubungi|hp|chiama(mi)?|cellulare|liga|telemovel|celular|bizum|zelle|venmo|nombor (saya|dia|telefon)|bei)\b[^\d+]{0,30}$/
const AMERICAN = /^\(?\d{3}\)?[ .-]\d{3}[ .-]\d{4}$/
const LABEL_REACH = 40

export function hasPhoneNumber(folded: string): boolean {
  for (const { 0: found, index } of folded.matchAll(NUMBER)) {
    const digits = found.replace(/\D/g, '')
    if (digits.length < 7 || digits.length > 15) continue
    const before = folded.slice(Math.max(0, index - LABEL_REACH), index)
    if (OTHER_LABEL.test(before)) continue
    if (PHONE_LABEL.test(before)) return true
    if (/^\+/.test(found) && digits.length >= 8) return true
    if (/^\(?0[1-9]/.test(found) && digits.length >= 9 && digits.length <= 12) return true
    if (AMERICAN.test(found.trim())) return true
  }
  return hasSpelledNumber(folded)
}

/** Number words in the languages of our users. */
const NUMBER_WORDS = new Set(
  `zero oh nought one two three four five six seven eight nine ten eleven twelve twenty thirty forty fifty sixty seventy
  eighty ninety hundred double triple
  null eins zwei zwo drei vier funf sechs sieben acht neun zehn
  un deux trois quatre cinq sept huit neuf dix onze douze treize quatorze quinze seize vingt trente quarante cinquante soixante
  cero uno dos tres cuatro cinco seis siete ocho nueve diez
  due tre quattro cinque sei sette otto nove
  um dois duas quatro sete oito dez
  kosong satu dua tiga empat lima enam tujuh lapan delapan sembilan nol`.split(/\s+/),
)
/** This many number words in a row count as a number that was spelled out to avoid detection. */
const SPELLED_MIN = 6

function hasSpelledNumber(folded: string): boolean {
  let run = 0
  for (const word of folded.split(/[\s,.\-–]+/)) {
    run = NUMBER_WORDS.has(word) ? run + 1 : 0
    if (run >= SPELLED_MIN) return true
  }
  return false
}

const PLAIN_EMAIL = /[a-z\d][a-z\d._%+-]{0,63}@[a-z\d-]{1,63}(?:\.[a-z\d-]{2,63}){1,3}/
const AT = 'at|arroba|arobase|chiocciola|klammeraffe'
const DOT = 'dot|punkt|punto|point|ponto|titik'
const HIDDEN_EMAIL = [
  new RegExp(
    `[a-z\\d] ?[([{<] ?(?:${AT}|@) ?[)\\]}>] ?[a-z\\d-]{2,40} ?(?:[([{<] ?(?:${DOT}|\\.) ?[)\\]}>]|\\.| (?:${DOT}) ) ?[a-z]{2,6}\\b`,
  ),
  new RegExp(`[a-z\\d] (?:${AT}|@) [a-z\\d-]{2,40} (?:${DOT}) [a-z]{2,6}\\b`),
  new RegExp(
    `[a-z\\d] ?(?:\\b(?:${AT})\\b|@) ?(?:gmail|googlemail|hotmail|outlook|yahoo|icloud|gmx|proton(?:mail)?)\\b`,
  ),
]

export const hasEmailAddress = (folded: string): boolean =>
  PLAIN_EMAIL.test(folded) || HIDDEN_EMAIL.some((pattern) => pattern.test(folded))

const MAYBE_IBAN = /(?<![a-z\d])[a-z]{2}\d{2}(?:[ -]?[a-z\d]){11,30}/g

/** Requires a valid checksum, so that part numbers do not count. */
export function hasIban(folded: string): boolean {
  for (const [found] of folded.matchAll(MAYBE_IBAN)) {
    const compact = found.replace(/[ -]/g, '').toUpperCase()
    const length = countrySpecs[compact.slice(0, 2) as keyof typeof countrySpecs]?.chars
    if (length && isValidIBAN(compact.slice(0, length))) return true
  }
  return false
}

const ACCOUNT_WORDS =
  'sort ?code|routing(?: number)?|bsb|account|acct?|a\\/c|konto(?:nummer)?|blz|akaun|rekening|norek|cuenta|compte|rib|conto|conta|iban|bank in'
const BANKS =
  'maybank|cimb|rhb|bsn|public bank|hong leong|ambank|bca|mandiri|bni|bri|chase|barclays|hsbc|lloyds|natwest|monzo|n26|sparkasse|volksbank|commerzbank|ing|bbva|santander|caixabank|unicredit|intesa|nubank|itau|bradesco'
const ACCOUNT_NUMBER = [
  new RegExp(`\\b(?:${ACCOUNT_WORDS}|${BANKS})\\b[^\\d\\n]{0,30}\\d(?:[ -]?\\d){5,19}(?!\\d)`),
  new RegExp(`(?<!\\d)\\d(?:[ -]?\\d){6,19}[^\\d\\n]{0,15}\\b(?:${BANKS})\\b`),
]

export const hasBankAccount = (folded: string): boolean =>
  hasIban(folded) || ACCOUNT_NUMBER.some((pattern) => pattern.test(folded))

/** Keeps the case of letters, because it contains the checksum of wallet addresses. */
const WALLET =
  /(?<![\w])(?:bc1[a-z\d]{25,62}|0x[a-fA-F\d]{40}|T[1-9A-HJ-NP-Za-km-z]{33}|[13][1-9A-HJ-NP-Za-km-z]{25,34})(?![\w])/
export const hasWallet = (text: string): boolean => WALLET.test(text)
