import type { Random } from '../support/random.ts'
import { checkAnyResponse, isPage } from './check-response.ts'
import type { FuzzWorld } from './fuzz-world.ts'
import { allHostileTexts } from './hostile-texts.ts'

/** All URLs besides the API: no hostile text in them may cause a server error or become markup. */
const URLS: readonly ((text: string) => string)[] = [
  (text) => `/${text}`,
  (text) => `/item/${text}`,
  (text) => `/user/${text}`,
  (text) => `/user/${text}/`,
  (text) => `/files/${text}`,
  (text) => `/assets/${text}`,
  (text) => `/sitemap/${text}.xml`,
  (text) => `/sitemap/requests-${text}.xml`,
  (text) => `/sitemap/people-${text}.xml`,
  (text) => `/og/item/${text}`,
  (text) => `/api/docs/${text}`,
  (text) => `/auth?returnTo=${text}&error=${text}`,
  (text) => `/c/${text}`,
  (text) => `/?search=${text}&category=${text}`,
  (text) => `/?near=${text}&location=${text}&minBudget=${text}&since=${text}&sort=${text}`,
  (text) => `/post?title=${text}&text=${text}`,
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

const MARKUP = allHostileTexts.filter((text) => /<[a-z/!]/i.test(text))

export async function fuzzUrls(
  { app, people }: FuzzWorld,
  { random, share }: { random: Random; share: number },
): Promise<{ times: number; violations: string[] }> {
  const texts = [...allHostileTexts.map((text) => encodeURIComponent(text.toWellFormed())), ...MORE]
  const urls = URLS.flatMap((address) => texts.map(address))
  const most = Math.max(URLS.length, Math.round(urls.length * share))
  const some = share >= 1 ? urls : Array.from({ length: most }, () => random.pick(urls))
  const violations: string[] = []
  for (const url of some) {
    const startMs = performance.now()
    const {
      statusCode: status,
      headers,
      body,
    } = await app.inject({ url, headers: { cookie: people.buyer ?? '' } })
    const found = [
      ...checkAnyResponse({ status, headers, body, tookMs: performance.now() - startMs }),
      ...(isPage(headers) && MARKUP.some((text) => body.includes(text))
        ? ['contains the text as markup']
        : []),
    ]
    violations.push(...found.map((what) => `GET ${url.slice(0, 200)}: ${what}`))
  }
  return { times: some.length, violations }
}
