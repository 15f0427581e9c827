import { getUnsubscribe } from '@sought/contract/notifications'
import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { refuse } from '../../testing/fake-server.ts'
import { openScreen } from '../../testing/open-screen.tsx'

test('an invalid link shows a message', async () => {
  openScreen('/unsubscribe?token=wrong', { answers: [refuse(getUnsubscribe, 'link_expired')] })
  expect(await screen.findByRole('heading', { name: 'This link does not work' })).toBeVisible()
})
