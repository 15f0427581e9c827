import { fork } from 'node:child_process'
import { once } from 'node:events'
import { signIn, signUp } from '@sought/contract/accounts'
import { uploadItemImage } from '@sought/contract/requests'
import sharp from 'sharp'
import { formatMs, p95, report, timeMs } from './measure.ts'

/*
 * Signs in while many large pictures are uploaded. Decoding them must not delay anything else (ADR 22).
 */

const UPLOADS = 24
const SIDE_PIXELS = 8_000
const SIGN_INS = 30
const WARM_UP = 5
const MAX_FACTOR = 3

const person = { email: 'uploader@example.com', password: 'correct horse' }

export async function measureSignInDuringUploads(databaseUrl: string): Promise<boolean> {
  const server = fork(new URL('./serve.ts', import.meta.url), ['full', databaseUrl])
  try {
    const [port] = await once(server, 'message')
    const url = `http://127.0.0.1:${port}`
    const cookie = await createAccount(url)
    const idle = await measureSignIns(url, () => false)
    const picture = await drawPicture()
    let uploading = true
    const uploads = Promise.all(Array.from({ length: UPLOADS }, () => upload(url, cookie, picture))).finally(
      () => {
        uploading = false
      },
    )
    const busy = await measureSignIns(url, () => !uploading)
    const answers = await uploads
    const [before, during] = [p95(idle), p95(busy)]
    const stored = answers.filter((answer) => answer === 'stored').length
    return report(
      `sign-in while ${UPLOADS} pictures of ${SIDE_PIXELS} × ${SIDE_PIXELS} pixels are uploaded`,
      ['', 'idle', 'during uploads', 'limit'],
      [
        {
          cells: ['95 % of sign-ins within', formatMs(before), formatMs(during), `${MAX_FACTOR} × idle`],
          ok: during <= MAX_FACTOR * before,
        },
        {
          cells: ['pictures stored, others refused with Retry-After', '', `${stored} of ${UPLOADS}`, 'some'],
          ok: stored > 0 && answers.every((answer) => answer === 'stored' || answer === 'try later'),
        },
      ],
    )
  } finally {
    server.disconnect()
  }
}

async function createAccount(url: string): Promise<string> {
  const reply = await post(url + signUp.path, { ...person, firstName: 'Ursula', lastName: 'Upload' })
  if (!reply.ok) throw new Error(`sign-up was answered with ${reply.status}`)
  return reply.headers.getSetCookie()[0]?.split(';')[0] ?? ''
}

/** Measures at most SIGN_INS sign-ins, one after the other, after a warm-up. */
async function measureSignIns(url: string, isOver: () => boolean): Promise<number[]> {
  const times: number[] = []
  for (let round = 0; round < WARM_UP + SIGN_INS && !isOver(); round++) {
    const time = await timeMs(async () => {
      const reply = await post(url + signIn.path, person)
      if (!reply.ok) throw new Error(`sign-in was answered with ${reply.status}`)
    })
    if (round >= WARM_UP) times.push(time)
  }
  return times
}

const post = (url: string, body: object) =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

const drawPicture = () =>
  sharp({ create: { width: SIDE_PIXELS, height: SIDE_PIXELS, channels: 3, background: '#284' } })
    .png()
    .toBuffer()

async function upload(
  url: string,
  cookie: string,
  picture: Buffer,
): Promise<'stored' | 'try later' | 'failed'> {
  const form = new FormData()
  form.set('image', new Blob([new Uint8Array(picture)], { type: 'image/png' }), 'large.png')
  const reply = await fetch(url + uploadItemImage.path, { method: 'POST', headers: { cookie }, body: form })
  await reply.arrayBuffer()
  if (reply.status === 201) return 'stored'
  return reply.status === 503 && reply.headers.has('retry-after') ? 'try later' : 'failed'
}
