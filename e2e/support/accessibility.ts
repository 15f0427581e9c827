import { expect, type Page } from '@playwright/test'
import axe from 'axe-core'
import { phone } from './fixtures.ts'

/*
 * Measuring contrast is most of the cost of axe, and the dark theme differs only in its colours. So a screen is
 * checked with every rule in light, and with the rules about colours and layout in dark on a phone. Elements that
 * only one of the two shows are checked in the other theme too. Header and footer are the same on all screens and
 * have their own check. `npm test` checks only the gallery of components, header and footer, because axe takes more
 * processor time than the journeys themselves.
 */

const isShort = process.env.JOURNEYS === 'short'

/**
 * Expects no serious axe findings on a screen in light, in dark and on a phone, and nothing wider than the phone. In
 * `npm test` only the width is checked.
 */
export async function expectAccessible(page: Page, where = 'here'): Promise<void> {
  if (!isShort) return expectAccessibleEverywhere(page, where)
  const size = page.viewportSize()
  await page.setViewportSize(phone.viewport)
  await expectNoOverflow(page)
  if (size) await page.setViewportSize(size)
}

/** Checks the same in `npm test` and in `npm run proof`. */
export async function expectAccessibleEverywhere(page: Page, where: string): Promise<void> {
  const size = page.viewportSize()
  await expectNoFindings(page, screen, `${where}, light`)
  await markVisible(page, 'desktop')
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.setViewportSize(phone.viewport)
  await expectNoFindings(page, screen, `${where}, dark on a phone`, [...COLOUR_RULES, ...LAYOUT_RULES])
  await expectNoOverflow(page)
  await markVisible(page, 'phone')
  await page.emulateMedia({ colorScheme: 'light' })
  if (await hasAny(page, phoneOnly)) await expectNoFindings(page, phoneOnly, `${where}, light on a phone`)
  if (size) await page.setViewportSize(size)
  if (await hasAny(page, desktopOnly)) await expectNoColourFindingsInDark(page, desktopOnly, where)
}

/** For screens that are not available on phones. Not in `npm test`. */
export async function expectAccessibleOnDesktop(page: Page, where = 'here'): Promise<void> {
  if (isShort) return
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
const phoneOnly = { include: ['[data-visible="phone"]'] }
const desktopOnly = { include: ['[data-visible="desktop"]'] }

const COLOUR_RULES = ['color-contrast', 'link-in-text-block']
const LAYOUT_RULES = ['target-size', 'scrollable-region-focusable']

async function expectNoColourFindingsInDark(page: Page, part: Part, where: string): Promise<void> {
  await page.emulateMedia({ colorScheme: 'dark' })
  await expectNoFindings(page, part, `${where}, dark`, COLOUR_RULES)
  await page.emulateMedia({ colorScheme: 'light' })
}

type Part = { exclude: string[] } | { include: string[] }

async function expectNoFindings(
  page: Page,
  part: Part,
  where: string,
  rules?: readonly string[],
): Promise<void> {
  await waitForPaint(page)
  expect(await seriousFindings(page, part, rules), where).toEqual([])
}

/** Otherwise axe would measure a mixture of the old and the new colours. */
async function waitForPaint(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted)))
    // An animation that follows the scroll position never finishes.
    const timed = document.getAnimations().filter(({ timeline }) => timeline instanceof DocumentTimeline)
    await Promise.allSettled(timed.map((animation) => animation.finished))
  })
}

/**
 * Marks every visible element of the screen with the device that shows it, or with `both` if the other device also
 * does.
 */
function markVisible(page: Page, device: 'desktop' | 'phone'): Promise<void> {
  return page.evaluate(
    ({ device, frame }) => {
      for (const element of document.body.querySelectorAll<HTMLElement>('*')) {
        if (element.closest(frame)) continue
        const { visible } = element.dataset
        if (device === 'desktop') delete element.dataset.visible
        if (element.checkVisibility())
          element.dataset.visible = device === 'phone' && visible ? 'both' : device
      }
    },
    { device, frame: FRAME.join() },
  )
}

const hasAny = (page: Page, { include }: { include: string[] }) =>
  page.evaluate((selector) => document.querySelector(selector) !== null, include.join())

/**
 * Runs axe in the page itself, so that only the findings leave it and its script is compiled once per document.
 */
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
