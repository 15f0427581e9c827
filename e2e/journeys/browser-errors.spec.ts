import { expect, test } from '../support/fixtures.ts'

// Uses no pages of our fixtures, because those fail if the console has an error.
test('the server accepts reports about errors of scripts, promises and screens', { tag: '@proof' }, async ({
  page,
}) => {
  const answers: Promise<number | undefined>[] = []
  page.on('request', (request) => {
    if (!request.url().endsWith('/api/browser-errors')) return
    answers.push(request.response().then((response) => response?.status()))
  })
  await page.goto('/?token=secret')
  await expect(page.getByRole('heading', { name: 'Recent Requests' })).toBeVisible()
  await page.evaluate(() => {
    const fail = (message: string) =>
      Object.assign(new Error(message), { stack: `at ${location.origin}/assets/app.js:1:2` })
    setTimeout(() => {
      throw fail('thrown')
    })
    void Promise.reject(fail('rejected'))
  })
  await page.route('**/assets/terms-of-service-screen*', (route) => route.abort())
  await page.getByRole('link', { name: 'Terms of Service' }).click()
  await expect(page.getByRole('alert')).toContainText('This screen did not load')
  await expect.poll(() => Promise.all(answers)).toEqual([200, 200, 200])
})
