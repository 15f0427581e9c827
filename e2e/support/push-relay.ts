import { createServer } from 'node:http'
import type { AddressInfo, Server } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { createServer as createTlsServer, type TLSSocket } from 'node:tls'

/*
 * A local replacement for Google's push service for Chromium. It gives the browser an identity and the addresses of
 * its subscriptions, and forwards posted messages over the connection that the browser keeps open. The messages are
 * those of components/gcm_driver and google_apis/gcm in Chromium.
 */

interface Subscription {
  token: string
  app: string
  subtype: string
  sender: string
}

/** The browser ignores certificate errors, so the key need not be secret. */
const KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgcfy9CIstq8KhRUgR
4D0ToX2+7ZYTYFsAuutyQBQbRgGhRANCAARQxRTsTJzaTQpsdWuT+UjfXGKENtRD
doPnxMWlEOiKj47eEkl+mEkip59ank4gJeRzVCxE6urM55MVUoUkbp7v
-----END PRIVATE KEY-----`
const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBfjCCASWgAwIBAgIUO6RNNl8ueCPDUCQ7z9tk05zUpBAwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTExNzAwMjgyMFoYDzIxMjYxMDI0
MDAyODIwWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAARQxRTsTJzaTQpsdWuT+UjfXGKENtRDdoPnxMWlEOiKj47eEkl+mEki
p59ank4gJeRzVCxE6urM55MVUoUkbp7vo1MwUTAdBgNVHQ4EFgQUIxJxWrHTieD9
6HI1Uldt3p4JQDswHwYDVR0jBBgwFoAUIxJxWrHTieD96HI1Uldt3p4JQDswDwYD
VR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNHADBEAiA2lHK4kyfsEIqK7Lchi/CV
Oz2TfDQghxs8pHAaPtlNfgIgGNGE/XObg/WhoUNhsTpmi+MVbh8XN00zRnds6QDd
1Tc=
-----END CERTIFICATE-----`

const PROTOCOL_VERSION = 41
const LOGIN_RESPONSE = 3
const DATA_MESSAGE = 8

export async function openPushRelay() {
  const subscriptions: Subscription[] = []
  const browsers = new Set<TLSSocket>()
  /** Messages that were not sent because the browser was not connected yet. */
  const waiting: Buffer[] = []
  const send = (message: Buffer) => {
    if (browsers.size === 0) waiting.push(message)
    for (const browser of browsers) browser.write(message)
  }

  const service = createServer(async (request, response) => {
    const [, action = '', token = ''] = (request.url ?? '').split('/')
    const body = await buffer(request)
    if (action === 'checkin') return response.end(identity())
    if (action === 'register') return response.end(`token=${register(body.toString())}`)
    const subscription = subscriptions.find((it) => it.token === token)
    if (!subscription) return response.writeHead(404).end()
    send(dataMessage(subscription, body, String(request.headers['content-encoding'])))
    return response.writeHead(201).end()
  })
  function register(form: string): string {
    const fields = new URLSearchParams(form)
    const of = (name: string) => fields.get(name) ?? ''
    const token = `subscription-${subscriptions.length}`
    subscriptions.push({ token, app: of('app'), subtype: of('X-subtype'), sender: of('sender') })
    return token
  }

  const connection = createTlsServer({ key: KEY, cert: CERTIFICATE }, (browser) => {
    browser.on('error', () => {})
    browser.on('close', () => browsers.delete(browser))
    browser.once('data', () => {
      browser.write(Buffer.of(PROTOCOL_VERSION))
      browser.write(frame(LOGIN_RESPONSE, text(1, 'login')))
      for (const message of waiting.splice(0)) browser.write(message)
      browsers.add(browser)
    })
  })

  const [port, connectionPort] = [await listen(service), await listen(connection)]
  const url = `http://127.0.0.1:${port}`
  return {
    browserArguments: [
      `--gcm-checkin-url=${url}/checkin`,
      `--gcm-registration-url=${url}/register`,
      `--gcm-mcs-endpoint=https://127.0.0.1:${connectionPort}`,
      '--ignore-certificate-errors',
    ],
    /** Browsers build the address from Google's host and our token. */
    addressOf: (endpoint: string) => `${url}/send/${endpoint.split('/').at(-1)}`,
    close: () => {
      for (const browser of browsers) browser.destroy()
      service.closeAllConnections()
      service.close()
      connection.close()
    },
  }
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

/** An AndroidCheckinResponse: whether it succeeded, and the identity and the secret of the browser. */
const identity = () => Buffer.concat([number(1, 1), fixed64(7, 1n), fixed64(8, 1n)])

/** A DataMessageStanza. */
function dataMessage({ app, subtype, sender }: Subscription, body: Buffer, encoding: string): Buffer {
  const entry = (key: string, value: string) => bytes(7, Buffer.concat([text(1, key), text(2, value)]))
  return frame(
    DATA_MESSAGE,
    Buffer.concat([
      text(3, sender),
      text(5, app),
      entry('subtype', subtype),
      entry('content-encoding', encoding),
      bytes(21, body),
    ]),
  )
}

const frame = (tag: number, message: Buffer) =>
  Buffer.concat([Buffer.of(tag), varint(message.length), message])

/* Fields of protocol buffers, by their number. */

const number = (field: number, value: number) => Buffer.concat([varint(field << 3), varint(value)])

function fixed64(field: number, value: bigint): Buffer {
  const little = Buffer.alloc(8)
  little.writeBigUInt64LE(value)
  return Buffer.concat([varint((field << 3) | 1), little])
}

const bytes = (field: number, value: Buffer) =>
  Buffer.concat([varint((field << 3) | 2), varint(value.length), value])

const text = (field: number, value: string) => bytes(field, Buffer.from(value))

function varint(value: number): Buffer {
  const digits: number[] = []
  for (let rest = value; ; rest >>>= 7) {
    if (rest < 128) return Buffer.from([...digits, rest])
    digits.push((rest & 127) | 128)
  }
}
