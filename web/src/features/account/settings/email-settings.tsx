import { type NotificationKind, notificationKinds } from '@sought/contract/notification-kinds'
import { getEmailSettings, updateEmailSettings } from '@sought/contract/notifications'
import { useRead } from '../../../data/calls.ts'
import { send } from '../../../data/client.ts'
import { Loaded } from '../../../shared/loading/loaded.tsx'
import { Skeleton } from '../../../ui/feedback/skeleton.tsx'
import { Switch } from '../../../ui/forms/switch.tsx'
import { switchIn, useChangeSettings } from './use-change-settings.ts'

const groups = [
  {
    title: 'Conversations and offers',
    kinds: [
      'message',
      'offer_made',
      'offer_accepted',
      'offer_rejected',
      'offer_countered',
      'request_changed',
    ],
  },
  { title: 'Money', kinds: ['payment_held', 'delivery_confirmed', 'funds_released', 'escrow_ending'] },
  { title: 'Saved searches', kinds: ['search_match', 'search_digest'] },
  { title: 'Disputes', kinds: ['dispute_opened', 'dispute_answered', 'dispute_ruled'] },
] as const satisfies readonly { title: string; kinds: readonly NotificationKind[] }[]

/** A switch for each kind of email. Changes are saved immediately. */
export function EmailSettings() {
  const settings = useRead(getEmailSettings)
  const change = useChangeSettings(getEmailSettings, updateEmailSettings, (body) =>
    send(updateEmailSettings, { body }),
  )
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
                  onChange={({ target }) =>
                    change((all) => ({ off: switchIn(all.off, kind, target.checked) }))
                  }
                />
              ))}
            </fieldset>
          ))}
        </div>
      )}
    </Loaded>
  )
}
