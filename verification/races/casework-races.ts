import { as, deal, type PrepareActions, type RaceAction, type RaceCase } from './non-payment-races.ts'
import type { Server } from './two-servers.ts'

/*
 * Races between admins who work on the same cases. Case n has two disputes, of Sue and of Tom, and the ledger must
 * show exactly one ending of each.
 */

const TIMES = 200

const disputes = [deal(1, 'proposed'), deal(2, 'proposed', { seller: 'tom' })]

/** Returns the positions of the disputes that it ruled on. */
const ruleOnBoth =
  (admin: string, action: 'refund_full' | 'split_difference'): RaceAction =>
  async (server, { n }) => {
    const ids = [10 * n + 1, 10 * n + 2]
    const form = { ids, action, note: 'The parcels are lost' }
    const { answer, body } = await server.call(admin, 'POST /api/admin/disputes/bulk', form)
    if (answer !== 'ok') return answer
    const { ruled } = body as { ruled: number[] }
    return `ruled ${ruled.map((id) => id - 10 * n).join('+') || 'none'}`
  }

const endings = `(select string_agg(p.status || ' ' || coalesce(p.refund_cents, 0) || ', in escrow '
    || (select sum(amount_cents) from ledger_entries where account = 'escrow:' || p.id) || ', refund '
    || (select coalesce(sum(amount_cents), 0) from ledger_entries where account = 'buyer:' || p.buyer_id and payment_id = p.id)
    || ', rulings ' || (select count(*) from dispute_cases where payment_id = p.id and ending = 'ruled'), '; ' order by p.id)
  from payments p where p.wanted_item_id = n)`

/**
 * The allowed outcomes if one of the two admins or the buyer ends the first dispute, and one of the admins the
 * second.
 */
function endOnce(byBuyer: string): string[] {
  const ruled = {
    first: 'resolved_buyer 12000, in escrow 0, refund 12000, rulings 1',
    second: 'resolved_partial 6000, in escrow 0, refund 6000, rulings 1',
  }
  const places = (mine: readonly [boolean, boolean]) =>
    `ruled ${mine.flatMap((isMine, place) => (isMine ? [place + 1] : [])).join('+') || 'none'}`
  return (['first', 'second', 'buyer'] as const).flatMap((one) =>
    (['first', 'second'] as const).map((two) => {
      const answers = [
        places([one === 'first', two === 'first']),
        places([one === 'second', two === 'second']),
        one === 'buyer' ? 'ok' : 'dispute_resolved',
      ]
      return `${answers.join(', ')}; ${one === 'buyer' ? byBuyer : ruled[one]}; ${ruled[two]}`
    }),
  )
}

const bothAdmins = [ruleOnBoth('admin-0', 'refund_full'), ruleOnBoth('admin-1', 'split_difference')]

const mustCall = async (server: Server, who: string, call: string, body: object) => {
  const { answer, body: reply } = await server.call(who, call, body)
  if (answer !== 'ok') throw new Error(`${call} by ${who}: ${answer}`)
  return reply
}

/** An admin has paid the seller, and the buyer appeals. */
const withAppeal =
  (...actions: ((appealId: number) => RaceAction)[]): PrepareActions =>
  async (server, { n }) => {
    const id = 10 * n + 1
    await mustCall(server, 'admin-0', `POST /api/admin/disputes/${id}/resolve`, { action: 'release_seller' })
    const appeal = await mustCall(server, `ben-${n}`, `POST /api/disputes/${id}/appeal`, { reason: 'Wrong' })
    return actions.map((action) => action((appeal as { id: number }).id))
  }

const overturnAs =
  (admin: string) =>
  (appealId: number): RaceAction =>
  async (server) => {
    const form = { decision: 'overturn', note: 'We looked again' }
    return (await server.call(admin, `POST /api/admin/appeals/${appealId}/decide`, form)).answer
  }

export const caseworkRaces: readonly RaceCase[] = [
  {
    what: 'two admins ruling on the same disputes in bulk and the buyer withdrawing one',
    times: TIMES,
    setup: disputes,
    actions: [...bothAdmins, as('ben', (n) => `POST /api/disputes/${10 * n + 1}/withdraw`)],
    result: endings,
    allowed: endOnce('held_in_escrow 0, in escrow 12000, refund 0, rulings 0'),
  },
  {
    what: 'two admins ruling on the same disputes in bulk and the buyer accepting a settlement',
    times: TIMES,
    setup: disputes,
    actions: [
      ...bothAdmins,
      as(
        'ben',
        (n) => `POST /api/disputes/${10 * n + 1}/settlement/accept`,
        () => ({ refundAmount: 3_000 }),
      ),
    ],
    result: endings,
    allowed: endOnce('resolved_partial 3000, in escrow 0, refund 3000, rulings 0'),
  },
  {
    what: 'two admins overturning a ruling on one appeal',
    times: TIMES,
    setup: [deal(1, 'proposed')],
    actions: withAppeal(overturnAs('admin-1'), overturnAs('admin-2')),
    result: `(select count(*) from goodwill_payments where payment_id = 10 * n + 1) || ' goodwill payments of '
      || (select -sum(amount_cents) from ledger_entries where payment_id = 10 * n + 1 and account = 'platform:goodwill')`,
    allowed: [
      'ok, appeal_decided; 1 goodwill payments of 12000',
      'appeal_decided, ok; 1 goodwill payments of 12000',
    ],
  },
]
