import type { Page } from '@playwright/test'

export const toast = (page: Page) => page.getByRole('region', { name: /Notifications/ }).getByRole('listitem')
