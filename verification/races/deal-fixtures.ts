import { createEncryption } from '@sought/server/core/encryption'
import { handoverOwner } from '@sought/server/features/money/payments/start-payment'
import { insertDeals } from '@sought/server/market-builder/copy-deals'
import { insertPeople } from '@sought/server/market-builder/insert-people'
import { AMOUNT, type Deal } from './payment-model.ts'
import { type DealState, recordedDeal } from './recorded-deals.ts'
import { sessionIdOf, type TwoServers } from './two-servers.ts'

/*
 * The deals of payment races: a request, an offer and a payment each. Their ids are chosen here, far above those that
 * the database assigns.
 */

const FIRST = 200_000_000
const PAIRS = 50
const DAY_MS = 86_400_000

export const ADMINS = ['admin-0', 'admin-1', 'admin-2'] as const
export const HANDOVER_CODE = '123456'
export const buyerOf = (deal: number) => `buyer-${deal % PAIRS}`
export const sellerOf = (deal: number) => `seller-${deal % PAIRS}`
export const intentOf = (deal: number) => `pi_deal_${deal}`

/** Inserts these users with a session, who have just proved their identity. */
export async function insertRacers(
  { servers }: TwoServers,
  ids: readonly string[],
  role?: 'admin',
): Promise<void> {
  const people = ids.map((id) => {
    const names = { firstName: 'Race', lastName: id, email: `${id}@example.com` }
    return { id, ...names, sid: sessionIdOf(id), role }
  })
  const now = new Date()
  const confirmedAt = new Date(now.getTime() + DAY_MS)
  await insertPeople(servers[0].services.database.read, people, { now, confirmedAt })
}

/** The users of all deals. */
export async function insertTraders(two: TwoServers): Promise<void> {
  const pairs = Array.from({ length: PAIRS }, (_, deal) => [buyerOf(deal), sellerOf(deal)])
  await insertRacers(two, pairs.flat())
  await insertRacers(two, ADMINS, 'admin')
}

function stateOf({ offer, payment, proposal, shipped }: Deal): DealState {
  if (offer === 'pending') return 'offered'
  if (payment === 'none') return 'agreed'
  if (payment === 'pending') return 'checkout open'
  if (payment === 'disputed') return proposal ? 'proposed' : 'disputed'
  return shipped ? 'shipped' : 'held'
}

/** Creates deals with consecutive ids. */
export class DealFixtures {
  #next = FIRST
  readonly #two: TwoServers

  constructor(two: TwoServers) {
    this.#two = two
  }

  /** Returns the ids: request, offer and payment of a deal share one. */
  async create(start: Deal, count: number): Promise<number[]> {
    const { servers, sql, provider } = this.#two
    const { delivery } = start
    const shipping = delivery === 'shipping' && { shipWithinDays: 3 }
    const recorded = await recordedDeal(servers[0].services, stateOf(start), { delivery, ...shipping })
    const numbers = Array.from({ length: count }, () => this.#next++)
    // A parcel was sent so long ago that the hold is not extended again.
    const now = new Date(Date.now() - (start.shipped ? 11 * DAY_MS : 0))
    const copies = numbers.map((number) => ({
      ids: { wanted_items: [number], offers: [number], payments: [number] },
      buyer: buyerOf(number),
      seller: sellerOf(number),
      now,
      intentOf,
    }))
    await insertDeals(sql, recorded, copies)
    if (delivery === 'in_person') await this.#sealCodes(numbers)
    if (start.payment !== 'none')
      for (const number of numbers) provider.addIntent(intentOf(number), AMOUNT, start.card)
    return numbers
  }

  async #sealCodes(numbers: readonly number[]): Promise<void> {
    const { servers, sql } = this.#two
    const encryption = createEncryption(servers[0].services.secrets.dataKeys)
    const codes = await Promise.all(
      numbers.map((number) => encryption.seal(HANDOVER_CODE, handoverOwner(number))),
    )
    await sql.query(
      `update payments set handover_code = sealed.code
       from unnest($1::int[], $2::text[]) sealed (id, code) where payments.id = sealed.id`,
      [numbers, codes],
    )
  }

  /** Makes the hold and the shipping time of these deals expire, and of no others. */
  async makeDue(numbers: readonly number[]): Promise<void> {
    await this.#two.sql.query(
      `update payments set escrow_hold_until = date_trunc('milliseconds', now()) - interval '1 second',
         ship_by = case when delivery = 'shipping' then now() - interval '8 days' end
       where id = any($1)`,
      [numbers],
    )
  }
}
