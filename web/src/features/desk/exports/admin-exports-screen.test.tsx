import { getIsAdmin } from '@sought/contract/accounts'
import { createExport, getExport, listExports, retryExport } from '@sought/contract/exports'
import { screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import type * as z from 'zod/mini'
import { type Answer, answer } from '../../../testing/fake-server.ts'
import { openScreen } from '../../../testing/open-screen.tsx'
import { aSeller, aUser } from '../../../testing/samples.ts'

type Job = z.input<typeof createExport.reply>

const aJob = (changes: Partial<Job> = {}): Job => ({
  id: 5,
  kind: 'fees',
  year: 2026,
  status: 'running',
  progress: 0,
  url: null,
  requestedBy: aSeller,
  createdAt: '2026-11-16T09:00:00.000Z',
  endedAt: null,
  ...changes,
})

const openExports = (...answers: Answer[]) =>
  openScreen('/admin/exports', {
    user: aUser(),
    answers: [answer(getIsAdmin, { isAdmin: true, role: 'admin' }), ...answers],
  })

test('an export is started, shows its progress, and can be downloaded', { tags: ['proof'] }, async () => {
  const server = openExports(answer(listExports, []))
  expect(await screen.findByRole('heading', { name: 'No exports yet' })).toBeVisible()
  await userEvent.selectOptions(screen.getByLabelText('Content'), 'Fees')
  server.add(
    answer(createExport, aJob()),
    answer(listExports, [aJob()]),
    answer(getExport, aJob({ progress: 40 })),
  )
  await userEvent.click(screen.getByRole('button', { name: 'Create Export' }))
  expect(await screen.findByText('Running, 40%')).toBeVisible()
  expect(server.requestsTo(createExport)).toMatchObject([{ body: { kind: 'fees' } }])
  server.add(answer(getExport, aJob({ status: 'done', progress: 100, url: '/api/admin/exports/5/file' })))
  const link = await screen.findByRole('link', { name: /^Download CSV ?: Fees 2026$/ }, { timeout: 10_000 })
  expect(link).toHaveAttribute('href', '/api/admin/exports/5/file')
})

test('a failed export can be started again', async () => {
  const server = openExports(answer(listExports, [aJob({ status: 'failed' })]))
  const retry = await screen.findByRole('button', { name: 'Try Again' })
  server.add(answer(retryExport, aJob()), answer(listExports, [aJob()]), answer(getExport, aJob()))
  await userEvent.click(retry)
  expect(await screen.findByText('Running, 0%')).toBeVisible()
})
