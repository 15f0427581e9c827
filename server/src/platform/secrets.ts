import { randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from './config.ts'

export interface Secrets {
  sessionSecret: string
  dataKey: string
}

/**
 * The secrets that were given or, in development, ones made once and kept in DATA_DIR, so that a
 * restart signs nobody out. Production never comes here without its own: config.ts has seen to it.
 */
export async function readSecrets(config: Config): Promise<Secrets> {
  const { sessionSecret, dataKey } = config
  if (sessionSecret && dataKey) return { sessionSecret, dataKey }
  const kept = await keptSecrets(config.dataDir)
  return { sessionSecret: sessionSecret ?? kept.sessionSecret, dataKey: dataKey ?? kept.dataKey }
}

async function keptSecrets(dataDir: string): Promise<Secrets> {
  const file = join(dataDir, 'secrets.json')
  const made = { sessionSecret: randomBytes(32).toString('hex'), dataKey: randomBytes(32).toString('hex') }
  await mkdir(dataDir, { recursive: true })
  try {
    // 'wx' so that of two processes starting at once, one writes and both read the same.
    await writeFile(file, JSON.stringify(made), { mode: 0o600, flag: 'wx' })
    return made
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
    return JSON.parse(await readFile(file, 'utf8'))
  }
}
