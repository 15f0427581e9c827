import type { RaceAction, RaceCase } from './non-payment-races.ts'

/*
 * Races for the last attempts below an hourly or daily limit: exactly as many requests succeed as are left. They
 * need servers with rate limits. All requests come from one address, so its counts are reset for every batch.
 */

const TIMES = 200
const LEFT = 2

const all = 'generate_series($1::int, $2::int) n'
const forgetAddress = `delete from rate_limits where key like '%:address:%' and $1::int <= $2::int`

/** Sue has made all but two of the allowed attempts. */
const used = (limit: string, attempts: number) => `
  insert into rate_limits (key, points, expire)
  select '${limit}:sue-' || n, ${attempts - LEFT}, (extract(epoch from now()) * 1000)::bigint + 3600000 from ${all}`

const asSue =
  (call: string, body: (n: number, place: number) => object): ((place: number) => RaceAction) =>
  (place) =>
  async (server, { n }) =>
    (await server.call(`sue-${n}`, call, body(n, place))).answer

/** Every order of two successes and two refusals. */
const twoOfFour = (result: string) =>
  [0b0011, 0b0101, 0b0110, 0b1001, 0b1010, 0b1100].map((refused) => {
    const answers = [0, 1, 2, 3].map((place) => (refused & (1 << place) ? 'too_many' : 'ok'))
    return `${answers.join(', ')}; ${result}`
  })

const atEndOf = (
  limit: string,
  attempts: number,
  action: (place: number) => RaceAction,
  { setup = [], ...outcome }: { setup?: readonly string[]; result: string; expected: string },
): Omit<RaceCase, 'what'> => ({
  times: TIMES,
  setup: [forgetAddress, used(limit, attempts), ...setup],
  actions: [0, 1, 2, 3].map(action),
  result: outcome.result,
  allowed: twoOfFour(outcome.expected),
})

export const limitRaces: readonly RaceCase[] = [
  {
    what: 'making four offers when two of 60 an hour are left',
    ...atEndOf(
      'offers:account',
      60,
      asSue('POST /api/offers', (n, place) => ({
        wantedItemId: n,
        receiverId: `ben-${n}`,
        amount: 12_000 + place,
      })),
      {
        result: `(select string_agg(status, ' ' order by id) from offers where wanted_item_id = n)`,
        expected: 'withdrawn pending',
      },
    ),
  },
  {
    what: 'sending four messages when two of 180 an hour are left',
    ...atEndOf(
      'messages:account',
      180,
      asSue('POST /api/messages', (n, place) => ({
        wantedItemId: n,
        receiverId: `ben-${n}`,
        content: `Number ${place}`,
        clientId: `mark-${n}-${place}`,
      })),
      { result: '(select count(*) from messages where wanted_item_id = n)::text', expected: '2' },
    ),
  },
  {
    what: 'writing first to four people when two of 20 a day are left',
    ...atEndOf(
      'first-contacts:new-account',
      20,
      asSue('POST /api/messages', (n, place) => ({
        wantedItemId: 2_000_000_000 + 10 * (n % 10_000_000) + place,
        receiverId: `ben-${n}`,
        content: 'Still looking?',
      })),
      {
        setup: [
          `insert into wanted_items (id, title, description, category, location, user_id)
           select 2000000000 + 10 * (n % 10000000) + place, 'Lamp', 'Green', 'Other', 'Ipoh', 'ben-' || n
           from ${all}, generate_series(0, 3) place`,
        ],
        result: `(select count(*) from messages where sender_id = 'sue-' || n)::text`,
        expected: '2',
      },
    ),
  },
]
