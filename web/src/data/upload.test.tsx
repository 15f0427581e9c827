import { call } from '@sought/contract/call'
import { Done } from '@sought/contract/fields'
import { expect, onTestFinished, test, vi } from 'vitest'
import { answer, createFakeServer } from '../testing/fake-server.ts'
import { upload } from './upload.ts'

const sendParcel = call({
  method: 'POST',
  path: '/api/parcels',
  access: 'user',
  summary: 'Sends a parcel',
  upload: { field: 'photo', maxBytes: 1000, optional: true },
  reply: Done,
})

test('a call with an optional file sends a form with the file, or JSON without it', async () => {
  const server = createFakeServer(answer(sendParcel, { ok: true }))
  vi.stubGlobal('XMLHttpRequest', server.XMLHttpRequest)
  onTestFinished(() => void vi.unstubAllGlobals())
  const fields = { carrier: 'ups' }
  const photo = new File(['abc'], 'a.png')
  expect(await upload(sendParcel, {}, photo, { fields })).toEqual({ ok: true })
  expect(await upload(sendParcel, {}, null, { fields })).toEqual({ ok: true })
  expect(server.requestsTo(sendParcel)).toEqual([
    { file: photo, fields },
    { file: null, fields },
  ])
})
