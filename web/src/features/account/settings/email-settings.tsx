import { type NotificationKind, notificationKinds } from '@sought/contract/notification-kinds'
import {
  getEmailSettings,
  type EmailSettings as Settings,
  updateEmailSettings,
} from '@sought/contract/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { getQueryKey, refreshAfter, useRead } from '../../../data/calls.ts'
import { send } from '../../../data/client.ts'
import { toast } from '../../../data/toasts.ts'
import { isUnauthenticated } from '../../../data/unauthenticated.ts'
import { Loaded } from '../../../shared/loading/loaded.tsx'
import { Skeleton } from '../../../ui/feedback/skeleton.tsx'
import { Switch } from '../../../ui/forms/switch.tsx'

const groups = [
  {
    title: 'Conversations and offers',
    kinds: ['message', 'offer_made', 'offer_accepted', 'offer_rejected', 'offer_countered'],
  },
  { title: 'Money', kinds: ['payment_held', 'delivery_confirmed', 'funds_released', 'escrow_ending'] },
  { title: 'Saved searches', kinds: ['search_match', 'search_digest'] },
  { title: 'Disputes', kinds: ['dispute_opened', 'dispute_answered', 'dispute_ruled'] },
] as const satisfies readonly { title: string; kinds: readonly NotificationKind[] }[]

/** A switch for each kind of email. Changes are saved immediately. */
export function EmailSettings() {
  const settings = useRead(getEmailSettings)
  const setEnabled = useSetEnabled()
  return (
    <Loaded query={settings} loading={<Skeleton className="h-96" />}>
      {({ off }) => (
        <div className="grid gap-7">
          {groups.map(({ title, kinds }) => (
            <fieldset key={title}>
              <legend className="mb-1 font-strong">{title}</legend>
              {kinds.map((kind) => (
                <Switch
                  key={kind}
                  label={notificationKinds[kind].label}
                  className="border-line border-t"
                  checked={!off.includes(kind)}
                  onChange={({ target }) => setEnabled(kind, target.checked)}
                />
              ))}
            </fieldset>
          ))}
        </div>
      )}
    </Loaded>
  )
}

/**
 * Shows a change immediately. Each request contains the whole list, and they are sent one after the other, so that
 * the last change wins.
 */
function useSetEnabled() {
  const cache = useQueryClient()
  const key = getQueryKey(getEmailSettings)
  const save = useMutation({
    mutationFn: (body: Settings) => send(updateEmailSettings, { body }),
    scope: { id: updateEmailSettings.path },
    onError: (error) => {
      if (isUnauthenticated(error)) return
      void refreshAfter(cache, updateEmailSettings)
      toast({
        title: 'Error',
        description: 'Your change was not saved. Please try again.',
        variant: 'destructive',
      })
    },
  })
  return (kind: NotificationKind, isEnabled: boolean) => {
    const current = cache.getQueryData<Settings>(key)?.off ?? []
    const others = current.filter((it) => it !== kind)
    const settings = { off: isEnabled ? others : [...others, kind] }
    cache.setQueryData(key, settings)
    save.mutate(settings)
  }
}
