import { checkLedger } from '@sought/server/features/ledger/check-ledger'
import type { Line } from '../support/part.ts'
import type { Random } from '../support/random.ts'
import { clearAway, vacuum } from './cleanup.ts'
import { type Case, type Story, stories } from './non-payment-races.ts'
import { atOnce } from './run-concurrently.ts'
import { sidOf, type TwoServers } from './two-servers.ts'

const FIRST = 1_000_000
const BATCH = 100
const WAVE = 10
const MOST_TOLD = 10

const PEOPLE = `
  with people as (
    insert into users (id, email, first_name, last_name)
    select who || '-' || n, who || '-' || n || '@example.com', 'Race', who
    from generate_series($1::int, $2::int) n, (values ('ben'), ('sue'), ('tom')) three (who)
    returning id
  )
  insert into sessions (sid, sess, expire)
  select $3 || id, jsonb_build_object('userId', id, 'createdAt', now(), 'seenAt', now()), now() + interval '30 days'
  from people`

const REQUESTS = `
  insert into wanted_items (id, title, description, category, location, user_id)
  select n, 'Lamp', 'Green', 'Other', 'Ipoh', 'ben-' || n from generate_series($1::int, $2::int) n`

/** Runs every story that share of its times. */
export async function runBeside(two: TwoServers, random: Random, share: number): Promise<Line[]> {
  const lines: Line[] = []
  let next = FIRST
  for (const story of stories) {
    const times = Math.max(1, Math.round(story.times * share))
    const violations: string[] = []
    const seen = new Set<string>()
    const batch = story.allTogether ? WAVE : BATCH
    for (let done = 0; done < times; done += batch) {
      const numbers = Array.from({ length: Math.min(batch, times - done) }, () => next++)
      violations.push(...(await runBatch(two, story, numbers, random.split(), seen)))
    }
    if (times > BATCH) await vacuum(two)
    violations.push(...(await checkLedger(two.servers[0].services.database.read, null)).problems)
    const endings = `${seen.size} of ${story.may.length} endings`
    lines.push({
      what: `races: ${story.what}; ${endings}`,
      times,
      violations: violations.slice(0, MOST_TOLD),
    })
  }
  return lines
}

async function runBatch(two: TwoServers, story: Story, numbers: number[], random: Random, seen: Set<string>) {
  const range = [numbers[0], numbers.at(-1)]
  await two.sql.query(PEOPLE, [...range, sidOf('')])
  await two.sql.query(REQUESTS, range)
  for (const statement of story.given) await two.sql.query(statement, range)
  const answers = new Map<number, string[]>()
  for (let at = 0; at < numbers.length; at += WAVE) {
    const wave = numbers.slice(at, at + WAVE)
    await Promise.all(wave.map(async (n) => answers.set(n, await runCase(story, { n, two }, random.split()))))
  }
  const { rows } = await two.sql.query<{ n: number; is: string | null }>(
    `select n, ${story.look} as is from generate_series($1::int, $2::int) n`,
    range,
  )
  await clearAway(two)
  return rows.flatMap(({ n, is }) => {
    const ended = `${answers.get(n)?.join(', ')}; ${is?.replaceAll(numbered(n), '')}`
    seen.add(ended)
    return story.may.includes(ended) ? [] : [`case ${n}: ${ended}`]
  })
}

/** The numbers of a case are no part of how it ends: `-n`, and `:10n+1` with the try that it was. */
const numbered = (n: number) => new RegExp(`-${n}\\b|:${10 * n + 1}(:\\d+)?\\b`, 'g')

async function runCase({ acts }: Story, one: Case, random: Random): Promise<string[]> {
  const answers = acts.map(() => 'no answer')
  const firstServer = random.below(2)
  await atOnce(
    random,
    acts.map((act, place) => async (breath) => {
      await breath()
      answers[place] = await act(one.two.servers[(firstServer + place) % 2 === 0 ? 0 : 1], one)
    }),
  )
  return answers
}
