import type { DoctorCheck } from '@sought/contract/doctor'
import { STANDARD_METHODS } from '@sought/escrow/payment-methods'
import { drizzleOn } from '../database/database.ts'
import { findSettings } from '../database/market-settings.ts'
import { examine } from '../providers/stripe/doctor.ts'
import { checkEasyPost } from '../providers/tracking/easypost.ts'
import { type Check, fail, ok, type Patient, reasonOf, warn, withTimeout } from './check.ts'

const tracking: Check = async ({ config: { easyPost, publicUrl, production } }) => {
  if (!easyPost) return production ? ok('Parcels are not followed: EASYPOST_API_KEY is not set.') : null
  const problem = await checkEasyPost(easyPost, publicUrl)
  return problem ? fail(problem) : ok('EasyPost accepts the key and sends its events to us.')
}

/** The checks of npm run stripe:doctor, each as a line of its own. */
export async function checkStripe(patient: Patient): Promise<DoctorCheck[]> {
  const { stripe, sandbox, production, ...config } = patient.config
  if (!stripe) return [{ check: 'stripe', ...withoutKeys(production, sandbox !== undefined) }]
  const settings = await readSettings(patient)
  try {
    const findings = await withTimeout(examine({ ...config, stripe, ...settings }))
    return findings.map(({ what, ...found }) => {
      const check = `stripe-${what.toLowerCase().replaceAll(/[^a-z]+/g, '-')}`
      if ('fine' in found) return { check, ...ok(found.fine) }
      if ('warning' in found) return { check, ...warn(`${found.warning}. ${found.remedy}`) }
      return { check, ...fail(`${found.problem}. ${found.remedy}`) }
    })
  } catch (error) {
    return [{ check: 'stripe', ...fail(`Stripe did not answer: ${reasonOf(error)}.`) }]
  }
}

function withoutKeys(production: boolean, sandboxed: boolean) {
  if (!production) return ok('The sandbox replaces Stripe.')
  return warn(
    sandboxed
      ? 'The sandbox replaces Stripe, so no money moves. Remove SANDBOX=allow for a real market.'
      : 'STRIPE_SECRET_KEY is not set: nobody can pay.',
  )
}

/** Those of a new market, before the first start. */
async function readSettings({ database, config }: Patient) {
  const ofNewMarket = { paymentMethods: STANDARD_METHODS, currencies: [config.currency] }
  if (!database) return ofNewMarket
  return findSettings(drizzleOn(database)).then(
    ({ paymentMethods, currencies }) => ({ paymentMethods, currencies }),
    () => ofNewMarket,
  )
}

export const paymentChecks: Record<string, Check> = { tracking }
