import { expect, type Locator, type Page } from '@playwright/test'

const TABS_MAX = 300

/** Presses Tab, or Shift+Tab, until the control has the focus. */
export async function tabTo(control: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  await expect(control).toBeVisible()
  for (let tabs = 0; tabs < TABS_MAX; tabs++) {
    if (await control.evaluate((element) => element === document.activeElement)) return
    await control.page().keyboard.press(key)
  }
  await expect(control).toBeFocused()
}

/** Goes to a button or a link with Tab, and presses Enter. */
export async function enter(control: Locator): Promise<void> {
  await tabTo(control)
  await control.page().keyboard.press('Enter')
}

/** What had the focus is gone. Expects that the next Tab goes on near it, and not at the top of the page. */
export async function expectToGoOn(page: Page): Promise<void> {
  await page.keyboard.press('Tab')
  await expect(
    page.getByRole('main').locator(':focus').or(page.getByRole('contentinfo').locator(':focus')),
  ).toHaveCount(1)
}
