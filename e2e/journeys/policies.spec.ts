import { expect, test } from '../support/fixtures.ts'
import { toast } from '../support/toasts.ts'
import { demoUsers } from '../support/users.ts'

test('users accept new terms before they post, in a dialog or in the notice', {
  tag: '@proof',
}, async ({ createUser, openAs, openAsVisitor }) => {
  const [ada, bob, admin] = await Promise.all([
    openAs(await createUser('Ada'), '/post'),
    openAs(await createUser('Bob')),
    openAs(demoUsers.admin, '/admin/settings'),
  ])
  await ada.getByLabel('Title').fill('A lamp')
  await ada.getByLabel('Category').selectOption('Music')
  await ada.getByLabel('Location').fill('Ipoh')
  await ada.getByLabel('Description').fill('Green, with a brass foot.')

  const section = admin.getByRole('region', { name: 'Policies', exact: true })
  await section.getByLabel('Text').fill('## Our rules\n\nBe **kind** to each other.')
  await section.getByRole('button', { name: 'Publish Version' }).click()
  await admin.getByRole('alertdialog').getByRole('button', { name: 'Publish Version' }).click()
  await expect(toast(admin)).toContainText('Version published')
  await expect(section.getByText(/^Version 1, in force from/)).toBeVisible()

  await ada.getByRole('button', { name: 'Post Request' }).click()
  const dialog = ada.getByRole('alertdialog', { name: 'Our terms have changed' })
  await expect(dialog.getByRole('link', { name: 'Terms of Service' })).toBeVisible()
  await dialog.getByRole('button', { name: 'Accept and Continue' }).click()
  await expect(ada).toHaveURL('/')

  await bob.goto('/terms-of-service')
  await expect(bob.getByRole('heading', { name: 'Our rules' })).toBeVisible()
  const notice = bob.getByRole('region', { name: 'New terms' })
  await notice.getByRole('button', { name: 'Accept', exact: true }).click()
  await expect(notice).toBeHidden()
  await bob.reload()
  await expect(bob.getByRole('heading', { name: 'Our rules' })).toBeVisible()
  await expect(notice).toBeHidden()

  const visitor = await openAsVisitor('/terms-of-service', { javaScriptEnabled: false })
  await expect(visitor.getByText('Be kind to each other.')).toBeVisible()
  await expect(visitor.getByText(/Version 1, in force since/)).toBeVisible()
})
