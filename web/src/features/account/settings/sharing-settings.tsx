import {
  getSharingSettings,
  type SharingSettings as Settings,
  updateSharingSettings,
} from '@sought/contract/messages'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { getQueryKey, refreshAfter, useRead } from '../../../data/calls.ts'
import { send } from '../../../data/client.ts'
import { toast } from '../../../data/toasts.ts'
import { isUnauthenticated } from '../../../data/unauthenticated.ts'
import { Loaded } from '../../../shared/loading/loaded.tsx'
import { Skeleton } from '../../../ui/feedback/skeleton.tsx'
import { Switch } from '../../../ui/forms/switch.tsx'

const switches = [
  { name: 'typing', label: 'When I am typing' },
  { name: 'presence', label: 'When I am online and when I was last seen' },
  { name: 'readReceipts', label: 'When I have read a message' },
] as const satisfies readonly { name: keyof Settings; label: string }[]

/** What other people in conversations see. Changes are saved immediately. */
export function SharingSettings() {
  const settings = useRead(getSharingSettings)
  const change = useChangeSetting()
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
              onChange={({ target }) => change({ [name]: target.checked })}
            />
          ))}
        </div>
      )}
    </Loaded>
  )
}

/**
 * Shows a change immediately. Each request contains all settings, and they are sent one after the other, so that
 * the last change wins.
 */
function useChangeSetting() {
  const cache = useQueryClient()
  const key = getQueryKey(getSharingSettings)
  const save = useMutation({
    mutationFn: (body: Settings) => send(updateSharingSettings, { body }),
    scope: { id: updateSharingSettings.path },
    onError: (error) => {
      if (isUnauthenticated(error)) return
      void refreshAfter(cache, updateSharingSettings)
      toast({
        title: 'Error',
        description: 'Your change was not saved. Please try again.',
        variant: 'destructive',
      })
    },
  })
  return (change: Partial<Settings>) => {
    const current = cache.getQueryData<Settings>(key)
    if (!current) return
    const settings = { ...current, ...change }
    cache.setQueryData(key, settings)
    save.mutate(settings)
  }
}
