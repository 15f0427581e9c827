import type { Browser, BrowserContext, BrowserContextOptions } from '@playwright/test'

/**
 * Browser contexts that tests share one after the other. A context keeps its cache of files and compiled scripts, so
 * that only the first tests of a worker pay for loading the app.
 */
export interface ContextPool {
  take(): Promise<BrowserContext>
  /** Closes the pages of a context, signs it out and clears its storage. */
  giveBack(context: BrowserContext): Promise<void>
}

export function createContextPool(browser: Browser, options: BrowserContextOptions): ContextPool {
  const idle: BrowserContext[] = []
  return {
    take: async () => idle.pop() ?? browser.newContext(options),
    async giveBack(context) {
      await Promise.all(context.pages().map((page) => page.close()))
      await context.clearCookies()
      await clearStorage(context, options.baseURL ?? '')
      idle.push(context)
    },
  }
}

/** Leaves the caches alone. */
async function clearStorage(context: BrowserContext, origin: string): Promise<void> {
  const page = await context.newPage()
  const devTools = await context.newCDPSession(page)
  await devTools.send('Storage.clearDataForOrigin', { origin, storageTypes: 'local_storage,session_storage' })
  await page.close()
}
