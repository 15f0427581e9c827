import { listOwnAuditLog, type OwnAuditEntry } from '@sought/contract/audit'
import { getSecondFactors } from '@sought/contract/second-factors'
import { listDevices } from '@sought/contract/security'
import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { type Answer, answer } from '../../../testing/fake-server.ts'
import { openScreen } from '../../../testing/open-screen.tsx'
import { aUser } from '../../../testing/samples.ts'

const entry = (change: Partial<OwnAuditEntry>): OwnAuditEntry => ({
  id: 1,
  action: 'sign_in_failed',
  by: 'unknown',
  device: 'Firefox on Linux',
  ip: '203.0.113.x',
  createdAt: '2026-11-16T03:00:12.000Z' as OwnAuditEntry['createdAt'],
  ...change,
})

const openLog = (log: Answer) =>
  openScreen('/profile?tab=security', {
    user: aUser(),
    answers: [
      answer(listDevices, []),
      answer(getSecondFactors, { totp: false, passkeys: [], recoveryCodesLeft: 0 }),
      log,
    ],
  })

test('the security tab shows what happened to the account, and what the team did', async () => {
  openLog(
    answer(listOwnAuditLog, [
      entry({ id: 2, action: 'bank_account_viewed', by: 'team', device: null, ip: null }),
      entry({}),
    ]),
  )
  const list = await screen.findByRole('list', { name: 'Account activity' })
  const [team, failed] = within(list).getAllByRole('listitem')
  expect(team).toHaveTextContent(/^Bank details viewedBy the Sought team · Nov 1[56], 2026/)
  expect(failed).toHaveTextContent(/^Failed sign-inFirefox on Linux · 203\.0\.113\.x · Nov 1[56], 2026/)
})

test('a log that failed to load shows the request id, and can be loaded again', async () => {
  const failed = { code: 'internal', message: 'Something went wrong.' }
  const headers = { 'x-request-id': 'k3Vq7d2mXw4pOl6z' }
  const server = openLog({
    call: listOwnAuditLog,
    respond: () => Response.json(failed, { status: 500, headers }),
  })
  const error = within(await screen.findByRole('alert', {}, { timeout: 10_000 }))
  expect(error.getByText('Reference: k3Vq7d2mXw4pOl6z')).toBeVisible()
  server.add(answer(listOwnAuditLog, []))
  await userEvent.click(error.getByRole('button', { name: 'Try Again' }))
  expect(await screen.findByText('Nothing has been recorded yet.')).toBeVisible()
})
