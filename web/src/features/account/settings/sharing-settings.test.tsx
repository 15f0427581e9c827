import { getSharingSettings, updateSharingSettings } from '@sought/contract/messages'
import { getEmailSettings } from '@sought/contract/notifications'
import { screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { answer, refuse } from '../../../testing/fake-server.ts'
import { openScreen } from '../../../testing/open-screen.tsx'
import { aUser } from '../../../testing/samples.ts'

test('each switch is saved immediately, and a failure switches it back', async () => {
  const settings = { typing: true, presence: true, readReceipts: true }
  const server = openScreen('/profile?tab=settings', {
    user: aUser(),
    answers: [
      answer(getEmailSettings, { off: [] }),
      answer(getSharingSettings, settings),
      answer(updateSharingSettings, ({ body }) => body),
    ],
  })
  const receipts = await screen.findByRole('switch', { name: 'When I have read a message' })
  expect(receipts).toBeChecked()
  await userEvent.click(receipts)
  expect(receipts).not.toBeChecked()
  await waitFor(() =>
    expect(server.requestsTo(updateSharingSettings)).toEqual([
      { body: { ...settings, readReceipts: false } },
    ]),
  )
  server.add(refuse(updateSharingSettings, 'internal'))
  const typing = screen.getByRole('switch', { name: 'When I am typing' })
  await userEvent.click(typing)
  expect(await screen.findByText('Your change was not saved. Please try again.')).toBeVisible()
  await waitFor(() => expect(typing).toBeChecked())
})
