import { verifyEmail } from '@sought/contract/security'
import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { answer, refuse } from '../../testing/fake-server.ts'
import { openScreen } from '../../testing/open-screen.tsx'
import { aUser } from '../../testing/samples.ts'

const path = '/verify-email?token=abc'

test('opening the link verifies the address', async () => {
  const server = openScreen(path, { answers: [answer(verifyEmail, { ok: true })] })
  expect(await screen.findByRole('heading', { name: 'Your email is verified' })).toBeVisible()
  expect(server.requestsTo(verifyEmail)).toEqual([{ body: { token: 'abc' } }])
})

test('a link that has expired says so to visitors', async () => {
  openScreen(path, { answers: [refuse(verifyEmail, 'link_expired')] })
  expect(await screen.findByRole('heading', { name: 'This link has expired' })).toBeVisible()
})

test('a user who opens the link again is already verified', async () => {
  openScreen(path, { user: aUser(), answers: [refuse(verifyEmail, 'link_expired')] })
  expect(await screen.findByRole('heading', { name: 'Your email is already verified' })).toBeVisible()
  expect(screen.getByRole('link', { name: 'Go to Your Profile' })).toHaveAttribute('href', '/profile')
})
