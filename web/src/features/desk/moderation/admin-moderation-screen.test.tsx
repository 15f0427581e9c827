import { getIsAdmin } from '@sought/contract/accounts'
import type { StaffRole } from '@sought/contract/call'
import {
  claimCase,
  decideCase,
  decideCases,
  listModerationCases,
  type ModerationCase,
} from '@sought/contract/moderation'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import type * as z from 'zod/mini'
import { type Answer, answer, dropConnection, neverAnswer, refuse } from '../../../testing/fake-server.ts'
import { openScreen } from '../../../testing/open-screen.tsx'
import { aSeller, aUser } from '../../../testing/samples.ts'

const user = userEvent.setup()
const at = '2026-11-15T12:00:00.000Z'
const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString()
const moderator = {
  id: '0192d3a0-0000-7000-8000-000000000009',
  name: 'Mona Moderator',
  rating: 0,
  profileImageUrl: null,
}

function aCase(changes: Partial<z.input<typeof ModerationCase>> = {}): z.input<typeof ModerationCase> {
  return {
    id: 7,
    kind: 'request',
    targetId: '3',
    severity: 3,
    status: 'open',
    appeal: null,
    reports: [
      { reason: 'scam', note: 'Asks for gift cards', by: aSeller, createdAt: at },
      { reason: 'spam', note: null, by: null, createdAt: at },
    ],
    content: {
      title: 'Cheap gift cards',
      text: 'Send me the codes first.',
      pictures: [],
      path: '/item/3',
      isHidden: false,
      context: [],
    },
    person: {
      user: { ...aSeller, id: '0192d3a0-0000-7000-8000-000000000003', name: 'Carl Seller' },
      memberSince: at,
      completedDeals: 4,
      lostDisputes: 1,
      reports: 2,
      decisions: [
        { id: 1, action: 'warn', kind: 'message', reason: 'Asked for cash', until: null, createdAt: at },
      ],
      isRestricted: true,
      isSuspended: false,
      related: [{ user: { ...aSeller, name: 'Dora Double' }, shares: ['card', 'device'] }],
    },
    claim: null,
    createdAt: at,
    ...changes,
  }
}

const lamp = aCase({
  id: 8,
  severity: 1,
  content: {
    title: null,
    text: 'Buy my lamp',
    pictures: [],
    path: null,
    isHidden: false,
    context: [
      { by: aUser(), text: 'Hello', isReported: false, createdAt: at },
      { by: aSeller, text: 'Buy my lamp', isReported: true, createdAt: '2026-11-15T12:01:00.000Z' },
    ],
  },
  kind: 'message',
})
const mine = () => ({ by: moderator, isMine: true, until: inAnHour() })

const openQueue = (path = '/admin/moderation', role: StaffRole = 'moderator', ...answers: Answer[]) =>
  openScreen(path, {
    user: aUser(),
    answers: [
      answer(getIsAdmin, { isAdmin: role === 'admin', role }),
      answer(listModerationCases, [aCase(), lamp]),
      answer(claimCase, ({ params }) => ({ ...(params.id === '8' ? lamp : aCase()), claim: mine() })),
      ...answers,
    ],
  })

const openCase = async (name = 'Case #7') => within(await screen.findByRole('article', { name }))

test('moderators see only the queue of the desk, and opening a case claims it', async () => {
  const server = openQueue()
  const list = within(await screen.findByRole('list', { name: 'Cases' }))
  expect(list.getAllByRole('link').map((it) => it.textContent)).toEqual(['Cheap gift cards', 'Buy my lamp'])
  expect(list.getAllByRole('listitem')[0]).toHaveTextContent('High')
  expect(list.getAllByRole('listitem')[0]).toHaveTextContent('Carl Seller · Scam or fraud, Spam · 2 reports')
  expect(within(screen.getByRole('navigation', { name: 'Admin pages' })).getAllByRole('link')).toHaveLength(1)
  expect(document.title).toBe('Moderation · Sought')

  await user.click(list.getByRole('link', { name: 'Cheap gift cards' }))
  const open = await openCase()
  expect(server.requestsTo(claimCase)).toEqual([{ params: { id: '7' } }])
  expect(open.getByText(/^Claimed by you until \d/)).toBeVisible()
  expect(open.getByRole('region', { name: 'Content' })).toHaveTextContent('Send me the codes first.')
  expect(open.getByRole('link', { name: 'Open the page' })).toHaveAttribute('href', '/item/3')
  const reports = within(open.getByRole('list', { name: 'Reports' })).getAllByRole('listitem')
  expect(reports[0]).toHaveTextContent('Asks for gift cards')
  expect(reports[0]).toHaveTextContent('By Bob Tester')
  expect(reports[1]).toHaveTextContent('By our automatic checks')
  const person = open.getByRole('region', { name: 'Person' })
  for (const text of ['Carl Seller', 'Restricted', 'Completed deals4', 'Lost disputes1', 'Asked for cash'])
    expect(person).toHaveTextContent(text)
  expect(person).toHaveTextContent('Dora Double same card and device')
  expect(within(person).getByRole('link', { name: 'Carl Seller' }).getAttribute('href')).toMatch(/^\/user\//)
})

test('the people of a case link to their page of the desk, for admins', async () => {
  openQueue('/admin/moderation?case=7', 'admin')
  const person = within((await openCase()).getByRole('region', { name: 'Person' }))
  for (const name of ['Carl Seller', 'Dora Double'])
    expect(person.getByRole('link', { name }).getAttribute('href')).toMatch(/^\/admin\/people\//)
})

test('a decision needs a reason, which can be a saved one, and shows the text that the person will read', async () => {
  const server = openQueue('/admin/moderation?case=7')
  const open = await openCase()
  await user.click(open.getByRole('button', { name: 'Decide' }))
  expect(open.getByText('Please choose an action')).toBeVisible()
  expect(open.getByText('Please write a reason')).toBeVisible()

  await user.click(open.getByRole('radio', { name: /^Suspend/ }))
  await user.selectOptions(open.getByLabelText('Saved reasons'), 'Attempted fraud')
  await user.selectOptions(open.getByLabelText('How long'), 'Until a date')
  await user.click(open.getByRole('button', { name: 'Suspend' }))
  expect(open.getByText('Please choose a day in the future')).toBeVisible()
  await user.type(open.getByLabelText('Last day'), '2126-11-20')
  const preview = open.getByRole('region', { name: 'Preview' })
  expect(preview).toHaveTextContent('What Carl Seller will read')
  expect(preview).toHaveTextContent(
    'We suspended your account until November 20, 2126 because of your request “Cheap gift cards”.',
  )
  expect(preview).toHaveTextContent('take money from them outside escrow')
  await user.click(open.getByRole('radio', { name: /^Dismiss/ }))
  expect(open.queryByRole('region', { name: 'Preview' })).not.toBeInTheDocument()
  await user.click(open.getByRole('radio', { name: /^Hide/ }))
  await user.clear(open.getByLabelText('Reason'))
  await user.type(open.getByLabelText('Reason'), ' Gift cards ')

  server.add(answer(decideCase, { ...aCase(), status: 'decided' }), answer(listModerationCases, [lamp]))
  await user.click(open.getByRole('button', { name: 'Hide' }))
  expect(await screen.findByText('Case #7 decided. 1 left.')).toBeInTheDocument()
  expect(server.requestsTo(decideCase)).toEqual([
    { params: { id: '7' }, body: { action: 'hide', reason: 'Gift cards' } },
  ])
  expect(screen.queryByRole('article')).not.toBeInTheDocument()
  expect(screen.getByRole('link', { name: 'Buy my lamp' })).toHaveFocus()
})

test('restrictions end after the chosen days or never', async () => {
  const server = openQueue(
    '/admin/moderation?case=7',
    'admin',
    answer(decideCase, aCase({ status: 'decided' })),
  )
  const open = await openCase()
  await user.click(open.getByRole('radio', { name: /^Restrict/ }))
  await user.selectOptions(open.getByLabelText('How long'), 'Permanently')
  await user.type(open.getByLabelText('Reason'), 'Spam')
  expect(open.getByRole('region', { name: 'Preview' })).toHaveTextContent(
    'We restricted your account permanently',
  )
  await user.selectOptions(open.getByLabelText('How long'), '30 days')
  const before = Date.now()
  await user.click(open.getByRole('button', { name: 'Restrict' }))
  await waitFor(() => expect(server.requestsTo(decideCase)).toHaveLength(1))
  const until = new Date(server.requestsTo(decideCase)[0]?.body.until ?? '').getTime()
  expect(until).toBeGreaterThanOrEqual(before + 30 * 86_400_000 - 60_000)
  expect(until).toBeLessThan(before + 31 * 86_400_000)
})

test('appeals are granted or rejected', async () => {
  const appeal = { decisionId: 1, text: 'They were my own cards.', createdAt: at }
  const server = openQueue(
    '/admin/moderation?case=7',
    'moderator',
    answer(claimCase, aCase({ appeal, reports: [], claim: mine() })),
    answer(decideCase, aCase({ status: 'decided' })),
  )
  const open = await openCase()
  expect(open.getByRole('region', { name: 'Appeal' })).toHaveTextContent(
    'Warning: Asked for cashThey were my own cards.',
  )
  expect(open.getAllByRole('radio').map((it) => (it as HTMLInputElement).value)).toEqual([
    'restore',
    'dismiss',
  ])
  await user.click(open.getByRole('radio', { name: /^Grant the appeal/ }))
  await user.type(open.getByLabelText('Reason'), 'You are right')
  expect(open.getByRole('region', { name: 'Preview' })).toHaveTextContent('Your appeal was granted.')
  await user.click(open.getByRole('button', { name: 'Grant the appeal' }))
  await waitFor(() =>
    expect(server.requestsTo(decideCase)[0]?.body).toEqual({ action: 'restore', reason: 'You are right' }),
  )
})

test('a case that another moderator has claimed is shown without the form', async () => {
  const theirs = { by: moderator, isMine: false, until: inAnHour() }
  openQueue(
    '/admin/moderation?case=7',
    'moderator',
    answer(listModerationCases, [aCase({ claim: theirs })]),
    refuse(claimCase, 'case_claimed'),
  )
  const open = await openCase()
  expect(open.getByText('Another moderator is working on this case.')).toBeVisible()
  expect(await open.findByText(/^Claimed by Mona Moderator until /)).toBeVisible()
  expect(await open.findByText('Send me the codes first.')).toBeVisible()
  expect(open.queryByRole('form')).not.toBeInTheDocument()
  expect(open.getByRole('link', { name: 'Back to the Queue' })).toHaveAttribute('href', '/admin/moderation')
})

test('a case that was decided in the meantime shows this and removes the form', async () => {
  openQueue('/admin/moderation?case=7', 'moderator', refuse(decideCase, 'case_decided'))
  const open = await openCase()
  await user.click(open.getByRole('radio', { name: /^Warn/ }))
  await user.type(open.getByLabelText('Reason'), 'Spam')
  await user.click(open.getByRole('button', { name: 'Warn' }))
  expect(await open.findByText('This case has already been decided.')).toBeVisible()
  expect(open.queryByRole('form')).not.toBeInTheDocument()
})

test('an expired claim can be renewed', async () => {
  const ended = { by: moderator, isMine: true, until: new Date(Date.now() - 1000).toISOString() }
  const server = openQueue(
    '/admin/moderation?case=7',
    'moderator',
    answer(claimCase, aCase({ claim: ended })),
  )
  const open = await openCase()
  await open.findByText('Your claim has ended')
  server.add(answer(claimCase, aCase({ claim: mine() })))
  await user.click(open.getByRole('button', { name: 'Claim Again' }))
  expect(await open.findByText(/^Claimed by you until /)).toBeVisible()
})

test('several cases are decided at once, and those that failed are listed', async () => {
  const server = openQueue()
  await user.click(await screen.findByRole('checkbox', { name: 'Select all' }))
  await user.click(screen.getByRole('button', { name: 'Decide 2 cases' }))
  const dialog = within(await screen.findByRole('dialog'))
  await user.click(dialog.getByRole('radio', { name: /^Hide/ }))
  await user.selectOptions(dialog.getByLabelText('Saved reasons'), 'Spam')
  server.add(
    answer(decideCases, { decided: [8], refused: [{ id: 7, code: 'case_claimed' }] }),
    answer(listModerationCases, [aCase()]),
  )
  await user.click(dialog.getByRole('button', { name: 'Decide All' }))
  const notDecided = await screen.findByRole('list', { name: 'Not decided' })
  expect(notDecided).toHaveTextContent('Case #7')
  expect(notDecided).toHaveTextContent('Another moderator is working on this case.')
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
  expect(server.requestsTo(decideCases)[0]?.body).toEqual({
    ids: [7, 8],
    action: 'hide',
    reason: expect.stringContaining('advertising'),
  })
  expect(screen.getByRole('checkbox', { name: 'Select all' })).not.toBeChecked()
})

test('everything can be done with the keyboard, except while typing', async () => {
  const server = openQueue()
  await screen.findByRole('list', { name: 'Cases' })
  await user.keyboard('j')
  expect(screen.getByRole('link', { name: 'Cheap gift cards' })).toHaveFocus()
  await user.keyboard('{ArrowDown}')
  expect(screen.getByRole('link', { name: 'Buy my lamp' })).toHaveFocus()
  await user.keyboard('x')
  expect(screen.getByRole('checkbox', { name: 'Select case #8' })).toBeChecked()
  expect(screen.getByText('1 selected', { selector: '[role=status]' })).toBeInTheDocument()
  await user.keyboard('xk')
  expect(screen.getByRole('checkbox', { name: 'Select case #8' })).not.toBeChecked()
  await user.keyboard('{Enter}')
  const open = await openCase()
  await waitFor(() => expect(open.getByRole('heading', { name: 'Case #7' })).toHaveFocus())
  await user.keyboard('3')
  expect(open.getByRole('radio', { name: /^Warn/ })).toBeChecked()
  expect(open.getByLabelText('Reason')).toHaveFocus()
  await user.keyboard('jx1?')
  expect(open.getByLabelText('Reason')).toHaveValue('jx1?')
  expect(open.getByRole('radio', { name: /^Warn/ })).toBeChecked()
  open.getByRole('heading', { name: 'Case #7' }).focus()
  await user.keyboard('{Escape}')
  expect(screen.queryByRole('article')).not.toBeInTheDocument()

  await user.keyboard('?')
  const help = within(await screen.findByRole('dialog', { name: 'Keyboard shortcuts' }))
  await user.click(help.getByRole('switch', { name: 'Use keyboard shortcuts' }))
  await user.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
  await user.keyboard('x')
  for (const box of screen.getAllByRole('checkbox')) expect(box).not.toBeChecked()
  expect(server.requestsTo(claimCase)).toHaveLength(1)
})

test('choosing an action with a key focuses the reason at once, so that no letter is lost', async () => {
  openQueue('/admin/moderation?case=7')
  const open = await openCase()
  await waitFor(() => expect(open.getByRole('heading', { name: 'Case #7' })).toHaveFocus())
  fireEvent.keyDown(document.body, { key: '3' })
  expect(open.getByLabelText('Reason')).toHaveFocus()
})

test('the queue can be empty, loading, filtered or failed', async () => {
  const server = openQueue('/admin/moderation', 'moderator', answer(listModerationCases, []))
  expect(await screen.findByText('No open cases')).toBeVisible()
  server.add(answer(listModerationCases, ({ query }) => (query.kind === 'message' ? [lamp] : [])))
  await user.selectOptions(screen.getByLabelText('Kind'), 'Messages')
  expect(await screen.findByRole('link', { name: 'Buy my lamp' })).toBeVisible()
  server.add(dropConnection(listModerationCases))
  await user.selectOptions(screen.getByLabelText('Kind'), 'Reviews')
  expect(await screen.findByRole('button', { name: 'Try Again' })).toBeVisible()
  server.add(neverAnswer(listModerationCases))
  await user.selectOptions(screen.getByLabelText('Kind'), 'Pictures')
  expect(await screen.findByRole('status', { name: 'Loading cases' })).toBeVisible()
})

test('unknown cases show a message', async () => {
  openQueue('/admin/moderation?case=99', 'moderator', refuse(claimCase, 'case_not_found'))
  expect(await screen.findByText('This case could not be found.')).toBeVisible()
})

test.each([
  ['finance', '/admin/moderation'],
  ['finance', '/admin/disputes'],
  ['moderator', '/admin/payouts'],
  ['moderator', '/admin/refunds'],
  ['moderator', '/admin/disputes'],
] as const)('%s cannot open %s', async (role, path) => {
  openScreen(path, { user: aUser(), answers: [answer(getIsAdmin, { isAdmin: false, role })] })
  expect(await screen.findByRole('heading', { name: 'Access Denied' })).toBeVisible()
})
