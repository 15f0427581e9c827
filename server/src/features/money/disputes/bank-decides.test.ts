import sharp from 'sharp'
import { expect, test, vi } from 'vitest'
import { ADAS_ADDRESS } from '../../../market-builder/given.ts'
import { ProviderFailed } from '../../../providers/stripe/card-provider.ts'
import { intentOf } from '../../../testing/chargebacks.ts'
import { eventually } from '../../../testing/eventually.ts'
import { paidIntent } from '../../../testing/known-charges.ts'
import { type MoneyWorld, openMoneyWorld, shareMoneyWorld } from '../../../testing/money-world.ts'
import { uploadOf } from '../../../testing/multipart.ts'
import { recordFraudSignals } from '../payments/fraud-signals.ts'

const DAY_MS = 86_400_000
const shared = shareMoneyWorld()

interface ListedDispute {
  id: number
  status: string
  deskStatus: string
  bankDecides: boolean
  bankDeadline: string | null
  chargebacks: { id: string; evidenceSentAt: string | null }[]
}

interface Case {
  world?: Promise<MoneyWorld>
  released?: boolean
  form?: Record<string, string>
  terms?: Parameters<MoneyWorld['payIntoEscrow']>[1]
}

/** Opens a chargeback on a payment, and adds an admin. */
async function openCase({ world = shared(), released = false, form = {}, terms = {} }: Case = {}) {
  const opened = await world
  const { ada, sql } = opened
  const admin = await opened.signUp('Root', 'admin')
  const { paymentId, itemId } = await opened.payIntoEscrow(12_000, terms)
  if (released) await ada.call(`POST /api/payments/${paymentId}/confirm-delivery`)
  const intent = `select stripe_payment_intent_id as id from payments where id = ${paymentId}`
  const dispute = async (claim: Record<string, string> = form) => {
    const { rows } = await sql.query(intent)
    await opened.press(`/sandbox/payments/${rows[0].id}/dispute`, claim)
    await eventually(async () => expect(await isDecided()).toBe(true))
    const { data } = await opened.stripe<{ data: { id: string }[] }>(
      'GET',
      `/v1/disputes?payment_intent=${rows[0].id}`,
    )
    return data[0]?.id ?? ''
  }
  const isDecided = async () =>
    (await sql.query('select bank_decides from payments where id = $1', [paymentId])).rows[0].bank_decides
  const list = async (query = '') => {
    const listed = await admin.call(`GET /api/admin/disputes?search=${paymentId}${query}`)
    return listed.json<ListedDispute[]>().find(({ id }) => id === paymentId)
  }
  const send = () => admin.call(`POST /api/admin/disputes/${paymentId}/send-evidence`)
  const details = async () => (await admin.call(`GET /api/admin/disputes/${paymentId}/details`)).json()
  return { ...opened, admin, paymentId, itemId, dispute, list, send, details, isDecided }
}

test('a chargeback on a released payment is listed as open, and as resolved once it is closed', async () => {
  const it = await openCase({ released: true })
  expect(await it.list()).toBeUndefined()
  const id = await it.dispute({ amount: '5000', reason: 'product_not_received' })
  const expected = {
    status: 'completed',
    deskStatus: 'disputed',
    bankDecides: true,
    bankDeadline: expect.stringMatching(/^20\d\d-.*T23:59:59\.000Z$/),
    chargebacks: [
      expect.objectContaining({
        id,
        amountCents: 5_000,
        status: 'needs_response',
        outcome: 'open',
        reason: 'product_not_received',
      }),
    ],
    payout: expect.objectContaining({ status: 'frozen', amountCents: 11_262, reversedCents: 0 }),
  }
  expect(await it.list()).toMatchObject(expected)
  expect(await it.list('&status=disputed')).toMatchObject(expected)
  expect(await it.list('&status=resolved_buyer')).toBeUndefined()
  const { bankDecides, bankDeadline, chargebacks, payout } = expected
  expect(await it.details()).toMatchObject({ bankDecides, bankDeadline, chargebacks, payout })
  const csv = await it.admin.call(`GET /api/admin/disputes/export?search=${it.paymentId}`)
  expect(csv.body).toContain(`"${it.paymentId}","Lamp","120.00","disputed"`)
  const ruled = await it.admin.call(`POST /api/admin/disputes/${it.paymentId}/resolve`, {
    action: 'refund_full',
  })
  expect([ruled.statusCode, ruled.json().code]).toEqual([409, 'bank_decides'])
  const note = { type: 'call', content: 'The buyer told me that it came' }
  const noted = await it.admin.call(`POST /api/admin/disputes/${it.paymentId}/evidence`, note)
  expect(noted.statusCode, noted.body).toBe(201)

  await it.press(`/sandbox/disputes/${id}/lost`)
  await eventually(async () => expect(await it.isDecided()).toBe(false))
  expect(await it.list('&status=disputed')).toBeUndefined()
  expect(await it.list('&status=resolved_partial')).toMatchObject({
    bankDecides: false,
    bankDeadline: null,
    chargebacks: [expect.objectContaining({ outcome: 'lost' })],
    payout: expect.objectContaining({ status: 'owed', amountCents: 6_262 }),
  })
})

test('evidence is sent to the bank once, with the conversation, the statements and the files', async () => {
  const it = await openCase()
  await it.bob.call('POST /api/messages', {
    wantedItemId: it.itemId,
    receiverId: it.ada.id,
    content: 'Your parcel is on its way',
  })
  const early = await it.send()
  expect([early.statusCode, early.json().code]).toEqual([409, 'no_open_chargeback'])
  const id = await it.dispute()
  const file = await sharp({ create: { width: 40, height: 30, channels: 3, background: 'red' } })
    .png()
    .toBuffer()
  const upload = async (name: string, bytes: Uint8Array) => {
    const path = `POST /api/disputes/${it.paymentId}/upload-evidence`
    expect((await it.bob.call(path, undefined, uploadOf('file', bytes, { name }))).statusCode).toBe(201)
  }
  await upload('label.png', file)
  await upload('note.txt', Buffer.from('Posted at the main office'))
  await upload('receipt.pdf', Buffer.from('%PDF-1.4\n%%EOF'))
  await upload('second.pdf', Buffer.from('%PDF-1.4\n%%EOF'))
  await it.bob.call(`POST /api/disputes/${it.paymentId}/answer`, { content: 'I shipped it on Monday' })

  const path = `GET /api/admin/disputes/${it.paymentId}/bank-evidence`
  const preview = (await it.admin.call(path)).json()
  const sent = await it.send()
  expect(sent.statusCode, sent.body).toBe(200)
  const dispute = await it.stripe<{
    status: string
    evidence: Record<
      | 'uncategorized_text'
      | 'uncategorized_file'
      | 'service_documentation'
      | 'customer_email_address'
      | 'customer_communication'
      | 'product_description'
      | 'refund_policy_disclosure'
      | 'cancellation_policy_disclosure'
      | 'receipt',
      string
    >
  }>('GET', `/v1/disputes/${id}`)
  expect(dispute.status).toBe('under_review')
  expect(dispute.evidence).toMatchObject({
    customer_email_address: it.ada.email,
    customer_purchase_ip: '127.0.0.1',
    product_description: expect.stringContaining('Lamp'),
    refund_policy_disclosure: expect.stringContaining('/refund-policy'),
    cancellation_policy_disclosure: expect.stringContaining('/terms-of-service'),
    cancellation_rebuttal: 'The buyer did not ask to cancel.',
    shipping_carrier: null,
  })
  for (const part of [
    'Your parcel is on its way',
    'I shipped it on Monday',
    'Posted at the main office',
    '$120.00',
    'Attached files\nlabel.png\nnote.txt\nreceipt.pdf\n',
    'Files that can be requested from us\nsecond.pdf',
  ])
    expect(dispute.evidence.uncategorized_text).toContain(part)
  for (const field of [
    'uncategorized_file',
    'service_documentation',
    'customer_communication',
    'receipt',
  ] as const) {
    const stored = await it.stripe('GET', `/v1/files/${dispute.evidence[field]}`)
    expect(stored).toMatchObject({ purpose: 'dispute_evidence', type: 'pdf' })
  }
  // The preview was exactly what the bank got.
  expect(preview.texts).toEqual([
    { name: 'customerName', value: 'Ada Tester' },
    { name: 'customerEmail', value: it.ada.email },
    { name: 'purchaseIp', value: '127.0.0.1' },
    { name: 'productDescription', value: dispute.evidence.product_description },
    { name: 'refundPolicy', value: dispute.evidence.refund_policy_disclosure },
    { name: 'cancellationPolicy', value: dispute.evidence.cancellation_policy_disclosure },
    { name: 'cancellationRebuttal', value: 'The buyer did not ask to cancel.' },
    { name: 'text', value: dispute.evidence.uncategorized_text },
  ])
  expect(preview.files).toEqual(['document.pdf', 'pictures.pdf', 'receipt.pdf', 'conversation.pdf'])
  expect((await it.send()).json()).toEqual(sent.json())
  expect(await it.list()).toMatchObject({ chargebacks: [{ id, ...sent.json() }] })
  const { timeline } = await it.details()
  expect(timeline.filter(({ action }: { action: string }) => action === 'evidence_sent')).toHaveLength(1)

  for (const person of [it.ada, it.bob]) {
    const refused = await person.call(`POST /api/admin/disputes/${it.paymentId}/send-evidence`)
    expect(refused.json().code).toBe('not_admin')
    expect((await person.call(path)).json().code).toBe('not_admin')
  }
})

test('the parcel is sent in the fields that the bank has for it', async () => {
  const it = await openCase({ terms: { delivery: 'shipping', shipWithinDays: 2 } })
  const parcel = { carrier: 'dhl', trackingNumber: 'JD014600009941' }
  expect((await it.bob.call(`POST /api/payments/${it.paymentId}/ship`, parcel)).statusCode).toBe(200)
  const id = await it.dispute()
  expect((await it.send()).statusCode).toBe(200)
  const { evidence } = await it.stripe<{ evidence: object }>('GET', `/v1/disputes/${id}`)
  expect(evidence).toMatchObject({
    shipping_carrier: 'DHL',
    shipping_tracking_number: 'JD014600009941',
    shipping_date: it.services.clock().toISOString().slice(0, 10),
    shipping_address: expect.stringContaining(ADAS_ADDRESS.line1),
  })
})

test('evidence is not sent after the deadline or by a party, and not recorded when the provider fails', {
  tags: ['proof'],
}, async () => {
  const it = await openCase({ world: openMoneyWorld({}) })
  await it.dispute()
  await it.appoint(it.bob)
  const partial = await it.bob.call(`POST /api/admin/disputes/${it.paymentId}/send-evidence`)
  expect(partial.json().code).toBe('not_impartial')

  const { cards } = it.services
  if (!cards) throw new Error('this test needs the sandbox')
  const failure = new ProviderFailed('unknown', new Error('timeout'))
  vi.spyOn(cards, 'sendEvidence').mockRejectedValueOnce(failure)
  expect((await it.send()).json().code).toBe('provider_failed')
  expect((await it.list())?.chargebacks[0]?.evidenceSentAt).toBeNull()

  vi.spyOn(cards, 'readIntent').mockRejectedValueOnce(failure)
  expect((await it.send()).json().code).toBe('provider_failed')
  // The bank answers after its deadline.
  await it.sql.query("update chargebacks set deadline = now() - interval '1 s'")
  vi.spyOn(cards, 'readIntent').mockResolvedValueOnce(paidIntent('pi_1'))
  expect((await it.send()).json().code).toBe('bank_deadline_passed')
  expect((await it.send()).statusCode).toBe(200)
})

test('evidence for an unknown payment or without a provider is refused, and unexpected errors are not reported as provider failures', {
  tags: ['proof'],
}, async () => {
  const it = await openCase({ world: openMoneyWorld({}) })
  await it.dispute()
  const unknown = await it.admin.call('POST /api/admin/disputes/2147483647/send-evidence')
  expect([unknown.statusCode, unknown.json().code]).toEqual([404, 'dispute_not_found'])

  const { cards } = it.services
  if (!cards) throw new Error('this test needs the sandbox')
  vi.spyOn(cards, 'sendEvidence').mockRejectedValueOnce(new TypeError('a defect'))
  expect((await it.send()).json().code).toBe('internal')

  it.services.cards = null
  expect((await it.send()).json().code).toBe('provider_failed')
  it.services.cards = cards
  expect((await it.send()).statusCode).toBe(200)
})

test('the desk finds a payment by the words of its buyer and its bank, whatever happens later', {
  tags: ['proof'],
}, async () => {
  const it = await openCase({ world: openMoneyWorld({}) })
  const found = async (search: string) => {
    const listed = (await it.admin.call(`GET /api/admin/disputes?search=${search}`)).json<ListedDispute[]>()
    return listed.map(({ id }) => id)
  }
  await it.ada.call(`POST /api/payments/${it.paymentId}/dispute`, { reason: 'The glass is cracked' })
  await it.dispute({ reason: 'product_not_received' })
  expect([await found('cracked'), await found('not received')]).toEqual([[it.paymentId], [it.paymentId]])

  const intentId = await intentOf(it, it.paymentId)
  const fraudSignals = [{ id: 'issfr_1', kind: 'fraud_warning', reason: 'misc', isOpen: true }] as const
  const history = { refunds: [], chargebacks: [], reversals: [], fraudSignals: [...fraudSignals] }
  await it.services.database.transact((tx) => recordFraudSignals(tx, intentId, history))
  expect([await found('cracked'), await found('not received')]).toEqual([[it.paymentId], [it.paymentId]])

  await it.sql.query("update sessions set expire = now() + '1 year'")
  it.advanceClock(80 * DAY_MS)
  await it.runJobs('escalate-long-holds')
  expect(await it.list()).toMatchObject({ escalatedAt: expect.any(String) })
  expect([await found('cracked'), await found('not received')]).toEqual([[it.paymentId], [it.paymentId]])
})

test('money that has been in escrow for 80 days is listed on the desk, and admins are notified once', async () => {
  const it = await openCase({ world: openMoneyWorld({}) })
  const { paymentId } = await it.given.heldPayment()
  await it.ada.call(`POST /api/payments/${it.paymentId}/dispute`, {})
  await it.sql.query("update payments set escrow_hold_until = now() + '1 year' where id = $1", [paymentId])
  await it.sql.query("update sessions set expire = now() + '1 year'")
  it.advanceClock(79 * DAY_MS)
  await it.runJobs('escalate-long-holds')
  expect(await it.list()).toMatchObject({ escalatedAt: null })
  it.advanceClock(DAY_MS)
  await it.runJobs('escalate-long-holds')
  await it.runJobs('escalate-long-holds')
  expect(await it.list()).toMatchObject({ escalatedAt: expect.any(String) })
  const listed = await it.admin.call(`GET /api/admin/disputes?status=disputed&search=lamp`)
  expect(listed.json().map(({ id, status }: ListedDispute) => [id, status])).toEqual([
    [paymentId, 'held_in_escrow'],
    [it.paymentId, 'disputed'],
  ])
  const { rows } = await it.sql.query(
    "select user_id, payment_id from notifications where key like 'payment_held_too_long:%' order by payment_id",
  )
  expect(rows).toEqual([
    { user_id: it.admin.id, payment_id: it.paymentId },
    { user_id: it.admin.id, payment_id: paymentId },
  ])
})

test('a payment that may be fraud is not released until an admin or the provider has decided', async () => {
  const it = await openMoneyWorld()
  const admin = await it.signUp('Root', 'admin')
  const pay = async (card: string) => {
    const { clientSecret, paymentId } = await it.start(await it.agree())
    await it.enterCard(clientSecret, card)
    await eventually(async () => expect(await it.statusOf(paymentId)).toBe('held_in_escrow'))
    await eventually(async () => expect(await needsCheck(paymentId)).toBe(true))
    return paymentId
  }
  const needsCheck = async (id: number) =>
    (await it.sql.query('select needs_check from payments where id = $1', [id])).rows[0].needs_check
  const warned = await pay('4000000000005423')
  const reviewed = await pay('4000000000009235')
  const confirmed = await it.ada.call(`POST /api/payments/${warned}/confirm-delivery`)
  expect([confirmed.statusCode, confirmed.json().code]).toEqual([409, 'payment_needs_check'])
  await it.ada.call(`POST /api/payments/${warned}/dispute`, {})
  await it.ada.call(`POST /api/disputes/${warned}/settlement`, { refundAmount: 1 })
  const settled = await it.bob.call(`POST /api/disputes/${warned}/settlement/accept`, { refundAmount: 1 })
  expect([settled.statusCode, settled.json().code]).toEqual([409, 'payment_needs_check'])
  await it.ada.call(`POST /api/disputes/${warned}/withdraw`)
  it.advanceClock(29 * DAY_MS)
  await it.runJobs('release-due')
  expect(await it.statusOf(warned)).toBe('held_in_escrow')
  expect(await it.statusOf(reviewed)).toBe('held_in_escrow')
  const listed = (await admin.call('GET /api/admin/disputes?status=disputed')).json()
  expect(listed.map(({ id }: ListedDispute) => id)).toEqual([reviewed, warned])
  expect(listed[1]).toMatchObject({
    needsCheck: true,
    fraudSignals: [{ kind: 'fraud_warning', reason: 'made_with_stolen_card' }],
  })

  const path = `POST /api/admin/disputes/${warned}/dismiss-fraud-signals`
  expect((await it.ada.call(path)).json().code).toBe('not_admin')
  await it.appoint(it.ada)
  expect((await it.ada.call(path)).json().code).toBe('not_impartial')
  await it.sql.query('delete from admins where user_id = $1', [it.ada.id])
  const { paymentId: unsuspicious } = await it.given.heldPayment()
  await it.ada.call(`POST /api/payments/${unsuspicious}/dispute`, {})
  const needless = await admin.call(`POST /api/admin/disputes/${unsuspicious}/dismiss-fraud-signals`)
  expect([needless.statusCode, needless.json().code]).toEqual([409, 'nothing_to_check'])
  expect((await admin.call(path)).statusCode).toBe(200)
  expect((await admin.call(path)).json().code).toBe('dispute_not_found')
  const { data } = await it.stripe<{ data: { id: string }[] }>('GET', '/v1/reviews')
  await it.stripe('POST', `/v1/reviews/${data[0]?.id}/approve`)
  await eventually(async () => expect(await needsCheck(reviewed)).toBe(false))
  await it.runJobs('release-due')
  expect(await it.statusOf(warned)).toBe('completed')
  expect(await it.statusOf(reviewed)).toBe('completed')
  await it.expectBooksRight()
})

test('an inquiry that stays open when a chargeback returns everything still leaves the decision to the bank', async () => {
  const it = await openCase()
  const inquiry = await it.dispute({ case_type: 'inquiry', amount: '2000' })
  await it.press(`/sandbox/disputes/${await it.dispute({})}/lost`)
  await eventually(async () => expect(await it.statusOf(it.paymentId)).toBe('resolved_buyer'))
  expect(await it.isDecided()).toBe(true)
  await it.press(`/sandbox/disputes/${inquiry}/close`)
  await eventually(async () => expect(await it.isDecided()).toBe(false))
})
