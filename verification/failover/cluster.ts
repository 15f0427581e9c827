import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { freePort } from '@sought/server/core/free-port'
import {
  chooseServiceUser,
  identity,
  type ServiceUser,
} from '@sought/server/database/embedded-postgres/service-user'
import { ensureProgram } from '../support/debian-packages.ts'
import { findPostgres } from '../support/find-postgres.ts'

/*
 * Three nodes on the loopback interface, each with etcd, Patroni and PostgreSQL, behind HAProxy, all from Debian's
 * packages. Replication is synchronous and strict: a commit is acknowledged only once it is on two nodes.
 */

const NODES = ['one', 'two', 'three'] as const
const START_WITHIN_MS = 120_000
const POLL_MS = 100
const OUTPUT_LENGTH = 4_000
const PASSWORD = 'only on the loopback interface'

export interface Cluster {
  /** The URL of the current primary. */
  url: string
  /** The URL of one of the replicas. */
  replicaUrl: string
  /** Resolves once all nodes run and a replica is synchronous. */
  healthy(): Promise<void>
  /** Kills etcd, Patroni and PostgreSQL on the primary's node at once, as if its machine had lost power. */
  killPrimaryNode(): Promise<ClusterNode>
  /** Kills only PostgreSQL. Patroni detects it. */
  killPrimaryPostgres(): Promise<ClusterNode>
  stop(): Promise<void>
}

interface Ports {
  etcd: number
  peers: number
  patroni: number
  postgres: number
}

export interface ClusterNode {
  name: string
  ports: Ports
  start(): void
}

interface Member {
  role: string
  state: string
}

export async function startCluster(): Promise<Cluster> {
  const programs = {
    etcd: await ensureProgram('etcd', 'etcd-server'),
    patroni: await ensureProgram('patroni'),
    haproxy: await ensureProgram('haproxy'),
    postgres: await findPostgres(),
  }
  const user = chooseServiceUser()
  const folder = await mkdtemp(join(tmpdir(), 'sought-failover-'))
  await chmod(folder, 0o755)
  const nodes = new Map<string, RunningNode>()
  const all: { name: string; ports: Ports }[] = []
  for (const name of NODES) {
    const ports = {
      etcd: await freePort(),
      peers: await freePort(),
      patroni: await freePort(),
      postgres: await freePort(),
    }
    all.push({ name, ports })
  }
  for (const { name, ports } of all) {
    const home = join(folder, name)
    await mkdir(home, { mode: 0o700 })
    await writeFile(join(home, 'patroni.json'), patroniSettings(name, home, ports, all, programs.postgres))
    if (user) execFileSync('chown', ['-R', `${user.uid}:${user.gid}`, home])
    nodes.set(name, createNode({ name, ports, home, user, programs, all }))
  }
  const entry = { primary: await freePort(), replicas: await freePort() }
  await writeFile(join(folder, 'haproxy.cfg'), haproxySettings(entry, all))
  const haproxy = startProgram(programs.haproxy, ['-db', '-f', join(folder, 'haproxy.cfg')], { cwd: folder })
  for (const node of nodes.values()) node.start()

  const stop = async () => {
    await Promise.all([...nodes.values()].map((node) => node.kill()))
    await haproxy.kill()
    await rm(folder, { recursive: true, force: true })
  }
  const findPrimary = async (): Promise<RunningNode> => {
    for (const node of nodes.values()) {
      const reply = await fetch(`http://127.0.0.1:${node.ports.patroni}/primary`).catch(() => null)
      if (reply?.ok) return node
    }
    throw new Error('the cluster has no primary')
  }
  const healthy = async () => {
    const deadline = Date.now() + START_WITHIN_MS
    while (!(await isHealthy(all))) {
      if (Date.now() > deadline) {
        const outputs = [haproxy.output(), ...[...nodes.values()].map((node) => node.output())]
        throw new Error(`the cluster does not become healthy:\n${outputs.join('\n')}`)
      }
      await wait(POLL_MS)
    }
  }
  const urlAt = (port: number) =>
    `postgres://postgres:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}/postgres`
  try {
    await healthy()
  } catch (error) {
    await stop()
    throw error
  }
  return {
    url: urlAt(entry.primary),
    replicaUrl: urlAt(entry.replicas),
    healthy,
    async killPrimaryNode() {
      const node = await findPrimary()
      await node.kill()
      return node
    },
    async killPrimaryPostgres() {
      const node = await findPrimary()
      node.killPostgres()
      return node
    },
    stop,
  }
}

async function isHealthy(all: { ports: Ports }[]): Promise<boolean> {
  for (const { ports } of all) {
    const reply = await fetch(`http://127.0.0.1:${ports.patroni}/cluster`).catch(() => null)
    const { members } = reply?.ok ? ((await reply.json()) as { members: Member[] }) : { members: [] }
    const roles = members.filter(({ state }) => /^(running|streaming)$/.test(state)).map(({ role }) => role)
    const isComplete =
      roles.length === NODES.length && roles.includes('leader') && roles.includes('sync_standby')
    if (!isComplete) return false
  }
  return true
}

interface NodeOptions {
  name: string
  ports: Ports
  home: string
  user: ServiceUser
  programs: { etcd: string; patroni: string; postgres: string }
  all: { name: string; ports: Ports }[]
}

interface RunningNode extends ClusterNode {
  kill(): Promise<void>
  killPostgres(): void
  output(): string
}

function createNode({ name, ports, home, user, programs, all }: NodeOptions): RunningNode {
  let etcd: Program | null = null
  let patroni: Program | null = null
  const options = { ...identity(user), cwd: home }

  function killPostgres(): void {
    const file = join(home, 'data', 'postmaster.pid')
    const postmaster = existsSync(file) ? Number(readFileSync(file, 'utf8').split('\n')[0]) : 0
    if (!postmaster) return
    const processes = [postmaster, ...childrenOf(postmaster)]
    for (const pid of processes) killNow(pid)
  }
  // Patroni starts PostgreSQL as a daemon, so it must be killed separately.
  process.once('exit', killPostgres)

  return {
    name,
    ports,
    start() {
      etcd = startProgram(programs.etcd, etcdArguments(name, home, ports, all), options)
      patroni = startProgram(programs.patroni, [join(home, 'patroni.json')], options)
    },
    async kill() {
      const ended = [patroni?.kill(), etcd?.kill()]
      killPostgres()
      await Promise.all(ended)
    },
    killPostgres,
    output: () => `${name}: ${patroni?.output()}`,
  }
}

function childrenOf(pid: number): number[] {
  try {
    return execFileSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' })
      .split('\n')
      .map(Number)
      .filter((child) => child > 0)
  } catch {
    return []
  }
}

function killNow(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // The process has already ended.
  }
}

interface Program {
  kill(): Promise<void>
  output(): string
}

/** Killed with this process, however it ends. */
const children = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of children) child.kill('SIGKILL')
})

function startProgram(
  program: string,
  args: string[],
  options: { cwd: string; uid?: number; gid?: number },
): Program {
  const child: ChildProcess = spawn(program, args, {
    ...options,
    env: {
      PATH: '/usr/bin:/bin:/usr/sbin',
      LC_ALL: 'C.UTF-8',
      HOME: options.cwd,
      // etcd 3.4 does not declare its support of arm64.
      ETCD_UNSUPPORTED_ARCH: process.arch,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk) => {
      output = (output + chunk).slice(-OUTPUT_LENGTH)
    })
  const ended = once(child, 'exit').catch((error) => {
    output += String(error)
  })
  children.add(child)
  return {
    async kill() {
      child.kill('SIGKILL')
      await ended
      children.delete(child)
    },
    output: () => output,
  }
}

function etcdArguments(
  name: string,
  home: string,
  ports: Ports,
  all: { name: string; ports: Ports }[],
): string[] {
  const [clients, peers] = [`http://127.0.0.1:${ports.etcd}`, `http://127.0.0.1:${ports.peers}`]
  const members = all.map((node) => `${node.name}=http://127.0.0.1:${node.ports.peers}`)
  return [
    `--name=${name}`,
    `--data-dir=${join(home, 'etcd')}`,
    `--listen-client-urls=${clients}`,
    `--advertise-client-urls=${clients}`,
    `--listen-peer-urls=${peers}`,
    `--initial-advertise-peer-urls=${peers}`,
    `--initial-cluster=${members.join(',')}`,
    '--initial-cluster-state=new',
    '--log-level=error',
  ]
}

/**
 * YAML is a superset of JSON. Patroni's default limits are for clusters over a network: 30 seconds until a
 * failover.
 */
function patroniSettings(
  name: string,
  home: string,
  ports: Ports,
  all: { ports: Ports }[],
  binFolder: string,
): string {
  const user = (username: string) => ({ username, password: PASSWORD })
  return JSON.stringify({
    scope: 'sought',
    name,
    restapi: { listen: `127.0.0.1:${ports.patroni}`, connect_address: `127.0.0.1:${ports.patroni}` },
    etcd3: { hosts: all.map((node) => `127.0.0.1:${node.ports.etcd}`) },
    bootstrap: {
      dcs: {
        ttl: 5,
        loop_wait: 1,
        retry_timeout: 2,
        synchronous_mode: true,
        synchronous_mode_strict: true,
        // A crashed primary is replaced immediately instead of being restarted.
        primary_start_timeout: 0,
        postgresql: { use_pg_rewind: true, use_slots: true, parameters: { max_connections: 200 } },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C.UTF-8' }, 'data-checksums'],
    },
    postgresql: {
      listen: `127.0.0.1:${ports.postgres}`,
      connect_address: `127.0.0.1:${ports.postgres}`,
      data_dir: join(home, 'data'),
      bin_dir: binFolder,
      pgpass: join(home, 'pgpass'),
      authentication: {
        superuser: user('postgres'),
        replication: user('replicator'),
        rewind: user('rewind'),
      },
      parameters: { unix_socket_directories: home },
      pg_hba: [
        'local all all trust',
        'host all all 127.0.0.1/32 scram-sha-256',
        'host replication replicator 127.0.0.1/32 scram-sha-256',
      ],
    },
  })
}

function haproxySettings(
  entry: { primary: number; replicas: number },
  all: { name: string; ports: Ports }[],
): string {
  const servers = all
    .map(({ name, ports }) => `  server ${name} 127.0.0.1:${ports.postgres} check port ${ports.patroni}`)
    .join('\n')
  const listener = (port: number, path: string) => `
listen ${path}
  bind 127.0.0.1:${port}
  option httpchk OPTIONS /${path}
  http-check expect status 200
  default-server inter 500ms fall 2 rise 1 on-marked-down shutdown-sessions
${servers}
`
  return `
global
  maxconn 1000
defaults
  mode tcp
  timeout connect 1s
  timeout client 30m
  timeout server 30m
  timeout check 2s
  option redispatch
  retries 1
${listener(entry.primary, 'primary')}${listener(entry.replicas, 'replica')}`
}
