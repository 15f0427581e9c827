import sharp from 'sharp'
import { expect, test } from 'vitest'
import { boardPageHead } from './features/board/requests/page-head.ts'
import { siteOf, withHead } from './pages/page-head.ts'
import { changeSettings } from './testing/change-settings.ts'
import { runEmailJobs } from './testing/run-email-jobs.ts'
import { openWorld } from './testing/world.ts'

const LAMP = { title: 'Lamp', description: 'Green', category: 'Other', location: 'Ipoh', maxBudget: 500 }

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

test('emails and link previews have the accent of the market', { tags: ['proof'] }, async () => {
  const world = await openWorld()
  const { services, signUp, visitor } = world
  await changeSettings(services, { accentColor: '#7a1f5c' })
  const ada = await signUp('Ada')
  const { id } = (await ada.call('POST /api/wanted-items', LAMP)).json()

  await runEmailJobs(world)
  const [email] = (await visitor('GET /api/dev/mails')).json()
  expect(email.html).toContain('background:#7a1f5c')
  expect(email.html.match(/#7a1f5c/g)).toHaveLength(2)

  const { headers } = await visitor(`GET /og/item/${id}-x.png`)
  const picture = await visitor(`GET ${headers.location}`)
  const { data, info } = await sharp(picture.rawPayload).raw().toBuffer({ resolveWithObject: true })
  // Within the tag, left of its text.
  const [red = 0, green = 0, blue = 0] = data.subarray((508 * info.width + 125) * info.channels)
  expect([red, green, blue].map((part) => Math.round(part / 16))).toEqual([8, 2, 6])
})
