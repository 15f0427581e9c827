import { getIsAdmin } from '@sought/contract/accounts'
import { type AdminAuditEntry, listAuditLog } from '@sought/contract/audit'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { answer } from '../../../testing/fake-server.ts'
import { openScreen } from '../../../testing/open-screen.tsx'
import { aUser } from '../../../testing/samples.ts'

const root = { id: 'root', name: 'Root Admin', rating: 0, profileImageUrl: null }
const sue = { ...root, id: 'sue', name: 'Sue Seller' }
const viewed: AdminAuditEntry = {
  id: 7,
  action: 'bank_account_viewed',
  device: 'Firefox on Linux',
  ip: '203.0.113.7',
  createdAt: '2026-11-16T03:00:12.000Z' as AdminAuditEntry['createdAt'],
  actor: root,
  subject: sue,
  details: { payoutId: 3, paymentId: 12 },
}

const openLog = (entries: AdminAuditEntry[], path = '/admin/audit-log') =>
  openScreen(path, {
    user: aUser(),
    answers: [answer(getIsAdmin, { isAdmin: true, role: 'admin' }), answer(listAuditLog, entries)],
  })

test('an entry shows who did what to whom, from where, with links to people and deal', async () => {
  openLog([viewed])
  const entry = within(await screen.findByRole('list', { name: 'Audit log' })).getByRole('listitem')
  expect(entry).toHaveTextContent('Bank details viewed by Root Admin · account of Sue Seller')
  expect(entry).toHaveTextContent('Firefox on Linux · 203.0.113.7 · payout 3 · payment 12')
  expect(screen.getByRole('link', { name: 'Root Admin' })).toHaveAttribute('href', '/admin/people/root')
  expect(screen.getByRole('link', { name: 'Sue Seller' })).toHaveAttribute('href', '/admin/people/sue')
  expect(screen.getByRole('link', { name: 'payment 12' })).toHaveAttribute('href', '/admin/deals/12')
})

test('the log of one person can be filtered by action', async () => {
  openLog([viewed], '/admin/audit-log?userId=sue')
  await screen.findByRole('list', { name: 'Audit log' })
  await userEvent.selectOptions(screen.getByLabelText('Action'), 'Bank details viewed')
  await waitFor(() => expect(window.location.search).toContain('action=bank_account_viewed'))
  expect(window.location.search).toContain('userId=sue')
  expect(screen.getByRole('link', { name: 'Show everyone' })).toBeVisible()
})

test('a filter without entries shows a message', async () => {
  openLog([], '/admin/audit-log?action=admin_granted')
  expect(await screen.findByRole('heading', { name: 'No entries' })).toBeVisible()
  expect(screen.getByLabelText('Action')).toHaveValue('admin_granted')
})
