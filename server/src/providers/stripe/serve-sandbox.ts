import type { FastifyInstance } from 'fastify'
import { SANDBOX_PATH, type SandboxHost } from './sandbox-host.ts'

/** Lets browsers reach the sandbox below our own address, so that it works wherever the page does. */
export async function serveSandbox(app: FastifyInstance, sandbox: SandboxHost): Promise<void> {
  await app.register(async (door) => {
    // The sandbox reads its bodies itself.
    door.removeAllContentTypeParsers()
    door.addContentTypeParser('*', (_request, _body, done) => done(null))
    for (const path of [SANDBOX_PATH, `${SANDBOX_PATH}/*`]) {
      door.all(path, (request, reply) => {
        const { raw } = request
        raw.url = raw.url?.slice(SANDBOX_PATH.length) || '/'
        reply.hijack()
        if (!sandbox.handle(raw, reply.raw)) reply.raw.writeHead(503).end()
      })
    }
  })
}
