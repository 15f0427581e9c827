import type { CurrentUser } from '@sought/contract/accounts'
import { Section } from '../section.tsx'
import { AccountLog } from './account-log.tsx'
import { DeleteAccount } from './delete-account.tsx'
import { Devices } from './devices.tsx'
import { DownloadData } from './download-data.tsx'
import { GoogleSection } from './google-section.tsx'
import { NoPassword } from './no-password.tsx'
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
