import { randomUUID } from 'node:crypto'
import type { Figures } from '@sought/contract/analytics'
import { rulesOf } from '@sought/contract/currencies'
import { STANDARD_HOLD } from '@sought/escrow/hold'
import { inEscrow } from '@sought/escrow/postings'
import { rulingDue } from '@sought/escrow/promised-times'
import { calculateRuling, type RulingAction } from '@sought/escrow/rulings'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Refused } from '../../../core/errors.ts'
import { type Tx, violates } from '../../../database/database.ts'
import { openWorld, PASSWORD, type Person, type World } from '../../../testing/world.ts'
import { applyMove } from '../../money/payments/apply-move.ts'
import type { Move } from '../../money/payments/moves.ts'
import { lockPayment, type Payment } from '../../money/payments/stored-payment.ts'
import { deleteAccount } from '../../privacy/personal-data/delete-account.ts'
import { readAnalytics } from './actions.ts'
import { foldFigures } from './fold-figures.ts'

const DAY_MS = 86_400_000
const HISTORIES = 6

/** Full counts, written independently of the functions that the triggers use. */
const FULL_COUNTS = `
  with counted as (
    select 'requests' as figure, i.created_at as at, i.id as item, 1 as value from wanted_items i
    union all select 'offers', created_at, wanted_item_id, 1 from offers
    union all select 'accepted', accepted_at, wanted_item_id, 1 from offers where status = 'accepted'
    union all select 'paid', charged_at, wanted_item_id, 1 from payments where status not in ('pending')
    union all select 'volume', charged_at, wanted_item_id, amount from payments where status not in ('pending')
    union all select 'returning', p.charged_at, p.wanted_item_id, 1
      from payments p join users u on u.id = p.buyer_id
      where p.status not in ('pending') and u.created_at < date_trunc('day', p.charged_at at time zone 'UTC') at time zone 'UTC'
    union all select 'released', ended_at, wanted_item_id, 1 from payments where status in ('completed', 'resolved_seller')
    union all select 'refunded', ended_at, wanted_item_id, 1 from payments where status in ('refunded', 'resolved_buyer')
    union all select 'partial', ended_at, wanted_item_id, 1 from payments where status = 'resolved_partial'
    union all select 'disputed', c.opened_at, p.wanted_item_id, 1 from dispute_cases c join payments p on p.id = c.payment_id
    union all select 'answered', c.first_step_at, p.wanted_item_id, 1
      from dispute_cases c join payments p on p.id = c.payment_id where c.first_step_at is not null
    union all select 'answeredInTime', c.first_step_at, p.wanted_item_id, 1
      from dispute_cases c join payments p on p.id = c.payment_id where c.first_step_at - c.opened_at <= interval '1 day'
    union all select case c.ending when 'bank' then 'decidedByBank' else c.ending end, c.ended_at, p.wanted_item_id, 1
      from dispute_cases c join payments p on p.id = c.payment_id where c.ending is not null
    union all select
      case
        when account = 'fees:platform' then 'fees'
        when account = 'fees:processing' then 'processingFees'
        when account = 'fees:provider' then 'providerCosts'
        when account = 'platform:goodwill' then 'goodwill'
        else 'losses'
      end,
      e.created_at, p.wanted_item_id, case when account in ('fees:platform', 'fees:processing') then amount_cents else -amount_cents end
      from ledger_entries e join payments p on p.id = e.payment_id
      where account not like 'escrow:%' and account not like 'buyer:%' and account not like 'seller:%' and account <> 'provider'
    union all select 'newUsers', created_at, null, 1 from users
  )
  select figure, coalesce(category, '') as category, coalesce(country, '') as country,
    to_char(at at time zone 'UTC', 'YYYY-MM-DD') as day, sum(value)::int as value
  from counted left join wanted_items on wanted_items.id = counted.item
  group by 1, 2, 3, 4`

interface Count {
  figure: keyof Figures
  category: string
  country: string
  day: string
  value: number
}

/** The sums of these counts by name, without zeros. */
function sumBy(counts: Count[], nameOf: (count: Count) => string) {
  const sums: Record<string, Record<string, number>> = {}
  for (const count of counts) {
    const name = nameOf(count)
    sums[name] = { ...sums[name], [count.figure]: (sums[name]?.[count.figure] ?? 0) + count.value }
  }
  return Object.fromEntries(
    Object.entries(sums)
      .map(([name, sum]) => [name, withoutZeros(sum)] as const)
      .filter(([, sum]) => Object.keys(sum).length > 0),
  )
}

/** Durations have their own test. */
const NOT_COUNTED = ['answerSeconds', 'rulingSeconds', 'ruledInTime']

const withoutZeros = (figures: Record<string, number>) =>
  Object.fromEntries(
    Object.entries(figures).filter(([name, value]) => value !== 0 && !NOT_COUNTED.includes(name)),
  )

const byName = (rows: ({ name: string } & Figures)[]) =>
  Object.fromEntries(
    rows
      .map(({ name, ...figures }) => [name, withoutZeros(figures)] as const)
      .filter(([, it]) => Object.keys(it).length > 0),
  )

/** A period that contains all times in these tests. */
const ALWAYS = { from: '2024-06-15', to: '2028-06-14' }

async function expectRightFigures({ sql, services }: World) {
  const { rows } = await sql.query<Count>(FULL_COUNTS)
  const read = (by: 'day' | 'month') => readAnalytics(services.database.read, { ...ALWAYS, by }, 'usd')
  const { totals, series, categories, countries } = await read('day')
  expect(withoutZeros(totals)).toEqual(sumBy(rows, () => 'all').all ?? {})
  expect(byName(series.map(({ period, ...it }) => ({ name: period, ...it })))).toEqual(
    sumBy(rows, ({ day }) => day),
  )
  expect(byName(categories)).toEqual(sumBy(rows, ({ category }) => category))
  expect(byName(countries)).toEqual(sumBy(rows, ({ country }) => country))
  expect((await read('month')).totals).toEqual(totals)
}

interface Market {
  world: World
  people: Person[]
  /** A source of choices: returns a number below `limit`. */
  pick: (limit: number) => number
}

const now = ({ world }: Market) => world.services.clock()

async function oneOf(market: Market, query: string, values: unknown[] = []) {
  const { rows } = await market.world.sql.query<{ id: number }>(`${query} order by id`, values)
  return rows[market.pick(rows.length || 1)]?.id
}

const withStatus = (market: Market, ...statuses: string[]) =>
  oneOf(market, 'select id from payments where status = any($1)', [statuses])

/** Whether the statement changed anything. */
async function change({ world }: Market, statement: string, values: unknown[]): Promise<boolean> {
  return ((await world.sql.query(statement, values)).rowCount ?? 0) > 0
}

type Change = Move | ((tx: Tx, payment: Payment) => Promise<unknown>)

async function move({ world }: Market, id: number | undefined, moved: Change): Promise<boolean> {
  if (id === undefined) return false
  return world.services.database.transact(async (tx) => {
    const payment = await lockPayment(tx, id)
    if (!payment) return false
    await (typeof moved === 'function' ? moved(tx, payment) : applyMove(tx, payment, moved))
    return true
  })
}

const person = ({ people, pick }: Market) => people[pick(people.length)] as Person
const CATEGORIES = ['Electronics', 'Furniture', 'Other']
const COUNTRIES = ['DE', 'MY', null]
const RULINGS = ['refund_full', 'release_seller', 'split_difference'] as const satisfies RulingAction[]
const ENDED = ['completed', 'refunded', 'resolved_buyer', 'resolved_seller', 'resolved_partial']
const chosen = <Item>({ pick }: Market, items: readonly Item[]) => items[pick(items.length)] as Item

const chargeOf = (market: Market) => ({
  chargedAt: now(market),
  method: 'card',
  cardFingerprint: null,
  cardLast4: null,
})

/** Each step returns whether it changed anything. */
const steps = {
  post: (market) =>
    change(
      market,
      `insert into wanted_items (title, description, category, country, location, user_id, created_at, is_located)
       values ('Lamp', 'Green', $1, $2, 'Ipoh', $3, $4, true)`,
      [chosen(market, CATEGORIES), chosen(market, COUNTRIES), person(market).id, now(market)],
    ),
  async edit(market) {
    const id = await oneOf(market, 'select id from wanted_items')
    const values = [id, chosen(market, CATEGORIES), chosen(market, COUNTRIES)]
    // Reserved requests cannot be edited. The condition also holds if the request becomes reserved after it
    // was chosen.
    const edit = "update wanted_items set category = $2, country = $3 where id = $1 and status <> 'reserved'"
    return change(market, edit, values)
  },
  async removeRequest(market) {
    const unused =
      'select id from wanted_items i where not exists (select from offers where wanted_item_id = i.id)'
    return change(market, 'delete from wanted_items where id = $1', [await oneOf(market, unused)])
  },
  async offer(market) {
    const id = await oneOf(market, "select id from wanted_items where status = 'open'")
    return change(
      market,
      `insert into offers (wanted_item_id, buyer_id, seller_id, amount, expires_at, created_at)
       select i.id, i.user_id, $2, $3, $4, $4 from wanted_items i where i.id = $1 and i.user_id <> $2
       on conflict do nothing`,
      [id, person(market).id, 1_000 + market.pick(20_000), now(market)],
    )
  },
  async accept(market) {
    const id = await oneOf(market, "select id from offers where status = 'pending'")
    return change(market, "update offers set status = 'accepted', accepted_at = $2 where id = $1", [
      id,
      now(market),
    ])
  },
  async startPayment(market) {
    const id = await oneOf(
      market,
      "select id from offers o where status = 'accepted' and not exists (select from payments where offer_id = o.id)",
    )
    return change(
      market,
      `insert into payments (wanted_item_id, buyer_id, seller_id, offer_id, amount, currency, created_at)
       select wanted_item_id, buyer_id, seller_id, id, amount, 'usd', $2 from offers where id = $1`,
      [id, now(market)],
    )
  },
  async abandonPayment(market) {
    const id = await withStatus(market, 'pending')
    return change(market, "delete from payments where id = $1 and status = 'pending'", [id])
  },
  pay: async (market) =>
    move(market, await withStatus(market, 'pending'), {
      name: 'hold',
      actor: 'provider',
      charge: chargeOf(market),
      hold: STANDARD_HOLD,
      payoutWaitsUntil: null,
    }),
  returnDuplicate: async (market) =>
    move(market, await withStatus(market, 'pending'), {
      name: 'return_duplicate',
      actor: 'provider',
      charge: chargeOf(market),
    }),
  confirm: async (market) =>
    move(market, await withStatus(market, 'held_in_escrow'), { name: 'confirm', actor: 'buyer' }),
  cancel: async (market) =>
    move(market, await withStatus(market, 'held_in_escrow'), {
      name: 'cancel',
      actor: 'seller',
      reason: 'Broken',
    }),
  dispute: async (market) =>
    move(market, await withStatus(market, 'held_in_escrow'), {
      name: 'dispute',
      actor: 'buyer',
      reason: 'Broken',
    }),
  withdraw: async (market) =>
    move(market, await withStatus(market, 'disputed', 'under_review'), { name: 'withdraw', actor: 'buyer' }),
  review: async (market) =>
    move(market, await withStatus(market, 'disputed', 'under_review'), {
      name: 'review',
      actor: 'admin',
      by: 'someone',
      action: 'under_review',
    }),
  rule: async (market) =>
    move(market, await withStatus(market, 'disputed', 'under_review'), (tx, payment) => {
      const action = chosen(market, RULINGS)
      const ruling = calculateRuling(action, inEscrow(payment), payment, rulesOf(payment.currency))
      if (!ruling) throw new Error(`${action} needs no amount`)
      const by = person(market).id
      return applyMove(tx, payment, { name: ruling.move, actor: 'admin', by, ruling, action })
    }),
  async giveGoodwill(market) {
    return change(
      market,
      `insert into ledger_entries (key, payment_id, account, amount_cents, created_at)
       select 'test:' || $3::text, p.id, entry.account, entry.cents, $2
       from payments p, (values ('platform:goodwill', -500), ('losses:refunds', 500)) entry (account, cents)
       where p.id = $1`,
      [await withStatus(market, ...ENDED), now(market), randomUUID()],
    )
  },
  async signUp({ people, world }) {
    if (people.length >= 12) return false
    people.push(await world.signUp('Zoe'))
    return true
  },
  /** Three people stay, so that there are always a buyer and a seller. */
  async deleteAccount({ people, world, pick }) {
    const [leaving] = people.length > 3 ? people.splice(3 + pick(people.length - 3), 1) : []
    if (!leaving) return false
    const actor = { id: leaving.id, origin: { ip: null, device: '' } }
    await deleteAccount(world.services, { password: PASSWORD }, actor, async () => {})
    return true
  },
  async nextDay({ world, pick }) {
    world.advanceClock(pick(2 * DAY_MS))
    return true
  },
  async fold({ world }) {
    await foldFigures(world.services)
    return true
  },
} satisfies Record<string, (market: Market) => Promise<boolean>>

type Step = keyof typeof steps
const names = Object.keys(steps) as Step[]

/**
 * Expected refusals: an account with open money cannot be deleted, a request has one payment in escrow, and one of
 * two concurrent steps may be too late.
 */
const CONFLICTS = [
  'money_open',
  'payment_wrong_state',
  'not_cancellable',
  'payments_offer_unique',
  'payments_one_per_request',
  'offers_wanted_item_id_wanted_items_id_fk',
]

const isConflict = (error: unknown) =>
  CONFLICTS.some((conflict) =>
    error instanceof Refused ? error.code === conflict : violates(error, conflict),
  )

interface Event {
  name: Step
  seed: number
  together: Step
}

const deal: Step[] = ['post', 'offer', 'accept', 'startPayment']

/** Every step at least once, when it can change something. */
const EVERY_STEP: Event[] = [
  ...['post', 'edit', 'removeRequest', 'nextDay'],
  ...[...deal, 'pay', 'confirm', 'giveGoodwill'],
  ...[...deal, 'pay', 'cancel'],
  ...[...deal, 'pay', 'dispute', 'withdraw', 'dispute', 'review', 'rule'],
  ...[...deal, 'returnDuplicate'],
  ...[...deal, 'abandonPayment'],
  ...['signUp', 'deleteAccount', 'fold'],
].map((name) => ({ name: name as Step, seed: name === 'offer' ? 1 : 3, together: 'fold' }))

test('after any sequence of events, the figures equal a full recount', {
  tags: ['proof'],
  timeout: 120_000,
}, async () => {
  const world = await openWorld()
  // The first run counts everything that exists. After it, only the triggers count.
  await foldFigures(world.services)
  const people = [await world.signUp('Ada'), await world.signUp('Bob'), await world.signUp('Eve')]
  const history = fc.array(
    fc.record<Event>({
      name: fc.constantFrom(...names),
      seed: fc.nat(),
      together: fc.constantFrom(...names),
    }),
    { minLength: 20, maxLength: 60 },
  )
  const effective = new Set<Step>()
  const play = async (name: Step, pick: Market['pick']) => {
    try {
      if (await steps[name]({ world, people, pick })) effective.add(name)
    } catch (error) {
      if (!isConflict(error)) throw error
    }
  }
  await fc.assert(
    fc.asyncProperty(history, async (events) => {
      for (const { name, seed, together } of events) {
        const pick = (limit: number) => seed % limit
        if (seed % 4 > 0) await play(name, pick)
        // Runs two steps at once, while two workers fold.
        else
          await Promise.all([
            play(name, pick),
            foldFigures(world.services),
            play(together, (limit) => (seed >> 3) % limit),
            foldFigures(world.services),
          ])
      }
      await expectRightFigures(world)
      await foldFigures(world.services)
      await expectRightFigures(world)
    }),
    { examples: [[EVERY_STEP]], numRuns: HISTORIES, endOnFailure: true },
  )
  expect(names.filter((name) => !effective.has(name))).toEqual([])
})

/** A Thursday. */
const OPENED = Date.UTC(2026, 10, 12, 9)

test('the database and the escrow rules agree on the due time of a ruling', async () => {
  const { sql } = await openWorld()
  for (let day = 0; day < 7; day++) {
    const openedAt = new Date(OPENED + day * DAY_MS)
    const { rows } = await sql.query('select ruling_due($1) as due', [openedAt])
    expect(rows[0].due).toEqual(rulingDue(openedAt))
  }
})

const admin = async (world: World) => {
  const root = await world.signUp('Root', 'admin')
  return root
}

test('figures belong to the UTC day of the event, and are compared with the previous period', async () => {
  const world = await openWorld()
  const root = await admin(world)
  const post = (createdAt: string, category = 'Other') =>
    world.sql.query(
      `insert into wanted_items (title, description, category, location, user_id, created_at)
       values ('Lamp', 'Green', $3, 'Ipoh', $1, $2)`,
      [root.id, createdAt, category],
    )
  await post('2026-02-28T23:59:59.999Z')
  await post('2026-03-01T00:00:00.000Z')
  await post('2026-03-01T23:30:00.000-02:00', 'Furniture')
  await post('2026-03-09T12:00:00.000Z')
  const read = async (query: string) => (await root.call(`GET /api/admin/analytics?${query}`)).json()
  const counts = (rows: { period: string; requests: number }[]) => rows.map((it) => [it.period, it.requests])

  const days = await read('from=2026-03-01&to=2026-03-03')
  expect(counts(days.series)).toEqual([
    ['2026-03-01', 1],
    ['2026-03-02', 1],
    ['2026-03-03', 0],
  ])
  expect([days.totals.requests, days.previous.requests]).toEqual([2, 1])
  expect(
    days.categories.map(({ name, requests }: { name: string; requests: number }) => [name, requests]),
  ).toEqual([
    ['Furniture', 1],
    ['Other', 1],
  ])

  await foldFigures(world.services)
  expect(await read('from=2026-03-01&to=2026-03-03')).toEqual(days)
  // 1 March is a Sunday.
  expect(counts((await read('from=2026-02-28&to=2026-03-10&by=week')).series)).toEqual([
    ['2026-02-23', 2],
    ['2026-03-02', 1],
    ['2026-03-09', 1],
  ])
  const months = await read('from=2026-02-01&to=2026-03-15&by=month')
  expect(counts(months.series)).toEqual([
    ['2026-02-01', 1],
    ['2026-03-01', 3],
  ])
})

test.each([
  'from=2026-03-02&to=2026-03-01',
  'from=2026-03-02',
  'from=2026-02-30&to=2026-03-02',
  'from=2020-01-01&to=2026-03-02',
  'from=2026-03-01&to=2026-03-02&by=year',
])('the call refuses %s', async (query) => {
  const world = await openWorld()
  const root = await admin(world)
  expect((await root.call(`GET /api/admin/analytics?${query}`)).statusCode).toBe(422)
})

test('rows that are inserted, changed and deleted with SQL are counted too', async () => {
  const world = await openWorld()
  const { given, sql } = world
  const [buyer, seller] = [await world.signUp('Ada'), await world.signUp('Bob')]
  await sql.query("update users set created_at = created_at - interval '3 days'")
  await expectRightFigures(world)
  const { offerId } = await given.agreement({ buyer, seller })
  const { paymentId: id } = await given.checkout({ buyer, seller })
  const { rows } = await sql.query(
    `insert into payments (wanted_item_id, buyer_id, seller_id, offer_id, amount, currency, status, escrow_hold_until,
       completed_at, ended_at)
     select wanted_item_id, buyer_id, seller_id, id, amount, 'usd', 'completed', now(), now(), now()
     from offers where id = $1
     returning id`,
    [offerId],
  )
  const other = rows[0].id
  await sql.query('update payments set charged_at = created_at where id = $1', [other])
  await expectRightFigures(world)
  await foldFigures(world.services)
  await sql.query('delete from payments where id = any($1)', [[id, other]])
  await expectRightFigures(world)
})

test('rows older than the triggers are counted once, even while the market is open', async () => {
  const world = await openWorld()
  const ada = await world.signUp('Ada')
  const post = (count: number) =>
    world.sql.query(
      `insert into wanted_items (title, description, category, location, user_id)
       select 'Lamp', 'Green', 'Other', 'Ipoh', $1 from generate_series(1, $2)`,
      [ada.id, count],
    )
  await world.sql.query('alter table wanted_items disable trigger wanted_items_figures_rows')
  await post(40)
  await world.sql.query('alter table wanted_items enable trigger wanted_items_figures_rows')
  await world.sql.query("insert into figure_changes (figure) values ('recount')")
  await post(1)
  await Promise.all([
    post(1),
    foldFigures(world.services),
    world.sql.query("update wanted_items set category = 'Furniture' where id % 2 = 0"),
    foldFigures(world.services),
    post(1),
  ])
  await expectRightFigures(world)
  await foldFigures(world.services)
  await expectRightFigures(world)
})
