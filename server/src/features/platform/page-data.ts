import { getCurrentUser } from '@sought/contract/accounts'
import type { ReplyOf } from '@sought/contract/call'
import { getConfig } from '@sought/contract/platform'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { escapeJson } from '../../platform/page-head.ts'
import { compileReply } from '../../platform/reply-schema.ts'
import type { Services } from '../../platform/services.ts'
import { asCurrentUser } from '../accounts/profile.ts'

/**
 * The replies to the first calls of every visit, by path. The page contains them, so that the app knows at once who is
 * signed in (ADR 55).
 */
export function createPageData({ sessions }: Services, deployment: ReplyOf<typeof getConfig>) {
  const config = compileReply(getConfig.reply).serialize(deployment)
  const { serialize } = compileReply(getCurrentUser.reply)
  const withUser = (user: string) =>
    escapeJson(`[[["${getConfig.path}"],${config}],[["${getCurrentUser.path}"],${user}]]`)
  const forVisitors = withUser('null')

  return (request: FastifyRequest, reply: FastifyReply): string | Promise<string> => {
    if (sessions.sidOf(request) === null) return forVisitors
    return sessions
      .userOf(request, reply)
      .then((user) => (user ? withUser(serialize(asCurrentUser(user))) : forVisitors))
  }
}
