// Asks the process that serves METRICS_PORT: node deploy/health-check.mjs [PATH] [SECONDS]
// Exits with 0 if PATH (by default /healthz) is answered with success within SECONDS.
import { setTimeout as wait } from 'node:timers/promises'

const REPLY_WITHIN_MS = 4_000
const POLL_MS = 250

const [path = '/healthz', seconds = '0'] = process.argv.slice(2)
const url = `http://127.0.0.1:${process.env.METRICS_PORT}${path}`
const deadline = Date.now() + Number(seconds) * 1000

const answers = () =>
  fetch(url, { signal: AbortSignal.timeout(REPLY_WITHIN_MS) }).then(
    ({ ok }) => ok,
    () => false,
  )

let ok = await answers()
while (!ok && Date.now() < deadline) {
  await wait(POLL_MS)
  ok = await answers()
}
process.exitCode = ok ? 0 : 1
