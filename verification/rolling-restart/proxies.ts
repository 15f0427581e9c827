import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { root, run } from '../../scripts/child.ts'
import { createClient } from '../load/http-client.ts'
import { ensureProgram } from '../support/debian-packages.ts'

const DEPLOY = join(root, 'deploy')
const START_WITHIN_MS = 60_000

export interface ProxyOptions {
  /** An empty folder for its files. */
  folder: string
  httpPort: number
  httpsPort: number
  /** The ports of the processes. */
  upstreams: readonly [number, number]
  /** The public address. */
  address: string
}

export interface Proxy {
  stop(): Promise<unknown>
  output(): string
}

export type StartProxy = (options: ProxyOptions) => Promise<Proxy>

/** The proxies, with the files of deploy/. */
export const proxies = { nginx: startNginx, Caddy: startCaddy } satisfies Record<string, StartProxy>

/** Replaces only ports and the certificate in deploy/nginx.conf. */
async function startNginx({ folder, httpPort, httpsPort, upstreams, address }: ProxyOptions): Promise<Proxy> {
  const nginx = await ensureProgram('nginx')
  const [certificate, key] = [join(folder, 'certificate.pem'), join(folder, 'certificate.key')]
  const request = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=localhost', '-days', '1']
  const made = await run(await ensureProgram('openssl'), [...request, '-keyout', key, '-out', certificate])
  if (!made.ok) throw new Error(made.output)
  const site = replaceAll(await readFile(join(DEPLOY, 'nginx.conf'), 'utf8'), [
    [/127\.0\.0\.1:3001/g, `127.0.0.1:${upstreams[0]}`],
    [/127\.0\.0\.1:3002/g, `127.0.0.1:${upstreams[1]}`],
    [/(listen (?:\[::\]:)?)80\b/g, `$1${httpPort}`],
    [/(listen (?:\[::\]:)?)443\b/g, `$1${httpsPort}`],
    [/\/etc\/ssl\/sought\.example\.pem/g, certificate],
    [/\/etc\/ssl\/sought\.example\.key/g, key],
  ])
  await writeFile(join(folder, 'sought.conf'), site)
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  const main = join(folder, 'nginx.conf')
  await writeFile(
    main,
    `${process.getuid?.() === 0 ? 'user root;' : ''}
    daemon off;
    pid ${folder}/nginx.pid;
    error_log stderr warn;
    events { worker_connections 4096; }
    http {
      access_log off;
      ${paths.map((name) => `${name}_temp_path ${folder}/${name};`).join('\n')}
      include ${folder}/sought.conf;
    }`,
  )
  return startProgram(nginx, ['-e', 'stderr', '-p', folder, '-c', main], {}, address)
}

function replaceAll(text: string, replacements: [RegExp, string][]): string {
  return replacements.reduce((changed, [pattern, value]) => {
    if (!pattern.test(changed)) throw new Error(`deploy/nginx.conf has no ${pattern.source}`)
    return changed.replaceAll(pattern, value)
  }, text)
}

/** Uses deploy/Caddyfile unchanged. */
export async function startCaddy(options: ProxyOptions): Promise<Proxy> {
  const { folder, httpPort, httpsPort, upstreams, address } = options
  const env = {
    HOME: folder,
    SITE_ADDRESS: address,
    HTTP_PORT: String(httpPort),
    HTTPS_PORT: String(httpsPort),
    UPSTREAMS: upstreams.map((port) => `127.0.0.1:${port}`).join(' '),
  }
  await mkdir(folder, { recursive: true })
  const args = ['run', '--config', join(DEPLOY, 'Caddyfile'), '--adapter', 'caddyfile']
  return startProgram(await ensureProgram('caddy'), args, env, address)
}

async function startProgram(
  program: string,
  args: string[],
  env: Record<string, string>,
  address: string,
): Promise<Proxy> {
  const child: ChildProcess = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += chunk))
  const exited = once(child, 'exit')
  const stop = async () => {
    child.kill('SIGTERM')
    await exited
  }
  const send = createClient(address)
  for (const deadline = Date.now() + START_WITHIN_MS; ; await wait(100)) {
    const reply = await send('GET /api/config').catch(() => null)
    if (reply?.status === 200) return { stop, output: () => output }
    if (child.exitCode !== null || Date.now() > deadline) {
      await stop()
      throw new Error(`${program} does not start:\n${output}`)
    }
  }
}
