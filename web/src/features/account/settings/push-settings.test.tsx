import { getSharingSettings } from '@sought/contract/messages'
import { getEmailSettings } from '@sought/contract/notifications'
import {
  addPushSubscription,
  getPushKey,
  getPushSettings,
  removePushSubscription,
  updatePushSettings,
} from '@sought/contract/push'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { withPushOffer } from '../../../shared/notifications/push-offer.ts'
import { answer } from '../../../testing/fake-server.ts'
import { openScreen } from '../../../testing/open-screen.tsx'
import { aUser } from '../../../testing/samples.ts'

const subscription = { endpoint: 'https://push.example/1', keys: { p256dh: 'key', auth: 'secret' } }

/** A browser that supports push notifications. */
function stubPush(answered: NotificationPermission, permission: NotificationPermission = 'default') {
  const stored = { toJSON: () => subscription, unsubscribe: vi.fn(async () => true) }
  const pushManager = { subscribe: vi.fn(async () => stored), getSubscription: async () => stored }
  const registration = { pushManager }
  const serviceWorker = {
    register: async () => registration,
    getRegistration: async () => registration,
    ready: Promise.resolve(registration),
  }
  vi.stubGlobal('PushManager', class {})
  vi.stubGlobal('Notification', { permission, requestPermission: async () => answered })
  vi.stubGlobal('navigator', Object.assign(Object.create(navigator), { serviceWorker }))
  return { pushManager, stored }
}

function openSettings(subscribed: boolean) {
  return openScreen('/profile?tab=settings', {
    user: aUser(),
    answers: [
      answer(getEmailSettings, { off: [] }),
      answer(getSharingSettings, { typing: true, presence: true, readReceipts: true }),
      answer(getPushSettings, { off: ['offers'], subscribed }),
      answer(getPushKey, { publicKey: 'our key' }),
      answer(addPushSubscription, { ok: true }),
      answer(removePushSubscription, { ok: true }),
      answer(updatePushSettings, ({ body }) => ({ ...body, subscribed })),
    ],
  })
}

const browserSwitch = () => screen.findByRole('switch', { name: /Notifications in this browser/ })

test('switching on subscribes this browser, and topics have their own switches', async () => {
  const { pushManager } = stubPush('granted')
  const server = openSettings(false)
  await userEvent.click(await browserSwitch())
  await waitFor(() => expect(server.requestsTo(addPushSubscription)).toEqual([{ body: subscription }]))
  expect(pushManager.subscribe).toHaveBeenCalledWith({
    userVisibleOnly: true,
    applicationServerKey: 'our key',
  })
  const topics = within(screen.getByRole('group', { name: 'In all your browsers' }))
  const offers = topics.getByRole('switch', { name: 'Offers and their answers' })
  expect(offers).not.toBeChecked()
  await userEvent.click(screen.getByRole('switch', { name: 'Messages' }))
  await waitFor(() =>
    expect(server.requestsTo(updatePushSettings)).toEqual([{ body: { off: ['offers', 'messages'] } }]),
  )
})

test('switching off removes the subscription from the server and the browser', async () => {
  const { stored } = stubPush('granted')
  const server = openSettings(true)
  await userEvent.click(await browserSwitch())
  await waitFor(() => expect(stored.unsubscribe).toHaveBeenCalled())
  expect(server.requestsTo(removePushSubscription)).toHaveLength(1)
})

test('a browser that blocks notifications shows how to allow them', async () => {
  stubPush('denied')
  const server = openSettings(false)
  await userEvent.click(await browserSwitch())
  expect(await screen.findByText('Notifications are blocked')).toBeVisible()
  expect(server.requestsTo(addPushSubscription)).toEqual([])
})

test('the settings show at once if the browser has blocked notifications or does not support them', async () => {
  stubPush('denied', 'denied')
  openSettings(true)
  expect(await browserSwitch()).not.toBeChecked()
  expect(screen.getByText(/^Blocked in this browser/)).toBeVisible()
  cleanup()
  vi.unstubAllGlobals()
  openSettings(false)
  expect(await screen.findByText(/does not support push notifications/)).toBeVisible()
})

test('notifications are offered once in a browser, and only if it supports them', () => {
  const sent = { title: 'Message sent!' }
  expect(withPushOffer(sent)).toEqual(sent)
  stubPush('granted')
  expect(withPushOffer(sent)).toMatchObject({ ...sent, action: { label: 'Notify me' } })
  expect(withPushOffer(sent)).toEqual(sent)
})
