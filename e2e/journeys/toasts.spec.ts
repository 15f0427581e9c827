import type { Page } from '@playwright/test'
import { expect, test } from '../support/fixtures.ts'
import { toast } from '../support/toasts.ts'

async function swipeRight(page: Page, distance: number): Promise<void> {
  const box = await toast(page).boundingBox()
  if (!box) throw new Error('the toast has no box')
  const [x, y] = [box.x + 30, box.y + box.height / 2]
  await page.mouse.move(x, y)
  await page.mouse.down()
  await page.mouse.move(x + distance / 2, y, { steps: 5 })
  await page.mouse.move(x + distance, y, { steps: 5 })
  await page.mouse.up()
}

test('F8 moves the focus to a toast; a swipe of 40 px keeps the toast, one of 80 px dismisses it', {
  tag: '@proof',
}, async ({ openAsVisitor }) => {
  const page = await openAsVisitor('/auth')
  await page.getByLabel('Email').fill('nobody@example.com')
  // The first key loads the code for toasts. If it came together with the toast, the toast would be visible a moment
  // before its code listens to F8.
  await page.getByLabel('Password', { exact: true }).pressSequentially('guess')
  await expect(page.getByRole('region', { name: /Notifications/ })).toBeAttached()
  await page.getByRole('button', { name: 'Sign In' }).click()
  await expect(toast(page)).toHaveCount(1)
  // A toast does not disappear while it is focused.
  await page.keyboard.press('F8')
  await expect(page.getByRole('region', { name: /Notifications/ }).getByRole('list')).toBeFocused()

  await swipeRight(page, 40)
  await expect(toast(page)).not.toHaveAttribute('data-swipe', 'move')
  await expect(toast(page)).toHaveAttribute('data-state', 'open')
  await swipeRight(page, 80)
  await expect(toast(page)).toHaveCount(0)
})
