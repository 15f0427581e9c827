// @module-tag proof

import { expect, test } from 'vitest'
import { createClient, createPaidIntent, getError, openWorld, PUBLISHABLE_KEY } from './testing/world.ts'

const pdf = Buffer.from('%PDF-1.7\nevidence')
const png = Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47]), Buffer.alloc(20)])

const upload = (data: Buffer, name = 'messages.pdf') => ({
  purpose: 'dispute_evidence' as const,
  file: { data, name, type: 'application/octet-stream' },
})

test('files can be uploaded, listed, downloaded and used as evidence', async () => {
  const { stripe, sandbox } = await openWorld()
  const file = await stripe.files.create(upload(pdf))
  expect(file).toMatchObject({
    object: 'file',
    filename: 'messages.pdf',
    purpose: 'dispute_evidence',
    size: pdf.length,
    type: 'pdf',
  })
  const image = await stripe.files.create(upload(png, 'photo.png'))
  expect(image.type).toBe('png')
  expect(await stripe.files.retrieve(file.id)).toMatchObject({ id: file.id })
  const listed = await stripe.files.list({ purpose: 'dispute_evidence' })
  expect(listed.data.map(({ id }) => id)).toEqual([image.id, file.id])

  const contents = `${sandbox.url}/v1/files/${file.id}/contents`
  expect((await fetch(contents)).status).toBe(401)
  expect((await fetch(contents, { headers: { authorization: `Bearer ${PUBLISHABLE_KEY}` } })).status).toBe(
    401,
  )

  const { charge } = await createPaidIntent(stripe, 5_000, 'pm_card_createDispute')
  const [dispute] = (await stripe.disputes.list({ charge })).data
  const evidence = { customer_communication: file.id, receipt: image.id }
  expect(await stripe.disputes.update(String(dispute?.id), { evidence })).toMatchObject({
    evidence,
    status: 'under_review',
  })
})

test('files of other types, too large files and other purposes are refused', async () => {
  const { stripe } = await openWorld()
  expect((await getError(stripe.files.create(upload(Buffer.from('<html>'))))).param).toBe('file')
  const large = Buffer.concat([pdf, Buffer.alloc(5 * 1024 * 1024)])
  expect((await getError(stripe.files.create(upload(large)))).param).toBe('file')
  expect((await getError(stripe.files.create({ ...upload(pdf), purpose: 'identity_document' }))).param).toBe(
    'purpose',
  )
  expect((await getError(stripe.files.retrieve('file_nothing'))).code).toBe('resource_missing')
  expect((await stripe.files.list()).data).toEqual([])
})

test('an upload with the same idempotency key is stored once', async () => {
  const world = await openWorld()
  const client = createClient(world.sandbox)
  const first = await client.files.create(upload(pdf), { idempotencyKey: 'evidence' })
  expect((await client.files.create(upload(pdf), { idempotencyKey: 'evidence' })).id).toBe(first.id)
  expect((await getError(client.files.create(upload(png), { idempotencyKey: 'evidence' }))).type).toBe(
    'StripeIdempotencyError',
  )
})
