import { writeFile } from 'node:fs/promises'
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

test('overview and activity show requests, purchases and sales', async ({ createDeal }) => {
  const deal = await createDeal()
  await payIntoEscrow(deal)
  const { buyer, seller, ada, item } = deal
  await buyer.goto('/profile')
  await expect(heading(buyer, 'Ada Tester')).toBeVisible()
  const main = buyer.getByRole('main')
  await expect(main).toContainText(ada.email)
  await expect(main).toContainText('Not verified')
  await expect(main).toContainText(/Member since \w+ \d+, 20\d\d/)
  await expect(main.getByRole('definition')).toHaveText(['1', '1', '$120.00'])
  const requests = buyer.getByRole('region', { name: 'Recent requests' })
  await expect(requests.getByRole('listitem')).toContainText(['A green banker’s lamp$20 – $900'])
  await expect(requests.getByRole('link', { name: 'A green banker’s lamp' })).toHaveAttribute(
    'href',
    `/item/${item.id}`,
  )
  const purchases = buyer.getByRole('region', { name: 'Recent purchases' })
  await expect(purchases.getByRole('listitem')).toContainText(['A green banker’s lamp$120.00'])
  await expect(purchases).toContainText('In Escrow')
  await buyer.getByRole('button', { name: 'Resend Link' }).click()
  await expect(toast(buyer)).toContainText('Link sent')
  await expect(toast(buyer)).toContainText(ada.email)
  await purchases.getByRole('link', { name: 'All purchases' }).click()
  await expect(buyer).toHaveURL('/profile?tab=activity')
  await expect(buyer.getByRole('region', { name: 'Purchases and sales' })).toContainText(
    'Bought from Bob Tester',
  )

  await seller.goto('/profile?tab=activity')
  await expect(seller.getByRole('tab', { name: 'Activity' })).toHaveAttribute('aria-selected', 'true')
  await expect(seller.getByRole('region', { name: 'Requests' })).toContainText('No requests yet.')
  const sales = seller.getByRole('region', { name: 'Purchases and sales' })
  await expect(sales).toContainText('Sold to Ada Tester')
  await expect(sales).toContainText('In Escrow')
  await sales.getByRole('link', { name: 'Ada Tester' }).click()
  await expect(heading(seller, 'Ada Tester')).toBeVisible()
  await expect(seller).toHaveURL(`/user/${item.userId}`)

  await buyer.getByRole('tab', { name: 'Overview' }).click()
  await expect(buyer).toHaveURL('/profile')
  await expect(buyer.locator('.animate-breathe')).toHaveCount(0)
  await expectAccessible(buyer)
})

test('the profile can be edited with the keyboard alone, and errors are described', async ({
  createUser,
  openAs,
}) => {
  const page = await openAs(await createUser(), '/profile?tab=settings')
  await expect(page.getByLabel('First name')).toHaveValue('Ada')
  for (const [label, text] of [
    ['First name', ''],
    ['Last name', ''],
    ['Email', 'nobody'],
    ['Phone', '1'.repeat(21)],
    ['Location', 'x'.repeat(101)],
    ['Bio', 'x'.repeat(501)],
  ] as const) {
    await typeInto(page, label, text)
  }
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('First name')).toBeFocused()
  for (const [label, message] of [
    ['First name', 'First name is required'],
    ['Last name', 'Last name is required'],
    ['Email', 'Invalid email address'],
    ['Phone', 'Phone must be less than 20 characters'],
    ['Location', 'Location must be less than 100 characters'],
    ['Bio', 'Bio must be less than 500 characters'],
  ] as const) {
    await expect(page.getByLabel(label, { exact: true })).toHaveAccessibleDescription(new RegExp(message))
    await expect(page.getByLabel(label, { exact: true })).toHaveAttribute('aria-invalid', 'true')
  }
  await expectAccessible(page)
  await page.setViewportSize({ width: 1280, height: 800 })

  // 51 letters are one too many. With 50 the error disappears on the key press.
  await typeInto(page, 'First name', 'A'.repeat(51))
  await expect(page.getByLabel('First name')).toHaveAccessibleDescription('Must be at most 50 characters')
  await page.keyboard.press('Backspace')
  await expect(page.getByLabel('First name')).toHaveAccessibleDescription('')
  await typeInto(page, 'First name', 'Grace')
  await typeInto(page, 'Last name', 'Hopper')
  await page
    .getByLabel('Email')
    .fill((await page.request.get('/api/auth/user').then((it) => it.json())).email)
  await typeInto(page, 'Phone', '+60 12 345 6789')
  await typeInto(page, 'Location', 'Ipoh')
  await typeInto(page, 'Bio', 'Collects lamps.')
  await page.route('**/api/user/profile', (route) => route.fulfill({ status: 429 }), { times: 1 })
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(toast(page)).toContainText('Failed to update profile. Please try again.')
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
})

test('a new email address counts after its link was opened', async ({
  createUser,
  openAs,
  openAsVisitor,
}) => {
  const [ada, bob] = await Promise.all([createUser(), createUser('Bob')])
  const page = await openAs(ada, '/profile?tab=settings')
  const email = page.getByLabel('Email')
  const save = page.getByRole('button', { name: 'Save Changes' })
  await email.fill(bob.email.toUpperCase())
  await save.click()
  await expect(email).toHaveAccessibleDescription(/An account with this email already exists\./)
  await expect(email).toBeFocused()

  const first = `first-${ada.email}`
  await email.fill(first)
  await save.click()
  await expect(toast(page)).toContainText(`Open the link we sent to ${first} to confirm your new address.`)
  const stale = linkIn(await emailTo(page.request, first, 'verify_email'), '/verify-email')
  await page.getByRole('button', { name: 'Cancel Change' }).click()
  await expect(toast(page)).toContainText('Change cancelled')
  await expect(email).toHaveValue(ada.email)

  const second = `second-${ada.email}`
  await email.fill(second)
  await save.click()
  await expect(page.getByRole('main')).toContainText(
    `Open the link we sent to ${second}. Until then ${ada.email} stays your address.`,
  )
  // Saving other fields keeps the pending address.
  await page.getByLabel('Location').fill('Ipoh')
  await save.click()
  await expect(toast(page)).toContainText('Your changes are saved.')
  await expect(page.getByRole('button', { name: 'Cancel Change' })).toBeVisible()
  await page.getByRole('button', { name: 'Resend Link' }).click()
  await expect(toast(page)).toContainText('Link sent')

  const link = linkIn(await emailTo(page.request, second, 'verify_email'), '/verify-email')
  const elsewhere = await openAsVisitor(stale)
  await expect(heading(elsewhere, 'This link has expired')).toBeVisible()
  await elsewhere.goto(link)
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

/** Forty pixels by twenty: the left half red, the right half blue. */
const picture = {
  name: 'face.png',
  mimeType: 'image/png',
  buffer: Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAACgAAAAUCAIAAABwJOjsAAAAJ0lEQVR42mP4z8BANqJA63+GUYtHLR61eNTiUYtHLR61eNTikWMxAGDtHQ7V1k7XAAAAAElFTkSuQmCC',
    'base64',
  ),
}

test('a picture can be cropped with the keyboard alone, and appears in the header', async ({
  createUser,
  openAs,
}, info) => {
  const page = await openAs(await createUser(), '/profile?tab=settings')
  const input = page.locator('input[type=file]')
  const choose = page.getByRole('button', { name: 'Choose Picture' })
  await expect(choose).toHaveAccessibleDescription(/under 5MB/)
  const chooser = page.waitForEvent('filechooser')
  await choose.focus()
  await page.keyboard.press('Enter')
  await (await chooser).setFiles({ name: 'list.txt', mimeType: 'text/plain', buffer: Buffer.from('lamp') })
  await expect(toast(page)).toContainText('Invalid file type')
  const large = info.outputPath('large.png')
  await writeFile(large, Buffer.alloc(5 * 1024 * 1024 + 1))
  await input.setInputFiles(large)
  await expect(toast(page)).toContainText('File Too Large')
  await expect(toast(page)).toContainText('Please select an image smaller than 5MB.')

  await input.setInputFiles(picture)
  const dialog = page.getByRole('dialog', { name: 'Crop your picture' })
  await expect(dialog).toBeVisible()
  const kept = dialog.getByLabel('Crop area')
  await kept.focus()
  for (let presses = 0; presses < 40; presses++) await page.keyboard.press('ArrowLeft')
  await dialog.getByLabel('Zoom').focus()
  await page.keyboard.press('ArrowRight')
  await expect(dialog.getByLabel('Zoom')).toHaveAttribute('aria-valuetext', '110%')
  await expectAccessible(page)
  await page.setViewportSize({ width: 1280, height: 800 })

  await page.route('**/api/user/upload-avatar', (route) => route.fulfill({ status: 429 }), { times: 1 })
  const save = dialog.getByRole('button', { name: 'Save Picture' })
  await save.click()
  // An open dialog hides the toast from roles, but it is still announced.
  await expect(page.getByText('Failed to upload avatar. Please try again.').first()).toBeVisible()
  let goOn = () => {}
  const held = new Promise<void>((resolve) => {
    goOn = resolve
  })
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
  // Moved to its end, the square contains only the blue half.
  expect(await shown.evaluate(middleOf)).toBe('blue')
  await expect(page.getByRole('button', { name: 'Change Picture' })).toBeFocused()
})

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

test('a password can be changed with the keyboard alone, which signs out other devices', async ({
  createUser,
  openAs,
}) => {
  const ada = await createUser()
  const page = await openAs(ada, '/profile?tab=security')
  const other = await openAs(ada, '/payments')
  // Routed from the start: a request right after a new route can still bypass it.
  let isFailing = false
  await page.route('**/api/user/change-password', (route) =>
    isFailing ? route.fulfill({ status: 429 }) : route.continue(),
  )
  await expect(heading(page, 'Ada Tester')).toBeVisible()
  const form = page.getByRole('form', { name: 'Change password' })
  const [current, fresh, confirm] = ['Current password', 'New password', 'Confirm new password'] as const
  const press = async () => {
    await tabTo(page, confirm)
    await page.keyboard.press('Enter')
  }
  const described = (label: string) => expect(page.getByLabel(label, { exact: true }))

  await press()
  await described(current).toHaveAccessibleDescription('Current password is required')
  await described(fresh).toHaveAccessibleDescription(/New password must be at least 6 characters/)
  await described(confirm).toHaveAccessibleDescription('Please confirm your password')
  await expect(page.getByLabel(current, { exact: true })).toBeFocused()
  await typeInto(page, current, 'not it')
  await typeInto(page, fresh, 'battery staple')
  await expect(form.getByRole('status')).toContainText(/Password strength: (Fair|Good|Strong)/)
  await typeInto(page, confirm, 'battery')
  await page.keyboard.press('Enter')
  await described(confirm).toHaveAccessibleDescription("Passwords don't match")
  await expectAccessible(page)
  await page.setViewportSize({ width: 1280, height: 800 })

  await typeInto(page, confirm, 'battery staple')
  await page.keyboard.press('Enter')
  await described(current).toHaveAccessibleDescription('The current password is incorrect.')
  await expect(page.getByLabel(current, { exact: true })).toBeFocused()
  await typeInto(page, current, ada.password)
  isFailing = true
  await page.keyboard.press('Enter')
  await expect(toast(page)).toContainText('Failed to change password. Please try again.')
  isFailing = false
  // Enter sends nothing while the first request is pending.
  await expect(form.locator('button[type=submit]')).toBeEnabled()
  await page.keyboard.press('Enter')
  await expect(toast(page)).toContainText('Password changed')
  await expect(page.getByRole('list', { name: 'Signed-in devices' }).getByRole('listitem')).toHaveCount(1)
  await expect(other.getByRole('heading', { name: 'Login Required' })).toBeVisible()
  expect((await page.request.get('/api/auth/user')).status()).toBe(200)
  expect((await emailTo(page.request, ada.email, 'password_changed')).subject).toBe(
    'Your password was changed',
  )
})

test('devices can be signed out, one or all others', async ({ createUser, openAs }) => {
  const ada = await createUser()
  const [second, third] = [await openAs(ada, '/'), await openAs(ada, '/')]
  const page = await openAs(ada, '/profile?tab=security')
  const devices = page.getByRole('list', { name: 'Signed-in devices' }).getByRole('listitem')
  await expect(devices).toHaveCount(3)
  await expect(devices.filter({ hasText: 'This device' })).toHaveCount(1)
  await expect(devices.filter({ hasText: 'This device' }).getByRole('button')).toHaveCount(0)
  await expect(devices.filter({ hasText: 'last seen' })).toHaveCount(2)
  await devices.getByRole('button').first().click()
  await expect(toast(page)).toContainText('Signed out')
  await expect(devices).toHaveCount(2)

  await page.getByRole('button', { name: 'Sign Out All Others' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Sign Out All Others' }).click()
  await expect(toast(page)).toContainText('You are now signed in on this device only.')
  await expect(devices).toHaveCount(1)
  for (const { request } of [second, third]) {
    expect((await request.get('/api/auth/user')).status()).toBe(401)
  }

  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Download My Data' }).click()
  expect((await download).suggestedFilename()).toMatch(/\.json$/)
})

test('a user without a password can get an email to set one', async ({ createUser, openAs }) => {
  const ada = await createUser()
  const page = await openAs(ada)
  // As for a user who signed up with Google.
  await page.route('**/api/auth/user', async (route) => {
    const reply = await route.fetch()
    const user = { ...(await reply.json()), hasPassword: false, googleLinked: true, provider: 'google' }
    await route.fulfill({ response: reply, json: user })
  })
  await page.goto('/profile?tab=security')
  await expect(page.getByRole('region', { name: 'Google' })).toContainText('Linked')
  await expect(page.getByRole('form', { name: 'Change password' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Delete Account' }).click()
  const dialog = page.getByRole('alertdialog')
  await dialog.getByLabel('Your email, to confirm').fill('somebody@example.com')
  await dialog.getByRole('button', { name: 'Delete Account' }).click()
  await expect(dialog.getByLabel('Your email, to confirm')).toHaveAccessibleDescription(
    /This is not the email address of this account/,
  )
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Email Me a Link' }).click()
  await expect(page.getByRole('main')).toContainText(`is on its way to ${ada.email}`)
  await emailTo(page.request, ada.email, 'reset_password')
})

test('a forgotten password can be reset once by an emailed link', async ({ createUser, openAsVisitor }) => {
  const ada = await createUser()
  const page = await openAsVisitor('/auth')
  await page.getByRole('link', { name: 'Forgot password?' }).click()
  await expect(heading(page, 'Forgot your password?')).toBeVisible()
  await page.getByLabel('Email').press('Enter')
  await expect(page.getByLabel('Email')).toHaveAccessibleDescription('Invalid email address')
  await expect(page.getByLabel('Email')).toBeFocused()
  await expectAccessible(page)
  await page.setViewportSize({ width: 1280, height: 800 })

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
  await page.setViewportSize({ width: 1280, height: 800 })
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

test('an account can be deleted when no payments are open, and cannot sign in again', async ({
  createDeal,
}) => {
  const deal = await createDeal()
  const { paymentId } = await payIntoEscrow(deal)
  const { buyer, seller, ada, item } = deal
  await buyer.goto('/profile?tab=security')
  const open = buyer.getByRole('main').getByRole('button', { name: 'Delete Account' })
  await open.click()
  const dialog = buyer.getByRole('alertdialog', { name: 'Delete your account?' })
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await expect(dialog).toContainText('Erased')
  await expect(dialog).toContainText('your name, email, phone, location, bio and picture')
  await expect(dialog).toContainText('Kept')
  await expect(dialog).toContainText('payments and disputes, which we keep for 7 years')
  const password = dialog.getByLabel('Your password', { exact: true })
  const confirm = dialog.getByRole('button', { name: 'Delete Account' })
  await confirm.click()
  await expect(password).toHaveAccessibleDescription('Password is required')
  await expect(password).toBeFocused()
  await password.fill('not it')
  await confirm.click()
  await expect(password).toHaveAccessibleDescription('The current password is incorrect.')
  await password.fill(ada.password)
  await password.press('Enter')
  await expect(dialog.getByRole('alert')).toContainText('You have open payments or payouts.')
  await expectAccessible(buyer)
  await buyer.setViewportSize({ width: 1280, height: 800 })
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(open).toBeFocused()

  await confirmDelivery(buyer, paymentId)
  await open.click()
  await expect(dialog.getByRole('alert')).toHaveCount(0)
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
