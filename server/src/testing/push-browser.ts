import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'

interface Received {
  path: string
  headers: IncomingHttpHeaders
  body: Buffer
}

/** A push service on this machine. `status` is its reply. */
export async function openPushService() {
  const received: Received[] = []
  const service = { received, status: 201, url: '' }
  const server = createServer(async (request, response) => {
    const body = await buffer(request)
    received.push({ path: request.url ?? '', headers: request.headers, body })
    response.writeHead(service.status).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  service.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return service
}

/** A browser's subscription, and how the browser decrypts a message (RFC 8291). */
export function createPushBrowser(endpoint: string) {
  const ecdh = createECDH('prime256v1')
  const publicKey = ecdh.generateKeys()
  const auth = randomBytes(16)
  const keys = { p256dh: publicKey.toString('base64url'), auth: auth.toString('base64url') }
  const read = (body: Buffer) => {
    const [salt, senderKey, encrypted] = [body.subarray(0, 16), body.subarray(21, 86), body.subarray(86)]
    const info = Buffer.concat([Buffer.from('WebPush: info\0'), publicKey, senderKey])
    const secret = derive(ecdh.computeSecret(senderKey), auth, info, 32)
    const key = derive(secret, salt, 'Content-Encoding: aes128gcm\0', 16)
    const nonce = derive(secret, salt, 'Content-Encoding: nonce\0', 12)
    const decipher = createDecipheriv('aes-128-gcm', key, nonce)
    decipher.setAuthTag(encrypted.subarray(-16))
    const padded = Buffer.concat([decipher.update(encrypted.subarray(0, -16)), decipher.final()])
    return JSON.parse(padded.subarray(0, padded.lastIndexOf(2)).toString())
  }
  return { subscription: { endpoint, keys }, read }
}

function derive(secret: Buffer, salt: Buffer, info: string | Buffer, bytes: number): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, salt, info, bytes))
}

/** The claims of a VAPID token if this key signed it (RFC 8292). */
export function readVapid(authorization = '', publicKey: string) {
  const [, token = ''] = /t=([^,]+)/.exec(authorization) ?? []
  const [header = '', claims = '', signature = ''] = token.split('.')
  const point = Buffer.from(publicKey, 'base64url')
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'))
  const key = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' })
  const signed = Buffer.from(`${header}.${claims}`)
  const isValid = verify(
    'sha256',
    signed,
    { key, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  )
  return isValid ? JSON.parse(Buffer.from(claims, 'base64url').toString()) : null
}
