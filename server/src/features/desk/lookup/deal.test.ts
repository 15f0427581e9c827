import { describe, expect, test } from 'vitest'
import { findActions } from './deal.ts'

type Payment = Parameters<typeof findActions>[0]
type Records = Parameters<typeof findActions>[1]

const held: Payment = {
  buyerId: 'ada',
  sellerId: 'bob',
  status: 'held_in_escrow',
  bankDecides: false,
  needsCheck: false,
  refundCents: null,
  refundedAt: null,
  refundFailedAt: null,
  refundAttempt: 0,
  refundFirstAttempt: null,
}
const noRecords: Records = { payout: undefined, chargebacks: [] }
const at = new Date('2026-01-01T00:00:00Z')
const open = { closedAt: null, evidenceSentAt: null }

/** The actions of an admin who is not a party, without goodwill, which is possible for every paid deal. */
const actionsFor = (payment: Partial<Payment>, records: Partial<Records> = {}) =>
  findActions({ ...held, ...payment }, { ...noRecords, ...records }, 'root').filter(
    (action) => action !== 'give_goodwill',
  )

describe('the actions of an admin on a deal', () => {
  test('are empty for a party of the deal', () => {
    for (const party of ['ada', 'bob'])
      expect(findActions({ ...held, status: 'disputed', needsCheck: true }, noRecords, party)).toEqual([])
  })

  test('include goodwill once the deal is paid', () => {
    expect(findActions(held, noRecords, 'root')).toEqual(['give_goodwill'])
    expect(findActions({ ...held, status: 'pending' }, noRecords, 'root')).toEqual([])
  })

  test('include a ruling on a dispute, unless a bank decides', () => {
    expect(actionsFor({ status: 'disputed' })).toEqual(['rule'])
    expect(actionsFor({ status: 'under_review' })).toEqual(['rule'])
    expect(actionsFor({ status: 'disputed', bankDecides: true })).toEqual([])
    expect(actionsFor({ status: 'resolved_buyer' })).toEqual([])
  })

  test('include evidence for an open chargeback that has none yet', () => {
    expect(actionsFor({}, { chargebacks: [{ ...open, closedAt: at }, open] })).toEqual(['send_bank_evidence'])
    expect(
      actionsFor(
        {},
        {
          chargebacks: [
            { ...open, closedAt: at },
            { ...open, evidenceSentAt: at },
          ],
        },
      ),
    ).toEqual([])
  })

  test('include a decision about signs of fraud', () => {
    expect(actionsFor({ needsCheck: true })).toEqual(['dismiss_fraud_signals'])
  })

  test('include a manual payout that is owed', () => {
    expect(actionsFor({}, { payout: { method: 'manual', status: 'owed' } })).toEqual(['pay_seller'])
    expect(actionsFor({}, { payout: { method: 'manual', status: 'paid' } })).toEqual([])
    expect(actionsFor({}, { payout: { method: 'transfer', status: 'owed' } })).toEqual([])
  })

  test('include sending a reversed payout again, unless a bank decides', () => {
    const records: Partial<Records> = { payout: { method: 'transfer', status: 'reversed' } }
    expect(actionsFor({}, records)).toEqual(['send_payout_again'])
    expect(actionsFor({ bankDecides: true }, records)).toEqual([])
  })

  test('include a refund that is owed and has failed or was tried again', () => {
    const owed = { refundCents: 500 }
    expect(actionsFor({ ...owed, refundFailedAt: at })).toEqual(['handle_refund'])
    expect(actionsFor({ ...owed, refundAttempt: 1 })).toEqual(['handle_refund'])
    expect(actionsFor(owed)).toEqual([])
    expect(actionsFor({ ...owed, refundFailedAt: at, refundedAt: at })).toEqual([])
    expect(actionsFor({ refundFailedAt: at })).toEqual([])
  })
})
