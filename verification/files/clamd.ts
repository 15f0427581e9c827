import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { freePort } from '@sought/server/core/free-port'
import { createLog } from '@sought/server/core/log'
import { createClamd } from '@sought/server/providers/scanner/clamd'
import { EICAR } from '@sought/server/testing/fake-clamd'
import { ensureProgram } from '../support/debian-packages.ts'

const START_WITHIN_MS = 60_000
const POLL_MS = 200

/** Debian's clamd with one signature of our own, because its database can only be downloaded. */
export async function startClamd(): Promise<{ host: string; port: number; stop(): Promise<void> }> {
  const program = await ensureProgram('clamd', 'clamav-daemon')
  const folder = await mkdtemp(join(tmpdir(), 'sought-clamd-'))
  const port = await freePort()
  const signature = `Eicar-Test-Signature:0:*:${Buffer.from(EICAR).toString('hex')}\n`
  await writeFile(join(folder, 'eicar.ndb'), signature)
  const settings = [
    'Foreground yes',
    `DatabaseDirectory ${folder}`,
    'TCPAddr 127.0.0.1',
    `TCPSocket ${port}`,
    'StreamMaxLength 20M',
  ]
  await writeFile(join(folder, 'clamd.conf'), `${settings.join('\n')}\n`)
  const child = spawn(program, ['--config-file', join(folder, 'clamd.conf')], { stdio: 'ignore' })
  const exited = once(child, 'exit')
  const stop = async () => {
    child.kill('SIGKILL')
    await exited
    await rm(folder, { recursive: true, force: true })
  }
  const address = { host: '127.0.0.1', port }
  const scanner = createClamd({ ...address, log: createLog({ level: 'silent' }), pauseMs: 0 })
  for (const deadline = Date.now() + START_WITHIN_MS; Date.now() < deadline; await wait(POLL_MS))
    if ((await scanner.scan(Buffer.from('x'))) === 'clean') return { ...address, stop }
  await stop()
  throw new Error('clamd did not start')
}
