import type { Page } from '@playwright/test'
import { expectAccessible } from '../support/accessibility.ts'
import { confirmDelivery, payIntoEscrow } from '../support/deals.ts'
import { emailTo, linkIn } from '../support/emails.ts'
import { expect, test } from '../support/fixtures.ts'
import { toast } from '../support/toasts.ts'

const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 })

/** Presses Tab until this field has the focus. */
async function tabTo(page: Page, label: string): Promise<void> {
  const field = page.getByLabel(label, { exact: true })
  for (let presses = 0; presses < 60; presses++) {
    if (await field.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab does not lead to ${label}`)
}

/** Replaces the text of a field with the keyboard alone. */
async function typeInto(page: Page, label: string, text: string): Promise<void> {
  await tabTo(page, label)
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.press('Backspace')
  await page.keyboard.insertText(text)
}

test('profile, picture and password can be changed with the keyboard alone', { tag: '@proof' }, async ({
  createUser,
  openAs,
}) => {
  const ada = await createUser()
  const page = await openAs(ada, '/profile?tab=settings')
  const other = await openAs(ada, '/payments')
  await expect(page.getByLabel('First name')).toHaveValue('Ada')
  await typeInto(page, 'First name', '')
  await typeInto(page, 'Bio', 'x'.repeat(501))
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('First name')).toBeFocused()
  await expect(page.getByLabel('First name')).toHaveAccessibleDescription('First name is required')
  await expect(page.getByLabel('Bio')).toHaveAccessibleDescription(/Bio must be less than 500 characters/)
  await expectAccessible(page, 'the settings')
  await typeInto(page, 'First name', 'Grace')
  await typeInto(page, 'Last name', 'Hopper')
  await typeInto(page, 'Phone', '+60 12 345 6789')
  await typeInto(page, 'Location', 'Ipoh')
  await typeInto(page, 'Bio', 'Collects lamps.')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(toast(page)).toContainText('Profile updated')
  await expect(heading(page, 'Grace Hopper')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Save Changes' })).toBeFocused()
  await page.reload()
  for (const [label, text] of [
    ['Phone', '+60 12 345 6789'],
    ['Location', 'Ipoh'],
    ['Bio', 'Collects lamps.'],
  ] as const) {
    await expect(page.getByLabel(label, { exact: true })).toHaveValue(text)
  }

  await cropPicture(page)
  await changePassword(page, ada.password)
  await expect(other.getByRole('heading', { name: 'Login Required' })).toBeVisible()
  expect((await page.request.get('/api/auth/user')).status()).toBe(200)
  expect((await emailTo(page.request, ada.email, 'password_changed')).subject).toBe(
    'Your password was changed',
  )
})

async function cropPicture(page: Page): Promise<void> {
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Choose Picture' }).focus()
  await page.keyboard.press('Enter')
  await (await chooser).setFiles(picture)
  const dialog = page.getByRole('dialog', { name: 'Crop your picture' })
  await expect(dialog).toBeVisible()
  await dialog.getByLabel('Crop area').focus()
  for (let presses = 0; presses < 40; presses++) await page.keyboard.press('ArrowLeft')
  await dialog.getByLabel('Zoom').focus()
  await page.keyboard.press('ArrowRight')
  await expect(dialog.getByLabel('Zoom')).toHaveAttribute('aria-valuetext', '110%')
  await expectAccessible(page, 'the crop dialog')

  await page.route('**/api/user/upload-avatar', (route) => route.fulfill({ status: 429 }), { times: 1 })
  const save = dialog.getByRole('button', { name: 'Save Picture' })
  await save.press('Enter')
  // An open dialog hides the toast from roles, but it is still announced.
  await expect(page.getByText('Failed to upload avatar. Please try again.').first()).toBeVisible()
  const { promise: held, resolve: goOn } = Promise.withResolvers<void>()
  await page.route('**/api/user/upload-avatar', async (route) => {
    await held
    await route.continue()
  })
  await save.press('Enter')
  await expect(dialog.getByRole('progressbar', { name: 'Uploading the picture' })).toBeVisible()
  goOn()
  await expect(dialog).toHaveCount(0)
  await expect(toast(page)).toContainText('Picture updated')
  const shown = page.getByRole('button', { name: 'Account menu' }).locator('img')
  await expect(shown).toHaveAttribute('src', /^\/files\/.+\?size=128$/)
  // Moved to its end, the square shows only the blue half.
  expect(await shown.evaluate(middleOf)).toBe('blue')
  await expect(page.getByRole('button', { name: 'Change Picture' })).toBeFocused()
}

async function changePassword(page: Page, password: string): Promise<void> {
  await page.getByRole('tab', { name: 'Security' }).click()
  const devices = page.getByRole('list', { name: 'Signed-in devices' }).getByRole('listitem')
  await expect(devices).toHaveCount(2)
  await expect(devices.filter({ hasText: 'This device' })).toHaveCount(1)
  await typeInto(page, 'New password', 'battery staple')
  await typeInto(page, 'Confirm new password', 'battery')
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('Current password')).toBeFocused()
  await expectAccessible(page, 'the security tab')
  await typeInto(page, 'Current password', password)
  await typeInto(page, 'Confirm new password', 'battery staple')
  await page.keyboard.press('Enter')
  await expect(toast(page)).toContainText('Password changed')
  await expect(devices).toHaveCount(1)
}

/** Forty pixels by twenty: the left half red, the right half blue. */
const picture = {
  name: 'face.png',
  mimeType: 'image/png',
  buffer: Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAACgAAAAUCAIAAABwJOjsAAAAJ0lEQVR42mP4z8BANqJA63+GUYtHLR61eNTiUYtHLR61eNTikWMxAGDtHQ7V1k7XAAAAAElFTkSuQmCC',
    'base64',
  ),
}

/** The colour in the middle of a picture. */
async function middleOf(image: HTMLImageElement | SVGElement): Promise<string> {
  const canvas = document.createElement('canvas')
  canvas.width = canvas.height = 1
  const pen = canvas.getContext('2d')
  if (!(image instanceof HTMLImageElement) || !pen) return 'none'
  await image.decode()
  pen.drawImage(image, image.naturalWidth / 2, image.naturalHeight / 2, 1, 1, 0, 0, 1, 1)
  const [red = 0, , blue = 0] = pen.getImageData(0, 0, 1, 1).data
  return blue > 200 && red < 60 ? 'blue' : red > 200 && blue < 60 ? 'red' : `${red} ${blue}`
}

test('a new email address takes effect once its link is opened', { tag: '@proof' }, async ({
  createUser,
  openAs,
  openAsVisitor,
}) => {
  const ada = await createUser()
  const page = await openAs(ada, '/profile?tab=settings')
  const email = page.getByLabel('Email')
  const save = page.getByRole('button', { name: 'Save Changes' })
  const first = `first-${ada.email}`
  await email.fill(first)
  await save.click()
  await expect(toast(page)).toContainText(`Open the link we sent to ${first} to confirm your new address.`)
  const stale = linkIn(await emailTo(page.request, first, 'verify_email'), '/verify-email')
  await page.getByRole('button', { name: 'Cancel Change' }).click()
  await expect(email).toHaveValue(ada.email)

  const second = `second-${ada.email}`
  await email.fill(second)
  await save.click()
  await expect(page.getByRole('main')).toContainText(
    `Open the link we sent to ${second}. Until then ${ada.email} stays your address.`,
  )

  const link = linkIn(await emailTo(page.request, second, 'verify_email'), '/verify-email')
  const elsewhere = await openAsVisitor(stale)
  await expect(heading(elsewhere, 'This link has expired')).toBeVisible()
  await elsewhere.goto(link)
  await expect(heading(elsewhere, 'Confirm your email')).toBeVisible()
  await expectAccessible(elsewhere)
  await elsewhere.getByLabel('Password', { exact: true }).fill(ada.password)
  await elsewhere.getByRole('button', { name: 'Confirm Email' }).click()
  await expect(heading(elsewhere, 'Your email is verified')).toBeVisible()
  await expectAccessible(elsewhere)
  // The open page is updated by an event.
  await expect(page.getByRole('button', { name: 'Cancel Change' })).toHaveCount(0)
  await expect(page.getByText('Verified', { exact: true })).toBeVisible()
  await page.goto(link)
  await expect(heading(page, 'Your email is already verified')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Go to Your Profile' })).toHaveAttribute('href', '/profile')
  expect((await emailTo(page.request, ada.email, 'email_changed')).subject).toContain('email address')
  const signIn = { data: { email: second, password: ada.password } }
  expect((await elsewhere.request.post('/api/auth/login', signIn)).status()).toBe(200)
})

test('a forgotten password can be reset only once with an emailed link', { tag: '@proof' }, async ({
  createUser,
  openAsVisitor,
}) => {
  const ada = await createUser()
  const page = await openAsVisitor('/auth')
  await page.getByRole('link', { name: 'Forgot password?' }).click()
  await expect(heading(page, 'Forgot your password?')).toBeVisible()
  await page.getByLabel('Email').press('Enter')
  await expect(page.getByText('Invalid email address')).toBeVisible()
  await expectAccessible(page)

  // The text must not reveal whether the account exists.
  for (const email of [`nobody-${ada.email}`, ada.email]) {
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Email').press('Enter')
    await expect(heading(page, 'Check your inbox')).toBeVisible()
    await expect(page.getByRole('main')).toContainText(
      `If there is an account for ${email}, a link to set a new password is on its way.`,
    )
    if (email !== ada.email) await page.getByRole('button', { name: 'Try Another Address' }).click()
  }
  const link = linkIn(await emailTo(page.request, ada.email, 'reset_password'), '/reset-password')
  await page.goto(link)
  const field = page.getByLabel('New password', { exact: true })
  await field.fill('12345')
  await field.press('Enter')
  await expect(field).toHaveAccessibleDescription(/Password must be at least 6 characters long/)
  await expectAccessible(page)
  await field.fill('battery staple')
  await field.press('Enter')
  await expect(heading(page, 'Password changed')).toBeVisible()
  await page.getByRole('main').getByRole('link', { name: 'Sign In' }).click()
  await page.getByLabel('Email').fill(ada.email)
  await page.getByLabel('Password', { exact: true }).fill('battery staple')
  await page.getByRole('button', { name: 'Sign In' }).click()
  await expect(page.getByRole('button', { name: 'Account menu' })).toBeVisible()

  await page.goto(link)
  await page.getByLabel('New password', { exact: true }).fill('another one')
  await page.getByRole('button', { name: 'Set Password' }).click()
  await expect(heading(page, 'This link has expired')).toBeVisible()
  await page.getByRole('link', { name: 'Request a New Link' }).click()
  await expect(page).toHaveURL('/forgot-password')
})

test('an account without open payments can be deleted, and cannot sign in again', {
  tag: '@proof',
}, async ({ createDeal }) => {
  const deal = await createDeal()
  const { paymentId } = await payIntoEscrow(deal)
  const { buyer, seller, ada, item } = deal
  await buyer.goto('/profile?tab=security')
  const open = buyer.getByRole('main').getByRole('button', { name: 'Delete Account' })
  await open.click()
  const dialog = buyer.getByRole('alertdialog', { name: 'Delete your account?' })
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused()
  const password = dialog.getByLabel('Your password', { exact: true })
  const confirm = dialog.getByRole('button', { name: 'Delete Account' })
  await password.fill(ada.password)
  await password.press('Enter')
  await expect(dialog.getByRole('alert')).toContainText('You have open payments or payouts.')
  await expectAccessible(buyer)
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(open).toBeFocused()

  await confirmDelivery(buyer, paymentId)
  await open.click()
  await password.fill(ada.password)
  await confirm.click()
  await expect(buyer).toHaveURL('/')
  await expect(toast(buyer)).toContainText('Account deleted')
  await expect(buyer.getByRole('link', { name: 'Sign In' })).toBeVisible()
  await buyer.getByRole('link', { name: 'Sign In' }).click()
  await buyer.getByLabel('Email').fill(ada.email)
  await buyer.getByLabel('Password', { exact: true }).fill(ada.password)
  await buyer.getByRole('button', { name: 'Sign In' }).click()
  await expect(toast(buyer)).toContainText('Sign in failed')
  await expect(buyer).toHaveURL('/auth')

  await seller.goto('/payments')
  await expect(seller.getByRole('article')).toContainText('Sold to Deleted user')
  await seller.goto(`/user/${item.userId}`)
  await expect(heading(seller, 'User not found')).toBeVisible()
})
