import { listOwnAuditLog } from '@sought/contract/audit'
import {
  confirmIdentity,
  deletePasskey,
  disableTotp,
  enableTotp,
  getSecondFactors,
  renamePasskey,
  replaceRecoveryCodes,
  startTotp,
} from '@sought/contract/second-factors'
import { listDevices } from '@sought/contract/security'
import { screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { enterText } from '../../../testing/enter-text.ts'
import { type Answer, answer, answerLater, refuse } from '../../../testing/fake-server.ts'
import { openScreen } from '../../../testing/open-screen.tsx'
import { aUser } from '../../../testing/samples.ts'
import { announceIdentity } from '../../sign-in/identity-channel.ts'

const CODES = Array.from({ length: 10 }, (_, index) => `aaaa-bbbb-cccc-ddd${index}`)
const none = { totp: false, passkeys: [], recoveryCodesLeft: 0 }
const phone = {
  id: 'phone',
  name: 'Safari on iPhone',
  createdAt: '2026-11-02T09:00:00.000Z',
  lastUsedAt: '2026-11-12T09:00:00.000Z',
}

const press = (name: string) => userEvent.click(screen.getByRole('button', { name }))

const openSecurity = (...answers: Answer[]) => openSecurityOf(aUser(), ...answers)

async function openSecurityOf(user: ReturnType<typeof aUser>, ...answers: Answer[]) {
  const server = openScreen('/profile?tab=security', {
    user,
    answers: [answer(listDevices, []), answer(listOwnAuditLog, []), ...answers],
  })
  await screen.findByRole('heading', { name: /^Authenticator app/ })
  return server
}

test('an authenticator app is set up with a QR code, and the recovery codes are shown once', async () => {
  const server = await openSecurity(
    answer(getSecondFactors, none),
    answer(startTotp, {
      secret: 'JBSWY3DPEHPK3PXP',
      uri: 'otpauth://totp/Sought:ada?secret=JBSWY3DPEHPK3PXP',
    }),
    refuse(enableTotp, 'wrong_code'),
  )
  expect(screen.queryByText('Recovery codes')).not.toBeInTheDocument()
  await press('Set Up an App')
  const dialog = within(await screen.findByRole('dialog', { name: 'Set up an authenticator app' }))
  expect(dialog.getByRole('img', { name: 'QR code of the secret' })).toHaveAttribute(
    'src',
    expect.stringMatching(/^data:image\/svg\+xml,/),
  )
  expect(dialog.getByText('JBSWY3DPEHPK3PXP')).toBeVisible()
  await userEvent.type(dialog.getByLabelText('Code from the app'), '123456')
  await userEvent.click(dialog.getByRole('button', { name: 'Turn On' }))
  await waitFor(() =>
    expect(dialog.getByLabelText('Code from the app')).toHaveAccessibleDescription(/This code is wrong/),
  )
  server.add(
    answer(enableTotp, { recoveryCodes: CODES }),
    answer(getSecondFactors, { ...none, totp: true, recoveryCodesLeft: 10 }),
  )
  await userEvent.click(dialog.getByRole('button', { name: 'Turn On' }))
  const shown = await screen.findByRole('list', { name: 'Recovery codes' })
  expect(
    within(shown)
      .getAllByRole('listitem')
      .map((item) => item.textContent),
  ).toEqual(CODES)
  expect(screen.getByRole('link', { name: 'Download Codes' })).toHaveAttribute('download')
  await press('I Saved Them')
  expect(await screen.findByText(/You have 10 left/)).toBeVisible()
  expect(screen.queryByText(CODES[0] ?? '')).not.toBeInTheDocument()
  expect(server.requestsTo(enableTotp)).toHaveLength(2)
})

test('the app and passkeys can be removed, and passkeys renamed', async () => {
  const refusal = answerLater(refuse(renamePasskey, 'passkey_not_found'))
  const server = await openSecurity(
    answer(getSecondFactors, { totp: true, passkeys: [phone], recoveryCodesLeft: 2 }),
    answer(disableTotp, { ok: true }),
    refusal,
    answer(deletePasskey, { ok: true }),
    answer(replaceRecoveryCodes, { recoveryCodes: CODES }),
  )
  const row = within(screen.getByRole('list', { name: 'Passkeys' })).getByRole('listitem')
  expect(row).toHaveTextContent('Added November 2, 2026 · last used November 12, 2026')
  expect(screen.getByText('Please create new codes before they run out.')).toBeVisible()

  await press('Rename Safari on iPhone')
  const rename = within(await screen.findByRole('dialog', { name: 'Rename passkey' }))
  await userEvent.clear(rename.getByLabelText('Name'))
  await userEvent.click(rename.getByRole('button', { name: 'Save Name' }))
  await waitFor(() =>
    expect(rename.getByLabelText('Name')).toHaveAccessibleDescription(/Please enter a name/),
  )
  await enterText(rename.getByLabelText('Name'), 'My phone')
  await userEvent.click(rename.getByRole('button', { name: 'Save Name' }))
  // The new name is shown before the reply. After a refusal, the typed name is still there.
  await waitFor(() => expect(row).toHaveTextContent('My phone'))
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
  refusal.release()
  expect(await screen.findByText('The passkey was not renamed')).toBeVisible()
  expect(row).toHaveTextContent('Safari on iPhone')
  const again = within(await screen.findByRole('dialog', { name: 'Rename passkey' }))
  expect(again.getByLabelText('Name')).toHaveValue('My phone')
  server.add(
    answer(renamePasskey, { ...phone, name: 'My phone' }),
    answer(getSecondFactors, {
      totp: true,
      passkeys: [{ ...phone, name: 'My phone' }],
      recoveryCodesLeft: 2,
    }),
  )
  await userEvent.click(again.getByRole('button', { name: 'Save Name' }))
  await waitFor(() => expect(row).toHaveTextContent('My phone'))
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
  const sent = { params: { id: 'phone' }, body: { name: 'My phone' } }
  expect(server.requestsTo(renamePasskey)).toEqual([sent, sent])

  await press('Remove My phone')
  await userEvent.click(await screen.findByRole('button', { name: 'Remove Passkey' }))
  expect(await screen.findByText('Passkey removed')).toBeVisible()
  await press('Remove App')
  await userEvent.click(
    within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Remove App' }),
  )
  expect(await screen.findByText('Authenticator app removed')).toBeVisible()
  await press('Create New Codes')
  await userEvent.click(
    within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Create New Codes' }),
  )
  expect(await screen.findByRole('list', { name: 'Recovery codes' })).toBeVisible()
  expect(server.requestsTo(deletePasskey)).toEqual([{ params: { id: 'phone' } }])
})

test('a change that needs a confirmed identity asks for the password, and then continues', async () => {
  const server = await openSecurity(
    answer(getSecondFactors, { ...none, totp: false }),
    refuse(startTotp, 'confirm_identity'),
    refuse(confirmIdentity, 'wrong_password'),
  )
  await press('Set Up an App')
  const dialog = within(await screen.findByRole('dialog', { name: 'Confirm it is you' }))
  const password = await dialog.findByLabelText('Password')
  await userEvent.click(dialog.getByRole('button', { name: 'Confirm' }))
  await waitFor(() => expect(password).toHaveAccessibleDescription('Password is required'))
  await userEvent.type(password, 'guess')
  await userEvent.click(dialog.getByRole('button', { name: 'Confirm' }))
  await waitFor(() => expect(password).toHaveAccessibleDescription('The current password is incorrect.'))
  server.add(
    answer(confirmIdentity, { ok: true }),
    answer(startTotp, {
      secret: 'JBSWY3DPEHPK3PXP',
      uri: 'otpauth://totp/Sought:ada?secret=JBSWY3DPEHPK3PXP',
    }),
  )
  await userEvent.click(dialog.getByRole('button', { name: 'Confirm' }))
  expect(await screen.findByRole('dialog', { name: 'Set up an authenticator app' })).toBeVisible()
  expect(server.requestsTo(startTotp)).toHaveLength(2)
  expect(server.requestsTo(confirmIdentity).at(-1)).toEqual({ body: { password: 'guess' } })
})

test('users with a second factor confirm with a code, and closing the dialog changes nothing', async () => {
  const server = await openSecurity(
    answer(getSecondFactors, { ...none, totp: true, recoveryCodesLeft: 9 }),
    refuse(replaceRecoveryCodes, 'confirm_identity'),
    answer(confirmIdentity, { ok: true }),
  )
  const ask = async () => {
    await press('Create New Codes')
    await userEvent.click(
      within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Create New Codes' }),
    )
    return within(await screen.findByRole('dialog', { name: 'Confirm it is you' }))
  }
  await userEvent.click((await ask()).getByRole('button', { name: 'Close' }))
  await waitFor(() => expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument())
  expect(screen.queryByText('The codes were not replaced')).not.toBeInTheDocument()
  expect(server.requestsTo(replaceRecoveryCodes)).toHaveLength(1)

  const dialog = await ask()
  await userEvent.type(await dialog.findByLabelText('Code'), '123456')
  server.add(answer(replaceRecoveryCodes, { recoveryCodes: CODES }))
  await userEvent.click(dialog.getByRole('button', { name: 'Confirm' }))
  expect(await screen.findByRole('list', { name: 'Recovery codes' })).toBeVisible()
  expect(server.requestsTo(confirmIdentity)).toEqual([{ body: { code: '123456' } }])
})

test('users without a password confirm with Google in another window, and the change continues', async () => {
  const user = aUser({ hasPassword: false, googleLinked: true })
  const server = await openSecurityOf(
    user,
    answer(getSecondFactors, none),
    refuse(startTotp, 'confirm_identity'),
  )
  await press('Set Up an App')
  const dialog = within(await screen.findByRole('dialog', { name: 'Confirm it is you' }))
  const link = await dialog.findByRole('link', { name: 'Continue with Google' })
  expect(link).toHaveAttribute('href', '/api/auth/google?confirm=true')
  expect(link).toHaveAttribute('target', '_blank')
  server.add(
    answer(startTotp, {
      secret: 'JBSWY3DPEHPK3PXP',
      uri: 'otpauth://totp/Sought:ada?secret=JBSWY3DPEHPK3PXP',
    }),
  )
  announceIdentity()
  expect(await screen.findByRole('dialog', { name: 'Set up an authenticator app' })).toBeVisible()
  expect(server.requestsTo(confirmIdentity)).toEqual([])
})

test('a user with few recovery codes left is asked to create new ones', async () => {
  const server = await openSecurity(answer(getSecondFactors, { ...none, totp: true, recoveryCodesLeft: 3 }))
  expect(await screen.findByText('Please create new codes before they run out.')).toBeVisible()
  expect(server.unanswered).toEqual([])
})
