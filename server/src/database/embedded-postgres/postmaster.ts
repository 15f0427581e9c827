import { spawnSync } from 'node:child_process'
import { readFileSync, readlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { platform } from 'node:process'
import { setTimeout as pause } from 'node:timers/promises'
import { PostgresRefused } from './refused.ts'

/** The parent of all processes of one running PostgreSQL. */
export type Postmaster = { pid: number; port: number }

const pidFile = (cluster: string) => join(cluster, 'postmaster.pid')

/** The postmaster that is running on this cluster. */
export function findPostmaster(cluster: string): Postmaster | undefined {
  const written = readPidFile(cluster)
  return written && runsOn(written.pid, cluster) ? written : undefined
}

/** PostgreSQL writes its process id on the first line of the file and its port on the fourth. */
function readPidFile(cluster: string): Postmaster | undefined {
  try {
    const [pid, , , port] = readFileSync(pidFile(cluster), 'utf8').split('\n')
    return Number(pid) > 0 ? { pid: Number(pid), port: Number(port) } : undefined
  } catch {
    return undefined
  }
}

/**
 * A process id alone proves nothing, since another process may have it now. The postmaster's working directory is
 * its cluster; on systems where that cannot be read, its arguments name the cluster.
 */
function runsOn(pid: number, cluster: string): boolean {
  if (platform !== 'linux') {
    return spawnSync('ps', ['-o', 'args=', '-p', String(pid)], { encoding: 'utf8' }).stdout.includes(cluster)
  }
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === cluster
  } catch {
    return false
  }
}

/**
 * PostgreSQL refuses to start while the process id in the file is alive, even if another program has it now. The file
 * must not be removed, because it also names the shared memory by which PostgreSQL detects that processes of a killed
 * postmaster still use the cluster. So we replace only the process id, with our own: PostgreSQL ignores its parent.
 */
export function replaceStalePid(cluster: string) {
  const written = readPidFile(cluster)
  if (!written || !isAlive(written.pid)) return
  const lines = readFileSync(pidFile(cluster), 'utf8').split('\n')
  writeFileSync(pidFile(cluster), [process.pid, ...lines.slice(1)].join('\n'))
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/** First a fast shutdown, then an immediate one, after which PostgreSQL recovers from its log. */
export async function shutDown(cluster: string) {
  const postmaster = findPostmaster(cluster)
  if (!postmaster) return
  for (const { signal, seconds } of [
    { signal: 'SIGINT', seconds: 30 },
    { signal: 'SIGQUIT', seconds: 10 },
  ]) {
    process.kill(postmaster.pid, signal)
    if (await waitForExit(postmaster.pid, cluster, seconds)) return
  }
  throw new PostgresRefused(`PostgreSQL (process ${postmaster.pid}) does not stop.`)
}

async function waitForExit(pid: number, cluster: string, seconds: number): Promise<boolean> {
  const deadline = performance.now() + seconds * 1000
  while (runsOn(pid, cluster)) {
    if (performance.now() > deadline) return false
    await pause(20)
  }
  return true
}
