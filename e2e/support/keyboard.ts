import { expect, type Locator, type Page } from '@playwright/test'

const TABS_MAX = 300
const IDLE_WITHIN_MS = 1_000

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

/**
 * Presses Escape in the open modal dialog. A dialog gets the focus before it listens to keys, and until then Escape
 * would go to the dialog below. Radix enables clicks in the dialog that listens.
 */
export async function pressEscape(page: Page): Promise<void> {
  const dialog = page.locator(':is([role=dialog], [role=alertdialog]):focus-within')
  await expect(dialog).toHaveAttribute('style', /pointer-events: auto/)
  // The listener is moved from an outer dialog to this one after the style is set, but before the page is idle.
  // Chromium does not always call back when it is idle, so this waits a second at most.
  await page.evaluate(
    (timeout) => new Promise<void>((done) => requestIdleCallback(() => done(), { timeout })),
    IDLE_WITHIN_MS,
  )
  await page.keyboard.press('Escape')
}

/**
 * The focused control was removed. Expects that the next Tab moves to a control near it, and not to the top of the
 * page.
 */
export async function expectToGoOn(page: Page): Promise<void> {
  // A dialog that is closing still moves the focus.
  await expect(page.getByRole('dialog').or(page.getByRole('alertdialog'))).toHaveCount(0)
  await page.keyboard.press('Tab')
  await expect(
    page.getByRole('main').locator(':focus').or(page.getByRole('contentinfo').locator(':focus')),
  ).toHaveCount(1)
}

/**
 * Follows the skip link and presses Tab until the focus leaves the main part of the page. Expects that every control
 * there gets the focus, in the order of the page, visibly and on the screen.
 */
export async function expectReachable(page: Page, where: string): Promise<void> {
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('main')).toBeFocused()
  await page.evaluate(installWalk)
  const problems: string[] = []
  for (let tabs = 0; tabs < TABS_MAX; tabs++) {
    await page.keyboard.press('Tab')
    const step = await page.evaluate(() => walk.visit())
    if (step === 'left') break
    if (step) problems.push(step)
  }
  problems.push(...(await page.evaluate(() => walk.listMissed())))
  expect(problems, where).toEqual([])
}

interface Walk {
  /** Records that the focused control was reached. Returns what is wrong with it, or whether the focus left. */
  visit(): string | null
  listMissed(): string[]
}

declare const walk: Walk

/** Runs in the page. */
function installWalk(): void {
  const main = document.querySelector('main')
  if (!main) throw new Error('the page has no main part')
  const nameOf = (element: Element) =>
    `${element.localName} “${(element.getAttribute('aria-label') ?? element.textContent ?? '').trim().slice(0, 60)}”`
  const controls = [
    ...main.querySelectorAll<HTMLElement>(
      'a[href], button, input, select, textarea, summary, [tabindex="0"]',
    ),
  ]
    // The items of these are the controls.
    .filter((it) => !it.matches('[role=tablist], [role=radiogroup]'))
    .filter((it) => it.tabIndex >= 0 && !it.matches(':disabled') && it.checkVisibility())
  const visited = new Set<Element>()
  let last: Element = main

  const hasOutline = (element: Element, part?: string) => {
    const { outlineStyle, outlineWidth } = getComputedStyle(element, part)
    return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) > 0
  }
  // A card whose link covers it shows the outline around the card.
  const showsFocus = (element: Element) => {
    for (let it: Element | null = element; it && it !== main; it = it.parentElement) {
      if (hasOutline(it) || hasOutline(it, '::after') || hasOutline(it, '::before')) return true
    }
    return false
  }
  const isOnScreen = (element: Element) => {
    const { top, bottom, left, right } = element.getBoundingClientRect()
    return bottom > 0 && right > 0 && top < window.innerHeight && left < window.innerWidth
  }
  // Only one radio button of a group is a Tab stop.
  const isSameGroup = (one: Element, other: Element) =>
    one instanceof HTMLInputElement &&
    other instanceof HTMLInputElement &&
    one.type === 'radio' &&
    one.name === other.name

  Object.assign(window, {
    walk: {
      visit() {
        const focused = document.activeElement
        if (!focused || !main.contains(focused)) return 'left'
        // A date has several Tab stops within the same control.
        if (focused === last) return null
        const isBefore = last.compareDocumentPosition(focused) & Node.DOCUMENT_POSITION_PRECEDING
        last = focused
        visited.add(focused)
        if (isBefore) return `${nameOf(focused)} comes too late`
        if (!isOnScreen(focused)) return `${nameOf(focused)} is off the screen`
        return showsFocus(focused) ? null : `${nameOf(focused)} does not show the focus`
      },
      // Live updates may have removed some.
      listMissed: () =>
        controls
          .filter((it) => it.isConnected && it.checkVisibility())
          .filter((it) => ![...visited].some((other) => it === other || isSameGroup(it, other)))
          .map((it) => `${nameOf(it)} is not reached`),
    } satisfies Walk,
  })
}
