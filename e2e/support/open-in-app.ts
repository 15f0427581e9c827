import type { Page } from '@playwright/test'

/** Opens a screen like a link in the app does, without reloading the page. */
export const openInApp = (page: Page, path: string) =>
  page.evaluate((to) => {
    history.pushState(null, '', to)
    dispatchEvent(new PopStateEvent('popstate'))
  }, path)
