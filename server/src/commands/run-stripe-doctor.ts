import type { Currency } from '@sought/contract/currencies'
import { STANDARD_METHODS } from '@sought/escrow/payment-methods'
import { systemClock } from '../core/clock.ts'
import { BadConfig, type Config, readConfig } from '../core/config.ts'
import { openDatabase } from '../database/database.ts'
import { findSettings } from '../database/market-settings.ts'
import { examine, fix } from '../providers/stripe/doctor.ts'
import type { Finding } from '../providers/stripe/doctor-finding.ts'

type Print = (line: string) => void

/** Checks, and with `--fix` repairs, the Stripe account of a deployment. Prints lines and returns the exit code. */
export async function runStripeDoctor(
  environment: Record<string, string | undefined>,
  options: string[],
  print: Print,
): Promise<number> {
  if (options.some((option) => option !== '--fix')) {
    print('Usage: npm run stripe:doctor [-- --fix]')
    return 2
  }
  try {
    const { stripe, ...config } = readConfig(environment)
    if (!stripe)
      throw new BadConfig('Stripe is not configured. Set STRIPE_SECRET_KEY and STRIPE_PUBLISHABLE_KEY.')
    const settings = { ...config, stripe }
    if (options.includes('--fix')) await repair(settings, print)
    return await report(settings, print)
  } catch (error) {
    if (!(error instanceof BadConfig || error instanceof Unreachable)) throw error
    print(error.message)
    return 1
  }
}

type Settings = Config & { stripe: NonNullable<Config['stripe']> }

class Unreachable extends Error {}

async function report(settings: Settings, print: Print): Promise<number> {
  const findings = await examine({ ...settings, ...(await readMarket(settings)) }).catch((error: Error) => {
    throw new Unreachable(`Stripe did not answer: ${error.message}`)
  })
  for (const finding of findings) print(lineOf(finding))
  const problems = findings.filter((finding) => 'problem' in finding).length
  print(problems === 0 ? 'Everything is in order.' : `${problems} of ${findings.length} checks failed.`)
  return problems === 0 ? 0 : 1
}

interface Market {
  paymentMethods: readonly string[]
  currencies: readonly Currency[]
}

/** A new market if its database does not answer, which is usual before the first start. */
async function readMarket({ databaseUrl, currency }: Settings): Promise<Market> {
  const newMarket = { paymentMethods: STANDARD_METHODS, currencies: [currency] }
  if (!databaseUrl) return newMarket
  const database = openDatabase(databaseUrl, systemClock, () => {}, { directUrl: databaseUrl })
  try {
    return await findSettings(database.read)
  } catch {
    return newMarket
  } finally {
    await database.close()
  }
}

async function repair(settings: Settings, print: Print): Promise<void> {
  const { done, secrets } = await fix(settings).catch((error: Error) => {
    throw new Unreachable(`Could not repair: ${error.message}`)
  })
  for (const line of done) print(line)
  if (secrets.length === 0) return
  print('New secrets, shown only now. Add them to STRIPE_WEBHOOK_SECRET, separated by commas:')
  print(secrets.join(','))
}

function lineOf(finding: Finding): string {
  if ('fine' in finding) return `ok     ${finding.what}: ${finding.fine}`
  if ('warning' in finding) return `WARN   ${finding.what}: ${finding.warning}. ${finding.remedy}`
  return `WRONG  ${finding.what}: ${finding.problem}. ${finding.remedy}`
}
