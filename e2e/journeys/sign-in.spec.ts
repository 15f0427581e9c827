import { randomUUID } from 'node:crypto'
import { expect, test } from '../support/fixtures.ts'

test('a visitor opens an account, leaves, and comes back', async ({ openAsVisitor }) => {
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

for (const route of ['/auth', '/login', '/signup']) {
  test(`${route} is the sign-in screen`, async ({ openAsVisitor }) => {
    const page = await openAsVisitor(route)
    const heading = route === '/signup' ? 'Create your account' : 'Welcome back'
    await expect(page.getByRole('heading', { name: heading })).toBeVisible()
    await expect(page.getByRole('link', { name: 'Continue with Google' })).toHaveAttribute(
      'href',
      '/api/auth/google',
    )
  })
}

test('changing between signing in and up clears the form', async ({ openAsVisitor }) => {
  const page = await openAsVisitor('/auth')
  await page.getByLabel('Email').fill('ada@example.com')
  await page.getByRole('button', { name: 'Sign up' }).click()
  await expect(page.getByLabel('Email')).toHaveValue('')
  await page.getByLabel('Email').fill('ada@example.com')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page.getByLabel('Email')).toHaveValue('')
})

test('a form with mistakes says what they are, beside the fields', async ({ openAsVisitor }) => {
  const page = await openAsVisitor('/signup')
  await page.getByLabel('Password', { exact: true }).fill('12345')
  await page.getByRole('button', { name: 'Create Account' }).click()
  for (const [label, message] of [
    ['First name', 'First name is required'],
    ['Last name', 'Last name is required'],
    ['Email', 'Invalid email address'],
    ['Password', 'Password must be at least 6 characters long'],
  ] as const) {
    await expect(page.getByLabel(label, { exact: true })).toHaveAccessibleDescription(new RegExp(message))
  }
  await expect(page.getByLabel('First name')).toBeFocused()
})

test('wrong credentials get a toast', async ({ openAsVisitor }) => {
  const page = await openAsVisitor('/auth')
  await page.getByLabel('Email').fill('nobody@example.com')
  await page.getByLabel('Password', { exact: true }).fill('guess')
  await page.getByRole('button', { name: 'Sign In' }).click()
  const toast = page.getByRole('region', { name: /Notifications/ }).getByRole('listitem')
  await expect(toast).toContainText('Sign in failed')
  await expect(toast).toContainText('Please check your credentials')
})

test('a taken e-mail gets a toast', async ({ createUser, openAsVisitor }) => {
  const { email } = await createUser()
  const page = await openAsVisitor('/signup')
  await page.getByLabel('First name').fill('Ada')
  await page.getByLabel('Last name').fill('Lovelace')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill('123456')
  await page.getByRole('button', { name: 'Create Account' }).click()
  const toast = page.getByRole('region', { name: /Notifications/ }).getByRole('listitem')
  await expect(toast).toContainText('Sign up failed')
})

test('Google, where it is not set up, leads back with a word', async ({ openAsVisitor }) => {
  const page = await openAsVisitor('/auth')
  await page.getByRole('link', { name: 'Continue with Google' }).click()
  await expect(page.getByRole('alert')).toContainText('Google sign-in is not available')
})

test('the demo is one press away', async ({ openAsVisitor }) => {
  const page = await openAsVisitor('/auth')
  await expect(page.getByText('Test mode: look around as')).toBeVisible()
  await page.getByRole('button', { name: 'Admin' }).click()
  await expect(page.getByRole('link', { name: 'Admin Disputes' })).toBeVisible()
})

test('who is signed in has no business on the sign-in screen', async ({ createUser, openAs }) => {
  const page = await openAs(await createUser(), '/auth')
  await expect(page).toHaveURL('/')
})

test('the address to return to cannot lead away', async ({ createUser, openAs }) => {
  const page = await openAs(await createUser(), '/auth?returnTo=//evil.example')
  await expect(page).toHaveURL('/')
})
