import type { Browser, BrowserContext, BrowserContextOptions, Page } from '@playwright/test'

/**
 * Pages that tests use one after the other, each in its own browser context. A reused page keeps its process and
 * its cache of files and compiled scripts, which makes loading the app twice as fast.
 */
export interface PagePool {
  take(): Promise<Page>
  /** Signs a page out, clears its storage and undoes a test's settings. */
  giveBack(page: Page): Promise<void>
}

/** A small document from the app's origin, so that no script runs while its storage is cleared. */
const BLANK = '/robots.txt'

const EVENTS = [
  'console',
  'dialog',
  'download',
  'pageerror',
  'popup',
  'request',
  'requestfinished',
  'response',
] as const

export function createPagePool(browser: Browser, options: BrowserContextOptions): PagePool {
  const idle: Page[] = []
  return {
    take: async () => idle.pop() ?? openPage(await browser.newContext(options)),
    async giveBack(page) {
      await Promise.all(othersThan(page).map((other) => other.close()))
      for (const event of EVENTS) page.removeAllListeners(event)
      await page.unrouteAll({ behavior: 'ignoreErrors' })
      await page.context().unrouteAll({ behavior: 'ignoreErrors' })
      await Promise.all([
        page.context().clearCookies(),
        page.emulateMedia({ colorScheme: 'light' }),
        options.viewport && page.setViewportSize(options.viewport),
        clearStorage(page),
      ])
      idle.push(page)
    },
  }
}

async function openPage(context: BrowserContext): Promise<Page> {
  const page = await context.newPage()
  await page.goto(BLANK)
  const refuse = () => {
    throw new Error('This would stay for the next test: open the page with `ownContext`.')
  }
  page.addInitScript = refuse
  page.clock.install = refuse
  return page
}

const othersThan = (page: Page) =>
  page
    .context()
    .pages()
    .filter((other) => other !== page)

async function clearStorage(page: Page): Promise<void> {
  if (new URL(page.url()).pathname === BLANK) return
  await page.goto(BLANK)
  await page.evaluate(() => {
    localStorage.clear()
    sessionStorage.clear()
  })
}
