import type { CurrentUser } from '@sought/contract/accounts'
import { getConfig } from '@sought/contract/platform'
import { useRead } from '../../../data/calls.ts'
import { GoogleLogo } from '../../../shared/sign-in/google-logo.tsx'
import { Badge } from '../../../ui/display/badge.tsx'
import { Section } from '../section.tsx'

/** Shows whether a Google account is linked. Hidden if Google sign-in is not available and was never used. */
export function GoogleSection({ user }: { user: CurrentUser }) {
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
