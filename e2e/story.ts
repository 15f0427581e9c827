import { randomUUID } from 'node:crypto'
import {
  type BrowserContextOptions,
  test as base,
  type ConsoleMessage,
  expect,
  type Page,
} from '@playwright/test'

export { expect }

export interface Person {
  firstName: string
  email: string
  password: string
  /** The session that signing up began, until a browser has it. */
  session?: string | undefined
}

interface Story {
  /** A page in a browser of its own, with nobody signed in. */
  asVisitor: (path: string, options?: BrowserContextOptions) => Promise<Page>
  /** A page in a browser of its own, with this person signed in. */
  as: (person: Person, path: string, options?: BrowserContextOptions) => Promise<Page>
  given: {
    /** Somebody with an account. */
    person: (firstName?: string) => Promise<Person>
    admin: Person
    buyer: Person
    seller: Person
  }
}

/**
 * Chromium notes every refused call, and a page that does not exist, as an error. A refusal is an
 * answer: what the page then shows is the journey's affair, and so is a card that was declined. A missing
 * file is not one.
 */
function isRefusal(note: ConsoleMessage): boolean {
  const { url } = note.location()
  const isAnswer = url.includes('/api/') || url.includes('/sandbox/v1/') || url === note.page()?.url()
  return /status of 4\d\d/.test(note.text()) && isAnswer
}

export const test = base.extend<Story>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright wants the pattern
  baseURL: async ({}, use) => {
    await use(process.env.SOUGHT_ADDRESS)
  },

  asVisitor: async ({ browser, baseURL }, use) => {
    const problems: string[] = []
    await use(async (path, options = {}) => {
      const context = await browser.newContext({ ...(baseURL && { baseURL }), ...options })
      const page = await context.newPage()
      page.on('pageerror', (error) => problems.push(String(error)))
      page.on('console', (note) => {
        if (note.type() === 'error' && !isRefusal(note)) problems.push(note.text())
      })
      await page.goto(path)
      return page
    })
    for (const context of browser.contexts()) await context.close()
    // Whatever a journey was about, the page must not have complained: no exception, no refused script.
    expect(problems).toEqual([])
  },

  as: async ({ asVisitor, baseURL }, use) => {
    await use(async (person, path, options) => {
      const page = await asVisitor('about:blank', options)
      await signIn(page, person, baseURL ?? '')
      await page.goto(path)
      return page
    })
  },

  given: async ({ baseURL }, use) => {
    await use({
      person: async (firstName = 'Ada') => {
        const person = { firstName, email: `${randomUUID()}@example.com`, password: 'correct horse' }
        const reply = await fetch(`${baseURL}/api/auth/signup`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'user-agent': USER_AGENT },
          body: JSON.stringify({ ...person, lastName: 'Tester' }),
        })
        expect(reply.status).toBe(201)
        return { ...person, session: sessionIn(reply) }
      },
      admin: { firstName: 'Admin', email: 'admin@demo.sought.example', password: 'demo-admin' },
      buyer: { firstName: 'Buyer', email: 'buyer@demo.sought.example', password: 'demo-buyer' },
      seller: { firstName: 'Seller', email: 'seller@demo.sought.example', password: 'demo-seller' },
    })
  },
})

/** A session is named after the browser that began it. */
const USER_AGENT =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'

const sessionIn = (reply: Response) => /sid=([^;]+)/.exec(reply.headers.getSetCookie().join())?.[1]

/** The first browser of a person has the session that signing up began; another has to sign in. */
async function signIn(page: Page, person: Person, url: string): Promise<void> {
  const { email, password, session } = person
  if (session) {
    person.session = undefined
    await page.context().addCookies([{ name: 'sid', value: session, url, httpOnly: true, sameSite: 'Lax' }])
    return
  }
  const reply = await page.request.post('/api/auth/login', { data: { email, password } })
  expect(reply.status()).toBe(200)
}

/** The address of the second process on the same database, once it serves. */
export async function secondAddress(): Promise<string> {
  const address = process.env.SOUGHT_SECOND_ADDRESS ?? ''
  const isReady = async () => (await fetch(`${address}/readyz`).catch(() => null))?.ok ?? false
  await expect.poll(isReady, { timeout: 60_000 }).toBe(true)
  return address
}

export const phone: BrowserContextOptions = {
  viewport: { width: 360, height: 740 },
  hasTouch: true,
  isMobile: true,
}
