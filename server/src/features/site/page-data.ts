import { getCurrentUser } from '@sought/contract/accounts'
import type { ReplyOf } from '@sought/contract/call'
import { getConfig } from '@sought/contract/platform'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Market } from '../../database/market-settings.ts'
import { compileReply } from '../../http/reply-schema.ts'
import type { Visit } from '../../pages/web-app.ts'
import type { Services } from '../../services.ts'
import { asCurrentUser } from '../identity/accounts/profile.ts'

/**
 * The visitor of a page, and the replies to the first calls of every visit. They are embedded in the page, so
 * that the app knows immediately who is signed in, and the market's settings (ADR 55).
 */
export function createPageData(
  { sessions, market }: Services,
  describe: (market: Market) => ReplyOf<typeof getConfig>,
) {
  const serializeConfig = compileReply(getConfig.reply).serialize
  const serializeUser = compileReply(getCurrentUser.reply).serialize
  let described: { market: Market; config: unknown } | null = null

  /** Serialized once for each version of the settings. */
  function configOf(current: Market): unknown {
    if (described?.market.version !== current.version)
      described = {
        market: current,
        config: JSON.parse(serializeConfig(describe(current))),
      }
    return described.config
  }
  const visitBy = (current: Market, user: Visit['user']): Visit => ({
    user,
    data: [
      [[getConfig.path], configOf(current)],
      [[getCurrentUser.path], user && JSON.parse(serializeUser(asCurrentUser(user)))],
    ],
  })

  return async (request: FastifyRequest, reply: FastifyReply): Promise<Visit> => {
    const current = await market.read().catch(market.latest)
    if (request.headers.cookie === undefined || sessions.sidOf(request) === null)
      return visitBy(current, null)
    return visitBy(current, await sessions.userOf(request, reply))
  }
}
