import { getSharingSettings } from '@sought/contract/messages'
import { getEmailSettings, updateEmailSettings } from '@sought/contract/notifications'
import { screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { answer, refuse } from '../../../testing/fake-server.ts'
import { openScreen } from '../../../testing/open-screen.tsx'
import { aUser } from '../../../testing/samples.ts'

test('a change that fails to save is undone and shows a toast', async () => {
  const server = openScreen('/profile?tab=settings', {
    user: aUser(),
    answers: [
      answer(getEmailSettings, { off: ['payment_held'] }),
      answer(getSharingSettings, { typing: true, presence: true, readReceipts: true }),
      refuse(updateEmailSettings, 'too_many'),
    ],
  })
  const held = await screen.findByRole('switch', { name: 'A payment is in escrow' })
  expect(held).not.toBeChecked()
  await userEvent.click(held)
  expect(await screen.findByText('Your change was not saved. Please try again.')).toBeVisible()
  await waitFor(() => expect(held).not.toBeChecked())
  expect(server.requestsTo(updateEmailSettings)).toEqual([{ body: { off: [] } }])
})
