import { execFile } from 'node:child_process'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { root } from '../../scripts/child.ts'
import { createClient, type Send } from '../load/http-client.ts'
import { proxies } from '../rolling-restart/proxies.ts'
import {
  type Person,
  type Request,
  type RunningMarket,
  restartBehind,
  restartInTurn,
  sendSteadily,
  shorten,
  signUpUsers,
} from '../rolling-restart/rolling-restart.ts'
import type { Line, Part } from '../support/part.ts'
import { type Random, seeded } from '../support/random.ts'
import { withTemporaryDatabase } from '../support/temporary-database.ts'

/*
 * Both keys of two processes behind nginx are replaced under load, as docs/operations.md describes it. Every request
 * must succeed, also one that reads in one process what the other has just written or signed.
 */

const PEOPLE = 20
const REQUESTS_PER_SECOND = 40
/** Longer than a round of requests of all people, so that each gets a new cookie. */
const VISITS_MS = 15_000
const ROTATE = 'server/src/commands/rotate-keys.ts'
const MAIN = 'server/src/main.ts'
const END_WITHIN_MS = 180_000
const FORMER = { SESSION_SECRET: 'the session secret of both', DATA_KEY: 'the data key of both processes' }
const NEW = {
  SESSION_SECRET: 'the new session secret of both',
  DATA_KEY: 'the new data key of both processes',
}
const BOTH = {
  SESSION_SECRET: `${NEW.SESSION_SECRET},${FORMER.SESSION_SECRET}`,
  DATA_KEY: `${NEW.DATA_KEY},${FORMER.DATA_KEY}`,
}
const ADDRESS = {
  name: 'Ada Lovelace',
  line1: '12 St James’s Square',
  city: 'London',
  postalCode: 'SW1Y 4JH',
  country: 'GB',
}
const BANK = {
  account_holder_name: 'Ada',
  country: 'US',
  routing_number: '021000021',
  account_type: 'checking',
}
const PASSWORD = 'correct horse'

export const rotation: Part = ({ postgresUrl, seed }) =>
  withTemporaryDatabase(postgresUrl, (databaseUrl) =>
    restartBehind('nginx', proxies.nginx, databaseUrl, (market) => rotateUnderLoad(market, seeded(seed))),
  )

async function rotateUnderLoad(market: RunningMarket, random: Random): Promise<Line[]> {
  const send = createClient(market.address)
  const people = await signUpUsers(send, PEOPLE)
  for (const { cookie } of people) await send('PUT /api/user/delivery-address', { cookie, json: ADDRESS })
  const visits = createVisits(people, send, random)
  const load = sendSteadily(visits.next, visits.send, REQUESTS_PER_SECOND)
  const steps: Line[] = []

  Object.assign(market.env, BOTH)
  steps.push({ what: 'processes restarted with both keys', ...(await restartInTurn(market.servers, 1)) })
  const rotated = await runToEnd(ROTATE, market.env)
  const left = await countTextsOfFormerKey(market.databaseUrl)
  steps.push({
    what: 'keys rotated by npm run rotate-keys',
    times: 1,
    violations: [
      ...(rotated.code === 0 ? [] : [rotated.output]),
      ...(left === 0 ? [] : [`${left} texts are still encrypted with the former key`]),
    ],
  })
  await wait(VISITS_MS)
  Object.assign(market.env, NEW)
  steps.push({
    what: 'processes restarted with the new keys alone',
    ...(await restartInTurn(market.servers, 1)),
  })

  const { replies, seconds } = await load.stop()
  const failures = replies.flatMap(({ call, failure }) => (failure === null ? [] : [`${call}: ${failure}`]))
  return [
    {
      what: `requests while both keys were rotated (${(replies.length / seconds).toFixed(0)} a second for ${seconds.toFixed(0)} s)`,
      times: replies.length,
      violations: shorten(failures),
    },
    ...steps,
    await checkWrongKeys(market),
  ]
}

/** The requests of people whose browsers keep the cookies that they get. */
function createVisits(people: Person[], client: Send, random: Random) {
  let saved = 0
  const read = (path: string) => () => ({ call: `GET ${path}`, cookie: random.pick(people).cookie })
  const saveBankAccount = () => ({
    call: 'POST /api/seller/save-bank-account',
    cookie: random.pick(people).cookie,
    json: { ...BANK, account_number: String(100_000_000 + ++saved) },
  })
  const signIn = () => ({
    call: 'POST /api/auth/login',
    json: { email: random.pick(people).email, password: PASSWORD },
  })
  const choices = [
    [read('/api/auth/user'), 30],
    [read('/api/user/delivery-address'), 30],
    [read('/api/seller/bank-status'), 20],
    [saveBankAccount, 15],
    [signIn, 5],
  ] as const

  const send: Send = async (call, options = {}) => {
    const reply = await client(call, options)
    const person = people.find(({ cookie }) => cookie === options.cookie)
    if (person && reply.cookie) person.cookie = reply.cookie
    // What cannot be decrypted is left out of the reply.
    const isWhole = call !== 'GET /api/user/delivery-address' || reply.body.includes(ADDRESS.line1)
    return isWhole ? reply : { ...reply, status: 500 }
  }
  return { next: () => random.weighted<() => Request>(choices)(), send }
}

function runToEnd(file: string, env: Record<string, string>): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [file], { cwd: root, env, timeout: END_WITHIN_MS }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, output: stdout + stderr }),
    )
  })
}

/** Everything that is encrypted ends with the id of its key. */
async function countTextsOfFormerKey(databaseUrl: string): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const { rows } = await client.query(`
      select count(distinct right(text, 8))::int - 1 as keys, count(*) filter (where text !~ '^v1:[^:]+:[^:]{8}$')::int as without
      from (
        select address as text from delivery_addresses
        union all select bank_account_details from users where bank_account_details is not null
      ) sealed`)
    return rows[0].keys + rows[0].without
  } finally {
    await client.end()
  }
}

/** A process with the former keys alone, or with keys of its own, must not start. */
async function checkWrongKeys({ env }: RunningMarket): Promise<Line> {
  const violations: string[] = []
  const wrong = { SESSION_SECRET: FORMER.SESSION_SECRET, DATA_KEY: 'a data key of nobody here' }
  for (const [name, key] of Object.entries(wrong)) {
    const { code, output } = await runToEnd(MAIN, { ...env, [name]: key, PORT: '0' })
    if (code !== 1 || !output.includes(`${name}: this database is used with another key`))
      violations.push(`a process with another ${name} ends with ${code}: ${output}`)
  }
  return { what: 'processes with wrong keys that do not start', times: 2, violations }
}
