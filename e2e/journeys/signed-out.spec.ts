import { expect, test } from '../support/fixtures.ts'

test('after signing in, visitors return to the screen they came from', async ({
  createUser,
  openAsVisitor,
}) => {
  const { email, password } = await createUser()
  for (const path of ['/payments', '/post', '/messages']) {
    const page = await openAsVisitor(path)
    if (path === '/payments') await page.getByRole('main').getByRole('link', { name: 'Sign In' }).click()
    if (path === '/post') {
      await expect(page).toHaveURL('/')
      await page.getByRole('link', { name: 'Sign In' }).click()
    }
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Sign In' }).click()
    await expect(page).toHaveURL(path)
  }
})
