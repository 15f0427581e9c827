import { getSharingSettings } from '@sought/contract/messages'
import { getEmailSettings } from '@sought/contract/notifications'
import { getPhone, sendPhoneCode, verifyPhone } from '@sought/contract/phone'
import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { type Answer, answer, refuse } from '../../../testing/fake-server.ts'
import { openScreen } from '../../../testing/open-screen.tsx'
import { aUser } from '../../../testing/samples.ts'

const none = { phone: null, isVerified: false, isAvailable: true }

async function openPhone(...answers: Answer[]) {
  const others = [
    answer(getEmailSettings, { off: [] }),
    answer(getSharingSettings, { typing: true, presence: true, readReceipts: true }),
  ]
  const server = openScreen('/profile?tab=settings', { user: aUser(), answers: [...others, ...answers] })
  return { server, section: within(await screen.findByRole('region', { name: 'Verified phone' })) }
}

test('a code is sent to the number, and a wrong one can be corrected', async () => {
  let phone: { phone: string | null; isVerified: boolean; isAvailable: boolean } = none
  const { server, section } = await openPhone(
    answer(getPhone, () => phone),
    answer(sendPhoneCode, { ok: true }),
    refuse(verifyPhone, 'wrong_code'),
  )
  const number = await section.findByLabelText('Phone number')
  await userEvent.type(number, '012 345{Enter}')
  expect(await section.findByText(/Enter the number with its country code/)).toBeVisible()
  await userEvent.clear(number)
  await userEvent.type(number, '+60 12-345 6789{Enter}')
  await userEvent.type(await section.findByLabelText('Code from the text message'), '111111{Enter}')
  expect(await section.findByText(/This code is wrong/)).toBeVisible()
  expect(server.requestsTo(sendPhoneCode)).toMatchObject([{ body: { phone: '+60123456789' } }])

  phone = { phone: '+60123456789', isVerified: true, isAvailable: true }
  server.add(answer(verifyPhone, { ok: true }))
  const code = section.getByLabelText('Code from the text message')
  await userEvent.clear(code)
  await userEvent.type(code, '222222{Enter}')
  expect(await section.findByText('+60123456789')).toBeVisible()
  await userEvent.click(section.getByRole('button', { name: 'Verify another number' }))
  expect(await section.findByLabelText('Phone number')).toHaveValue('')
})

test('if phones cannot be verified here, the screen says so', async () => {
  const { section } = await openPhone(answer(getPhone, { ...none, isAvailable: false }))
  expect(await section.findByText('Phone numbers cannot be verified here at the moment.')).toBeVisible()
})
