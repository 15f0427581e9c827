import { getIsAdmin } from '@sought/contract/accounts'
import {
  type AdminAppeal,
  decideAppeal,
  listAppeals,
  listReplies,
  saveReply,
} from '@sought/contract/casework'
import { screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import type * as z from 'zod/mini'
import { type Answer, answer } from '../../../testing/fake-server.ts'
import { openScreen } from '../../../testing/open-screen.tsx'
import { aDispute, aUser } from '../../../testing/samples.ts'

const admin = aUser({ id: 'admin', name: 'Root Admin' })
const { buyer, seller } = aDispute()

const openDesk = (path: string, ...answers: Answer[]) =>
  openScreen(path, {
    user: admin,
    answers: [answer(getIsAdmin, { isAdmin: true, role: 'admin' }), ...answers],
  })

const anAppeal = (changes: Partial<z.input<typeof AdminAppeal>> = {}): z.input<typeof AdminAppeal> => ({
  id: 7,
  rank: 7,
  by: 'buyer',
  reason: 'It never arrived',
  createdAt: '2026-11-16T10:00:00.000Z',
  decision: null,
  note: null,
  decidedAt: null,
  paymentId: 1,
  title: 'A green lamp',
  transactionNumber: '4F7K-Q2MX-9TB3',
  currency: 'usd',
  buyer,
  seller,
  ruledAt: '2026-11-15T10:00:00.000Z',
  ruledBy: { ...seller, id: 'other', name: 'Other Admin' },
  ruling: 'release_seller',
  rulingNote: 'The tracking says delivered',
  amount: 12_000,
  refund: 0,
  payout: 11_262,
  stake: 12_000,
  decidedBy: null,
  ...changes,
})

test('an appeal is granted with a reason, after a confirmation that shows what the platform pays', async () => {
  const server = openDesk(
    '/admin/appeals',
    answer(listAppeals, [anAppeal()]),
    answer(decideAppeal, anAppeal({ decision: 'overturn' })),
  )
  const card = within(await screen.findByRole('article', { name: 'Appeal #7' }))
  for (const text of ['It never arrived', 'The tracking says delivered', '$112.62'])
    expect(card.getByText(text)).toBeVisible()
  await userEvent.click(card.getByRole('button', { name: 'Overturn' }))
  const dialog = within(await screen.findByRole('alertdialog'))
  await userEvent.click(dialog.getByRole('button', { name: 'Overturn and Pay $120.00' }))
  expect(dialog.getByText('Please give a reason')).toBeVisible()
  await userEvent.type(dialog.getByLabelText('Reason'), 'The carrier lost it')
  await userEvent.click(dialog.getByRole('button', { name: 'Overturn and Pay $120.00' }))
  await waitFor(() =>
    expect(server.requestsTo(decideAppeal)).toMatchObject([
      { body: { decision: 'overturn', note: 'The carrier lost it' } },
    ]),
  )
})

test('the admin who ruled cannot decide the appeal', async () => {
  openDesk('/admin/appeals', answer(listAppeals, [anAppeal({ ruledBy: { ...buyer, id: 'admin' } })]))
  expect(await screen.findByText('You made this ruling. Another admin must decide.')).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Overturn' })).not.toBeInTheDocument()
})

test('a saved reply with an unknown placeholder is refused before it is sent', async () => {
  const server = openDesk(
    '/admin/replies',
    answer(listReplies, []),
    answer(saveReply, { id: 1, title: 'Photos', text: 'Dear', createdAt: '2026-11-16T10:00:00.000Z' }),
  )
  expect(await screen.findByText('No saved replies')).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: 'New Reply' }))
  const dialog = within(await screen.findByRole('dialog'))
  await userEvent.type(dialog.getByLabelText('Title'), 'Photos')
  await userEvent.type(dialog.getByLabelText('Text'), 'Dear {{byer}')
  await userEvent.click(dialog.getByRole('button', { name: 'Save Reply' }))
  expect(dialog.getByText('There is no placeholder {byer}')).toBeVisible()
  await userEvent.clear(dialog.getByLabelText('Text'))
  await userEvent.type(dialog.getByLabelText('Text'), 'Dear {{buyer}')
  await userEvent.click(dialog.getByRole('button', { name: 'Save Reply' }))
  await waitFor(() =>
    expect(server.requestsTo(saveReply)).toMatchObject([{ body: { title: 'Photos', text: 'Dear {buyer}' } }]),
  )
})
