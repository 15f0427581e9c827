import { type Call, fillPath } from '@sought/contract/call'
import { buildQueryString } from '@sought/contract/paths'
import type { FastifyReply } from 'fastify'

/** Adds a Link header with the URL of the next page if this page is full. The cursor is the id of its last item. */
export function addNextPageLink(
  reply: FastifyReply,
  call: Call,
  query: { limit: number } & Record<string, string | number | boolean | undefined>,
  page: readonly { id: number | string }[],
  params: Record<string, string> = {},
): void {
  const last = page.at(-1)
  if (!last || page.length < query.limit) return
  const path = fillPath(call.path, params)
  reply.header('link', `<${path}${buildQueryString({ ...query, cursor: last.id })}>; rel="next"`)
}
