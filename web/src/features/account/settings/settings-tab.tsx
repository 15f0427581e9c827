import type { CurrentUser } from '@sought/contract/accounts'
import { lazy, Suspense, useEffect } from 'react'
import { useMarket } from '../../../shared/market/market.ts'
import { Skeleton } from '../../../ui/feedback/skeleton.tsx'
import { Section } from '../section.tsx'
import { AvatarEditor } from './avatar-editor.tsx'
import { EmailSettings } from './email-settings.tsx'
import { ProfileForm } from './profile-form.tsx'
import { SellingForm } from './selling-form.tsx'
import { SharingSettings } from './sharing-settings.tsx'

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
