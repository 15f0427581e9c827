import { type Answer, intentOf, NO_ANSWER } from '../simulation/market.ts'

/** What a browser sends when its buyer enters a card. */
export function cardForm(clientSecret: string, number: string): [path: string, form: Record<string, string>] {
  return [
    `/v1/payment_intents/${intentOf(clientSecret)}/confirm`,
    {
      client_secret: clientSecret,
      'payment_method_data[type]': 'card',
      'payment_method_data[card][number]': number,
      'payment_method_data[card][exp_month]': '12',
      // Far enough for a clock that is turned on for years.
      'payment_method_data[card][exp_year]': '2060',
      'payment_method_data[card][cvc]': '123',
      return_url: 'http://localhost:3000/payment-success',
    },
  ]
}

export async function askProvider(
  { url, key }: { url: string; key: string },
  method: string,
  path: string,
  form: Record<string, string>,
): Promise<Answer> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/x-www-form-urlencoded' }
  const body = method === 'GET' ? null : new URLSearchParams(form)
  return fetch(url + path, { method, headers, body }).then(readAnswer, () => NO_ANSWER)
}

/** An answer that breaks off is none. */
export async function readAnswer(reply: Response): Promise<Answer> {
  const text = await reply.text().catch(() => null)
  if (text === null) return NO_ANSWER
  const [set] = reply.headers.getSetCookie().filter((it) => it.startsWith('sid='))
  const cookie = set?.split(';')[0]
  try {
    return { status: reply.status, body: JSON.parse(text), cookie }
  } catch {
    return { status: reply.status, body: {}, cookie }
  }
}
