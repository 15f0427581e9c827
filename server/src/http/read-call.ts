import type { ReadInput, ReadResult } from '@sought/contract/rendering'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Refused, refusalOf } from '../core/errors.ts'
import { answerWithin, type Route } from './route.ts'
import type { Actor } from './session.ts'

export type ReadCall = (
  path: string,
  input: ReadInput,
  visit: { user: Actor | null; request: FastifyRequest },
) => Promise<ReadResult | undefined>

/** Ignores the next-page links that handlers set, because they belong to their own replies. */
export const ignoredReply = { header: () => ignoredReply } as unknown as FastifyReply

/** Makes public calls within the process, with the same handlers, checks and serialisers as over HTTP. */
export function createReader(routes: readonly Route[]): ReadCall {
  const readable = new Map(routes.filter(isReadable).map((route) => [route.call.path as string, route]))
  return async (path, input, visit) => {
    const route = readable.get(path)
    if (!route) return undefined
    try {
      return { reply: JSON.parse(await answerWithin(route, { ...input, ...visit, reply: ignoredReply })) }
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      const { status, body } = refusalOf(error)
      return { refusal: { status, body: JSON.stringify(body) } }
    }
  }
}

const isReadable = ({ call }: Route) =>
  call.method === 'GET' && call.access === 'public' && typeof call.reply !== 'string'
