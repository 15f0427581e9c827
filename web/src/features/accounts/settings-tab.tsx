import type { CurrentUser } from '@sought/contract/accounts'
import { AvatarEditor } from './avatar-editor.tsx'
import { EmailSettings } from './mail-settings.tsx'
import { ProfileForm } from './profile-form.tsx'
import { Section } from './section.tsx'

export function SettingsTab({ user }: { user: CurrentUser }) {
  return (
    <>
      <Section title="Picture" about="Shown beside your name.">
        <AvatarEditor user={user} />
      </Section>
      <Section title="Profile" about="Email, phone, location and bio are for you and us alone.">
        <ProfileForm user={user} />
      </Section>
      <Section
        title="Mails"
        about="Which news we also send by mail. Mails about the safety of your account always go out."
      >
        <EmailSettings />
      </Section>
    </>
  )
}
