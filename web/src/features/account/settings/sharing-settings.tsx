import {
  getSharingSettings,
  type SharingSettings as Settings,
  updateSharingSettings,
} from '@sought/contract/messages'
import { useRead } from '../../../data/calls.ts'
import { send } from '../../../data/client.ts'
import { Loaded } from '../../../shared/loading/loaded.tsx'
import { Skeleton } from '../../../ui/feedback/skeleton.tsx'
import { Switch } from '../../../ui/forms/switch.tsx'
import { useChangeSettings } from './use-change-settings.ts'

const switches = [
  { name: 'typing', label: 'When I am typing' },
  { name: 'presence', label: 'When I am online and when I was last seen' },
  { name: 'readReceipts', label: 'When I have read a message' },
] as const satisfies readonly { name: keyof Settings; label: string }[]

/** What other people in conversations see. Changes are saved immediately. */
export function SharingSettings() {
  const settings = useRead(getSharingSettings)
  const change = useChangeSettings(getSharingSettings, updateSharingSettings, (body) =>
    send(updateSharingSettings, { body }),
  )
  return (
    <Loaded query={settings} loading={<Skeleton className="h-34" />}>
      {(current) => (
        <div>
          {switches.map(({ name, label }) => (
            <Switch
              key={name}
              label={label}
              className="border-line border-t"
              checked={current[name]}
              onChange={({ target }) => change((all) => ({ ...all, [name]: target.checked }))}
            />
          ))}
        </div>
      )}
    </Loaded>
  )
}
