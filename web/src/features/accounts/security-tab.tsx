import type { CurrentUser } from '@sought/contract/accounts'
import { downloadOwnData } from '@sought/contract/security'
import { Download } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { DeleteAccount } from './delete-account.tsx'
import { Devices } from './devices.tsx'
import { GoogleSection } from './google-section.tsx'
import { NoPassword } from './no-password.tsx'
import { PasswordForm } from './password-form.tsx'
import { Section } from './section.tsx'

export function SecurityTab({ user }: { user: CurrentUser }) {
  return (
    <>
      <Section title="Password" description="Changing it signs you out on all other devices.">
        {user.hasPassword ? <PasswordForm email={user.email} /> : <NoPassword email={user.email} />}
      </Section>
      <Section title="Devices" description="Where you are signed in.">
        <Devices />
      </Section>
      <GoogleSection user={user} />
      <Section title="Your data" description="Everything we store about you, in one file.">
        <Button asChild variant="secondary">
          <a href={downloadOwnData.path} download>
            <Download aria-hidden="true" />
            Download My Data
          </a>
        </Button>
      </Section>
      <Section title="Delete account" description="This cannot be undone.">
        <DeleteAccount user={user} />
      </Section>
    </>
  )
}
