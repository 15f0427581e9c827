import { call } from '@sought/contract/call'
import { text } from '@sought/contract/fields'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { openRoutes } from '../testing/open-routes.ts'
import { openApiDocument } from './openapi.ts'
import { on } from './route.ts'

/*
 * Tests a call with an optional file: it accepts multipart with or without the file, or the same fields as JSON.
 */

const sendParcel = call({
  method: 'POST',
  path: '/api/parcels',
  access: 'user',
  summary: 'Sends a parcel',
  upload: {
    field: 'photo',
    maxBytes: 1000,
    fields: z.object({ carrier: text(20), note: z.optional(text(20)) }),
    optional: true,
  },
  reply: z.object({ carrier: z.string(), photo: z.nullable(z.string()) }),
})

const sendPicture = call({
  method: 'POST',
  path: '/api/pictures',
  access: 'user',
  summary: 'Sends a picture',
  upload: { field: 'picture', maxBytes: 1000 },
  reply: z.object({ bytes: z.number() }),
})

async function openApp() {
  let uploads = 0
  const routes = [
    on(sendParcel)(({ file, fields }) => ({
      carrier: fields.carrier,
      photo: file ? file.bytes.toString() : null,
    })),
    on(sendPicture)(({ file }) => ({ bytes: file.bytes.length })),
  ]
  const app = await openRoutes(routes, { countUpload: async () => void uploads++ })
  const send = (body: string | object, contentType?: string, url = '/api/parcels') =>
    app.inject({
      method: 'POST',
      url,
      headers: { cookie: 'sid=1', ...(contentType && { 'content-type': contentType }) },
      body,
    })
  return { send, countUploads: () => uploads }
}

const MULTIPART = 'multipart/form-data; boundary=edge'
const form = (...parts: string[]) =>
  `${parts.map((part) => `--edge\r\ncontent-disposition: form-data; ${part}\r\n`).join('')}--edge--\r\n`
const carrier = 'name="carrier"\r\n\r\nups'

test('an optional file can be sent or left out, and without it the fields can be sent as JSON', async () => {
  const { send, countUploads } = await openApp()
  const withPhoto = await send(form(carrier, 'name="photo"; filename="a.png"\r\n\r\nabc'), MULTIPART)
  expect(withPhoto.json()).toEqual({ carrier: 'ups', photo: 'abc' })
  expect((await send(form(carrier), MULTIPART)).json()).toEqual({ carrier: 'ups', photo: null })
  expect(countUploads()).toBe(2)

  expect((await send({ carrier: 'ups' })).json()).toEqual({ carrier: 'ups', photo: null })
  expect(countUploads()).toBe(2)
})

test('the fields are validated both in multipart and in JSON', async () => {
  const { send } = await openApp()
  for (const reply of [
    await send({}),
    await send({ carrier: '' }),
    await send({ carrier: { name: 'ups' } }),
    await send('null', 'application/json'),
    await send('', MULTIPART),
    await send(form('name="note"\r\n\r\nFragile'), MULTIPART),
  ]) {
    expect([reply.statusCode, reply.json().code]).toEqual([422, 'invalid'])
  }
  const tooLarge = form(carrier, `name="photo"; filename="a.png"\r\n\r\n${'x'.repeat(1001)}`)
  expect((await send(tooLarge, MULTIPART)).statusCode).toBe(413)
})

test('a required file must be sent, as multipart', async () => {
  const { send } = await openApp()
  const sendFile = async (body: string | object, contentType?: string) => {
    const reply = await send(body, contentType, sendPicture.path)
    return [reply.statusCode, reply.json().code ?? reply.json()]
  }
  expect(await sendFile(form('name="picture"; filename="a.png"\r\n\r\nabc'), MULTIPART)).toEqual([
    200,
    { bytes: 3 },
  ])
  expect(await sendFile({ picture: 'abc' })).toEqual([415, 'wrong_type'])
  expect(await sendFile(form(carrier), MULTIPART)).toEqual([422, 'invalid'])
})

test('the API document lists both kinds of body', () => {
  const { paths } = openApiDocument({ sendParcel }, 'Sought', 'https://sought.example')
  const fields = { carrier: expect.anything(), note: expect.anything() }
  expect(paths['/api/parcels']?.post).toMatchObject({
    requestBody: {
      content: {
        'multipart/form-data': { schema: { properties: { ...fields, photo: { format: 'binary' } } } },
        'application/json': { schema: { properties: fields, required: ['carrier'] } },
      },
    },
    responses: { 422: { description: 'invalid' } },
  })
})
