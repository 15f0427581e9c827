import { expect, type Page } from '@playwright/test'

export const toast = (page: Page) => page.getByRole('region', { name: /Notifications/ }).getByRole('listitem')

/** A toast takes the first Escape, also above a dialog, which hides it from screen readers. */
export const waitForToastsToClose = (page: Page) =>
  expect(page.locator('[role=region][aria-label^=Notifications] li')).toHaveCount(0)
