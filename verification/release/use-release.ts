import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { networkInterfaces } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import { freePort } from '@sought/server/core/free-port'
import { startTestPostgres } from '@sought/server/database/embedded-postgres/embedded-postgres'
import { filePart, MULTIPART, multipart } from '@sought/server/testing/multipart'
import sharp from 'sharp'
import { createClient, type Reply } from '../load/http-client.ts'

/* Runs as a separate process, with everything it needs in its namespace, including PostgreSQL. */

export interface Figures {
  /** All interfaces besides the loopback one. */
  networks: string[]
  started: { role: string; readyMs: number }[]
  requests: number
  violations: string[]
}

const READY_WITHIN_MS = 180_000
const POLL_MS = 50

const [release = '', dataDir = '', result = ''] = process.argv.slice(2)
const [port, webMetrics, workerMetrics] = [await freePort(), await freePort(), await freePort()]
const address = `http://127.0.0.1:${port}`
const networks = Object.keys(networkInterfaces()).filter((name) => name !== 'lo')
const figures: Figures = { networks, started: [], requests: 0, violations: [] }

interface Running {
  role: string
  child: ChildProcess
  output: () => string
}

/** Starts with only what a new machine has. */
function start(command: string[], databaseUrl: string, metricsPort: number): Running {
  const [program = '', ...args] = command
  const role = args.at(-1) ?? ''
  const child = spawn(program, args, {
    cwd: release,
    env: {
      // biome-ignore lint/style/noProcessEnv: where the machine has npm
      PATH: process.env.PATH?.replaceAll(/[^:]*node_modules[^:]*:/g, ''),
      HOME: dataDir,
      NODE_ENV: 'production',
      HOST: '127.0.0.1',
      PORT: String(port),
      METRICS_PORT: String(metricsPort),
      PUBLIC_URL: 'https://sought.example',
      DATABASE_URL: databaseUrl,
      DATA_DIR: dataDir,
      SESSION_SECRET: 'the session secret of both',
      DATA_KEY: 'the data key of both processes',
      DRAIN_SECONDS: '0',
      LOG_LEVEL: 'warn',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += chunk
    })
  return { role, child, output: () => output }
}

async function awaitReady({ role, child, output }: Running, metricsPort: number): Promise<void> {
  const startMs = performance.now()
  const isReady = () =>
    fetch(`http://127.0.0.1:${metricsPort}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
  while (!(await isReady())) {
    if (child.exitCode !== null || performance.now() - startMs > READY_WITHIN_MS)
      throw new Error(`The ${role} did not start:\n${output()}`)
    await wait(POLL_MS)
  }
  figures.started.push({ role, readyMs: performance.now() - startMs })
}

/** What runs in place of the script that was started. */
const commandOf = ({ pid }: ChildProcess) =>
  readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').join(' ').trim()

async function stop({ role, child, output }: Running): Promise<void> {
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  const [code] = await exited
  if (code !== 0) figures.violations.push(`the ${role} ended with ${code}:\n${output()}`)
}

function expectReply(what: string, reply: Reply, status: number, text = ''): void {
  figures.requests++
  if (reply.status !== status || !reply.body.includes(text))
    throw new Error(`${what}: ${reply.status} ${reply.body.slice(0, 500)}`)
}

/**
 * The actions of a first user. Passwords, pictures and rendered pages need packages with native code and the web
 * app.
 */
async function useMarket(): Promise<void> {
  const send = createClient(address)
  const person = {
    email: 'first@example.com',
    password: 'correct horse',
    firstName: 'First',
    lastName: 'User',
  }
  const signedUp = await send('POST /api/auth/signup', { json: person })
  expectReply('signing up', signedUp, 201, person.email)
  const { cookie } = signedUp

  const picture = await sharp({ create: { width: 600, height: 400, channels: 3, background: 'green' } }).png()
  const body = multipart([filePart('image', 'lamp.png', await picture.toBuffer())])
  const uploaded = await send('POST /api/wanted-items/image', { cookie, bytes: { type: MULTIPART, body } })
  expectReply('uploading a picture', uploaded, 201, '/files/')
  const { imageUrl } = JSON.parse(uploaded.body)

  const lamp = { title: 'A green lamp', description: 'Made of glass', category: 'Other', location: 'Ipoh' }
  const json = { ...lamp, maxBudget: 50, imageUrl }
  const posted = await send('POST /api/wanted-items', { cookie, json })
  expectReply('posting a request', posted, 201, lamp.title)
  expectReply('reading the page', await send(`GET /item/${JSON.parse(posted.body).id}`), 200, lamp.title)
  expectReply('reading the picture', await send(`GET ${imageUrl}`), 200)
  expectReply('reading the list', await send('GET /api/wanted-items'), 200, lamp.title)
}

mkdirSync(dataDir, { recursive: true })
const postgres = await startTestPostgres()
const web = start(['./sought', 'web'], postgres.url, webMetrics)
const worker = start(['npm', 'start', '--', 'worker'], postgres.url, workerMetrics)
try {
  await Promise.all([awaitReady(web, webMetrics), awaitReady(worker, workerMetrics)])
  await useMarket()
  if (!/^node_modules\/node\/bin\/node .*server\/src\/main\.ts web$/.test(commandOf(web.child)))
    figures.violations.push(`the server is ${commandOf(web.child)}`)
} finally {
  await Promise.all([stop(web), stop(worker)])
  await postgres.stop()
}
writeFileSync(result, JSON.stringify(figures))
