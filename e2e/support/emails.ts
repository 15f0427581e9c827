import { expect } from '@playwright/test'

/* Without a mail server, emails are stored and shown to developers. Tests read them there. */

interface Requester {
  get: (path: string) => Promise<{ json: () => Promise<unknown> }>
}

interface Email {
  kind: string
  address: string
  subject: string
  text: string
}

/** Waits for an email of this kind to this address, and returns the latest one. */
export async function emailTo(request: Requester, address: string, kind: string): Promise<Email> {
  let found: Email | undefined
  const findSubject = async () => {
    const emails = (await (await request.get('/api/dev/mails')).json()) as Email[]
    found = emails.find((email) => email.kind === kind && email.address === address)
    return found?.subject
  }
  await expect.poll(findSubject, { message: `a ${kind} email to ${address}` }).toBeDefined()
  return found as Email
}

/** The path of the link in an email to this site, such as /verify-email?token=… */
export function linkIn({ text }: Email, path: string): string {
  const address = text.split(/\s+/).find((word) => word.includes(`${path}?`))
  expect(address, `a link to ${path} in: ${text}`).toBeDefined()
  const { pathname, search } = new URL(address as string)
  return pathname + search
}
