import { getIsAdmin } from '@sought/contract/accounts'
import { getDoctorReport, runDoctor } from '@sought/contract/doctor'
import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { answer } from '../../../testing/fake-server.ts'
import { openScreen } from '../../../testing/open-screen.tsx'
import { aUser } from '../../../testing/samples.ts'

test('the button runs the checks, and what fails comes first', async () => {
  const checks = [
    { check: 'clock', state: 'ok' as const, message: 'The clocks agree.' },
    { check: 'disk-space', state: 'warn' as const, message: '1 GB is free.' },
    { check: 'mail', state: 'FAIL' as const, message: 'The mail server does not answer.' },
  ]
  let report: { ranAt: string | null; checks: typeof checks } = { ranAt: null, checks: [] }
  openScreen('/admin/doctor', {
    user: aUser(),
    answers: [
      answer(getIsAdmin, { isAdmin: true, role: 'admin' }),
      answer(getDoctorReport, () => report),
      answer(runDoctor, () => {
        report = { ranAt: '2026-11-16T03:00:12.000Z', checks }
        return report
      }),
    ],
  })
  expect(await screen.findByRole('heading', { name: 'Not checked yet' })).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: 'Run the Checks' }))
  const items = within(await screen.findByRole('list', { name: 'Checks' })).getAllByRole('listitem')
  expect(items.map((item) => item.textContent)).toEqual([
    'FailsmailThe mail server does not answer.',
    'Warningdisk-space1 GB is free.',
    'OKclockThe clocks agree.',
  ])
})
