import AxeBuilder from '@axe-core/playwright'
import { expect, test } from '../story.ts'

/** Every screen there is, by who may see it. */
const screens = {
  visitor: [
    '/',
    '/?category=Music',
    '/?search=nothingatall',
    '/auth',
    '/signup',
    '/item/1',
    '/terms-of-service',
    '/privacy-policy',
    '/refund-policy',
    '/dispute-resolution',
    '/admin/disputes',
    '/payments',
    '/dispute-report',
    '/nowhere',
    '/dev/ui',
  ],
  person: ['/', '/post', '/messages', '/payments', '/profile'],
}

for (const colorScheme of ['light', 'dark'] as const) {
  for (const [who, paths] of Object.entries(screens)) {
    for (const path of paths) {
      test(`axe finds nothing serious: ${path}, ${who}, ${colorScheme}`, async ({ asVisitor, as, given }) => {
        const options = { colorScheme, reducedMotion: 'reduce' as const }
        const page =
          who === 'person' ? await as(await given.person(), path, options) : await asVisitor(path, options)
        await expect(page.getByRole('contentinfo')).toBeVisible()
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
        await page.waitForLoadState('networkidle')
        const { violations } = await new AxeBuilder({ page }).analyze()
        const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
        expect(
          serious.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target).join(', ')}`),
        ).toEqual([])
      })
    }
  }
}

test.describe('nothing is wider than a phone', () => {
  for (const path of [...screens.visitor]) {
    test(path, async ({ asVisitor }) => {
      const page = await asVisitor(path, { viewport: { width: 360, height: 740 } })
      await expect(page.getByRole('contentinfo')).toBeVisible()
      await page.waitForLoadState('networkidle')
      const [content, window] = await page.evaluate(() => [
        document.documentElement.scrollWidth,
        document.documentElement.clientWidth,
      ])
      expect(content).toBeLessThanOrEqual(window ?? 0)
    })
  }
})
