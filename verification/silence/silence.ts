import { setTimeout as wait } from 'node:timers/promises'
import { checkLedger } from '@sought/server/features/money/ledger/check-ledger'
import type { Fault } from '@sought/server/testing/tcp-proxy'
import { createClient } from '../load/http-client.ts'
import type { Line, Part } from '../support/part.ts'
import { type Dependency, type Deployment, openDeployment, type ServerName } from './dependencies.ts'
import { admitVisitors, type Call, KINDS, type Kind, type Visitors } from './visitors.ts'

/*
 * Connections to everything that the servers depend on freeze, are forgotten, slow down and are reset, while people use
 * both servers. What does not need the dependency goes on, /readyz tells the truth within 15 seconds, everything works
 * again within 30 seconds, and nothing that was acknowledged is lost.
 */

const SERVERS: ServerName[] = ['direct', 'pooled']

interface Affected {
  /** Is not ready without the dependency. */
  server?: ServerName
  /** Cannot be done without it. */
  kind?: Kind
}

const affectedBy: Record<Dependency, Affected> = {
  postgres: { server: 'direct' },
  pooler: { server: 'pooled' },
  replica: {},
  s3: { kind: 'file' },
  smtp: {},
  stripe: { kind: 'pay' },
}

/** How long each fault takes. A firewall that forgot connections lets new ones pass. */
const FAULTS: { fault: Fault; seconds: number; openOnly?: boolean }[] = [
  { fault: 'freeze', seconds: 60 },
  { fault: 'drop', seconds: 35, openOnly: true },
  { fault: 'reset', seconds: 20 },
  { fault: 'slow', seconds: 15 },
]
/** /readyz needs this long to tell the truth. */
const SECONDS_MIN = 20
const TOLD_WITHIN_MS = 15_000
const RECOVERED_WITHIN_MS = 30_000
const ANSWERED_LATER_MS = 5_000
const SETTLED_WITHIN_MS = 180_000
const POLL_MS = 500
/** The machine may be so busy that a server sheds some load. */
const DONE_SHARE_MIN = 0.95
const WARM_MS = 5_000

interface Poll {
  server: ServerName
  atMs: number
  isReady: boolean
}

export const silence: Part = async ({ share, only = '' }) => {
  const deployment = await openDeployment()
  try {
    const visitors = await admitVisitors(deployment)
    const health = watchHealth(deployment)
    const lines: Line[] = []
    await wait(WARM_MS)
    const faults = FAULTS.slice(0, Math.max(2, Math.round(FAULTS.length * share)))
    for (const dependency of Object.keys(affectedBy) as Dependency[]) {
      if (!dependency.includes(only)) continue
      for (const { fault, seconds, openOnly = false } of faults) {
        const run = { dependency, fault, openOnly, ms: 1000 * Math.max(SECONDS_MIN, seconds * share) }
        const line = await disturb(deployment, run, visitors.calls, health.polls)
        console.log(`  ${line.what}: ${line.violations.length === 0 ? 'ok' : line.violations.join('; ')}`)
        lines.push(line)
      }
    }
    await visitors.stop()
    await health.stop()
    return [...lines, ...(await checkAcknowledged(deployment, visitors))]
  } finally {
    await deployment.close()
  }
}

function watchHealth({ servers }: Deployment) {
  const polls: Poll[] = []
  let stopped = false
  const watch = async (server: ServerName) => {
    while (!stopped) {
      const atMs = performance.now()
      const reply = await createClient(servers[server].address)('GET /readyz')
      polls.push({ server, atMs, isReady: reply.status === 200 })
      await wait(POLL_MS)
    }
  }
  const watching = Promise.all(SERVERS.map(watch))
  return {
    polls,
    async stop() {
      stopped = true
      await watching
    },
  }
}

interface Run {
  dependency: Dependency
  fault: Fault
  openOnly: boolean
  ms: number
}

async function disturb(
  { proxies }: Deployment,
  { dependency, fault, openOnly, ms }: Run,
  calls: Call[],
  polls: Poll[],
): Promise<Line> {
  const proxy = proxies[dependency]
  const { server: affected, kind: affectedKind } = affectedBy[dependency]
  const beganMs = performance.now()
  proxy.begin(fault, { openOnly })
  await wait(ms)
  proxy.end()
  const endedMs = performance.now()
  const isBack = await untilBack(calls, polls, openOnly ? beganMs : endedMs)
  const during = <Timed>(all: Timed[], timeOf: (one: Timed) => number) =>
    all.filter((one) => timeOf(one) >= beganMs && timeOf(one) < endedMs)
  const violations = isBack === null ? [`it does not work again within ${RECOVERED_WITHIN_MS / 1000} s`] : []

  const polled = during(polls, ({ atMs }) => atMs)
  for (const server of SERVERS) {
    const own = polled.filter((poll) => poll.server === server)
    const late = own.filter(({ atMs }) => atMs > beganMs + TOLD_WITHIN_MS)
    const isDown = server === affected && !openOnly && fault !== 'slow'
    if (isDown && late.some(({ isReady }) => isReady))
      violations.push(`/readyz of ${server} is 200 after ${TOLD_WITHIN_MS / 1000} s`)
    if (server !== affected && own.some(({ isReady }) => !isReady))
      violations.push(`/readyz of ${server} is not 200`)
  }
  const others = during(calls, ({ sentMs }) => sentMs).filter(
    ({ server, kind }) => server !== affected && kind !== affectedKind,
  )
  const done = others.filter(({ isDone }) => isDone).length
  if (others.length === 0 || done / others.length < DONE_SHARE_MIN)
    violations.push(`only ${done} of ${others.length} other calls succeeded`)
  const back = isBack === null ? 'never' : `after ${(isBack / 1000).toFixed(1)} s`
  return {
    what: `${dependency}: ${fault} for ${ms / 1000} s, other calls done (all work again ${back})`,
    times: done,
    violations: violations.map((violation) => `${dependency}, ${fault}: ${violation}`),
  }
}

/** How long it takes until both servers are ready and do everything, or null if that takes too long. */
async function untilBack(calls: Call[], polls: Poll[], fromMs: number): Promise<number | null> {
  const firstMs = (times: number[]) => Math.min(...times.filter((atMs) => atMs >= fromMs))
  const allBackMs = () => {
    const ready = SERVERS.map((name) =>
      firstMs(polls.filter(({ server, isReady }) => server === name && isReady).map(({ atMs }) => atMs)),
    )
    const done = SERVERS.flatMap((name) =>
      KINDS.map((wanted) =>
        firstMs(
          calls
            .filter(({ server, kind, isDone }) => server === name && kind === wanted && isDone)
            .map(({ sentMs }) => sentMs),
        ),
      ),
    )
    return Math.max(...ready, ...done) - fromMs
  }
  // A call that was sent in time may be answered later.
  const deadline = fromMs + RECOVERED_WITHIN_MS + ANSWERED_LATER_MS
  while (performance.now() < deadline && !Number.isFinite(allBackMs())) await wait(POLL_MS)
  const tookMs = allBackMs()
  return tookMs <= RECOVERED_WITHIN_MS ? tookMs : null
}

async function checkAcknowledged(
  { services, servers, accepted }: Deployment,
  { acknowledged, violations }: Visitors,
): Promise<Line[]> {
  const { pool, read } = services.database
  const { messages, photos, paid } = acknowledged
  const readNumbers = async (text: string, values: unknown[]) =>
    (await pool.query<{ id: number }>(text, values)).rows.map(({ id }) => id)
  const findUnsettled = async () => [
    ...(
      await readNumbers("select id from payments where id = any($1) and status <> 'held_in_escrow'", [paid])
    ).map((id) => `payment ${id} is paid, but not in escrow`),
    ...(await readNumbers('select id from mails where done_at is null', [])).map(
      (id) => `email ${id} is not sent`,
    ),
    ...(await readNumbers('select id::int from graphile_worker.jobs where attempts >= max_attempts', [])).map(
      (id) => `job ${id} has failed`,
    ),
  ]
  const deadline = performance.now() + SETTLED_WITHIN_MS
  while ((await findUnsettled()).length > 0 && performance.now() < deadline) await wait(POLL_MS)
  const unsettled = await findUnsettled()
  const stored = new Set(await readNumbers('select id from messages where id = any($1)', [messages]))
  const lost = messages.filter((id) => !stored.has(id)).map((id) => `message ${id} is lost`)
  for (const { url, cookie } of photos)
    for (const { address } of Object.values(servers)) {
      const { status } = await createClient(address)(`GET ${url}`, { cookie })
      if (status !== 200) lost.push(`${url} of ${address}: ${status}`)
    }
  const { problems } = await checkLedger(read, services.cards)
  return [
    { what: 'messages acknowledged', times: messages.length, violations: [...violations, ...lost] },
    { what: 'pictures acknowledged, each served by both servers', times: photos.length, violations: [] },
    { what: 'payments whose card was charged', times: paid.length, violations: [...unsettled, ...problems] },
    { what: 'emails accepted by the mail server', times: accepted.size, violations: [] },
  ]
}
