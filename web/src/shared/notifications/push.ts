import { addPushSubscription, getPushKey, removePushSubscription } from '@sought/contract/push'
import { send } from '../../data/client.ts'

export const canPush = () =>
  'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window

/** Asks the browser for permission, so only call it after a click. Returns false if the user refuses. */
export async function subscribeToPush(): Promise<boolean> {
  if ((await Notification.requestPermission()) !== 'granted') return false
  const [{ publicKey }, { pushManager }] = await Promise.all([
    send(getPushKey, {}),
    navigator.serviceWorker.register('/sw.js').then(() => navigator.serviceWorker.ready),
  ])
  const options = { userVisibleOnly: true, applicationServerKey: publicKey }
  const subscription = await pushManager.subscribe(options).catch(async () => {
    // A subscription with an older key would block the new one.
    await (await pushManager.getSubscription())?.unsubscribe()
    return pushManager.subscribe(options)
  })
  const { endpoint = '', keys = {} } = subscription.toJSON()
  await send(addPushSubscription, {
    body: { endpoint, keys: { p256dh: keys.p256dh ?? '', auth: keys.auth ?? '' } },
  })
  return true
}

export async function unsubscribeFromPush(): Promise<void> {
  await send(removePushSubscription, {})
  const registration = await navigator.serviceWorker.getRegistration()
  await (await registration?.pushManager.getSubscription())?.unsubscribe()
}
