import { join } from 'node:path'
import { freePort } from '@sought/server/core/free-port'
import { demoSignIns } from '@sought/server/demo/sign-ins'
import sharp from 'sharp'
import { root, run } from '../../scripts/child.ts'
import { createServerProcess } from '../support/server-process.ts'

/* A deployment with the demo market, and the operator's commands. */

export type Environment = Record<string, string>

/** The same settings for a deployment and for its restored copy. */
const SETTINGS: Environment = {
  DEMO: 'on',
  RATE_LIMIT: 'off',
  LOG_LEVEL: 'error',
  SESSION_SECRET: 'the session secret of a proof',
  DATA_KEY: 'the data key of a proof',
  SANDBOX_SECRET_KEY: 'sk_test_of_a_proof',
}

export const deploymentAt = (databaseUrl: string, dataDir: string): Environment => ({
  ...SETTINGS,
  DATABASE_URL: databaseUrl,
  DATA_DIR: dataDir,
})

/** Starts the server, which fills an empty database with the demo market. */
export async function startMarket(env: Environment) {
  const address = `http://127.0.0.1:${await freePort()}`
  const server = createServerProcess(address, env, () => 0)
  server.start()
  await server.ready()
  return server
}

/** Runs a command of the server. */
export function runCommand(name: string, args: string[], env: Environment) {
  return run(process.execPath, [join(root, 'server/src/commands', `${name}.ts`), ...args], { env })
}

export interface Figures {
  payments: number
  entries: number
  files: number
}

/** The results of the ledger check and the file check. */
export async function checkMarket(env: Environment): Promise<{ figures: Figures; violations: string[] }> {
  const ledger = await runCommand('ledger-check', [], env)
  const files = await runCommand('check-files', [], env)
  const number = (text: string, pattern: RegExp) => Number(text.match(pattern)?.[1] ?? Number.NaN)
  return {
    figures: {
      payments: number(ledger.output, /(\d+) payments/),
      entries: number(ledger.output, /(\d+) entries/),
      files: number(files.output, /^(\d+) files/m),
    },
    violations: [ledger, files].filter(({ ok }) => !ok).map(({ output }) => output),
  }
}

/** Signs in and returns a function that uploads another profile picture, which removes the old one. */
export async function createUploader(address: string) {
  const { email, password } = demoSignIns[0] ?? { email: '', password: '' }
  const signedIn = await fetch(`${address}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: address },
    body: JSON.stringify({ email, password }),
  })
  const cookie = signedIn.headers
    .getSetCookie()
    .map((it) => it.split(';')[0])
    .join('; ')
  return async (shade: number): Promise<boolean> => {
    const color = { r: shade % 256, g: (shade * 7) % 256, b: 90 }
    const picture = sharp({ create: { width: 64, height: 64, channels: 3, background: color } })
    const body = new FormData()
    body.set('avatar', new Blob([new Uint8Array(await picture.png().toBuffer())]), 'picture.png')
    const headers = { cookie, origin: address }
    const reply = await fetch(`${address}/api/user/upload-avatar`, { method: 'POST', headers, body })
    return reply.ok
  }
}
