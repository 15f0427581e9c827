import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { expectAccessible, expectAccessibleOnDesktop } from '../support/accessibility.ts'
import { withoutEvents } from '../support/deals.ts'
import { emailTo, linkIn } from '../support/emails.ts'
import { expect, phone, test } from '../support/fixtures.ts'
import { toast } from '../support/toasts.ts'

const bell = (page: Page) => page.getByRole('banner').getByRole('button', { name: /^Notifications/ })
const sheet = (page: Page) => page.getByRole('dialog', { name: 'Notifications' })

const lamp = {
  title: 'A green banker’s lamp',
  description: 'To match the pair.',
  category: 'Home & Garden',
  minBudget: 20,
  maxBudget: 900,
  location: 'Ipoh, Malaysia',
}

test('the bell updates in every browser of a user, and each notification opens its screen', async ({
  createUser,
  openAs,
}) => {
  const [ada, bob] = await Promise.all([createUser('Ada'), createUser('Bob')])
  const [desk, second] = [await openAs(ada, '/'), await openAs(ada, '/terms-of-service')]
  const seller = await openAs(bob)
  await bell(desk).click()
  await expect(sheet(desk)).toContainText('No notifications yet.')
  await desk.keyboard.press('Escape')
  await expect(bell(desk)).toBeFocused()

  const item = await (await desk.request.post('/api/wanted-items', { data: lamp })).json()
  const to = { wantedItemId: item.id, receiverId: item.userId }
  await seller.request.post('/api/messages', { data: { ...to, content: 'I have two of them.' } })
  await seller.request.post('/api/offers', { data: { ...to, amount: 12_000 } })
  for (const page of [desk, second]) {
    await expect(bell(page)).toHaveAccessibleName('Notifications, 2 unread')
    await expect(bell(page)).toHaveText('2')
  }
  await bell(desk).click()
  const lines = sheet(desk).getByRole('listitem')
  await expect(lines).toHaveCount(2)
  await expect(lines.nth(0)).toContainText('Bob Tester offers “A green banker’s lamp” for $120.00')
  await expect(lines.nth(1)).toContainText('New message from Bob Tester')
  await expect(lines.nth(1)).toContainText('Unread')
  await expectAccessibleOnDesktop(desk)
  await lines.nth(0).getByRole('link').click()
  await expect(desk).toHaveURL(/\/messages\?itemId=\d+&userId=/)
  await expect(sheet(desk)).toHaveCount(0)
  // The offer was opened and its conversation is on screen: nothing is unread, in both browsers.
  await expect(bell(second)).toHaveAccessibleName('Notifications')

  await seller.request.post('/api/offers', { data: { ...to, amount: 11_000 } })
  await expect(bell(second)).toHaveAccessibleName('Notifications, 1 unread')
  await bell(second).click()
  await sheet(second).getByRole('button', { name: 'Mark all read' }).click()
  await expect(bell(second)).toHaveAccessibleName('Notifications')
  await expect(sheet(second).getByText('Unread')).toHaveCount(0)
  await sheet(second).getByRole('link', { name: 'See all notifications' }).click()
  await expect(second).toHaveURL('/notifications')
  const list = second.getByRole('main').getByRole('list', { name: 'Notifications' })
  await expect(list.getByRole('listitem')).toHaveCount(3)
  await expectAccessible(second)
})

test('the bell shows 9+ above nine, also in the phone menu, and a failed list can be retried', async ({
  createUser,
  openAs,
}) => {
  const person = await createUser()
  const desk = await openAs(person)
  // An event would load the list again.
  await withoutEvents(desk)
  await desk.route('**/api/notifications/unread', (route) => route.fulfill({ json: { unread: 10 } }))
  await desk.route(/\/api\/notifications\?/, (route) => route.fulfill({ status: 429 }))
  await desk.goto('/')
  await expect(bell(desk)).toHaveText('9+')
  await expect(bell(desk)).toHaveAccessibleName('Notifications, 9+ unread')
  await bell(desk).click()
  await expect(sheet(desk).getByRole('alert')).toContainText('Your notifications could not be loaded.')
  await desk.unroute(/\/api\/notifications\?/)
  await sheet(desk).getByRole('button', { name: 'Try Again' }).click()
  await expect(sheet(desk)).toContainText('No notifications yet.')

  const small = await openAs(person, undefined, phone)
  await small.route('**/api/notifications/unread', (route) => route.fulfill({ json: { unread: 10 } }))
  await small.goto('/')
  await small.getByRole('button', { name: 'Open menu, 9+ unread' }).click()
  const entry = small.getByRole('navigation').getByRole('link', { name: /^Notifications/ })
  await expect(entry).toContainText('9+')
  await entry.click()
  await expect(small).toHaveURL('/notifications')
  await expect(small.getByRole('heading', { name: 'No notifications yet' })).toBeVisible()
})

test('an email kind can be turned off in the settings or by its unsubscribe link', async ({
  createDeal,
  openAsVisitor,
}) => {
  const { buyer, ada } = await createDeal()
  const mail = await emailTo(buyer.request, ada.email, 'offer_made')
  expect(mail.subject).toBe('Bob Tester offers “A green banker’s lamp” for $120.00')
  const visitor = await openAsVisitor(linkIn(mail, '/unsubscribe'))
  await expect(visitor.getByRole('main')).toContainText('An offer on your request')
  await expectAccessible(visitor)
  await visitor.getByRole('button', { name: 'Unsubscribe' }).click()
  await expect(visitor.getByRole('heading', { name: 'You are unsubscribed' })).toBeVisible()
  await visitor.reload()
  await expect(visitor.getByRole('heading', { name: 'You are unsubscribed' })).toBeVisible()

  await buyer.goto('/profile?tab=settings')
  const offers = buyer.getByRole('switch', { name: 'An offer on your request' })
  const held = buyer.getByRole('switch', { name: 'A payment is in escrow' })
  await expect(offers).not.toBeChecked()
  await expect(held).toBeChecked()
  await offers.press('Space')
  await held.press('Space')
  await expect
    .poll(async () => (await buyer.request.get('/api/user/mail-settings')).json())
    .toEqual({ off: ['payment_held'] })
  await buyer.reload()
  await expect(offers).toBeChecked()
  await expect(held).not.toBeChecked()
  await buyer.route('**/api/user/mail-settings', (route) => route.fulfill({ status: 429 }), { times: 1 })
  await held.press('Space')
  await expect(toast(buyer)).toContainText('Your change was not saved. Please try again.')
  await expect(held).not.toBeChecked()

  await visitor.goto('/unsubscribe?token=wrong')
  await expect(visitor.getByRole('heading', { name: 'This link does not work' })).toBeVisible()
})

test('developers can read kept emails, whose scripts do not run', async ({ openAsVisitor, request }) => {
  const email = `${randomUUID()}@example.com`
  const data = { firstName: 'Ada', lastName: 'Tester', email, password: 'correct horse' }
  expect((await request.post('/api/auth/signup', { data })).status()).toBe(201)
  const page = await openAsVisitor()
  await emailTo(page.request, email, 'verify_email')
  await page.goto('/dev/mail')
  await page.getByRole('list', { name: 'Emails' }).getByRole('link').filter({ hasText: email }).click()
  const mail = page.getByRole('article', { name: 'Please confirm your email address' })
  await expect(mail).toContainText('verify_email')
  await expect(mail.getByTitle('As HTML')).toHaveAttribute(
    'sandbox',
    'allow-popups allow-popups-to-escape-sandbox',
  )
  await expect(mail.frameLocator('iframe').getByRole('link', { name: 'Confirm email address' })).toBeVisible()
  await expectAccessible(page)
  await mail.getByRole('link', { name: /\/verify-email\?token=/ }).click()
  await expect(page.getByRole('heading', { name: 'Your email is verified' })).toBeVisible()
})
