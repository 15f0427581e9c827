import { expect, test } from 'vitest'
import { boardPageHead } from './features/board/requests/page-head.ts'
import { siteOf, withHead } from './pages/page-head.ts'
import { changeSettings } from './testing/change-settings.ts'
import { runEmailJobs } from './testing/run-email-jobs.ts'
import { openWorld } from './testing/world.ts'

test('pages, documents, emails and codes contain the name of the market', async () => {
  const world = await openWorld()
  const { services, signUp, visitor } = world
  await changeSettings(services, { name: 'Fish & <b>Chips</b>' })
  const ada = await signUp('Ada')

  expect((await visitor('GET /api/config')).json().market.name).toBe('Fish & <b>Chips</b>')
  const head = boardPageHead({ name: 'home', params: {}, query: {} }, siteOf(services))
  if (!head || head === 'missing') throw new Error('home has no head')
  const page = withHead('<head><title>x</title></head>', head, services.market.latest().name)
  expect(page).toContain('<title>Fish &#38; &#60;b&#62;Chips&#60;/b&#62; · Post what you want</title>')
  expect(page).toContain('property="og:site_name" content="Fish &#38; &#60;b&#62;Chips&#60;/b&#62;"')

  expect((await visitor('GET /api/docs')).body).toContain(
    '<h1>Fish &#38; &#60;b&#62;Chips&#60;/b&#62; API</h1>',
  )
  expect((await visitor('GET /api/docs/openapi.json')).json().info.title).toBe('Fish & <b>Chips</b>')
  const totp = (await ada.call('POST /api/user/totp')).json()
  expect(decodeURIComponent(totp.uri)).toContain('otpauth://totp/Fish & <b>Chips</b>:')

  await visitor('POST /api/auth/forgot-password', { email: ada.email })
  await runEmailJobs(world)
  const emails = (await visitor('GET /api/dev/mails')).json()
  const email = emails.find(({ subject }: { subject: string }) => subject === 'Set a new password')
  expect(email?.text).toContain('your account at Fish & <b>Chips</b>.')
  expect(email?.html).toContain('Fish &#38; &#60;b&#62;Chips&#60;/b&#62;')
  expect(email?.html).not.toContain('Sought')
})
