import { statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { type Check, fail, ok, type Patient, warn } from './check.ts'

const NAME = 'doctor-check'
const CONTENT = Buffer.from('Written by npm run doctor.')
const PUBLIC_TIMEOUT_MS = 10_000
const FREE_WARN = { bytes: 2e9, share: 0.1 }
const FREE_FAIL = { bytes: 200e6, share: 0.01 }

const files: Check = async ({ storage, config }) => {
  const where = config.s3 ? `the bucket ${config.s3.bucket}` : 'DATA_DIR'
  await storage.check()
  await storage.write(NAME, CONTENT)
  try {
    const found = await storage.open(NAME)
    if (!found || !(await buffer(found.stream)).equals(CONTENT))
      return fail(`A file that was written to ${where} could not be read again.`)
  } finally {
    await storage.remove(NAME)
  }
  return (await storage.has(NAME))
    ? fail(`A file in ${where} could not be deleted.`)
    : ok(`Files can be written to ${where}, read and deleted.`)
}

/** Evidence and photos of conversations are in the bucket. */
const filesPrivate: Check = async ({ config: { s3 } }) => {
  if (!s3) return null
  const base = s3.endpoint ?? `https://s3.${s3.region}.amazonaws.com`
  const response = await fetch(`${base.replace(/\/$/, '')}/${s3.bucket}?list-type=2`, {
    signal: AbortSignal.timeout(PUBLIC_TIMEOUT_MS),
  })
  await response.body?.cancel()
  return response.ok
    ? fail(`Anybody can list the bucket ${s3.bucket}. Block public access to it.`)
    : ok(`The bucket ${s3.bucket} is not public.`)
}

const diskSpace: Check = async ({ config, statfs }) => {
  const { bavail, blocks, bsize } = await statfs(config.dataDir)
  const free = bavail * bsize
  const share = blocks === 0 ? 1 : bavail / blocks
  const message = `${(free / 1e9).toFixed(1)} GB, ${Math.floor(share * 100)} %, are free on the disk of DATA_DIR.`
  if (free < FREE_FAIL.bytes || share < FREE_FAIL.share) return fail(message)
  return free < FREE_WARN.bytes || share < FREE_WARN.share ? warn(message) : ok(message)
}

/** DATA_DIR may not exist before the first start. */
export const statNearest: Patient['statfs'] = async (folder) => {
  try {
    return await statfs(folder)
  } catch (error) {
    const parent = dirname(folder)
    if (parent === folder) throw error
    return statNearest(parent)
  }
}

export const fileChecks: Record<string, Check> = {
  files,
  'files-private': filesPrivate,
  'disk-space': diskSpace,
}
