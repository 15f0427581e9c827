import { type Call, fillPath } from '@sought/contract/call'
import { buildQueryString } from '@sought/contract/paths'
import type { FastifyReply } from 'fastify'

/** Names the address of the next page, if this one is full. Pages go on after the id of their last item. */
export function nextPage(
  reply: FastifyReply,
  call: Call,
  query: { limit: number } & Record<string, string | number | undefined>,
  page: readonly { id: number }[],
  params: Record<string, string> = {},
): void {
  const last = page.at(-1)
  if (!last || page.length < query.limit) return
  const path = fillPath(call.path, params)
  reply.header('link', `<${path}${buildQueryString({ ...query, cursor: last.id })}>; rel="next"`)
}
