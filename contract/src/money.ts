import { BUDGET_MAX } from './constants.ts'
import { type Currency, isCurrency, rulesOf } from './currencies.ts'

/*
 * Amounts are whole numbers of the currency's smallest unit (ADR 100). Budgets are in main units where requests are
 * posted and read.
 */

/** Formats an amount with all decimals of its currency, on screens and in emails. */
export function formatMoney(amount: number, currency: Currency): string {
  return addSymbol(amount, currency, groupThousands(writeDecimals(amount, rulesOf(currency).decimals)))
}

/** Formats an amount of the provider, whose currency our table may not have. */
export function formatBankAmount(amount: number, currency: string): string {
  if (isCurrency(currency)) return formatMoney(amount, currency)
  return `${amount < 0 ? '−' : ''}${groupThousands(writeDecimals(amount, 2))} ${currency.toUpperCase()}`
}

/** Without its sign. By moving the point in the digits, because dividing could round. */
function writeDecimals(amount: number, decimals: number): string {
  const digits = String(Math.abs(amount)).padStart(decimals + 1, '0')
  return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}

/** Without Intl, because creating a page's first formatter takes longer than starting all of our code. */
const groupThousands = (digits: string) => digits.replace(/\B(?<!\.\d*)(?=(\d{3})+(\.|$))/g, ',')

function addSymbol(value: number, currency: Currency, digits: string): string {
  const { symbol, symbolAfter } = rulesOf(currency)
  return `${value < 0 ? '−' : ''}${symbolAfter ? `${digits} ${symbol}` : `${symbol}${digits}`}`
}

/** Formats a budget, which is in main units. Decimals are shown only if there are any. */
export function formatAmount(mainUnits: number, currency: Currency): string {
  const { decimals } = rulesOf(currency)
  const amount = Math.round(mainUnits * 10 ** decimals)
  return amount % 10 ** decimals === 0
    ? addSymbol(amount, currency, groupThousands(String(Math.abs(amount) / 10 ** decimals)))
    : formatMoney(amount, currency)
}

/** A budget as a range, a single amount, or 'Open budget'. */
export function formatBudget(
  { minBudget, maxBudget }: { minBudget: number; maxBudget: number },
  currency: Currency,
): string {
  if (maxBudget === 0) return minBudget === 0 ? 'Open budget' : `From ${formatAmount(minBudget, currency)}`
  if (minBudget === 0 || minBudget === maxBudget) return formatAmount(maxBudget, currency)
  return `${formatAmount(minBudget, currency)} – ${formatAmount(maxBudget, currency)}`
}

export const getCurrencySymbol = (currency: Currency): string => rulesOf(currency).symbol

/** The digits alone, such as '-12.50', for inputs and files. */
export const formatForInput = (amount: number, currency: string): string =>
  `${amount < 0 ? '-' : ''}${writeDecimals(amount, isCurrency(currency) ? rulesOf(currency).decimals : 2)}`

/** Spaces and apostrophes only separate thousands. */
const SPACES = /[\s'’]/g

/**
 * Reads an amount as people write it, such as '1,5', '1.50' or '1.234,50'. The locale decides what '1,500' means, and
 * English without one. Null if it is not an amount, or has more decimals than the currency.
 */
export function parseMoney(text: string, currency: Currency, locale = 'en'): number | null {
  const { decimals, symbol } = rulesOf(currency)
  const digits = text.replace(symbol, '').trim()
  const point = findDecimalPoint(digits, locale)
  const [whole = '', fraction = ''] =
    point === null ? [digits] : [digits.slice(0, point), digits.slice(point + 1)]
  if (!isGrouped(whole) || !/^\d*$/.test(fraction) || fraction.length > decimals) return null
  const amount = Number(whole.replace(/\D/g, '') + fraction.padEnd(decimals, '0'))
  return Number.isSafeInteger(amount) ? amount : null
}

/** Where the decimals begin. Null if there are none. */
function findDecimalPoint(digits: string, locale: string): number | null {
  const marks = [...digits.matchAll(/[.,]/g)]
  const last = marks.at(-1)
  if (!last) return null
  const isRepeated = marks.filter(([mark]) => mark === last[0]).length > 1
  if (isRepeated) return null
  const mayGroup = marks.length === 1 && /^[1-9]\d{0,2}[.,]\d{3}$/.test(digits.replace(SPACES, ''))
  return mayGroup && last[0] !== decimalPointOf(locale) ? null : last.index
}

const decimalPointOf = (locale: string) =>
  new Intl.NumberFormat(locale).formatToParts(1.5).find(({ type }) => type === 'decimal')?.value

/** Groups have three digits, or two before the last one, as in India. */
const isGrouped = (whole: string) => /^\d+$|^[1-9]\d{0,2}([.,\s'’])(\d{2,3}\1)*\d{3}$/.test(whole)

/** A budget in main units as an amount. */
export function minorOf(mainUnits: number, currency: Currency): number {
  const amount = parseMoney(String(mainUnits), currency)
  if (amount === null) throw new RangeError(`${mainUnits} is not an amount in ${currency}`)
  return amount
}

/** An amount in main units, as budgets have it. */
export const mainOf = (amount: number, currency: Currency): number =>
  amount / 10 ** rulesOf(currency).decimals

/** Why the provider could not charge an amount, as a sentence that names the bound. Null if it could. */
export function findAmountProblem(amount: number, currency: Currency): string | null {
  const { minCharge, maxCharge } = rulesOf(currency)
  if (amount < minCharge) return `Must be at least ${formatMoney(minCharge, currency)}`
  if (amount > maxCharge) return `Must be at most ${formatMoney(maxCharge, currency)}`
  return findStepProblem(amount, currency)
}

/** The same for a part of a payment, which has no smallest charge. */
export function findStepProblem(amount: number, currency: Currency): string | null {
  const { step } = rulesOf(currency)
  return amount % step === 0 ? null : `Must be a multiple of ${formatMoney(step, currency)}`
}

/** The largest budget in main units. The column has ten digits before the point. */
export const budgetMaxOf = (currency: Currency): number =>
  Math.max(BUDGET_MAX, mainOf(rulesOf(currency).maxCharge, currency))

/** Why a budget in main units does not fit its currency. Null if it does. */
export function findBudgetProblem(mainUnits: number, currency: Currency): string | null {
  const { step } = rulesOf(currency)
  const max = budgetMaxOf(currency)
  if (mainUnits > max) return `Must be at most ${max.toLocaleString('en')}`
  const amount = parseMoney(String(mainUnits), currency)
  return amount === null || amount % step !== 0
    ? `Must be a multiple of ${formatMoney(step, currency)}`
    : null
}
