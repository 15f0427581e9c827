import { expect, type Page } from '@playwright/test'

const TABS_MAX = 80

/** Presses Tab until the control has the focus. */
export async function tabTo(
  page: Page,
  role: 'button' | 'combobox' | 'link' | 'searchbox' | 'spinbutton' | 'tab' | 'textbox',
  name: string | RegExp,
) {
  const control = page.getByRole(role, { name, ...(typeof name === 'string' && { exact: true }) })
  await expect(control).toBeVisible()
  for (let tabs = 0; tabs < TABS_MAX; tabs++) {
    if (await control.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  await expect(control).toBeFocused()
}
