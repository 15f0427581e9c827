import { globSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { run } from '../../scripts/child.ts'
import type { Line, Part } from '../support/part.ts'
import { type UnpackedRelease, unpackRelease } from '../support/unpack-release.ts'
import type { Figures } from './use-release.ts'

/*
 * The archive of `npm run release` is unpacked into an empty folder. There, a web process is started with `./sought`
 * and a worker with `npm start`, without a network and without write access. A user signs up, uploads a picture and
 * posts.
 */

const USE = fileURLToPath(new URL('./use-release.ts', import.meta.url))

/** A network namespace has only its own loopback interface, which is down. */
const ISOLATE = [
  'ip link set lo up',
  'mount --bind "$0" "$0"',
  'mount -o remount,bind,ro "$0"',
  'exec "$@"',
].join(' && ')

export const release: Part = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sought-proof-'))
  try {
    const archive = await unpackRelease(folder)
    const files = await checkSums(archive)
    return [files, await checkParts(archive), ...(await use(archive.unpacked, folder))]
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function checkSums({ unpacked, sizeBytes }: UnpackedRelease): Promise<Line> {
  const sums = await readFile(join(unpacked, 'SHA256SUMS'), 'utf8')
  const { ok, output } = await run('sha256sum', ['--quiet', '--check', 'SHA256SUMS'], { cwd: unpacked })
  return {
    what: `files of an archive of ${(sizeBytes / 1e6).toFixed(0)} MB, each with its checksum`,
    times: sums.split('\n').length - 1,
    violations: ok ? [] : [output],
  }
}

/** Each package in the archive is in its list of parts. */
async function checkParts({ unpacked }: UnpackedRelease): Promise<Line> {
  const { components }: { components: { name: string; version: string }[] } = JSON.parse(
    await readFile(join(unpacked, 'sbom.cdx.json'), 'utf8'),
  )
  const listed = new Set(components.map(({ name, version }) => `${name}@${version}`))
  const manifests = globSync('**/node_modules/{*,@*/*}/package.json', { cwd: unpacked }).filter(
    (file) => !file.includes('@sought/'),
  )
  const violations: string[] = []
  for (const file of manifests) {
    const { name, version } = JSON.parse(await readFile(join(unpacked, file), 'utf8'))
    if (!listed.has(`${name}@${version}`)) violations.push(`${name}@${version} is not in sbom.cdx.json`)
  }
  return { what: 'packages of the archive, each in its SBOM', times: manifests.length, violations }
}

async function use(unpacked: string, folder: string): Promise<Line[]> {
  const isolated = (await run('unshare', ['--net', '--mount', 'true'])).ok
  const result = join(folder, 'figures.json')
  const command = [process.execPath, USE, unpacked, join(folder, 'data'), result]
  const { ok, output } = isolated
    ? await run('unshare', ['--net', '--mount', 'sh', '-c', ISOLATE, unpacked, ...command])
    : await run(process.execPath, command.slice(1))
  if (!ok) return [{ what: 'processes of the release', times: 1, violations: [output] }]
  const figures: Figures = JSON.parse(await readFile(result, 'utf8'))
  const { networks, started, requests, violations } = figures
  const where = isolated
    ? 'without a network, in a read-only folder'
    : 'with a network: unshare is not allowed'
  if (isolated && networks.length > 0) violations.push(`there are networks: ${networks.join(', ')}`)
  const seconds = started.map(({ role, readyMs }) => `${role} ready after ${(readyMs / 1000).toFixed(1)} s`)
  return [
    { what: `processes started ${where} (${seconds.join(', ')})`, times: started.length, violations },
    { what: 'requests to them, each answered as expected', times: requests, violations: [] },
  ]
}
