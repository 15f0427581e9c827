import type { Random } from '../support/random.ts'
import { wrongAnywhere } from './check-response.ts'
import type { Stage } from './fuzz-world.ts'
import { allHostileTexts } from './hostile-texts.ts'

/** What is served beside the calls: each address with a hostile text in it is answered, and not with an error of ours. */
const ADDRESSES: readonly ((text: string) => string)[] = [
  (text) => `/${text}`,
  (text) => `/item/${text}`,
  (text) => `/user/${text}`,
  (text) => `/user/${text}/`,
  (text) => `/files/${text}`,
  (text) => `/assets/${text}`,
  (text) => `/sitemap/${text}.xml`,
  (text) => `/api/docs/${text}`,
  (text) => `/auth?returnTo=${text}&error=${text}`,
  (text) => `/?search=${text}&category=${text}`,
]

const MORE = [
  '',
  '%',
  '%zz',
  '%ff',
  '%00',
  '%2f',
  '%5c',
  'x'.repeat(300),
  'x'.repeat(5_000),
  '1e1',
  '0x1',
  '99999999999',
]

export async function fuzzPages(
  { app, people }: Stage,
  { random, share }: { random: Random; share: number },
): Promise<{ times: number; violations: string[] }> {
  const texts = [...allHostileTexts.map((text) => encodeURIComponent(text.toWellFormed())), ...MORE]
  const urls = ADDRESSES.flatMap((address) => texts.map(address))
  const most = Math.max(ADDRESSES.length, Math.round(urls.length * share))
  const some = share >= 1 ? urls : Array.from({ length: most }, () => random.pick(urls))
  const violations: string[] = []
  for (const url of some) {
    const began = performance.now()
    const {
      statusCode: status,
      headers,
      body,
    } = await app.inject({ url, headers: { cookie: people.buyer ?? '' } })
    const wrong = wrongAnywhere({ status, headers, body, tookMs: performance.now() - began })
    violations.push(...wrong.map((what) => `GET ${url.slice(0, 200)}: ${what}`))
  }
  return { times: some.length, violations }
}
