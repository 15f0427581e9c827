import type { CurrentUser } from '@sought/contract/accounts'
import {
  getSharingSettings,
  type SharingSettings as Settings,
  updateSharingSettings,
} from '@sought/contract/messages'
import { type NotificationKind, notificationKinds } from '@sought/contract/notification-kinds'
import { getEmailSettings, updateEmailSettings } from '@sought/contract/notifications'
import { lazy, Suspense, useEffect } from 'react'
import { useRead } from '../../../data/calls.ts'
import { send } from '../../../data/client.ts'
import { Loaded } from '../../../shared/loading/loaded.tsx'
import { useMarket } from '../../../shared/market/market.ts'
import { Skeleton } from '../../../ui/feedback/skeleton.tsx'
import { Switch } from '../../../ui/forms/switch.tsx'
import { Section } from '../section.tsx'
import { AvatarEditor } from './avatar-editor.tsx'
import { ProfileForm } from './profile-form.tsx'
import { SellingForm } from './selling-form.tsx'
import { switchIn, useChangeSettings } from './use-change-settings.ts'

const BlockedPeople = lazy(async () => ({ default: (await import('./blocked-people.tsx')).BlockedPeople }))
const PushSettings = lazy(async () => ({ default: (await import('./push-settings.tsx')).PushSettings }))
const SavedAddress = lazy(async () => ({ default: (await import('./saved-address.tsx')).SavedAddress }))
const VerifyPhone = lazy(async () => ({ default: (await import('./verify-phone.tsx')).VerifyPhone }))

export function SettingsTab({ user }: { user: CurrentUser }) {
  const { name } = useMarket()
  useEffect(() => {
    // The section of a link such as /profile?tab=settings#selling.
    if (window.location.hash) document.getElementById(window.location.hash.slice(1))?.scrollIntoView()
  }, [])
  return (
    <>
      <Section title="Picture" description="Shown next to your name.">
        <AvatarEditor user={user} />
      </Section>
      <Section title="Profile" description={`Only you and ${name} can see your email, phone and location.`}>
        <ProfileForm user={user} />
      </Section>
      <Section
        id="phone"
        title="Verified phone"
        description="We send you a code. Others see that your phone is verified, not its number."
      >
        <Suspense fallback={<Skeleton className="h-20" />}>
          <VerifyPhone />
        </Suspense>
      </Section>
      <Section
        id="selling"
        title="What you sell"
        description="We show you the requests that match. Everyone can see it on your public profile."
      >
        <SellingForm user={user} />
      </Section>
      <Section
        title="Conversations"
        description="Choose what the people you have conversations with can see. If you hide something, you cannot see it about others either."
      >
        <SharingSettings />
      </Section>
      <Section
        title="Blocked people"
        description="You and the people you block cannot send each other messages or offers. Open deals continue."
      >
        <Suspense fallback={<Skeleton className="h-14" />}>
          <BlockedPeople />
        </Suspense>
      </Section>
      <Section
        title="Delivery address"
        description="Filled in at checkout. A seller sees it only after you pay for a delivery."
      >
        <Suspense fallback={<Skeleton className="h-28" />}>
          <SavedAddress />
        </Suspense>
      </Section>
      <Section
        title="Notifications"
        description="Choose which notifications we also send by email. Security emails are always sent."
      >
        <EmailSettings />
      </Section>
      <Section
        title="Push notifications"
        description={`Your device shows them, even when no page of ${name} is open.`}
      >
        <Suspense fallback={<Skeleton className="h-56" />}>
          <PushSettings />
        </Suspense>
      </Section>
    </>
  )
}

const switches = [
  { name: 'typing', label: 'When I am typing' },
  { name: 'presence', label: 'When I am online and when I was last seen' },
  { name: 'readReceipts', label: 'When I have read a message' },
] as const satisfies readonly { name: keyof Settings; label: string }[]

/** What other people in conversations see. Changes are saved immediately. */
function SharingSettings() {
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
function EmailSettings() {
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
