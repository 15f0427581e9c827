import { expect, type Page } from '@playwright/test'
import axe from 'axe-core'

/** Expects no serious axe findings in light, in dark and on a phone, and nothing wider than the phone. */
export async function expectAccessible(page: Page, where = 'here'): Promise<void> {
  await expectAccessibleOnDesktop(page, where)
  await page.setViewportSize({ width: 360, height: 740 })
  await waitForPaint(page)
  expect(await seriousFindings(page), `${where}, on a phone`).toEqual([])
  await expectNoOverflow(page)
}

/** For screens that a phone does not have. */
export async function expectAccessibleOnDesktop(page: Page, where = 'here'): Promise<void> {
  for (const [colorScheme, rules] of [['light'], ['dark', COLOUR_RULES]] as const) {
    await page.emulateMedia({ colorScheme })
    await waitForPaint(page)
    expect(await seriousFindings(page, rules), `${where}, ${colorScheme}`).toEqual([])
  }
}

/** Expects that nothing is wider than a phone. */
export async function expectNoOverflow(page: Page): Promise<void> {
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
}

/** In dark, a page is the same but for its colours. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block']

/** Without this, axe would measure a mixture of the old and the new colours. */
async function waitForPaint(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted)))
    await Promise.allSettled(document.getAnimations().map((animation) => animation.finished))
  })
}

/** Runs axe in the page itself: only the findings have to leave it, and its script is compiled once per document. */
async function seriousFindings(page: Page, rules?: readonly string[]): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  return page.evaluate(
    async (runOnly) => {
      const { axe } = window as unknown as { axe: typeof import('axe-core') }
      const { violations } = await axe.run(document, {
        resultTypes: ['violations'],
        iframes: false,
        ...(runOnly && { runOnly }),
      })
      return violations
        .filter(({ impact }) => impact === 'serious' || impact === 'critical')
        .map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target).join(', ')}`)
    },
    rules && [...rules],
  )
}
