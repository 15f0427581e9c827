import type { ReplyOf } from '@sought/contract/call'
import { listDevices, signOutDevice, signOutOtherDevices } from '@sought/contract/security'
import { MonitorSmartphone } from 'lucide-react'
import { useState } from 'react'
import { useRead, useSend } from '../../lib/calls.ts'
import type { CallError } from '../../lib/client.ts'
import { formatDateTime } from '../../lib/dates.ts'
import { Loaded } from '../../lib/loaded.tsx'
import { relativeTime } from '../../lib/relative-time.ts'
import { toast } from '../../lib/toasts.ts'
import { useSessionEnded } from '../../lib/use-session-ended.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'

type Device = ReplyOf<typeof listDevices>[number]

export function Devices() {
  const devices = useRead(listDevices, undefined, { staleMs: 0 })
  return (
    <Loaded query={devices} loading={<Skeleton className="h-20" />}>
      {(all) => (
        <div className="grid justify-items-start gap-5">
          <ul aria-label="Signed-in devices" className="w-full border-line border-b">
            {all.map((device) => (
              <DeviceLine key={device.id} device={device} />
            ))}
          </ul>
          {all.length > 1 && <SignOutOthers />}
        </div>
      )}
    </Loaded>
  )
}

function DeviceLine({ device }: { device: Device }) {
  const send = useSend(signOutDevice, { refreshes: [listDevices] })
  const failed = useFailed()
  const signOut = () =>
    send.mutate(
      { params: { id: device.id } },
      {
        onSuccess: () => toast({ title: 'Signed out', description: device.name }),
        onError: failed,
      },
    )
  return (
    <li className="flex items-center gap-4 border-line border-t py-3">
      <MonitorSmartphone aria-hidden="true" className="size-5 shrink-0 text-ink-soft" />
      <div className="grid min-w-0 grow gap-0.5">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <span className="font-strong">{device.name}</span>
          {device.isThisOne && <Badge tone="accent">This device</Badge>}
        </p>
        <p className="text-fine text-ink-soft">
          Signed in {formatDateTime(device.signedInAt)}
          {!device.isThisOne &&
            ` · last seen ${relativeTime(new Date(device.seenAt), new Date()).toLowerCase()}`}
        </p>
      </div>
      {!device.isThisOne && (
        <Button
          variant="secondary"
          size="sm"
          busy={send.isPending}
          aria-label={`Sign out ${device.name}`}
          onClick={signOut}
        >
          Sign Out
        </Button>
      )}
    </li>
  )
}

function SignOutOthers() {
  const [asking, setAsking] = useState(false)
  const send = useSend(signOutOtherDevices, { refreshes: [listDevices] })
  const failed = useFailed()
  const signOut = () =>
    send.mutate(
      {},
      {
        onSuccess: () =>
          toast({ title: 'Signed out', description: 'You are signed in on this device alone.' }),
        onError: failed,
        onSettled: () => setAsking(false),
      },
    )
  return (
    <ConfirmDialog
      title="Sign out everywhere else?"
      description="Every device but this one will have to sign in again."
      confirmLabel="Sign Out All Others"
      busy={send.isPending}
      open={asking}
      onOpenChange={setAsking}
      onConfirm={signOut}
      trigger={<Button variant="secondary">Sign Out All Others</Button>}
    />
  )
}

function useFailed() {
  const sessionEnded = useSessionEnded()
  return (error: CallError) => {
    if (sessionEnded(error)) return
    toast({
      title: 'Error',
      description: error.userMessage ?? 'That did not work. Please try again.',
      variant: 'destructive',
    })
  }
}
