import { hasBankAccount, hasEmailAddress, hasPhoneNumber, hasWallet } from './find-contacts.ts'
import { hasShortLink, isDeceptive, linksIn } from './find-links.ts'

/*
 * Rules for messages that lead people away from escrow, or ask for money or secrets (ADR 80). The patterns expect
 * lower-case texts without accents. Every repetition is bounded, so that no message takes long.
 */

/** A message in the forms that rules look at. */
export interface Reading {
  /** The original text. */
  text: string
  /** In lower case, without accents and look-alike letters. */
  folded: string
  /** The folded text in all its possible spellings. */
  spellings: string
  publicUrl: string
}

interface Rule {
  name: string
  /**
   * The scores of all matching rules are added. From `WARN_SCORE` the recipient is warned, from `FLAG_SCORE`
   * moderators see the message.
   */
  score: number
  /** Once a deal is paid, people may exchange phone numbers and addresses for its delivery. */
  when: 'always' | 'before payment'
  matches(message: Reading): boolean
  /** The warning shown to the recipient. */
  warning: string
}

export const WARN_SCORE = 2
export const FLAG_SCORE = 5

const word = (pattern: string) => new RegExp(`\\b(?:${pattern})\\b`)
/** Matches both on one line, with at most `gap` characters between them. */
const near = (one: string, other: string, gap = 40) =>
  new RegExp(
    `\\b(?:${one})\\b[^\\n]{0,${gap}}\\b(?:${other})\\b|\\b(?:${other})\\b[^\\n]{0,${gap}}\\b(?:${one})\\b`,
  )
const anyOf = (text: string, patterns: RegExp[]) => patterns.some((pattern) => pattern.test(text))

const SERVICES =
  "pay ?pal|paypal\\.me|western ?union|money ?gram|venmo|zelle|cash ?app|cash\\.app|apple pay|google pay|revolut|bizum|skrill|neteller|payoneer|remitly|worldremit|paysafe ?card|neosurf|transcash|post ?e?pay|lydia|paylib|touch '?n'? ?go|tng|duit ?now|gopay|dana|ovo|shopeepay|grabpay|boost wallet|mbway|mercado ?pago|bitcoins?|btc|ethereum|eth|usdt|tether|trc20|erc20|litecoin|monero|dogecoin|crypto(?:currency)?|binance|coinbase"
/** Service names that are also ordinary words need further evidence. */
const AMBIGUOUS_SERVICES = [
  /\b(?:on|via|by|with|have|use|per|through|to|my|a) wise\b(?! (?:old|man|woman|choice|words?|idea))|\bwise\.com|\bwise account\b/,
  near('pix', 'chave|aceit[a-z]{1,3}|faz(?:er)?|um|pagar?|paga|manda|envia|direto|via|por', 20),
  /\b(?:via|over|by|on|my|to) pp\b/,
  /\$[a-z][a-z\d]{3,19}\b/,
]
/** Words for collectors' items, which may show the name of a service. */
const COLLECTED =
  'merch|branded|sign|poster|plush|mascot|promotional|board game|sticker|mug|t-?shirt|enamel|framed|vintage|logo|toy|figure|book|plakat|schild|affiche|cartel'
const NEGATED_SERVICE = new RegExp(
  `\\b(?:no|not|never|nor|neither|without|kein[a-z]{0,2}|nicht|pas|ni|sin|non|niente|sem|nao|tak|tidak|jangan|bukan|instead of)(?: (?:want|use|accept|take|terima|guna|pakai|via|by|per|de|con|mit|any|uber|bank transfers? (?:and|or) no))? (?:${SERVICES}|bank transfers?|whats ?app|telegram)\\b`,
  'g',
)
const withoutNegated = (text: string) => text.replace(NEGATED_SERVICE, ' ')
const COLLECTED_SERVICE = near(`${SERVICES}|whats ?app|telegram`, COLLECTED, 30)

function namesService({ spellings, folded }: Reading): boolean {
  if (COLLECTED_SERVICE.test(folded)) return false
  const text = withoutNegated(spellings)
  return word(SERVICES).test(text) || anyOf(text, AMBIGUOUS_SERVICES)
}

const MESSENGERS =
  'whats ?app|watsapp|wasap|whatsap|guasap|wechat|weixin|viber|kakao ?talk|snapchat|skype|discord'
const AMBIGUOUS_MESSENGERS = [
  near(
    'tele ?gram',
    'on|via|to|my|me|user|bei|auf|uber|sur|en|por|kat|di|ke|su|no|is|id|channel|@[\\w.]{3,30}',
    12,
  ),
  /\btele ?gram\b[^\n]{0,12}@\w{3}/,
  /\b(?:on|via|to|my|use|have|sur|auf|en) signal(?= ?(?:$|[\n,.?!:;]|instead|please|is|app|messenger))|\bsignal me\b/,
  /\bwa (?:aja|saja|ya|me|sy|saya)\b|\bwa\.me\b|\bt\.me\/\w/,
  near('zap|whats', 'me chama|chama|meu|no|pelo|manda', 15),
  near('instagram|insta|facebook|fb messenger|line id', 'dm|pm|message me|add me|write me|cheaper', 25),
]

function namesMessenger({ spellings, folded }: Reading): boolean {
  if (COLLECTED_SERVICE.test(folded)) return false
  const text = withoutNegated(spellings)
  return word(MESSENGERS).test(text) || anyOf(text, AMBIGUOUS_MESSENGERS)
}

const OUR_PLACE =
  'platform|sought|escrow|plattform|treuhand[a-z]*|plateforme|sequestre|plataforma|custodia|rekber|piattaforma|deposito del sito'
/** Words that can also mean other things. */
const ANY_PLACE = 'site|web ?site|app|page|system|seite|portal|appli|pagina|web|sitio|aplikasi|sistem|sito'
const ABOUT_MONEY =
  'pay[a-z]*|money|deal|fees?|cheaper|discount|commission|charge|private|promise|details|bayar|urus|murah|potongan|zahl[a-z]*|geld|rabatt|pag[aou][a-z]*|payer|virement|cher|comision|descuento|commissioni|sconto|desconto|taxa|dejo|regle[rz]'
const AVOID =
  "outside(?: of)?|off|without|skip|avoid|bypass|forget|around|instead of(?: using)?|no need (?:for|of|to use)|don'?t (?:really )?(?:trust|need|use)|not (?:use|through)|ohne|ausserhalb|umgeh[a-z]*|statt|brauchen|hors|en dehors|sans passer par|contourner|pas par|fuera de|por fuera de|saltamos|sin usar|sin pasar por|evitar|di luar|luar(?: dari)?|tak ?payah(?: guna| bayar dalam)?|tak perlu(?: guna)?|tanpa|jangan (?:lewat|pakai)|fuori (?:dal|da)|senza (?:il|passare)|lascia perdere|fora d[aoe]|por fora d[aoe]"
/** Excludes words that reverse the meaning, as in `without a problem via escrow`. */
const FEW_WORDS = "(?: (?!via|through|with|by|into?\\b)[a-z']{1,12}){0,3}"
const AVOID_ESCROW = [
  /\bno escrow\b(?! fee)/,
  new RegExp(`\\b(?:${AVOID})${FEW_WORDS} (?:${OUR_PLACE})\\b(?! fee)`),
  near(`(?:${AVOID})${FEW_WORDS} (?:${ANY_PLACE})`, ABOUT_MONEY, 60),
  new RegExp(
    `\\b(?:${OUR_PLACE})\\b[^\\n]{0,20}\\b(?:brauchen wir nicht|nicht brauchen|not needed|unnecessary)\\b`,
  ),
  /\b(?:deal|handle|settle|do (?:it|this)|sell|agree) (?:it )?(?:in private|privately)\b|\boff (?:here|site)\b/,
  /\bpay(?:ing)? (?:me|him|her|us)? ?direct(?:ly)?\b|\bsend (?:me )?the money direct|\bpay me (?:in private|outside)\b/,
  near('cancel|decline|annule|storniere', 'pay me|send me|payez|zahl', 50),
  /\b(?:uberweis|zahl|bezahl|schick)[a-z]{0,3}\b[^\n]{0,30}\bdirekt\b(?![^\n]{0,30}\buber die\b)|\bprivat\b[^\n]{0,30}\bgebuhr|\b(?:privat|ohne umweg) (?:machen|abwickeln|regeln)\b|\bmachen das (?:lieber )?privat\b/,
  /\b(?:paye[rz]|regle[rz])\b[^\n]{0,20}\bdirectement\b|\bvirement (?:direct|hors)\b/,
  /\bpagame\b[^\n]{0,15}\b(?:por fuera|directo|directamente)\b|\btransferencia (?:bancaria )?directa\b|\bnos saltamos\b/,
  /\bdeal luar\b|\burus luar\b|\bbayar terus ke\b|\btransfer langsung\b|\b(?:tak ?payah|takyah) (?:guna|bayar)\b/,
  /\bbonifico diretto\b|\bpaga(?:mi)? direttamente\b|\bfuori dal sito\b/,
  near(
    'between us|without them|en dehors|unter uns|entre nous|entre nosotros|tra noi',
    'pay[a-z]*|payout|deal|price|payez|prix|zahl[a-z]*|preis|pag[aou][a-z]*|precio|prezzo|holds',
    60,
  ),
  near('por fora', 'pagar?|fechar|negociar|vamos|pode', 25),
]

const GIFT_CARDS =
  'gift ?cards?|i ?tunes cards?|steam (?:card|voucher|wallet|gift)[a-z]*|google[ -]?play[ -]?(?:card|karte|gift)?[a-z]*|vouchers?|tarjetas? de regalo|cartes? cadeaux?|geschenkkarten?|carta regalo|cartao[ -]presente|kartu hadiah|coupons? pcs|recharge neosurf|paysafe ?card|razer gold(?: card)?'
const GIFT_CARD_USES =
  'codes?|scratch|buy|get|send|digits|pay|payer|fee|reserve|kauf[a-z]*|schick[a-z]*|achete[rz]|envoye[rz]|compr[ae]|mandas?|mande|pagar|euros?|foto|numeros|serial'

const CODE =
  'code|pin|otp|tac|kod|kode|kodenya|kode verifikasi(?:nya)?|codigo|codice|one[ -]?time password|passcode|(?:6|six)[ -]?digit number|bestatigungs(?:nummer|code)|verifikasi(?:nya)?'
const GIVE =
  "send|tell|forward|read|give|share|what is|what's|text|schick[a-z]{0,2}|nenn[a-z]{0,2}|sag[a-z]{0,2}|gib|envoye[rz](?:-moi)?|donne[rz](?:-moi)?|envia(?:me)?|manda(?:me|mi)?|dime|pasa(?:me)?|passa|hantar|bagi|beri|kirim|minta|dammi|me passa|diga"
const RECEIVED =
  'sms|text(?: message)?|got|received?|receive|phone|verification|verify|verifikasi(?:nya)?|6[ -]?digit|six[ -]?digit|google voice|unlocks?|sechsstellige|bekommen hast|handy|recus?|recevoir|confirmation|recib[a-z]*|llego|llegar|llegado|verificacion|terima|masuk|sahkan|konfirmasi|ricevuto|chegou|recebe[a-z]*|telemovel|digitos|otp|tac'
/** Codes that people mention when they describe an item or arrange a meeting. */
const HARMLESS_CODE =
  /\b(?:colou?r|paint|post|zip|area|handover|part|dress|date|bar|qr|item|model|error|discount) ?code\b/g
const ASKS_FOR_CODE = [
  new RegExp(
    `\\b(?:${GIVE})\\b[^\\n]{0,40}\\b(?:${CODE})\\b[^\\n]{0,60}\\b(?:${RECEIVED}|arrived|nennen|read it back)\\b`,
  ),
  new RegExp(`\\b(?:${GIVE})\\b[^\\n]{0,40}\\b(?:${RECEIVED})\\b[^\\n]{0,40}\\b(?:${CODE})\\b`),
  new RegExp(`\\b(?:${RECEIVED})\\b[^\\n]{0,40}\\b(?:${CODE})\\b[^\\n]{0,60}\\b(?:${GIVE})\\b`),
  new RegExp(`\\b(?:${CODE})\\b[^\\n]{0,25}\\b(?:${RECEIVED})\\b[^\\n]{0,40}\\b(?:${GIVE})\\b`),
  /\b(?:hantar|bagi|kirim|minta|beri|send|give)\b[^\n]{0,20}\b(?:tac|otp)\b/,
  /\b(?:need|send|tell|give|confirm|enter)\b[^\n]{0,20}\byour (?:password|card number|bank login|cvv|cvc)\b/,
  /\b(?:ihr|dein)[a-z]{0,2} passwort\b|\bvotre mot de passe\b|\b(?:tu|su) contrasena\b|\bkata laluan (?:anda|awak)\b/,
]

const AGENTS =
  'courier|agent|shipper|mover|driver|carrier|kurier|spediteur|fahrer|abholer|transporteur|livreur|transportista|mensajero|corriere|spedizioniere|transportador|runner|kurir|pal with a van'
const ADVANCE = [
  new RegExp(
    `\\b(?:${AGENTS})\\b[^\\n]{0,40}\\b(?:with|bring[a-z]*|carr[a-z]*|hand|give|avec|remettra|mit|lleva|con|porta|traz|bawa|dengan)\\b[^\\n]{0,20}\\b(?:cash|envelope|certified funds|cheque|check(?! ?list)|bargeld|argent|especes|dinero|sobre|soldi|contanti|dinheiro|wang|tunai)\\b`,
  ),
  /\bover ?paid\b|\bover ?payment\b|\bmore than the price\b|\b(?:forward|wire|refund|renvoye[rz](?:-lui)?)\b[^\n]{0,25}\b(?:the (?:rest|extra|difference|balance|excess)|la difference)\b|\b(?:send|return) the (?:rest|extra|difference|balance|excess) (?:back|to)\b|\b(?:send|give) (?:him|her|them) the (?:rest|extra|difference|balance|excess)\b/,
  /\b(?:cashier'?s? |certified )(?:check|cheque)\b|\brelease fee\b|\b(?:half|deposit|payment) (?:upfront|up front|in advance)\b|\brefundable deposit\b/,
  /\banzahlung\b[^\n]{0,30}\bkonto\b|\bacompte\b[^\n]{0,30}\b(?:virement|compte)\b|\bdeposit dulu\b|\bvorab (?:uberweis|zahl)[a-z]*\b|\bmy lawyer\b[^\n]{0,40}\b(?:payment|transfer|hold)\b/,
]
const BANK_TRANSFER = [
  /\bbank transfers?\b|\bwire (?:it|me|the|transfer|money)\b|\b(?:transfer|deposit)(?: it)? (?:straight |directly )?(?:first|(?:in)?to (?:my|his|her) (?:bank|account|acc|checking|savings|card|phone|maybank|cimb))\b/,
  /\buberweis[a-z]*\b|\bbankverbindung\b|\bvirement\b|\btransferencia\b|\bbonifico\b|\bbank in (?:ke|kat|to|terus|duit|rm|dulu|je)\b|\btransfer (?:ke|terus|guna|langsung)\b/,
]

/** Insured shipping is legitimate. Asking for payment in advance is not. */
const FEE_FOR_AGENT = [
  new RegExp(
    `\\b(?:${AGENTS})\\b[^\\n]{0,60}\\b(?:insurance|fee|deposit|customs|versicherung|gebuhr|assurance|frais|caution|seguro|tasa|assicurazione|insurans|asuransi|needs \\d{1,6})\\b`,
  ),
  word('you|u|du|sie|tu|vous|awak|kamu|musst|mussen|faut|before|first|upfront|needs|prima|vorher|dulu'),
  word('pay|paid|deposit|zahl[a-z]*|vorstreck[a-z]*|bayar|paga[a-z]*|avancer?|anticipa|needs|gift'),
]

export const RULES: readonly Rule[] = [
  {
    name: 'deceptive_link',
    score: 5,
    when: 'always',
    matches: ({ text, publicUrl }) => linksIn(text).some((link) => isDeceptive(link, publicUrl)),
    warning:
      'The link in this message is not what it seems. Do not enter your password, card or bank details there.',
  },
  {
    name: 'code_request',
    score: 5,
    when: 'always',
    matches: ({ spellings }) => anyOf(spellings.replace(HARMLESS_CODE, ' '), ASKS_FOR_CODE),
    warning:
      'Never give anyone your password or a code that you received. Nobody needs them to buy or sell here.',
  },
  {
    name: 'gift_card',
    score: 5,
    when: 'always',
    matches: ({ spellings }) => near(GIFT_CARDS, GIFT_CARD_USES, 50).test(spellings),
    warning: 'Payment by gift card or voucher cannot be reversed. Pay only through Sought.',
  },
  {
    name: 'advance_payment',
    score: 5,
    when: 'always',
    matches: ({ spellings }) =>
      anyOf(spellings, ADVANCE) || FEE_FOR_AGENT.every((pattern) => pattern.test(spellings)),
    warning:
      'Do not pay fees or a deposit in advance, and do not pass on money that was overpaid. This is a known scam.',
  },
  {
    name: 'crypto_wallet',
    score: 4,
    when: 'always',
    matches: ({ text }) => hasWallet(text),
    warning: 'Payments in cryptocurrency cannot be reversed. Pay only through Sought.',
  },
  {
    name: 'friends_and_family',
    score: 4,
    when: 'always',
    matches: ({ spellings }) =>
      /\bfriends? ?(?:and|&|n|\+)? ?family\b|\bfamily (?:and|&) friends\b|\bfreunde(?:n)?(?: ?(?:und|&|\+) ?familie)\b|\ban freunde\b|\bentre proches\b|\bamis et (?:famille|proches)\b|\bamigos y familiares\b|\bamigos e fam[a-z]{4,8}\b|\bamici e familiari\b|\b(?:gift payment|as a gift|gift me the money)\b/.test(
        spellings,
      ),
    warning: 'Payments to friends and family have no buyer protection. Pay only through Sought.',
  },
  {
    name: 'outside_escrow',
    score: 4,
    when: 'always',
    matches: ({ spellings }) => anyOf(spellings, AVOID_ESCROW),
    warning: 'This message suggests a deal outside Sought. Without escrow, we cannot return your money.',
  },
  {
    name: 'payment_service',
    score: 3,
    when: 'always',
    matches: namesService,
    warning: 'This message mentions another way to pay. Only payments through Sought are protected.',
  },
  {
    name: 'bank_account',
    score: 3,
    when: 'always',
    matches: ({ folded, spellings }) =>
      hasBankAccount(folded) || anyOf(withoutNegated(spellings), BANK_TRANSFER),
    warning: 'This message asks for a bank transfer. Only payments through Sought are protected.',
  },
  {
    name: 'short_link',
    score: 3,
    when: 'always',
    matches: ({ text }) => hasShortLink(text),
    warning: 'The link in this message hides where it leads. Open it only if you trust the sender.',
  },
  {
    name: 'messenger',
    score: 2,
    when: 'before payment',
    matches: namesMessenger,
    warning:
      'Stay in this conversation until the deal is paid. In other messengers, we cannot see what was agreed.',
  },
  {
    name: 'phone_number',
    score: 2,
    when: 'before payment',
    matches: ({ folded }) => hasPhoneNumber(folded),
    warning: 'This message has a phone number. Stay in this conversation until the deal is paid.',
  },
  {
    name: 'email_address',
    score: 2,
    when: 'before payment',
    matches: ({ folded }) => hasEmailAddress(folded),
    warning: 'This message has an email address. Stay in this conversation until the deal is paid.',
  },
]
