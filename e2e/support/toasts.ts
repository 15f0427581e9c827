import type { Page } from '@playwright/test'

export const toast = (page: Page) => page.getByRole('region', { name: /Notifications/ }).getByRole('listitem')

/** A toast beside an open dialog, which hides everything else from assistive technology. */
export const toastBehindDialog = (page: Page) =>
  page
    .getByRole('region', { name: /Notifications/, includeHidden: true })
    .getByRole('listitem', { includeHidden: true })
