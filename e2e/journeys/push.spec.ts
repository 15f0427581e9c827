import { chromium, type Route } from '@playwright/test'
import { findFullChromium } from '../../scripts/chromium.ts'
import { lamp } from '../support/deals.ts'
import { expect, test } from '../support/fixtures.ts'
import { openPushRelay } from '../support/push-relay.ts'
import { insertSession } from '../support/users.ts'

test('a browser subscribes, and decrypts and shows what our server sends while no page is open', {
  tag: '@proof',
}, async ({ baseURL, createUser, openAs, database }) => {
  const executablePath = findFullChromium()
  if (!executablePath)
    throw new Error('Push notifications need a full Chromium: install the package "chromium".')
  const [ada, bob] = await Promise.all([createUser('Ada'), createUser('Bob')])
  const relay = await openPushRelay()
  // The browser supports push only with its own profile, and connects to its service in the background.
  const browser = await chromium.launchPersistentContext('', {
    executablePath,
    ...(baseURL && { baseURL }),
    serviceWorkers: 'allow',
    ignoreDefaultArgs: ['--disable-background-networking'],
    args: ['--no-sandbox', '--disable-gpu', '--no-first-run', ...relay.browserArguments],
  })
  try {
    const value = await insertSession(database, ada, process.env.SESSION_SECRET ?? '')
    await browser.addCookies([{ name: 'sid', value, url: baseURL ?? '', httpOnly: true, sameSite: 'Lax' }])
    await browser.grantPermissions(['notifications'], { origin: baseURL ?? '' })
    // The address at Google is replaced, because our server cannot reach it. The keys are still the browser's.
    await browser.route('/api/push/subscriptions', async (route: Route) => {
      const request = route.request()
      if (request.method() !== 'POST') return route.continue()
      const { endpoint, ...keys } = request.postDataJSON()
      await route.continue({ postData: { endpoint: relay.addressOf(endpoint), ...keys } })
    })

    const page = await browser.newPage()
    await page.goto('/profile?tab=settings')
    const started = browser.waitForEvent('serviceworker')
    const subscribed = page.getByRole('switch', { name: 'Notifications in this browser' })
    await subscribed.click()
    const worker = browser.serviceWorkers()[0] ?? (await started)
    await expect(subscribed).toBeChecked()
    const item = await (await browser.request.post('/api/wanted-items', { data: lamp })).json()
    await page.goto('about:blank')

    const seller = await openAs(bob)
    const to = { wantedItemId: item.id, receiverId: item.userId }
    await seller.request.post('/api/offers', { data: { ...to, amount: 12_000 } })
    const shown = () =>
      worker.evaluate(async () => {
        const { registration } = globalThis as unknown as { registration: ServiceWorkerRegistration }
        return (await registration.getNotifications()).map(({ title, data }) => ({ title, path: data.path }))
      })
    await expect.poll(shown).toEqual([
      {
        title: 'Bob Tester offers “A green banker’s lamp” for $120.00',
        path: expect.stringMatching(new RegExp(`^/messages\\?itemId=${item.id}&userId=`)),
      },
    ])
  } finally {
    await browser.close()
    relay.close()
  }
})
