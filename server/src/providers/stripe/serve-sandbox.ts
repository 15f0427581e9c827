import type { FastifyInstance } from 'fastify'
import { REQUEST_ID_HEADER } from '../../core/request-id.ts'
import { SANDBOX_PATH, type SandboxHost } from './sandbox-host.ts'

/** Serves the sandbox under our own origin, so that browsers can reach it wherever they can reach the app. */
export async function serveSandbox(app: FastifyInstance, sandbox: SandboxHost): Promise<void> {
  await app.register(async (scope) => {
    // The sandbox parses request bodies itself.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, _body, done) => done(null))
    for (const path of [SANDBOX_PATH, `${SANDBOX_PATH}/*`]) {
      // An overloaded server must not refuse these requests, because Stripe would not be overloaded with it.
      scope.all(path, { config: { takesLong: true } }, (request, reply) => {
        const { raw } = request
        raw.url = raw.url?.slice(SANDBOX_PATH.length) || '/'
        reply.hijack()
        reply.raw.setHeader(REQUEST_ID_HEADER, request.id)
        if (!sandbox.handle(raw, reply.raw)) reply.raw.writeHead(503).end()
      })
    }
  })
}
