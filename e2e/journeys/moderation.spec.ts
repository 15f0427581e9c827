import { randomUUID } from 'node:crypto'
import { expectAccessible } from '../support/accessibility.ts'
import { jsonOf, lamp } from '../support/deals.ts'
import { expect, test } from '../support/fixtures.ts'
import { toast } from '../support/toasts.ts'
import { demoUsers } from '../support/users.ts'

test('a reported request is hidden with a reason, and restored after an appeal', { tag: '@proof' }, async ({
  createUser,
  openAs,
  openAsVisitor,
}) => {
  const title = `Lamp ${randomUUID()}`
  const [owner, reporter, moderator, admin] = await Promise.all([
    openAs(await createUser('Olga')),
    openAs(await createUser('Rita')),
    openAs(demoUsers.moderator),
    openAs(demoUsers.admin),
  ])
  const item = await jsonOf(owner.request.post('/api/wanted-items', { data: { ...lamp, title } }))

  await reporter.goto(`/item/${item.id}`)
  await reporter.getByRole('button', { name: 'Report', exact: true }).click()
  await reporter.getByRole('radio', { name: 'Counterfeit' }).check()
  await reporter.getByLabel('Details').fill('A copy of a famous lamp')
  await reporter.getByRole('button', { name: 'Send report' }).click()
  await expect(toast(reporter)).toContainText('Thank you for your report')

  await moderator.goto('/admin/moderation')
  await expectAccessible(moderator, 'the queue')
  await moderator.getByRole('list', { name: 'Cases' }).getByRole('link', { name: title }).press('Enter')
  const open = moderator.getByRole('article')
  await expect(open).toContainText('Claimed by you until')
  await expect(open).toContainText('A copy of a famous lamp')
  await moderator.keyboard.press('1')
  await moderator.keyboard.type('Copies are not allowed.')
  await expect(open.getByRole('region', { name: 'Preview' })).toContainText(
    `We removed your request “${title}”.`,
  )
  await expectAccessible(moderator, 'a case')
  const caseId = /case=(\d+)/.exec(moderator.url())?.[1]
  expect((await admin.request.post(`/api/admin/moderation/${caseId}/claim`)).status()).toBe(409)
  await open.getByRole('button', { name: 'Hide' }).click()
  await expect(toast(moderator)).toContainText('Decided: Hide')

  const visitor = await openAsVisitor(`/?search=${encodeURIComponent(title)}`)
  await expect(visitor.getByRole('heading', { level: 1 })).toHaveText(`0 results for “${title}”`)
  // Visitors' pages are cached for a second.
  await expect.poll(async () => (await visitor.request.get(`/item/${item.id}`)).status()).toBe(410)
  expect((await visitor.request.get(`/api/wanted-items/${item.id}`)).status()).toBe(404)

  await owner.goto('/my-requests')
  await expect(owner.getByRole('main')).toContainText('Hidden by our moderators')
  await owner.getByRole('link', { name: 'See the Reason' }).click()
  const decisions = owner.getByRole('list', { name: 'Decisions' })
  await expect(decisions).toContainText('Reason: Copies are not allowed.')
  await decisions.getByRole('button', { name: 'Appeal' }).click()
  await owner.getByLabel('Why is this decision wrong?').fill('It is an original, with papers.')
  await expectAccessible(owner, 'an appeal')
  await owner.getByRole('button', { name: 'Send Appeal' }).click()
  await expect(decisions).toContainText('Under review')

  await admin.goto('/admin/moderation')
  await admin.getByRole('list', { name: 'Cases' }).getByRole('link', { name: title }).click()
  const appeal = admin.getByRole('article')
  await expect(appeal).toContainText('It is an original, with papers.')
  await appeal.getByRole('radio', { name: /^Grant the appeal/ }).check()
  await appeal.getByLabel('Reason', { exact: true }).fill('You are right. We are sorry.')
  await appeal.getByRole('button', { name: 'Grant the appeal' }).click()
  await expect(toast(admin)).toContainText('Decided: Grant the appeal')

  await owner.reload()
  await expect(decisions).toContainText('No longer applies')
  await expect(decisions).toContainText('Our answer: You are right. We are sorry.')
  await expect.poll(async () => (await visitor.request.get(`/item/${item.id}`)).status()).toBe(200)
})

test('a person blocks another in a conversation, and the blocked person can no longer write', {
  tag: '@proof',
}, async ({ createUser, openAs }) => {
  const [owner, other] = await Promise.all([
    openAs(await createUser('Olga')),
    openAs(await createUser('Sven')),
  ])
  const item = await jsonOf(owner.request.post('/api/wanted-items', { data: lamp }))
  const message = { wantedItemId: item.id, receiverId: item.userId, content: 'Buy my lamp' }
  const { senderId } = await jsonOf(other.request.post('/api/messages', { data: message }))

  await owner.goto(`/messages?itemId=${item.id}&userId=${senderId}`)
  await owner.getByRole('button', { name: 'Block', exact: true }).click()
  await owner.getByRole('alertdialog').getByRole('button', { name: 'Block' }).click()
  await expect(owner.getByText('You have blocked Sven Tester')).toBeVisible()
  expect((await other.request.post('/api/messages', { data: message })).status()).toBe(403)
  await other.goto(`/messages?itemId=${item.id}&userId=${item.userId}`)
  await other.getByRole('textbox', { name: 'Message to Olga Tester' }).fill('Hello?')
  await other.getByRole('textbox', { name: 'Message to Olga Tester' }).press('Enter')
  await expect(toast(other)).toContainText('You and this person cannot contact each other.')
})
