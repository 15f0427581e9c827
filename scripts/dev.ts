import { join } from 'node:path'
import { createServer } from 'vite'
import { freePort } from '../server/src/core/free-port.ts'
import { root, run, stopChildrenOnExit } from './child.ts'

/** Paths that are proxied to the server. Vite serves everything else with hot reload. */
const SERVER_PATHS = ['/api', '/files', '/dev/mail']

stopChildrenOnExit()
const pagePort = Number(process.env.PORT ?? 3000)
const apiPort = await freePort()
const api = `http://127.0.0.1:${apiPort}`

const page = await createServer({
  configFile: join(root, 'web', 'vite.config.ts'),
  server: {
    port: pagePort,
    strictPort: true,
    proxy: Object.fromEntries(SERVER_PATHS.map((path) => [path, api])),
  },
})
await page.listen()
page.printUrls()

await run(process.execPath, ['--watch', '--watch-preserve-output', 'server/src/main.ts'], {
  env: { PORT: String(apiPort), PUBLIC_URL: `http://localhost:${pagePort}` },
  shown: true,
})
process.exit()
