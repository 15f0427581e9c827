import type { Page } from '@playwright/test'
import { expectAccessible, expectAccessibleOnDesktop } from '../support/accessibility.ts'
import { lamp } from '../support/deals.ts'
import { emailTo } from '../support/emails.ts'
import { expect, test } from '../support/fixtures.ts'

const bell = (page: Page) => page.getByRole('banner').getByRole('button', { name: /^Notifications/ })
const sheet = (page: Page) => page.getByRole('dialog', { name: 'Notifications' })

test('the bell updates in every browser of a user, and each notification opens its screen', {
  tag: '@proof',
}, async ({ createUser, openAs }) => {
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
  // The offer was opened and its conversation is on screen, so nothing is unread in either browser.
  await expect(bell(second)).toHaveAccessibleName('Notifications')

  await desk.goto('/terms-of-service')
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

test('developers read a stored email without its scripts, and its kind is switched off by link or in the settings', {
  tag: '@proof',
}, async ({ createDeal, openAsVisitor }) => {
  const { buyer, ada } = await createDeal()
  const { subject } = await emailTo(buyer.request, ada.email, 'offer_made')
  expect(subject).toBe('Bob Tester offers “A green banker’s lamp” for $120.00')
  const visitor = await openAsVisitor('/dev/mail')
  await visitor.getByRole('list', { name: 'Emails' }).getByRole('link').filter({ hasText: ada.email }).click()
  const mail = visitor.getByRole('article', { name: subject })
  await expect(mail).toContainText('offer_made')
  await expect(mail.getByTitle('As HTML')).toHaveAttribute(
    'sandbox',
    'allow-popups allow-popups-to-escape-sandbox',
  )
  await expect(mail.frameLocator('iframe').getByRole('link', { name: 'Open the conversation' })).toBeVisible()
  await expectAccessible(visitor)

  await mail.getByRole('link', { name: /\/unsubscribe\?token=/ }).click()
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
})
