import type { ReplyOf } from '@sought/contract/call'
import { listDevices, signOutDevice, signOutOtherDevices } from '@sought/contract/security'
import { MonitorSmartphone } from 'lucide-react'
import { useRead } from '../../../data/calls.ts'
import { explainFailure, useAction } from '../../../data/use-action.ts'
import { formatDateTime } from '../../../format/dates.ts'
import { formatRelativeTime } from '../../../format/relative-time.ts'
import { Loaded } from '../../../shared/loading/loaded.tsx'
import { Badge } from '../../../ui/display/badge.tsx'
import { Skeleton } from '../../../ui/feedback/skeleton.tsx'
import { Button } from '../../../ui/forms/button.tsx'
import { ConfirmDialog } from '../../../ui/overlays/confirm-dialog.tsx'

type Device = ReplyOf<typeof listDevices>[number]

const failure = explainFailure('Error', 'The device could not be signed out. Please try again.')

export function Devices() {
  const devices = useRead(listDevices)
  return (
    <Loaded query={devices} loading={<Skeleton className="h-20" />}>
      {(list) => (
        <div className="grid justify-items-start gap-5">
          <ul aria-label="Signed-in devices" className="w-full border-line border-b">
            {list.map((device) => (
              <DeviceRow key={device.id} device={device} />
            ))}
          </ul>
          {list.length > 1 && <SignOutOthers />}
        </div>
      )}
    </Loaded>
  )
}

function DeviceRow({ device }: { device: Device }) {
  const { run, isPending } = useAction(signOutDevice, {
    success: { title: 'Signed out', description: device.name },
    failure,
  })
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
            ` · last seen ${formatRelativeTime(new Date(device.seenAt), new Date()).toLowerCase()}`}
        </p>
      </div>
      {!device.isThisOne && (
        <Button
          variant="secondary"
          size="sm"
          busy={isPending}
          aria-label={`Sign out ${device.name}`}
          onClick={() => void run({ params: { id: device.id } })}
        >
          Sign Out
        </Button>
      )}
    </li>
  )
}

function SignOutOthers() {
  const { run } = useAction(signOutOtherDevices, {
    success: { title: 'Signed out', description: 'You are now signed in on this device only.' },
    failure,
  })
  return (
    <ConfirmDialog
      title="Sign out everywhere else?"
      description="All devices except this one will have to sign in again."
      confirmLabel="Sign Out All Others"
      onConfirm={() => run()}
      trigger={<Button variant="secondary">Sign Out All Others</Button>}
    />
  )
}
