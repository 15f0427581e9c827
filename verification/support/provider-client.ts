import { intentOf } from '@sought/server/market-builder/card-browser'

/** The reply to a request. Without a reply, the request may or may not have been carried out. */
export interface Reply {
  /** 0 when no reply came. */
  status: number
  body: Record<string, unknown>
  /** The session cookie, where a new one was set. */
  cookie?: string | undefined
}

export const NO_REPLY: Reply = { status: 0, body: {} }

export async function callProvider(
  { url, key }: { url: string; key: string },
  method: string,
  path: string,
  form: Record<string, string>,
): Promise<Reply> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/x-www-form-urlencoded' }
  const body = method === 'GET' ? null : new URLSearchParams(form)
  return fetch(url + path, { method, headers, body }).then(readReply, () => NO_REPLY)
}

/** The path and the form that a browser sends when the buyer chooses another method than a card. */
export const methodForm = (
  clientSecret: string,
  method: Record<string, string>,
): [path: string, form: Record<string, string>] => [
  `/v1/payment_intents/${intentOf(clientSecret)}/confirm`,
  { client_secret: clientSecret, return_url: 'http://localhost:3000/payment-success', ...method },
]

/** An incomplete reply counts as none. */
export async function readReply(reply: Response): Promise<Reply> {
  const text = await reply.text().catch(() => null)
  if (text === null) return NO_REPLY
  const [set] = reply.headers.getSetCookie().filter((it) => it.startsWith('sid='))
  const cookie = set?.split(';')[0]
  try {
    return { status: reply.status, body: JSON.parse(text), cookie }
  } catch {
    return { status: reply.status, body: {}, cookie }
  }
}
