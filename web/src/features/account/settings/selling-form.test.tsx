import { getSharingSettings } from '@sought/contract/messages'
import { getEmailSettings } from '@sought/contract/notifications'
import { updateSelling } from '@sought/contract/selling'
import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { answer } from '../../../testing/fake-server.ts'
import { openScreen } from '../../../testing/open-screen.tsx'
import { aUser } from '../../../testing/samples.ts'

test('keywords and categories can be added, removed and saved', async () => {
  const server = openScreen('/profile?tab=settings', {
    user: aUser({ selling: { keywords: ['radio'], categories: ['Music'] } }),
    answers: [
      answer(getEmailSettings, { off: [] }),
      answer(getSharingSettings, { typing: true, presence: true, readReceipts: true }),
      answer(updateSelling, ({ body: { keywords = [], categories = [] } }) => ({ keywords, categories })),
    ],
  })
  const form = within(await screen.findByRole('form', { name: 'What you sell' }))
  const field = form.getByLabelText('Keywords')
  await userEvent.type(field, 'a{Enter}')
  expect(form.getByText('Must be at least 2 characters')).toBeVisible()
  await userEvent.clear(field)
  await userEvent.type(field, 'brass lamp{Enter}')
  await userEvent.click(form.getByRole('button', { name: 'Remove radio' }))
  expect(form.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual(['brass lamp'])
  await userEvent.click(form.getByRole('button', { name: 'Music' }))
  await userEvent.click(form.getByRole('button', { name: 'Sports' }))
  await userEvent.type(field, 'sextant')
  await userEvent.click(form.getByRole('button', { name: 'Save' }))
  expect(await screen.findByText('Your home page shows the requests that match.')).toBeVisible()
  expect(server.requestsTo(updateSelling)).toEqual([
    { body: { keywords: ['brass lamp', 'sextant'], categories: ['Sports'] } },
  ])
})
