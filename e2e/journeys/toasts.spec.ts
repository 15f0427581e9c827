import type { Page } from '@playwright/test'
import { expect, test } from '../support/fixtures.ts'
import { toast } from '../support/toasts.ts'

/** A failed sign-in shows a toast. */
async function failToSignIn(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Sign In' }).click()
  await expect(toast(page)).toHaveCount(1)
}

async function openForm(page: Page): Promise<void> {
  await page.getByLabel('Email').fill('nobody@example.com')
  await page.getByLabel('Password', { exact: true }).fill('guess')
}

test('F8 moves the focus to the toasts', async ({ openAsVisitor }) => {
  const page = await openAsVisitor('/auth')
  await openForm(page)
  await failToSignIn(page)
  await page.keyboard.press('F8')
  await expect(page.getByRole('region', { name: /Notifications/ }).getByRole('list')).toBeFocused()
})

for (const [distance, outcome] of [
  [40, 'comes back'],
  [80, 'is gone'],
] as const) {
  test(`a toast that is swiped right by ${distance} px ${outcome}`, async ({ openAsVisitor }) => {
    const page = await openAsVisitor('/auth')
    await openForm(page)
    await failToSignIn(page)
    const box = await toast(page).boundingBox()
    if (!box) throw new Error('the toast has no box')
    const [x, y] = [box.x + 30, box.y + box.height / 2]
    await page.mouse.move(x, y)
    await page.mouse.down()
    await page.mouse.move(x + distance / 2, y, { steps: 5 })
    await page.mouse.move(x + distance, y, { steps: 5 })
    await page.mouse.up()
    await expect(toast(page)).toHaveCount(outcome === 'is gone' ? 0 : 1)
  })
}
