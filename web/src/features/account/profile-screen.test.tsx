import {
  changePassword,
  getCurrentUser,
  getUserStats,
  listPurchases,
  updateProfile,
} from '@sought/contract/accounts'
import { listOwnAuditLog } from '@sought/contract/audit'
import { getSharingSettings } from '@sought/contract/messages'
import { getEmailDelivery, getEmailSettings } from '@sought/contract/notifications'
import { listPayments } from '@sought/contract/payments'
import { listOwnWantedItems } from '@sought/contract/requests'
import { getSecondFactors } from '@sought/contract/second-factors'
import {
  cancelEmailChange,
  deleteAccount,
  forgotPassword,
  listDevices,
  resendVerification,
  signOutDevice,
  signOutOtherDevices,
} from '@sought/contract/security'
import { screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { type Answer, answer, refuse } from '../../testing/fake-server.ts'
import { openScreen } from '../../testing/open-screen.tsx'
import { aListedPayment, aRequest, aSeller, aUser, type TestUser } from '../../testing/samples.ts'

const region = (name: string) => within(screen.getByRole('region', { name }))

async function fill(label: string, text: string): Promise<void> {
  const field = screen.getByLabelText(label)
  await userEvent.clear(field)
  if (text === '') return
  await userEvent.click(field)
  await userEvent.paste(text)
}

const press = (name: string) => userEvent.click(screen.getByRole('button', { name }))

const expectDescription = (label: string, text: string | RegExp) =>
  waitFor(() => expect(screen.getByLabelText(label)).toHaveAccessibleDescription(text))

test('the overview shows the person, the statistics and the three latest requests and purchases', async () => {
  const purchase = (id: number) => ({
    id,
    title: `Lamp ${id}`,
    status: 'held_in_escrow' as const,
    amount: 12_000,
    currency: 'usd' as const,
  })
  openScreen('/profile', {
    user: aUser({ emailVerified: false }),
    answers: [
      answer(getUserStats, { totalWantedItems: 4, totalPurchases: 5, totalSpent: 12_000 }),
      answer(
        listOwnWantedItems,
        [1, 2, 3].map((id) => aRequest({ id })),
      ),
      answer(listPurchases, [1, 2, 3].map(purchase)),
      answer(listPayments, []),
      answer(getEmailDelivery, { undeliverable: [] }),
      answer(resendVerification, { ok: true }),
    ],
  })
  expect(await screen.findByRole('heading', { level: 1, name: 'Ada Buyer' })).toBeVisible()
  expect(screen.getAllByText('ada@example.com')[0]).toBeVisible()
  expect(screen.getByText('Not verified')).toBeVisible()
  expect(screen.getByText('Member since January 5, 2026')).toBeVisible()
  await waitFor(() =>
    expect(screen.getAllByRole('definition').map((it) => it.textContent)).toEqual(['4', '5', '$120.00']),
  )
  expect(region('Recent requests').getAllByRole('listitem')).toHaveLength(3)
  expect(region('Recent requests').getAllByRole('listitem')[0]).toHaveTextContent('A green lamp$20 – $120')
  expect(region('Recent requests').getAllByRole('link', { name: 'A green lamp' })[0]).toHaveAttribute(
    'href',
    '/item/1',
  )
  expect(region('Recent purchases').getAllByRole('listitem')).toHaveLength(3)
  expect(region('Recent purchases').getAllByRole('listitem')[0]).toHaveTextContent('Lamp 1$120.00In Escrow')
  await press('Resend Link')
  expect(await screen.findByText('Link sent')).toBeVisible()
  await userEvent.click(screen.getByRole('link', { name: 'All purchases' }))
  expect(window.location.search).toBe('?tab=activity')
  await userEvent.click(screen.getByRole('tab', { name: 'Overview' }))
  expect(window.location.search).toBe('')
})

/** The profile of a user whose current and new address reject our emails. */
const openUndeliverable = (changes: Partial<TestUser> = {}) =>
  openScreen('/profile', {
    user: aUser(changes),
    answers: [
      answer(getUserStats, { totalWantedItems: 0, totalPurchases: 0, totalSpent: 0 }),
      answer(listOwnWantedItems, []),
      answer(listPurchases, []),
      answer(getEmailSettings, { off: [] }),
      answer(getSharingSettings, { typing: true, presence: true, readReceipts: true }),
      answer(getEmailDelivery, { undeliverable: ['ada@example.com', 'new@example.com'] }),
      answer(resendVerification, { ok: true }),
    ],
  })

test('if an address rejects our emails, the user can try it again', async () => {
  openUndeliverable()
  expect(await screen.findByText('Our emails don’t reach you')).toBeVisible()
  await press('Try Again')
  expect(await screen.findByText('Link sent')).toBeVisible()
})

test('the settings show that a new address rejects our emails', async () => {
  openUndeliverable({ pendingEmail: 'new@example.com' })
  expect(await screen.findByText('Our emails don’t reach you')).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Try Again' })).toBe(null)
  await userEvent.click(screen.getByRole('link', { name: 'Change your address' }))
  expect(await screen.findByText('This address does not exist')).toBeVisible()
  expect(screen.getByRole('button', { name: 'Resend Link' })).toBeVisible()
})

test('the activity lists requests, purchases and sales with the other person', async () => {
  openScreen('/profile?tab=activity', {
    user: aUser(),
    answers: [
      answer(listOwnWantedItems, []),
      answer(listPayments, [
        aListedPayment(),
        aListedPayment({
          id: 2,
          buyerId: aSeller.id,
          buyer: aSeller,
          sellerId: aUser().id,
          status: 'completed',
        }),
      ]),
    ],
  })
  expect(await screen.findByRole('tab', { name: 'Activity' })).toHaveAttribute('aria-selected', 'true')
  expect(await region('Requests').findByText(/No requests yet\./)).toBeVisible()
  const [bought, sold] = await region('Purchases and sales').findAllByRole('listitem')
  expect(bought).toHaveTextContent(/Bought from Bob Tester.*In Escrow/)
  expect(sold).toHaveTextContent(/Sold to Bob Tester/)
  expect(region('Purchases and sales').getAllByRole('link', { name: 'Bob Tester' })[0]).toHaveAttribute(
    'href',
    `/user/${aSeller.id}`,
  )
})

const openSettings = async (changes: Partial<TestUser> = {}, ...answers: Answer[]) => {
  const server = openScreen('/profile?tab=settings', {
    user: aUser(changes),
    answers: [
      answer(getEmailSettings, { off: [] }),
      answer(getSharingSettings, { typing: true, presence: true, readReceipts: true }),
      ...answers,
    ],
  })
  await screen.findByLabelText('First name')
  return server
}

test('every invalid field of the profile has its message, and the first is focused', async () => {
  await openSettings()
  for (const [label, text] of [
    ['First name', ''],
    ['Last name', ''],
    ['Email', 'nobody'],
    ['Phone', '1'.repeat(21)],
    ['Location', 'x'.repeat(101)],
    ['Bio', 'x'.repeat(501)],
  ] as const) {
    await fill(label, text)
  }
  await press('Save Changes')
  for (const [label, message] of [
    ['First name', /First name is required/],
    ['Last name', /Last name is required/],
    ['Email', /Invalid email address/],
    ['Phone', /Phone must be less than 20 characters/],
    ['Location', /Location must be less than 100 characters/],
    ['Bio', /Bio must be less than 500 characters/],
  ] as const) {
    await expectDescription(label, message)
    expect(screen.getByLabelText(label)).toHaveAttribute('aria-invalid', 'true')
  }
  expect(screen.getByLabelText('First name')).toHaveFocus()
  // 51 letters are one too many. With 50 the error disappears on the key press.
  await fill('First name', 'A'.repeat(51))
  await expectDescription('First name', 'Must be at most 50 characters')
  await userEvent.keyboard('{Backspace}')
  await expectDescription('First name', '')
})

test('a failed profile update keeps the changes and can be repeated', async () => {
  const server = await openSettings(
    {},
    { call: updateProfile, respond: () => new Response('', { status: 429 }) },
  )
  await fill('Location', 'Ipoh')
  await press('Save Changes')
  expect(await screen.findByText('Failed to update profile. Please try again.')).toBeVisible()
  expect(screen.getByLabelText('Location')).toHaveValue('Ipoh')
  server.add(answer(updateProfile, aUser({ location: 'Ipoh' })))
  await press('Save Changes')
  expect(await screen.findByText('Profile updated')).toBeVisible()
  expect(screen.getByText('Your changes are saved.')).toBeVisible()
})

test('an email that is already taken is an error at its field', async () => {
  await openSettings({}, refuse(updateProfile, 'email_taken'))
  await fill('Email', 'BOB@example.com')
  await press('Save Changes')
  await expectDescription('Email', /An account with this email already exists\./)
  expect(screen.getByLabelText('Email')).toHaveFocus()
})

test('a new email address is pending until it is confirmed; the link can be resent and the change cancelled', async () => {
  const pending = aUser({ pendingEmail: 'new@example.com' })
  const server = await openSettings(
    {},
    answer(updateProfile, pending),
    answer(getEmailDelivery, { undeliverable: [] }),
    answer(resendVerification, { ok: true }),
    answer(cancelEmailChange, aUser()),
  )
  server.add(answer(getCurrentUser, pending))
  await fill('Email', 'new@example.com')
  await press('Save Changes')
  expect(
    await screen.findByText('Open the link we sent to new@example.com to confirm your new address.'),
  ).toBeVisible()
  expect(
    await screen.findByText(
      (_, element) =>
        element?.tagName === 'P' &&
        element.textContent ===
          'Open the link we sent to new@example.com. Until then ada@example.com stays your address.',
    ),
  ).toBeVisible()
  // Saving other fields keeps the pending address.
  await fill('Location', 'Ipoh')
  await press('Save Changes')
  expect(await screen.findByText('Your changes are saved.')).toBeVisible()
  expect(server.requestsTo(updateProfile)).toMatchObject([
    { body: { email: 'new@example.com' } },
    { body: { email: 'new@example.com', location: 'Ipoh' } },
  ])
  await press('Resend Link')
  expect(await screen.findByText('Link sent')).toBeVisible()
  server.add(answer(getCurrentUser, aUser()))
  await press('Cancel Change')
  expect(await screen.findByText('Change cancelled')).toBeVisible()
  expect(screen.getByLabelText('Email')).toHaveValue('ada@example.com')
})

test('a picture must be an image under 5MB', async () => {
  await openSettings()
  expect(screen.getByRole('button', { name: 'Choose Picture' })).toHaveAccessibleDescription(/under 5MB/)
  const input = document.querySelector<HTMLInputElement>('input[type=file]') ?? expect.unreachable()
  const user = userEvent.setup({ applyAccept: false })
  await user.upload(input, new File(['lamp'], 'list.txt', { type: 'text/plain' }))
  expect(await screen.findByText('Invalid file type')).toBeVisible()
  await user.upload(
    input,
    new File([new Uint8Array(5 * 1024 * 1024 + 1)], 'large.png', { type: 'image/png' }),
  )
  expect(await screen.findByText('File Too Large')).toBeVisible()
  expect(screen.getByText('Please select an image smaller than 5MB.')).toBeVisible()
})

const device = (id: string, isThisOne = false) => ({
  id,
  name: `Browser ${id}`,
  isThisOne,
  signedInAt: '2026-11-15T12:00:00.000Z',
  seenAt: '2026-11-16T12:00:00.000Z',
})

const openSecurity = async (changes: Partial<TestUser> = {}, ...answers: Answer[]) => {
  const server = openScreen('/profile?tab=security', {
    user: aUser(changes),
    answers: [
      answer(listDevices, [device('1', true)]),
      answer(listOwnAuditLog, []),
      answer(getSecondFactors, { totp: false, passkeys: [], recoveryCodesLeft: 0 }),
      ...answers,
    ],
  })
  await screen.findByRole('list', { name: 'Signed-in devices' })
  return server
}

test('every mistake in the password form has its message', async () => {
  const server = await openSecurity({}, refuse(changePassword, 'wrong_password'))
  await press('Change Password')
  await expectDescription('Current password', 'Current password is required')
  await expectDescription('New password', /New password must be at least 6 characters/)
  await expectDescription('Confirm new password', 'Please confirm your password')
  expect(screen.getByLabelText('Current password')).toHaveFocus()
  await fill('Current password', 'not it')
  await fill('New password', 'battery staple')
  expect(within(screen.getByRole('form', { name: 'Change password' })).getByRole('status')).toHaveTextContent(
    /Password strength: (Fair|Good|Strong)/,
  )
  await fill('Confirm new password', 'battery')
  await press('Change Password')
  await expectDescription('Confirm new password', "Passwords don't match")
  await fill('Confirm new password', 'battery staple')
  await press('Change Password')
  await expectDescription('Current password', 'The current password is incorrect.')
  expect(screen.getByLabelText('Current password')).toHaveFocus()

  server.add({ call: changePassword, respond: () => new Response('', { status: 429 }) })
  await press('Change Password')
  expect(await screen.findByText('Failed to change password. Please try again.')).toBeVisible()
  server.add(answer(changePassword, { ok: true }))
  await press('Change Password')
  expect(await screen.findByText('Password changed')).toBeVisible()
  expect(screen.getByLabelText('Current password')).toHaveValue('')
})

test('devices can be signed out, one or all others', async () => {
  const server = await openSecurity(
    {},
    answer(listDevices, [device('1', true), device('2'), device('3')]),
    answer(signOutDevice, { ok: true }),
    answer(signOutOtherDevices, { ok: true }),
  )
  const devices = () =>
    within(screen.getByRole('list', { name: 'Signed-in devices' })).getAllByRole('listitem')
  await waitFor(() => expect(devices()).toHaveLength(3))
  const [here, ...others] = devices()
  expect(here).toHaveTextContent('This device')
  expect(within(here ?? expect.unreachable()).queryByRole('button')).not.toBeInTheDocument()
  for (const other of others) {
    expect(other).not.toHaveTextContent('This device')
    expect(other).toHaveTextContent('last seen')
  }
  server.add(answer(listDevices, [device('1', true), device('3')]))
  await press('Sign out Browser 2')
  expect(await screen.findByText('Signed out')).toBeVisible()
  await waitFor(() => expect(devices()).toHaveLength(2))
  expect(server.requestsTo(signOutDevice)).toEqual([{ params: { id: '2' } }])

  server.add(answer(listDevices, [device('1', true)]))
  await press('Sign Out All Others')
  const dialog = within(await screen.findByRole('alertdialog'))
  await userEvent.click(dialog.getByRole('button', { name: 'Sign Out All Others' }))
  expect(await screen.findByText('You are now signed in on this device only.')).toBeVisible()
  await waitFor(() => expect(devices()).toHaveLength(1))
  expect(screen.queryByRole('button', { name: 'Sign Out All Others' })).not.toBeInTheDocument()
  expect(server.requestsTo(signOutOtherDevices)).toHaveLength(1)
})

test('all data can be downloaded', async () => {
  await openSecurity()
  const link = screen.getByRole('link', { name: 'Download My Data' })
  expect(link).toHaveAttribute('href', '/api/user/data')
  expect(link).toHaveAttribute('download')
})

test('a user without a password can request a link to set one, and confirms the deletion with the email address', async () => {
  const server = await openSecurity(
    { hasPassword: false, googleLinked: true, provider: 'google' },
    answer(forgotPassword, { ok: true }),
  )
  expect(region('Google').getByText('Linked')).toBeVisible()
  expect(screen.queryByRole('form', { name: 'Change password' })).not.toBeInTheDocument()
  await press('Delete Account')
  const dialog = within(await screen.findByRole('alertdialog'))
  await userEvent.type(dialog.getByLabelText('Your email, to confirm'), 'somebody@example.com')
  await userEvent.click(dialog.getByRole('button', { name: 'Delete Account' }))
  expect(dialog.getByLabelText('Your email, to confirm')).toHaveAccessibleDescription(
    /This is not the email address of this account/,
  )
  await userEvent.click(dialog.getByRole('button', { name: 'Cancel' }))
  await press('Email Me a Link')
  expect(await screen.findByText(/A link to set a password is on its way to/)).toHaveTextContent(
    'is on its way to ada@example.com',
  )
  expect(server.requestsTo(forgotPassword)).toEqual([{ body: { email: 'ada@example.com' } }])
})

test('the deletion dialog lists what is erased and kept, and needs the password', async () => {
  const server = await openSecurity({}, refuse(deleteAccount, 'wrong_password'))
  await press('Delete Account')
  const element = await screen.findByRole('alertdialog', { name: 'Delete your account?' })
  const dialog = within(element)
  expect(dialog.getByRole('button', { name: 'Cancel' })).toHaveFocus()
  for (const text of [
    'Erased',
    'your name, email, phone, location, bio, picture and what you sell',
    'Kept',
    'payments and disputes, which we keep for 7 years',
  ]) {
    expect(element).toHaveTextContent(text)
  }
  const password = dialog.getByLabelText('Your password')
  const confirm = () => userEvent.click(dialog.getByRole('button', { name: 'Delete Account' }))
  await confirm()
  expect(password).toHaveAccessibleDescription('Password is required')
  expect(password).toHaveFocus()
  await userEvent.type(password, 'not it')
  await confirm()
  await waitFor(() => expect(password).toHaveAccessibleDescription('The current password is incorrect.'))
  server.add(refuse(deleteAccount, 'money_open'))
  await userEvent.type(password, '{Enter}')
  expect(await dialog.findByRole('alert')).toHaveTextContent('You have open payments or payouts.')
  await userEvent.click(dialog.getByRole('button', { name: 'Cancel' }))
  await press('Delete Account')
  expect(within(await screen.findByRole('alertdialog')).queryByRole('alert')).not.toBeInTheDocument()
})
