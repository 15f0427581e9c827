import type { CurrentUser } from '@sought/contract/accounts'
import { listOwnAuditLog, type OwnAuditEntry } from '@sought/contract/audit'
import type { ReplyOf } from '@sought/contract/call'
import { getConfig } from '@sought/contract/platform'
import {
  downloadOwnData,
  forgotPassword,
  listDevices,
  signOutDevice,
  signOutOtherDevices,
} from '@sought/contract/security'
import { Download, MonitorSmartphone } from 'lucide-react'
import { useRead, useReadPages } from '../../../data/calls.ts'
import { explainFailure, useAction } from '../../../data/use-action.ts'
import { formatDateTime } from '../../../format/dates.ts'
import { formatRelativeTime } from '../../../format/relative-time.ts'
import { nameOfAction } from '../../../shared/audit/audit-actions.ts'
import { Loaded } from '../../../shared/loading/loaded.tsx'
import { PagedList } from '../../../shared/loading/paged-list.tsx'
import { useMarket } from '../../../shared/market/market.ts'
import { ConfirmedDownload } from '../../../shared/sign-in/confirmed-download.tsx'
import { GoogleLogo } from '../../../shared/sign-in/google-logo.tsx'
import { Badge } from '../../../ui/display/badge.tsx'
import { Notice } from '../../../ui/feedback/notice.tsx'
import { Skeleton } from '../../../ui/feedback/skeleton.tsx'
import { Button } from '../../../ui/forms/button.tsx'
import { ConfirmDialog } from '../../../ui/overlays/confirm-dialog.tsx'
import { Section } from '../section.tsx'
import { DeleteAccount } from './delete-account.tsx'
import { PasswordForm } from './password-form.tsx'
import { SecondFactors } from './second-factors.tsx'

export function SecurityTab({ user }: { user: CurrentUser }) {
  return (
    <>
      <Section title="Password" description="Changing it signs you out on all other devices.">
        {user.hasPassword ? <PasswordForm email={user.email} /> : <NoPassword email={user.email} />}
      </Section>
      <SecondFactors />
      <Section title="Devices" description="Where you are signed in.">
        <Devices />
      </Section>
      <GoogleSection user={user} />
      <Section title="Account activity" description="What happened to your account, and from where.">
        <AccountLog />
      </Section>
      <Section title="Your data" description="Everything we store about you, in one file.">
        <DownloadData />
      </Section>
      <Section title="Delete account" description="This cannot be undone.">
        <DeleteAccount user={user} />
      </Section>
    </>
  )
}

const PAGE_SIZE = 10

/** The history of the account, so that owners notice actions that were not theirs. */
function AccountLog() {
  const { name } = useMarket()
  return (
    <PagedList
      pages={useReadPages(listOwnAuditLog, { limit: String(PAGE_SIZE) })}
      loading={<Skeleton className="h-40" />}
      empty={<p className="text-ink-soft">Nothing has been recorded yet.</p>}
      more={{ label: 'Show more activity' }}
      label="Account activity"
      className="w-full border-line border-b"
    >
      {(entry) => (
        <li key={entry.id} className="grid gap-0.5 border-line border-t py-3">
          <p className="font-strong">{nameOfAction(entry.action)}</p>
          <p className="text-fine text-ink-soft">{describe(entry, name)}</p>
        </li>
      )}
    </PagedList>
  )
}

function describe({ by, device, ip, createdAt }: OwnAuditEntry, marketName: string): string {
  const who = by === 'team' ? `By the ${marketName} team` : null
  return [who, device, ip, formatDateTime(createdAt)].filter(Boolean).join(' · ')
}

function DownloadData() {
  return (
    <ConfirmedDownload href={downloadOwnData.path}>
      <Download aria-hidden="true" />
      Download My Data
    </ConfirmedDownload>
  )
}

/** Shows whether a Google account is linked. Hidden if Google sign-in is not available and was never used. */
function GoogleSection({ user }: { user: CurrentUser }) {
  const isAvailable = useRead(getConfig).data?.googleSignIn ?? false
  if (!isAvailable && !user.googleLinked) return null
  return (
    <Section title="Google" description="Another way to sign in.">
      <div className="flex items-start gap-4">
        <GoogleLogo />
        <div className="grid gap-1">
          <p className="flex flex-wrap items-center gap-3">
            <span className="font-strong">Google account</span>
            <Badge tone={user.googleLinked ? 'accent' : 'outline'}>
              {user.googleLinked ? 'Linked' : 'Not linked'}
            </Badge>
          </p>
          <p className="text-ink-soft">
            {user.googleLinked ? (
              'You can sign in with Google.'
            ) : (
              <>
                To link your Google account, sign in with Google next time, using{' '}
                <span className="[overflow-wrap:anywhere]">{user.email}</span>.
              </>
            )}
          </p>
        </div>
      </div>
    </Section>
  )
}

/** Users who signed up with Google set their first password through an emailed link. */
function NoPassword({ email }: { email: string }) {
  const { run, isPending, isSuccess } = useAction(forgotPassword, {
    failure: explainFailure('Error', 'The link could not be sent. Please try again.'),
  })
  if (isSuccess) {
    return (
      <Notice tone="success" title="Check your inbox" live>
        A link to set a password is on its way to <b className="[overflow-wrap:anywhere]">{email}</b>. It
        works for one hour.
      </Notice>
    )
  }
  return (
    <div className="grid justify-items-start gap-4">
      <p>You sign in with Google and have no password. We can email you a link to set one.</p>
      <Button variant="secondary" busy={isPending} onClick={() => void run({ body: { email } })}>
        Email Me a Link
      </Button>
    </div>
  )
}

type Device = ReplyOf<typeof listDevices>[number]

const failure = explainFailure('Error', 'The device could not be signed out. Please try again.')

function Devices() {
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
