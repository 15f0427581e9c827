import { type Call, fillPath, type QueryOf } from '@sought/contract/call'
import { buildQueryString } from '@sought/contract/paths'
import { type Answer, type CallContext, on, type Route } from './route.ts'

type Cursor = string | number
type CursorOf<C extends Call, Item> = (item: Item, query: QueryOf<C>) => Cursor

const idOf = (item: unknown) => (item as { id: Cursor }).id

/**
 * Like `on`, for a call that replies with a page of a list. If the page is full, a Link header has the URL of the
 * next one. Its cursor is the id of the last item, unless `cursorOf` returns another one.
 */
export function onPages<const C extends Call>(call: C) {
  return <Page extends Answer<C> & readonly unknown[]>(
    handle: (context: CallContext<C>) => Promise<Page>,
    // Items without an id need a cursor of their own.
    ...[cursorOf = idOf]: Page[number] extends { id: Cursor }
      ? [CursorOf<C, Page[number]>?]
      : [CursorOf<C, Page[number]>]
  ): Route =>
    on(call)(async (context) => {
      const page = await handle(context)
      const query = context.query as { limit: number }
      if (page.length === 0 || page.length < query.limit) return page
      const cursor = cursorOf(page.at(-1) as Page[number], context.query)
      const path = fillPath(call.path, context.params as Record<string, unknown>)
      context.reply.header('link', `<${path}${buildQueryString({ ...query, cursor })}>; rel="next"`)
      return page
    })
}
