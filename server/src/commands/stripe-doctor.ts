import { BadConfig, type Config, readConfig } from '../platform/config.ts'
import { examine, fix } from '../providers/stripe/doctor.ts'
import type { Finding } from '../providers/stripe/doctor-finding.ts'

/**
 * npm run stripe:doctor [-- --fix]: checks whether this deployment would work with its Stripe account, one line for
 * each check. Exit code 1 while something is wrong.
 */
const options = process.argv.slice(2)
if (options.some((option) => option !== '--fix')) {
  console.error('Usage: npm run stripe:doctor [-- --fix]')
  process.exit(2)
}

const { stripe, ...config } = readSettings()
if (!stripe) fail('Stripe is not configured. Set STRIPE_SECRET_KEY and STRIPE_PUBLISHABLE_KEY.')
const settings = { ...config, stripe }

if (options.includes('--fix')) await repair()
const findings = await examine(settings).catch((error: Error) =>
  fail(`Stripe did not answer: ${error.message}`),
)
for (const finding of findings) console.log(lineOf(finding))
const problems = findings.filter((finding) => 'problem' in finding).length
console.log(problems === 0 ? 'Everything is in order.' : `${problems} of ${findings.length} checks failed.`)
process.exit(problems === 0 ? 0 : 1)

async function repair(): Promise<void> {
  const { done, secrets } = await fix(settings).catch((error: Error) =>
    fail(`Could not repair: ${error.message}`),
  )
  for (const line of done) console.log(line)
  if (secrets.length === 0) return
  console.log('New secrets, shown only now. Add them to STRIPE_WEBHOOK_SECRET, separated by commas:')
  console.log(secrets.join(','))
}

function readSettings(): Config {
  try {
    return readConfig()
  } catch (error) {
    if (error instanceof BadConfig) return fail(error.message)
    throw error
  }
}

function lineOf(finding: Finding): string {
  if ('fine' in finding) return `ok     ${finding.what}: ${finding.fine}`
  return `WRONG  ${finding.what}: ${finding.problem}. ${finding.remedy}`
}

function fail(line: string): never {
  console.error(line)
  process.exit(1)
}
