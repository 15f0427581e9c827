import { parseArgs } from 'node:util'
import { examineEnvironment } from '../doctor/examine.ts'

/**
 * npm run doctor [-- --json]: checks whether this deployment works, one line for each check. Exit code 1 if a check
 * fails.
 */
const { values } = parseArgs({ options: { json: { type: 'boolean', default: false } } })
// biome-ignore lint/style/noProcessEnv: passed on to readConfig
const checks = await examineEnvironment(process.env)
if (values.json) console.log(JSON.stringify(checks, null, 2))
else
  for (const { check, state, message } of checks)
    console.log(`${state.padEnd(4)}  ${check}: ${message.replaceAll('\n', ' ')}`)
process.exitCode = checks.some(({ state }) => state === 'FAIL') ? 1 : 0
