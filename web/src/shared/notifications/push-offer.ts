import { type ToastContent, toast, toastFailure } from '../../data/toasts.ts'

const OFFERED = 'push-offered'
const DURATION_MS = 15_000

/**
 * Offers push notifications in the toast after an action that another user will answer. The offer is made once per
 * browser, and only if the user has neither allowed nor blocked notifications. The browser asks only after the click.
 */
export function withPushOffer(content: ToastContent): ToastContent {
  if (!('PushManager' in window && 'Notification' in window)) return content
  if (Notification.permission !== 'default' || localStorage.getItem(OFFERED)) return content
  localStorage.setItem(OFFERED, 'yes')
  return {
    ...content,
    description: content.description ?? 'Do you want a notification when there is an answer?',
    action: { label: 'Notify me', onPress: () => void accept() },
    durationMs: DURATION_MS,
  }
}

async function accept(): Promise<void> {
  try {
    const { subscribeToPush } = await import('./push.ts')
    if (await subscribeToPush())
      toast({ title: 'Notifications are on', description: 'You can change this in your profile.' })
  } catch {
    toastFailure('Error', 'Notifications could not be switched on. Please try again in your profile.')
  }
}
