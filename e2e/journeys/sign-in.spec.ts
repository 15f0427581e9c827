import { randomUUID } from 'node:crypto'
import { expect, test } from '../support/fixtures.ts'

test('a visitor signs up, logs out and signs in again', async ({ openAsVisitor }) => {
  const email = `${randomUUID()}@example.com`
  const page = await openAsVisitor('/')
  await page.getByRole('link', { name: 'Sign In' }).click()
  await page.getByRole('button', { name: 'Sign up' }).click()
  await page.getByLabel('First name').fill('Ada')
  await page.getByLabel('Last name').fill('Lovelace')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill('analytical engine')
  await page.getByRole('button', { name: 'Create Account' }).click()
  await expect(page).toHaveURL('/')

  await page.getByRole('button', { name: 'Account menu' }).click()
  await expect(page.getByRole('menu')).toContainText('Ada Lovelace')
  await expect(page.getByRole('menu')).toContainText(email)
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await expect(page.getByRole('link', { name: 'Sign In' })).toBeVisible()

  await page.getByRole('link', { name: 'Sign In' }).click()
  await page.getByLabel('Email').fill(email.toUpperCase())
  await page.getByLabel('Password', { exact: true }).fill('analytical engine')
  await page.getByRole('button', { name: 'Sign In' }).click()
  await expect(page.getByRole('button', { name: 'Account menu' })).toBeVisible()
})

test('Google sign-in shows an error where it is not configured', async ({ openAsVisitor }) => {
  const page = await openAsVisitor('/auth')
  await page.getByRole('link', { name: 'Continue with Google' }).click()
  await expect(page.getByRole('alert')).toContainText('Google sign-in is not available')
})

test('the sign-in screen offers the demo users', async ({ openAsVisitor }) => {
  const page = await openAsVisitor('/auth')
  await expect(page.getByText('Test mode: look around as')).toBeVisible()
  await page.getByRole('button', { name: 'Admin' }).click()
  await expect(page.getByRole('link', { name: 'Admin Disputes' })).toBeVisible()
})
