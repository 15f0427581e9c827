import type { PushTopic } from '@sought/contract/notification-kinds'
import { getPushSettings, updatePushSettings } from '@sought/contract/push'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { refreshAfter, useRead } from '../../../data/calls.ts'
import { send } from '../../../data/client.ts'
import { toastFailure } from '../../../data/toasts.ts'
import { isUnauthenticated } from '../../../data/unauthenticated.ts'
import { Loaded } from '../../../shared/loading/loaded.tsx'
import { MarketName } from '../../../shared/market/market-name.tsx'
import { canPush, subscribeToPush, unsubscribeFromPush } from '../../../shared/notifications/push.ts'
import { Skeleton } from '../../../ui/feedback/skeleton.tsx'
import { Switch } from '../../../ui/forms/switch.tsx'
import { showNotSaved, switchIn, useChangeSettings } from './use-change-settings.ts'

const topics = [
  ['messages', 'Messages'],
  ['offers', 'Offers and their answers'],
  ['payments', 'Payments, deliveries and disputes'],
  ['alerts', 'Saved searches and your requests'],
] as const satisfies readonly (readonly [PushTopic, string])[]

const HOW_TO_UNBLOCK = 'Allow notifications for this site in the settings of your browser, then try again.'

/** The user has refused, and the browser will not ask again. */
const isBlocked = () => Notification.permission === 'denied'

export function PushSettings() {
  if (canPush()) return <Switches />
  return (
    <p className="text-ink-soft">
      This browser does not support push notifications. On an iPhone or iPad, add <MarketName /> to the home
      screen first.
    </p>
  )
}

/** Whether this browser gets push notifications, and a switch for each topic. Changes are saved immediately. */
function Switches() {
  const settings = useRead(getPushSettings)
  const setSubscribed = useSetSubscribed()
  const change = useChangeSettings(getPushSettings, updatePushSettings, ({ off }) =>
    send(updatePushSettings, { body: { off } }),
  )
  return (
    <Loaded query={settings} loading={<Skeleton className="h-72" />}>
      {({ off, subscribed }) => (
        <div className="grid gap-7">
          <Switch
            label="Notifications in this browser"
            hint={isBlocked() ? `Blocked in this browser. ${HOW_TO_UNBLOCK}` : 'They stop when you sign out.'}
            checked={subscribed && !isBlocked()}
            disabled={setSubscribed.isPending}
            onChange={({ target }) => setSubscribed.mutate(target.checked)}
          />
          <fieldset>
            <legend className="mb-1 font-strong">In all your browsers</legend>
            {topics.map(([topic, label]) => (
              <Switch
                key={topic}
                label={label}
                className="border-line border-t"
                checked={!off.includes(topic)}
                onChange={({ target }) =>
                  change((all) => ({ ...all, off: switchIn(all.off, topic, target.checked) }))
                }
              />
            ))}
          </fieldset>
        </div>
      )}
    </Loaded>
  )
}

function useSetSubscribed() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: async (isWanted: boolean) => {
      if (!isWanted) return unsubscribeFromPush()
      if (await subscribeToPush()) return
      toastFailure('Notifications are blocked', HOW_TO_UNBLOCK)
    },
    onError: (error) => {
      if (!isUnauthenticated(error)) showNotSaved()
    },
    onSettled: () => refreshAfter(cache, updatePushSettings),
  })
}
