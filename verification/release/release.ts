import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { root, run } from '../../scripts/child.ts'
import type { Line, Part } from '../support/part.ts'
import type { Figures } from './use-release.ts'

/*
 * The archive of `npm run release` is unpacked into an empty folder. There, a web process and a worker are started
 * with `npm start`, without a network and without write access. A user signs up, uploads a picture and posts.
 */

const PACK = join(root, 'scripts/release.ts')
const USE = fileURLToPath(new URL('./use-release.ts', import.meta.url))

/** A network namespace has only its own loopback interface, which is down. */
const ISOLATE = [
  'ip link set lo up',
  'mount --bind "$0" "$0"',
  'mount -o remount,bind,ro "$0"',
  'exec "$@"',
].join(' && ')

export const release: Part = async () => {
  const packed = await run(process.execPath, [PACK])
  if (!packed.ok) throw new Error(packed.output)
  const folder = await mkdtemp(join(tmpdir(), 'sought-proof-'))
  try {
    const archive = await unpack(folder)
    const files = await checkSums(archive)
    return [files, ...(await use(archive.unpacked, folder))]
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

interface Archive {
  sizeBytes: number
  unpacked: string
}

async function unpack(folder: string): Promise<Archive> {
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  const name = `sought-${version}-${process.platform}-${process.arch}`
  const file = join(root, 'release', `${name}.tar.gz`)
  const { ok, output } = await run('tar', ['-xzf', file, '-C', folder])
  if (!ok) throw new Error(output)
  return { sizeBytes: (await stat(file)).size, unpacked: join(folder, name) }
}

async function checkSums({ unpacked, sizeBytes }: Archive): Promise<Line> {
  const sums = await readFile(join(unpacked, 'SHA256SUMS'), 'utf8')
  const { ok, output } = await run('sha256sum', ['--quiet', '--check', 'SHA256SUMS'], { cwd: unpacked })
  return {
    what: `files of an archive of ${(sizeBytes / 1e6).toFixed(0)} MB, each with its checksum`,
    times: sums.split('\n').length - 1,
    violations: ok ? [] : [output],
  }
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
