import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { expect } from './story.ts'

/** Axe finds nothing serious by day, by night and on a phone, where nothing is wider than the screen. */
export async function lookInEveryWay(page: Page, where = 'here'): Promise<void> {
  await lookByDayAndNight(page, where)
  await page.setViewportSize({ width: 360, height: 740 })
  await settled(page)
  expect(await seriousFindings(page), `${where}, on a phone`).toEqual([])
  const width = await page.evaluate(() => document.documentElement.scrollWidth)
  expect(width, `${where}, on a phone`).toBeLessThanOrEqual(360)
}

/** For what a phone does not show. */
export async function lookByDayAndNight(page: Page, where = 'here'): Promise<void> {
  for (const [colorScheme, rules] of [['light'], ['dark', COLOUR_RULES]] as const) {
    await page.emulateMedia({ colorScheme })
    await settled(page)
    expect(await seriousFindings(page, rules), `${where}, ${colorScheme}`).toEqual([])
  }
}

/** By night the page is the same one, in other colours. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block']

/** The other colours are there once they have been painted: axe would else measure a mixture of the two. */
async function settled(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted)))
    await Promise.allSettled(document.getAnimations().map((animation) => animation.finished))
  })
}

async function seriousFindings(page: Page, rules?: string[]): Promise<string[]> {
  // The legacy mode looks at one frame, which is all that we have, and does not open a page of its own to do so.
  const axe = new AxeBuilder({ page }).setLegacyMode()
  const { violations } = await (rules ? axe.withRules(rules) : axe).analyze()
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target).join(', ')}`)
}
