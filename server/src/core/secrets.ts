import { randomBytes } from 'node:crypto'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from './config.ts'
import { createKeys, type Keys } from './keys.ts'

export interface Secrets {
  sessionKeys: Keys
  dataKeys: Keys
}

/**
 * The configured secrets. In development, missing ones are generated once and stored in DATA_DIR, so that users
 * stay signed in after a restart. Production must set them: config.ts checks it.
 */
export async function readSecrets(config: Config): Promise<Secrets> {
  const { sessionSecrets, dataKeys } = config
  const stored = sessionSecrets && dataKeys ? null : await storedSecrets(config.dataDir)
  return {
    sessionKeys: createKeys(sessionSecrets ?? [stored?.sessionSecret ?? '']),
    dataKeys: createKeys(dataKeys ?? [stored?.dataKey ?? '']),
  }
}

async function storedSecrets(dataDir: string): Promise<{ sessionSecret: string; dataKey: string }> {
  const file = join(dataDir, 'secrets.json')
  const generated = {
    sessionSecret: randomBytes(32).toString('hex'),
    dataKey: randomBytes(32).toString('hex'),
  }
  await mkdir(dataDir, { recursive: true })
  const unfinished = `${file}.${randomBytes(4).toString('hex')}`
  try {
    await writeFile(unfinished, JSON.stringify(generated), { mode: 0o600 })
    // Fails if the file exists. If two processes start at once, both use the secrets of one, and neither reads a
    // file that is only half written.
    await link(unfinished, file)
    return generated
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST')
      return JSON.parse(await readFile(file, 'utf8'))
    throw error
  } finally {
    await rm(unfinished, { force: true })
  }
}
