import type { NotificationKind } from '@sought/contract/notification-kinds'
import {
  getEmailSettings,
  type EmailSettings as Settings,
  updateEmailSettings,
} from '@sought/contract/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { queryKeyOf, refresh, useRead } from '../../lib/calls.ts'
import { send } from '../../lib/client.ts'
import { emailKindLabels } from '../../lib/email-kinds.ts'
import { Loaded } from '../../lib/loaded.tsx'
import { toast } from '../../lib/toasts.ts'
import { isUnauthenticated } from '../../lib/unauthenticated.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Switch } from '../../ui/switch.tsx'

const groups = [
  {
    title: 'Conversations and offers',
    kinds: ['message', 'offer_made', 'offer_accepted', 'offer_rejected', 'offer_countered'],
  },
  { title: 'Money', kinds: ['payment_held', 'delivery_confirmed', 'funds_released', 'escrow_ending'] },
  { title: 'Disputes', kinds: ['dispute_opened', 'dispute_answered', 'dispute_ruled'] },
] as const satisfies readonly { title: string; kinds: readonly NotificationKind[] }[]

/** A switch for each kind of mail, saved as soon as it is pressed. */
export function EmailSettings() {
  const settings = useRead(getEmailSettings, undefined, { staleMs: 0 })
  const turn = useTurn()
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
                  label={emailKindLabels[kind]}
                  className="border-line border-t"
                  checked={!off.includes(kind)}
                  onChange={({ target }) => turn(kind, target.checked)}
                />
              ))}
            </fieldset>
          ))}
        </div>
      )}
    </Loaded>
  )
}

/** Shows the change at once and sends the whole list after it, one at a time, so that the last press wins. */
function useTurn() {
  const cache = useQueryClient()
  const key = queryKeyOf(getEmailSettings)
  const save = useMutation({
    mutationFn: (body: Settings) => send(updateEmailSettings, { body }),
    scope: { id: updateEmailSettings.path },
    onError: (error) => {
      if (isUnauthenticated(error)) return
      void refresh(cache, [getEmailSettings])
      toast({
        title: 'Error',
        description: 'Your change was not saved. Please try again.',
        variant: 'destructive',
      })
    },
  })
  return (kind: NotificationKind, on: boolean) => {
    const before = cache.getQueryData<Settings>(key)?.off ?? []
    const others = before.filter((it) => it !== kind)
    const settings = { off: on ? others : [...others, kind] }
    cache.setQueryData(key, settings)
    save.mutate(settings)
  }
}
