import { getCurrentUser } from '@sought/contract/accounts'
import type { ReplyOf } from '@sought/contract/call'
import { getConfig } from '@sought/contract/platform'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { compileReply } from '../../platform/reply-schema.ts'
import type { Services } from '../../platform/services.ts'
import type { Visit } from '../../platform/web-app.ts'
import { asCurrentUser } from '../accounts/profile.ts'

/**
 * Who visits a page, and the replies to the first calls of every visit. The page contains them, so that the app knows at
 * once who is signed in (ADR 55).
 */
export function createPageData({ sessions }: Services, deployment: ReplyOf<typeof getConfig>) {
  const config = JSON.parse(compileReply(getConfig.reply).serialize(deployment))
  const { serialize } = compileReply(getCurrentUser.reply)
  const dataFor = (user: unknown) =>
    [
      [[getConfig.path], config],
      [[getCurrentUser.path], user],
    ] as const
  const visitor: Visit = { user: null, data: dataFor(null) }

  return async (request: FastifyRequest, reply: FastifyReply): Promise<Visit> => {
    if (request.headers.cookie === undefined || sessions.sidOf(request) === null) return visitor
    const user = await sessions.userOf(request, reply)
    return user ? { user, data: dataFor(JSON.parse(serialize(asCurrentUser(user)))) } : visitor
  }
}
