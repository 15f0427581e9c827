import { getIsAdmin } from '@sought/contract/accounts'
import { listReplies } from '@sought/contract/casework'
import {
  type AdminTicketDetails,
  answerTicket,
  closeTicket,
  getAdminTicket,
  getDeskCounts,
  listAdminTickets,
  noteTicket,
} from '@sought/contract/support'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import type * as z from 'zod/mini'
import { answer, refuse } from '../../../testing/fake-server.ts'
import { openScreen } from '../../../testing/open-screen.tsx'
import { aSeller, aUser } from '../../../testing/samples.ts'

const user = userEvent.setup()
const at = '2026-11-15T12:00:00.000Z'

const aDeal = {
  id: 1,
  transactionNumber: '4F7K-Q2MX-9TB3',
  title: 'A green lamp',
  amount: 12_000,
  currency: 'usd',
} as const

function aTicket(
  changes: Partial<z.input<typeof AdminTicketDetails>> = {},
): z.input<typeof AdminTicketDetails> {
  return {
    id: 7,
    topic: 'payments',
    subject: 'Where is my money?',
    status: 'open',
    createdAt: at,
    updatedAt: at,
    person: aSeller,
    email: 'bob@example.com',
    excerpt: 'I sold a lamp.',
    payment: { ...aDeal, buyer: { ...aSeller, name: 'Cy Buyer' }, seller: aSeller },
    messages: [
      { id: 1, kind: 'question', content: 'I sold a lamp.', author: null, createdAt: at },
      { id: 2, kind: 'note', content: 'Asked before.', author: { ...aUser(), name: 'Root' }, createdAt: at },
    ],
    deals: [
      {
        ...aDeal,
        wantedItemId: 3,
        status: 'disputed',
        role: 'seller',
        disputed: true,
        createdAt: at,
      },
    ],
    ...changes,
  }
}

const admin = { user: aUser(), isAdmin: answer(getIsAdmin, { isAdmin: true, role: 'admin' }) }

test('the list shows who asks what, and can be filtered by status and searched', async () => {
  const { payment: _, messages: __, deals: ___, ...ticket } = aTicket()
  const visitor = { ...ticket, id: 8, subject: 'Locked out', person: null, email: 'vera@example.com' }
  const server = openScreen('/admin/tickets?status=open', {
    user: admin.user,
    answers: [
      admin.isAdmin,
      answer(getDeskCounts, { disputes: 3, tickets: 2 }),
      answer(listAdminTickets, [visitor, ticket]),
    ],
  })
  const list = within(await screen.findByRole('list', { name: 'Tickets' }))
  expect(list.getByRole('link', { name: 'Where is my money?' })).toHaveAttribute('href', '/admin/tickets/7')
  expect(list.getByText(/^Bob Tester ·/)).toBeVisible()
  expect(list.getByText(/^vera@example.com \(visitor\) ·/)).toBeVisible()
  const pages = within(screen.getByRole('navigation', { name: 'Admin pages' }))
  expect(pages.getByRole('link', { name: 'Tickets , 2 waiting' })).toHaveAttribute('aria-current', 'page')
  expect(pages.getByRole('link', { name: 'Disputes , 3 waiting' })).toBeVisible()
  const search = screen.getByRole('searchbox', { name: 'Search tickets' })
  await user.type(search, 'lamp{Enter}')
  expect(window.location.search).toContain('search=lamp')
  expect(search).toHaveFocus()
  await user.click(screen.getByRole('button', { name: 'All' }))
  await waitFor(() =>
    expect(server.requestsTo(listAdminTickets).map(({ query }) => query)).toEqual([
      { status: 'open', limit: '20' },
      { status: 'open', search: 'lamp', limit: '20' },
      { search: 'lamp', limit: '20' },
    ]),
  )
})

test('a ticket shows the conversation, notes and deals; admins can reply, add notes and close it', async () => {
  const sent = { id: 3, author: null, createdAt: at }
  const server = openScreen('/admin/tickets/7', {
    user: admin.user,
    answers: [
      admin.isAdmin,
      answer(getAdminTicket, aTicket()),
      answer(listReplies, []),
      answer(answerTicket, { ...sent, kind: 'reply', content: 'It left today.' }),
      answer(noteTicket, { ...sent, kind: 'note', content: 'Paid on Monday.' }),
      answer(closeTicket, { ok: true }),
    ],
  })
  expect(await screen.findByText('Note by Root, only for admins')).toBeVisible()
  const deals = within(screen.getByRole('list', { name: 'Deals' }))
  expect(deals.getByRole('link', { name: 'A green lamp' })).toHaveAttribute('href', '/admin/deals/1')
  expect(deals.getByRole('link', { name: 'Open the dispute' })).toHaveAttribute(
    'href',
    '/admin/disputes?search=4F7K-Q2MX-9TB3',
  )

  await user.click(screen.getByRole('button', { name: 'Send Reply' }))
  expect(screen.getByText('Please write something first')).toBeVisible()
  await user.type(screen.getByLabelText('Reply or note'), 'It left today.')
  await user.click(screen.getByRole('button', { name: 'Send Reply' }))
  expect(await screen.findByText('Reply sent')).toBeVisible()
  await waitFor(() => expect(screen.getByLabelText('Reply or note')).toHaveValue(''))
  await user.type(screen.getByLabelText('Reply or note'), 'Paid on Monday.')
  await user.click(screen.getByRole('button', { name: 'Add Note' }))
  expect(await screen.findByText('Note added')).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Close Ticket' }))
  expect(await screen.findByText('Ticket closed')).toBeVisible()
  const params = { id: '7' }
  expect(server.requestsTo(answerTicket)).toEqual([{ params, body: { content: 'It left today.' } }])
  expect(server.requestsTo(noteTicket)).toEqual([{ params, body: { content: 'Paid on Monday.' } }])
  expect(server.requestsTo(closeTicket)).toEqual([{ params }])
})

test('a saved reply is inserted with the names of the deal, and a text with a placeholder is not sent', async () => {
  const text = 'Dear {seller}, {buyer} paid {amount} for {item} ({transaction}).'
  const replies = answer(listReplies, [{ id: 1, title: 'Paid', text, createdAt: at }])
  const insert = async () => {
    await user.click(await screen.findByRole('button', { name: 'Insert Saved Reply' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Paid' }))
    return screen.getByLabelText('Reply or note')
  }
  openScreen('/admin/tickets/7', {
    user: admin.user,
    answers: [admin.isAdmin, answer(getAdminTicket, aTicket()), replies],
  })
  expect(await insert()).toHaveValue(
    `Dear ${aSeller.name}, Cy Buyer paid $120.00 for A green lamp (4F7K-Q2MX-9TB3).`,
  )
  cleanup()
  const server = openScreen('/admin/tickets/7', {
    user: admin.user,
    answers: [admin.isAdmin, answer(getAdminTicket, aTicket({ payment: null })), replies],
  })
  expect(await insert()).toHaveValue(text)
  await user.click(screen.getByRole('button', { name: 'Send Reply' }))
  expect(screen.getByText('Please replace {seller}, {buyer}, {amount}, {item}, {transaction}')).toBeVisible()
  expect(server.requestsTo(answerTicket)).toEqual([])
})

test('the ticket of a visitor warns that the address is not verified', async () => {
  openScreen('/admin/tickets/7', {
    user: admin.user,
    answers: [
      admin.isAdmin,
      answer(getAdminTicket, aTicket({ person: null, payment: null, deals: [], status: 'closed' })),
      answer(listReplies, []),
    ],
  })
  expect(await screen.findByText(/Anyone can enter an address/)).toBeVisible()
  expect(screen.getByRole('button', { name: 'Reopen' })).toBeVisible()
  expect(screen.queryByRole('list', { name: 'Deals' })).not.toBeInTheDocument()
})

test('a missing ticket leads back to the list', async () => {
  openScreen('/admin/tickets/9', {
    user: admin.user,
    answers: [admin.isAdmin, refuse(getAdminTicket, 'ticket_not_found')],
  })
  expect(await screen.findByRole('heading', { name: 'Ticket not found' })).toBeVisible()
})
