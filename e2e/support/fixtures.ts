import {
  type BrowserContext,
  type BrowserContextOptions,
  test as base,
  type ConsoleMessage,
  expect,
  type Page,
} from '@playwright/test'
import { systemClock } from '@sought/server/core/clock'
import { type Database, openDatabase } from '@sought/server/database/database'
import { createDeal, type Deal } from './deals.ts'
import { createDispute, type DisputedDeal, expectLedger } from './disputes.ts'
import { createPagePool, type PagePool } from './page-pool.ts'
import { insertSession, insertTestUser, type User } from './users.ts'

export { expect }

interface TestFixtures {
  /** Whether the test closes the market, which then answers 503. An option, see `test.use`. */
  isMarketClosed: boolean
  /** Opens a path in a page with nobody signed in. Pages of one test share no cookies and no storage. */
  openAsVisitor: (path?: string, options?: BrowserContextOptions) => Promise<Page>
  /** Opens a path in a page with this user signed in. Without a path, the page is empty until the test navigates. */
  openAs: (user: User, path?: string, options?: BrowserContextOptions) => Promise<Page>
  createUser: (firstName?: string) => Promise<User>
  createAdmin: (firstName?: string) => Promise<User>
  /** A buyer and a seller, each with a page, who have agreed on a price: $120.00 unless given. */
  createDeal: (amountCents?: number, options?: BrowserContextOptions) => Promise<Deal>
  /** A deal whose payment is in escrow and disputed by the buyer, without files. */
  createDispute: (amountCents?: number, options?: BrowserContextOptions) => Promise<DisputedDeal>
  /** Waits until the ledger of a payment has these balances, by kind of account and in cents, without zeros. */
  expectLedger: (paymentId: number, balances: Record<string, number>) => Promise<void>
}

interface WorkerFixtures {
  database: Database
  pagePool: PagePool
}

const contextOptions: BrowserContextOptions = {
  viewport: { width: 1280, height: 800 },
  // Animations only make tests wait.
  reducedMotion: 'reduce',
}

export const test = base.extend<TestFixtures, WorkerFixtures>({
  isMarketClosed: [false, { option: true }],

  // biome-ignore lint/correctness/noEmptyPattern: Playwright requires the pattern
  baseURL: async ({}, use) => {
    await use(setting('SOUGHT_ADDRESS'))
  },

  database: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright requires the pattern
    async ({}, use) => {
      const database = openDatabase(setting('SOUGHT_DATABASE_URL'), systemClock, () => {})
      await use(database)
      await database.close()
    },
    { scope: 'worker' },
  ],

  pagePool: [
    async ({ browser }, use) => {
      await use(createPagePool(browser, { ...contextOptions, baseURL: setting('SOUGHT_ADDRESS') }))
    },
    { scope: 'worker' },
  ],

  openAsVisitor: async ({ browser, pagePool, baseURL, isMarketClosed }, use) => {
    const errors: string[] = []
    const pooled: Page[] = []
    const contexts: BrowserContext[] = []
    const openInOwnContext = async (options: BrowserContextOptions) => {
      const context = await browser.newContext({ ...contextOptions, ...(baseURL && { baseURL }), ...options })
      contexts.push(context)
      return context.newPage()
    }
    const takePooled = async () => {
      const page = await pagePool.take()
      pooled.push(page)
      return page
    }
    await use(async (path, options) => {
      const page = options ? await openInOwnContext(options) : await takePooled()
      page.on('pageerror', (error) => errors.push(String(error)))
      page.on('console', (message) => {
        if (message.type() !== 'error' || isRefusedRequest(message)) return
        if (!(isMarketClosed && message.text().includes('status of 503'))) errors.push(message.text())
      })
      if (path) await page.goto(path)
      return page
    })
    await Promise.all([
      ...contexts.map((context) => context.close()),
      ...pooled.map((page) => pagePool.giveBack(page)),
    ])
    expect(errors, 'errors in the console').toEqual([])
  },

  openAs: async ({ openAsVisitor, database, baseURL }, use) => {
    await use(async (user, path, options) => {
      const [page, session] = await Promise.all([
        openAsVisitor(undefined, options),
        insertSession(database, user, setting('SESSION_SECRET')),
      ])
      const url = options?.baseURL ?? baseURL ?? ''
      await page.context().addCookies([{ name: 'sid', value: session, url, httpOnly: true, sameSite: 'Lax' }])
      if (path) await page.goto(path)
      return page
    })
  },

  createUser: async ({ database }, use) => {
    await use((firstName = 'Ada') => insertTestUser(database, firstName))
  },

  createAdmin: async ({ database }, use) => {
    await use((firstName = 'Grace') => insertTestUser(database, firstName, 'admin'))
  },

  createDeal: async ({ openAs, createUser }, use) => {
    await use((amountCents = 12_000, options) => createDeal({ openAs, createUser }, amountCents, options))
  },

  createDispute: async ({ createDeal }, use) => {
    await use(async (amountCents = 12_001, options) => createDispute(await createDeal(amountCents, options)))
  },

  expectLedger: async ({ database }, use) => {
    await use((paymentId, balances) => expectLedger(database, paymentId, balances))
  },
})

/** Set by start-servers.ts. */
export function setting(
  name: 'SOUGHT_ADDRESS' | 'SOUGHT_SECOND_ADDRESS' | 'SOUGHT_DATABASE_URL' | 'SESSION_SECRET',
): string {
  const value = process.env[name]
  if (!value) throw new Error(`${name} is not set`)
  return value
}

/**
 * Chromium logs every refused request as an error, including those that a test expects (a declined card, a page
 * that does not exist). A missing file is still an error.
 */
function isRefusedRequest(message: ConsoleMessage): boolean {
  const { url } = message.location()
  const isExpected = url.includes('/api/') || url.includes('/sandbox/v1/') || url === message.page()?.url()
  return /status of 4\d\d/.test(message.text()) && isExpected
}

/** For tests that install a clock or an init script, because neither can be removed from a page again. */
export const ownContext: BrowserContextOptions = {}

export const phone = {
  viewport: { width: 360, height: 740 },
  hasTouch: true,
  isMobile: true,
} satisfies BrowserContextOptions
