import { getIsAdmin } from '@sought/contract/accounts'
import { getOverview } from '@sought/contract/overview'
import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { answer } from '../../../testing/fake-server.ts'
import { openScreen } from '../../../testing/open-screen.tsx'
import { aUser } from '../../../testing/samples.ts'

const admin = answer(getIsAdmin, { isAdmin: true, role: 'admin' })

test('items are listed in the order of the server, each with a link', async () => {
  openScreen('/admin', {
    user: aUser(),
    answers: [
      admin,
      answer(getOverview, [
        { kind: 'dispute_overdue', count: 2, path: '/admin/disputes?status=overdue' },
        { kind: 'refund_failed', count: 1, path: '/admin/refunds' },
      ]),
    ],
  })
  const list = within(await screen.findByRole('list', { name: 'Open work' }))
  const links = list.getAllByRole('link')
  expect(links.map((it) => [it.textContent, it.getAttribute('href')])).toEqual([
    ['2 disputes are overdue', '/admin/disputes?status=overdue'],
    ['1 refund failed', '/admin/refunds'],
  ])
  const pages = within(screen.getByRole('navigation', { name: 'Admin pages' }))
  expect(pages.getByRole('link', { name: 'Overview' })).toHaveAttribute('aria-current', 'page')
})

test('an empty overview shows a message', async () => {
  openScreen('/admin', { user: aUser(), answers: [admin, answer(getOverview, [])] })
  expect(await screen.findByRole('heading', { name: 'All clear' })).toBeVisible()
})

test('moderators cannot open the overview', async () => {
  openScreen('/admin', {
    user: aUser(),
    answers: [answer(getIsAdmin, { isAdmin: false, role: 'moderator' })],
  })
  expect(await screen.findByText('Access Denied')).toBeVisible()
})
