import { randomUUID } from 'node:crypto'
import { expect, test } from '../support/fixtures.ts'

test('a visitor signs up, logs out and signs in again, each time returning to the requested screen', async ({
  openAsVisitor,
}) => {
  const email = `${randomUUID()}@example.com`
  const page = await openAsVisitor('/payments')
  await page.getByRole('main').getByRole('link', { name: 'Sign In' }).click()
  await page.getByRole('button', { name: 'Sign up' }).click()
  await page.getByLabel('First name').fill('Ada')
  await page.getByLabel('Last name').fill('Lovelace')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill('analytical engine')
  await page.getByRole('button', { name: 'Create Account' }).click()
  await expect(page).toHaveURL('/payments')

  await page.getByRole('button', { name: 'Account menu' }).click()
  await expect(page.getByRole('menu')).toContainText('Ada Lovelace')
  await expect(page.getByRole('menu')).toContainText(email)
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await expect(page.getByRole('link', { name: 'Sign In' })).toBeVisible()

  // The server then redirects to the sign-in.
  await page.goto('/messages')
  await expect(page).toHaveURL('/auth')
  await page.getByLabel('Email').fill(email.toUpperCase())
  await page.getByLabel('Password', { exact: true }).fill('analytical engine')
  await page.getByRole('button', { name: 'Sign In' }).click()
  await expect(page.getByRole('button', { name: 'Account menu' })).toBeVisible()
  await expect(page).toHaveURL('/messages')
})
