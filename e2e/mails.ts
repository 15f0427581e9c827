import { expect } from './story.ts'

/* Without a mail server, mails are kept for developers to read, and so for journeys. */

interface Asker {
  get: (path: string) => Promise<{ json: () => Promise<unknown> }>
}

interface Mail {
  kind: string
  address: string
  subject: string
  text: string
}

/** The latest mail of a kind to an address, once it is there. */
export async function mailTo(request: Asker, address: string, kind: string): Promise<Mail> {
  let found: Mail | undefined
  const look = async () => {
    const kept = (await (await request.get('/api/dev/mails')).json()) as Mail[]
    found = kept.find((mail) => mail.kind === kind && mail.address === address)
    return found?.subject
  }
  await expect.poll(look, { timeout: 20_000, message: `a ${kind} mail` }).toBeDefined()
  return found as Mail
}

/** The path that a mail leads to on this site, such as /verify-email?token=… */
export function linkIn({ text }: Mail, path: string): string {
  const address = text.split(/\s+/).find((word) => word.includes(`${path}?`))
  expect(address, `a link to ${path} in: ${text}`).toBeDefined()
  const { pathname, search } = new URL(address as string)
  return pathname + search
}
