import type { PageData, PageKey, PageRequest, RenderedPage } from '@sought/contract/rendering'
import { hashKey, type QueryClient } from '@tanstack/react-query'
import { type PipeableStream, renderToPipeableStream } from 'react-dom/server'
import { Router } from 'wouter'
import { App } from './app/app.tsx'
import { fillCache } from './data/page-data.ts'
import { createQueryClient } from './data/query-client.ts'
import { TitleReceiver } from './ui/base/title.tsx'

/* Renders public pages on the server (ADR 62). The server loads the build of this file. */

/** Components may read more data after the first reads. After this many rounds, the browser reads the rest. */
const ROUNDS_MAX = 4

/** Renders a page repeatedly until all the data that it asks for is read. */
export async function renderPage({ path, search, data: known, read }: PageRequest): Promise<RenderedPage> {
  const cache = createQueryClient()
  fillCache(cache, known)
  const data = [...known]
  const asked = new Set<string>()
  for (let round = 1; ; round++) {
    const rendered = await render(cache, path, search)
    const missing = findMissing(cache).filter((key) => !asked.has(hashKey(key)))
    for (const key of missing) asked.add(hashKey(key))
    const entries = round < ROUNDS_MAX ? await readAll(missing, read) : []
    if (entries.length === 0) return { pipe: rendered.stream.pipe, data, title: rendered.title }
    rendered.stream.abort()
    fillCache(cache, entries)
    data.push(...entries)
  }
}

/** The keys of data that the screen asks for and that was not read yet. */
function findMissing(cache: QueryClient): PageKey[] {
  const queries = cache.getQueryCache().getAll()
  return queries
    .filter(({ state, options }) => state.status === 'pending' && isEnabled(options))
    .map(({ queryKey }) => queryKey as unknown as PageKey)
}

const isEnabled = (options: object) => !('enabled' in options) || options.enabled !== false

async function readAll(keys: readonly PageKey[], read: PageRequest['read']): Promise<PageData> {
  const entries = await Promise.all(
    keys.map(async (key) => {
      const [path, { pages, ...input } = {}] = key
      const result = await read(path, input)
      if (!result) return []
      if ('refusal' in result) return [[key, null, result.refusal] as const]
      const reply = pages ? { pages: [result.reply], pageParams: [null] } : result.reply
      return [[key, reply] as const]
    }),
  )
  return entries.flat()
}

interface Rendered {
  stream: PipeableStream
  title: string | null
}

/** Resolves when everything is rendered, so that no script adds anything later. */
function render(cache: QueryClient, path: string, search: string): Promise<Rendered> {
  return new Promise((resolve, reject) => {
    let title: string | null = null
    const receiveTitle = (text: string) => {
      title = text
    }
    const stream = renderToPipeableStream(
      <TitleReceiver value={receiveTitle}>
        <Router ssrPath={path} ssrSearch={search}>
          <App cache={cache} />
        </Router>
      </TitleReceiver>,
      {
        onAllReady: () => resolve({ stream, title }),
        onError: reject,
        progressiveChunkSize: Number.POSITIVE_INFINITY,
      },
    )
  })
}
