import type { Page } from '@playwright/test'

/** Opens a screen as a link in the app does, without loading the page again. */
export const openInApp = (page: Page, path: string) =>
  page.evaluate((to) => {
    history.pushState(null, '', to)
    dispatchEvent(new PopStateEvent('popstate'))
  }, path)
