import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sweeps } from '../../../jobs/sweeps.ts'
import { type MoneyWorld, shareMoneyWorld } from '../../../testing/money-world.ts'

/*
 * Tests random orders of actions by both parties and the clock, through the API, against a small model of the
 * rules. The pure rules are tested with many more orders in escrow/src/delivery-orders.test.ts.
 */

const openMarket = shareMoneyWorld()
const DAY_MS = 86_400_000
const RUNS = 8

type Method = 'arranged' | 'shipping' | 'in_person'

interface Model {
  method: Method
  status: 'held_in_escrow' | 'disputed' | 'completed' | 'refunded'
  /** Days since the payment. */
  day: number
  holdEnd: number
  shipBy: number
  shipped: boolean
  delivered: boolean
  disputedOn: number
}

const SHIP_WITHIN_DAYS = 2

/** The effect of each step on the model. Null if the step is refused. */
const steps: Record<string, (it: Model) => Partial<Model> | null> = {
  ship(it) {
    if (it.status !== 'held_in_escrow' || it.method === 'in_person' || it.delivered) return null
    if (it.shipped || it.method === 'arranged') return { shipped: true }
    return { shipped: true, holdEnd: Math.max(it.holdEnd, it.day + 10) }
  },
  deliver(it) {
    if (it.status !== 'held_in_escrow' || !it.shipped || it.delivered) return null
    if (it.method === 'arranged') return { delivered: true }
    return { delivered: true, holdEnd: Math.max(it.holdEnd, it.day + 3) }
  },
  handOver: (it) =>
    it.status === 'held_in_escrow' && it.method === 'in_person' ? { status: 'completed' } : null,
  confirm: (it) => (it.status === 'held_in_escrow' ? { status: 'completed' } : null),
  dispute: (it) => (it.status === 'held_in_escrow' ? { status: 'disputed', disputedOn: it.day } : null),
  withdraw(it) {
    if (it.status !== 'disputed') return null
    const waited = it.day - it.disputedOn
    const holdEnd = Math.max(it.holdEnd + waited, it.day + 2)
    return { status: 'held_in_escrow', holdEnd, shipBy: it.shipped ? it.shipBy : it.shipBy + waited }
  },
  cancelAsSeller: (it) => (it.status === 'held_in_escrow' && !it.shipped ? { status: 'refunded' } : null),
  cancelAsBuyer(it) {
    if (it.status !== 'held_in_escrow' || it.shipped) return null
    return it.method === 'shipping' && it.day >= it.shipBy + 2 ? { status: 'refunded' } : {}
  },
}

function sweepModel(it: Model): Model {
  if (it.status !== 'held_in_escrow') return it
  const isUnshipped = it.method === 'shipping' && !it.shipped
  if (isUnshipped) return it.day >= it.shipBy + 7 ? { ...it, status: 'refunded' } : it
  return it.day >= it.holdEnd ? { ...it, status: 'completed' } : it
}

async function perform(it: MoneyWorld, id: number, step: string, code: string) {
  const path = `POST /api/payments/${id}`
  switch (step) {
    case 'ship':
      return it.bob.call(`${path}/ship`, { carrier: 'dhl', trackingNumber: 'PARCEL77777' })
    case 'deliver':
      return it.bob.call(`${path}/delivered`, {})
    case 'handOver':
      return it.bob.call(`${path}/handover`, { code })
    case 'confirm':
      return it.ada.call(`${path}/confirm-delivery`)
    case 'dispute':
      return it.ada.call(`${path}/dispute`, { reason: 'Broken' })
    case 'withdraw':
      return it.ada.call(`POST /api/disputes/${id}/withdraw`)
    case 'cancelAsSeller':
      return it.bob.call(`${path}/cancel`, { reason: 'Sold' })
    default:
      return it.ada.call(`${path}/cancel`, { reason: 'Too late' })
  }
}

async function play(method: Method, script: { step: string; days: number }[]): Promise<void> {
  const it = await openMarket()
  const terms = method === 'shipping' ? { shipWithinDays: SHIP_WITHIN_DAYS } : {}
  const { paymentId, itemId } = await it.payIntoEscrow(12_000, { delivery: method, ...terms })
  const { handoverCode } = (await it.ada.call(`GET /api/payments/${paymentId}`)).json()
  let model: Model = {
    method,
    status: 'held_in_escrow',
    day: 0,
    holdEnd: 7,
    shipBy: SHIP_WITHIN_DAYS,
    shipped: false,
    delivered: false,
    disputedOn: 0,
  }
  const done: string[] = []
  for (const { step, days } of script) {
    it.advanceClock(days * DAY_MS)
    for (const name of ['release-due', 'cancel-unshipped'] as const)
      await sweeps[name](it.services, new AbortController().signal)
    model = sweepModel({ ...model, day: model.day + days })
    const reply = await perform(it, paymentId, step, handoverCode ?? '123456')
    const effect = steps[step]?.(model) ?? null
    done.push(`${days} days, ${step}: ${reply.statusCode}`)
    const about = `${method}: ${done.join('; ')}`
    // Withdrawing a dispute that does not exist returns 404.
    expect(reply.statusCode, about).toBe(effect ? 200 : step === 'withdraw' ? 404 : 409)
    model = { ...model, ...effect }
    expect(await it.statusOf(paymentId), about).toBe(model.status)
  }
  await it.runJobs()
  const request = {
    held_in_escrow: 'reserved',
    disputed: 'reserved',
    completed: 'fulfilled',
    refunded: 'open',
  }
  expect((await it.ada.call(`GET /api/wanted-items/${itemId}`)).json().status).toBe(request[model.status])
  expect(await it.balanceOf(`seller:${it.bob.id}`)).toBe(model.status === 'completed' ? 11_262 : 0)
  const isInEscrow = model.status === 'held_in_escrow' || model.status === 'disputed'
  expect(await it.balanceOf(`escrow:${paymentId}`)).toBe(isInEscrow ? 12_000 : 0)
  await it.expectBooksRight()
}

test('after any order of steps, the status of the deal and the balances follow the rules', {
  tags: ['proof'],
  timeout: 120_000,
}, async () => {
  const script = fc.array(
    fc.record({
      step: fc.constantFrom(...Object.keys(steps)),
      // No sum of these is a whole number of days, when a period could end while the test runs.
      days: fc.constantFrom(0, 0, 0.61, 1.61, 2.61, 4.61),
    }),
    { minLength: 2, maxLength: 6 },
  )
  const methods = fc.constantFrom<Method[]>('shipping', 'shipping', 'in_person', 'arranged')
  await fc.assert(fc.asyncProperty(methods, script, play), { numRuns: RUNS, endOnFailure: true })
})
