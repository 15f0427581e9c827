import { runStripeDoctor } from './run-stripe-doctor.ts'

/**
 * npm run stripe:doctor [-- --fix]: checks whether this deployment would work with its Stripe account, one line for
 * each check. Exit code 1 while something is wrong.
 */
// biome-ignore lint/style/noProcessEnv: passed on to readConfig
process.exitCode = await runStripeDoctor(process.env, process.argv.slice(2), console.log)
