import { getEmailVerification, verifyEmail } from '@sought/contract/security'
import { screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { answer, refuse } from '../../testing/fake-server.ts'
import { openScreen } from '../../testing/open-screen.tsx'
import { aUser } from '../../testing/samples.ts'

const path = '/verify-email?token=abc'
const link = (asksPassword: boolean, isChange = false) =>
  answer(getEmailVerification, { email: 'ada@example.com', asksPassword, isChange })
const verified = answer(verifyEmail, { ok: true })

test('opening the link in the user’s browser verifies the address', async () => {
  const server = openScreen(path, { answers: [link(false), verified] })
  expect(await screen.findByRole('heading', { name: 'Your email is verified' })).toBeVisible()
  expect(server.requestsTo(verifyEmail)).toEqual([{ body: { token: 'abc' } }])
})

test('another browser asks for the password', async () => {
  const server = openScreen(path, { answers: [link(true), verified] })
  await userEvent.click(await screen.findByRole('button', { name: 'Confirm Email' }))
  expect(screen.getByText('Password is required')).toBeVisible()
  expect(server.requestsTo(verifyEmail)).toEqual([])
  await userEvent.type(screen.getByLabelText('Password'), 'correct horse')
  await userEvent.click(screen.getByRole('button', { name: 'Confirm Email' }))
  expect(await screen.findByRole('heading', { name: 'Your email is verified' })).toBeVisible()
  expect(server.requestsTo(verifyEmail)).toEqual([{ body: { token: 'abc', password: 'correct horse' } }])
})

test('a wrong password is shown at its field', async () => {
  openScreen(path, { answers: [link(true), refuse(verifyEmail, 'wrong_password')] })
  await userEvent.type(await screen.findByLabelText('Password'), 'a guess')
  await userEvent.click(screen.getByRole('button', { name: 'Confirm Email' }))
  expect(await screen.findByText('The password is incorrect')).toBeVisible()
})

test('a person who did not create the account can remove its password, after a confirmation', async () => {
  const server = openScreen(path, { answers: [link(true), verified] })
  await userEvent.click(await screen.findByRole('button', { name: 'I did not create this account' }))
  expect(server.requestsTo(verifyEmail)).toEqual([])
  await userEvent.click(screen.getByRole('button', { name: 'Remove Password' }))
  expect(await screen.findByRole('heading', { name: 'The password was removed' })).toBeVisible()
  expect(server.requestsTo(verifyEmail)).toEqual([{ body: { token: 'abc' } }])
})

test('a new address can be confirmed without the password', async () => {
  openScreen(path, { answers: [link(true, true), verified] })
  await userEvent.click(await screen.findByRole('button', { name: 'Confirm without the password' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Confirm Anyway' }))
  expect(await screen.findByRole('heading', { name: 'Your email is verified' })).toBeVisible()
})

test('visitors who open an expired link see a message', async () => {
  openScreen(path, { answers: [refuse(getEmailVerification, 'link_expired')] })
  expect(await screen.findByRole('heading', { name: 'This link has expired' })).toBeVisible()
})

test('a user who opens the link again sees that the address is already verified', async () => {
  openScreen(path, { user: aUser(), answers: [refuse(getEmailVerification, 'link_expired')] })
  expect(await screen.findByRole('heading', { name: 'Your email is already verified' })).toBeVisible()
  expect(screen.getByRole('link', { name: 'Go to Your Profile' })).toHaveAttribute('href', '/profile')
})
