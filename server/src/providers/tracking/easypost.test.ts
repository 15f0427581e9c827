import { CARRIERS } from '@sought/contract/carriers'
import { expect, test } from 'vitest'
import { EASYPOST_ENV, startFakeEasyPost } from '../../testing/fake-easypost.ts'
import { createEasyPost } from './easypost.ts'
import { TrackingFailed } from './tracking-provider.ts'
import { isSigned, signWebhook } from './webhook-signature.ts'

const NUMBER = '1Z999AA10123456784'

async function open(apiKey = EASYPOST_ENV.EASYPOST_API_KEY) {
  const easyPost = await startFakeEasyPost()
  const webhookSecret = EASYPOST_ENV.EASYPOST_WEBHOOK_SECRET
  return { easyPost, tracking: createEasyPost({ apiKey, webhookSecret, apiUrl: easyPost.url }) }
}

test('a parcel is registered once, and its status is read', async () => {
  const { easyPost, tracking } = await open()
  const registered = await tracking.register('ups', NUMBER)
  expect(registered).toMatchObject({ trackerId: easyPost.idOf(NUMBER), status: 'unknown', deliveredAt: null })
  expect((await tracking.register('ups', NUMBER)).trackerId).toBe(registered.trackerId)

  const at = new Date('2026-03-04T12:00:00.000Z')
  easyPost.scan(NUMBER, 'delivered', { at })
  expect(await tracking.fetch(registered.trackerId)).toEqual({
    trackerId: registered.trackerId,
    status: 'delivered',
    reportedAt: at,
    deliveredAt: at,
  })
  expect(easyPost.requests).toEqual([
    'POST /v2/trackers',
    'POST /v2/trackers',
    `GET /v2/trackers/${registered.trackerId}`,
  ])
})

test.each([
  ['unknown', 'unknown'],
  ['pre_transit', 'pre_transit'],
  ['in_transit', 'in_transit'],
  ['out_for_delivery', 'out_for_delivery'],
  ['available_for_pickup', 'available_for_pickup'],
  ['return_to_sender', 'return_to_sender'],
  ['failure', 'failure'],
  ['cancelled', 'failure'],
  ['error', 'unknown'],
  ['something new', 'unknown'],
])('the status %s means %s', async (theirs, ours) => {
  const { easyPost, tracking } = await open()
  easyPost.scan(NUMBER, theirs)
  expect(await tracking.fetch(easyPost.idOf(NUMBER))).toMatchObject({ status: ours, deliveredAt: null })
})

test('a returned parcel does not count as delivered', async () => {
  const { easyPost, tracking } = await open()
  easyPost.scan(NUMBER, 'delivered', { is_return: true })
  expect(await tracking.fetch(easyPost.idOf(NUMBER))).toMatchObject({
    status: 'return_to_sender',
    deliveredAt: null,
  })
})

test('parcels of carriers that EasyPost does not support are not tracked', async () => {
  const { tracking } = await open()
  expect(CARRIERS.filter((carrier) => !tracking.supports(carrier))).toEqual([
    'la_poste',
    'pos_malaysia',
    'jnt',
    'ninja_van',
    'other',
  ])
  for (const carrier of CARRIERS.filter(tracking.supports)) {
    expect(
      (await tracking.register(carrier, `${carrier.toUpperCase().replace('_', '')}12345`)).trackerId,
    ).toMatch(/^trk_/)
  }
})

test('errors do not reveal the API key', async () => {
  const { easyPost, tracking } = await open()
  await tracking.register('ups', NUMBER)
  easyPost.failWith.push(401, 422, 429, 500, 'nonsense')
  for (let failures = 0; failures < 5; failures++) {
    const error = await tracking.fetch(easyPost.idOf(NUMBER)).catch((reason) => reason)
    expect(error).toBeInstanceOf(TrackingFailed)
    expect(`${error.stack} ${error.cause?.stack}`).not.toContain(EASYPOST_ENV.EASYPOST_API_KEY)
  }
  await expect((await open('EZTK_another_key')).tracking.register('ups', NUMBER)).rejects.toThrow(
    'EasyPost answered 401',
  )
  const nowhere = createEasyPost({ apiKey: 'a', webhookSecret: 'b', apiUrl: 'http://127.0.0.1:1' })
  await expect(nowhere.fetch('trk_1')).rejects.toThrow(TrackingFailed)
})

test('an answer about another parcel is refused', async () => {
  const { easyPost, tracking } = await open()
  easyPost.scan(NUMBER, 'delivered', { tracking_code: 'ANOTHER1234' })
  await expect(tracking.register('ups', NUMBER)).rejects.toThrow('another parcel')
  easyPost.scan(NUMBER, 'delivered', { id: 'trk_a b' })
  await expect(tracking.fetch('trk_1')).rejects.toThrow(TrackingFailed)
})

test('a webhook is valid only with the signature of its exact bytes', async () => {
  const { easyPost, tracking } = await open()
  await tracking.register('ups', NUMBER)
  const { payload, signature } = easyPost.event(NUMBER)
  const parse = (body: string, given?: string) => tracking.parseWebhook(Buffer.from(body), given)
  expect(parse(payload, signature)).toEqual({ trackerId: easyPost.idOf(NUMBER) })
  for (const bad of [
    undefined,
    '',
    'hmac-sha256-hex=',
    signature.slice(0, -1),
    `${signature}0`,
    signature.toUpperCase(),
    signature.replace('hmac-sha256-hex=', ''),
    signWebhook(Buffer.from(payload), 'another secret'),
  ]) {
    expect(parse(payload, bad)).toBeUndefined()
  }
  expect(parse(`${payload} `, signature)).toBeUndefined()
})

test('a signed webhook about another object has no tracker', async () => {
  const { tracking } = await open()
  const sign = (body: string) =>
    tracking.parseWebhook(
      Buffer.from(body),
      signWebhook(Buffer.from(body), EASYPOST_ENV.EASYPOST_WEBHOOK_SECRET),
    )
  for (const body of [
    '',
    '{',
    'null',
    '[]',
    '{"object":"Event","result":{"object":"Batch","id":"batch_1"}}',
    '{"object":"Event","result":{"object":"Tracker","id":"trk_1/../2"}}',
  ]) {
    expect(sign(body)).toEqual({ trackerId: null })
  }
})

test('the signature equals that of the official client', () => {
  // Calculated with OpenSSL's HMAC-SHA256.
  const body = Buffer.from('{"description":"tracker.updated"}')
  const signature = 'hmac-sha256-hex=562be7a716cb4c03373fe99c34ee0da0f3fd9184950e5f060f6309cd8398fd19'
  expect(signWebhook(body, 'sécret')).toBe(signature)
  // The same text with a composed letter is the same secret.
  expect(isSigned(body, signature, 's\u00e9cret')).toBe(true)
})
