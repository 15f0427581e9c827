import { expect, type Page } from '@playwright/test'
import axe from 'axe-core'
import { phone } from './fixtures.ts'

/*
 * Measuring contrast is most of what axe costs, and dark differs from light only in its colours. So a screen is
 * checked with every rule in light, and with the rules about colours and layout in dark on a phone. Only where a phone
 * shows other elements, these are checked in the other theme too. Header and footer are the same on all screens and
 * have their own check.
 */

/** Expects no serious axe findings on a screen, in light, in dark and on a phone, and nothing wider than the phone. */
export async function expectAccessible(page: Page, where = 'here'): Promise<void> {
  const size = page.viewportSize()
  await expectNoFindings(page, screen, `${where}, light`)
  const visible = await visibleElements(page)
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.setViewportSize(phone.viewport)
  await expectNoFindings(page, screen, `${where}, dark on a phone`, [...COLOUR_RULES, ...LAYOUT_RULES])
  await expectNoOverflow(page)
  const isDifferent = (await visibleElements(page)) !== visible
  await page.emulateMedia({ colorScheme: 'light' })
  if (isDifferent) await expectNoFindings(page, screen, `${where}, light on a phone`)
  if (size) await page.setViewportSize(size)
  if (isDifferent) await expectNoColourFindingsInDark(page, screen, where)
}

/** For screens that a phone does not have. */
export async function expectAccessibleOnDesktop(page: Page, where = 'here'): Promise<void> {
  await expectNoFindings(page, screen, `${where}, light`)
  await expectNoColourFindingsInDark(page, screen, where)
}

/** Expects no serious axe findings in the header and the footer. */
export async function expectFrameAccessible(page: Page): Promise<void> {
  const size = page.viewportSize()
  for (const viewport of [phone.viewport, size]) {
    if (viewport) await page.setViewportSize(viewport)
    await expectNoFindings(page, frame, 'the frame, light')
    await expectNoColourFindingsInDark(page, frame, 'the frame')
  }
}

/** Expects that nothing is wider than a phone. */
export async function expectNoOverflow(page: Page): Promise<void> {
  await expect
    .poll(() => page.evaluate(() => document.documentElement.scrollWidth))
    .toBeLessThanOrEqual(phone.viewport.width)
}

const FRAME = ['#root > div > header', '#root > div > footer']

const screen = { exclude: FRAME }
const frame = { include: FRAME }

const COLOUR_RULES = ['color-contrast', 'link-in-text-block']
const LAYOUT_RULES = ['target-size', 'scrollable-region-focusable']

async function expectNoColourFindingsInDark(page: Page, part: Part, where: string): Promise<void> {
  await page.emulateMedia({ colorScheme: 'dark' })
  await expectNoFindings(page, part, `${where}, dark`, COLOUR_RULES)
  await page.emulateMedia({ colorScheme: 'light' })
}

type Part = typeof screen | typeof frame

async function expectNoFindings(
  page: Page,
  part: Part,
  where: string,
  rules?: readonly string[],
): Promise<void> {
  await waitForPaint(page)
  expect(await seriousFindings(page, part, rules), where).toEqual([])
}

/** Without this, axe would measure a mixture of the old and the new colours. */
async function waitForPaint(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted)))
    await Promise.allSettled(document.getAnimations().map((animation) => animation.finished))
  })
}

/** One digit for each element of the screen: 1 if it is visible, else 0. */
function visibleElements(page: Page): Promise<string> {
  return page.evaluate((selector) => {
    const elements = [...document.body.querySelectorAll('*')].filter((element) => !element.closest(selector))
    return elements.map((element) => Number(element.checkVisibility())).join('')
  }, FRAME.join())
}

/** Runs axe in the page itself: only the findings have to leave it, and its script is compiled once per document. */
async function seriousFindings(page: Page, part: Part, rules?: readonly string[]): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  return page.evaluate(
    async ({ part, runOnly }) => {
      const { axe } = window as unknown as { axe: typeof import('axe-core') }
      const { violations } = await axe.run(part, {
        resultTypes: ['violations'],
        iframes: false,
        preload: false,
        ...(runOnly && { runOnly }),
      })
      return violations
        .filter(({ impact }) => impact === 'serious' || impact === 'critical')
        .map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target).join(', ')}`)
    },
    { part, runOnly: rules && [...rules] },
  )
}
