import { type CurrentUser, PasswordEntry, startGoogleSignIn } from '@sought/contract/accounts'
import { buildQueryString } from '@sought/contract/paths'
import { confirmIdentity, getSecondFactors } from '@sought/contract/second-factors'
import { useEffect } from 'react'
import { useRead } from '../../data/calls.ts'
import { useSession } from '../../data/session.ts'
import { useContractForm } from '../../shared/forms/contract-form.ts'
import { Form } from '../../shared/forms/form.tsx'
import { Loaded } from '../../shared/loading/loaded.tsx'
import { GoogleLogo } from '../../shared/sign-in/google-logo.tsx'
import { Skeleton } from '../../ui/feedback/skeleton.tsx'
import { Button } from '../../ui/forms/button.tsx'
import { PasswordField } from '../../ui/forms/password-field.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { listenForIdentity } from './identity-channel.ts'
import { SecondFactorForm } from './second-factor-form.tsx'

interface ConfirmIdentityDialogProps {
  onClose: (isConfirmed: boolean) => void
}

/** Asks for the second factor or, for users without one, for the password or a Google sign-in. */
export function ConfirmIdentityDialog({ onClose }: ConfirmIdentityDialogProps) {
  const session = useSession()
  const user = session.state === 'signed-in' ? session.user : null
  const factors = useRead(getSecondFactors)
  useEffect(() => {
    if (!user) onClose(false)
  }, [user, onClose])
  if (!user) return null
  return (
    <Dialog
      open
      width="slip"
      title="Confirm it is you"
      description="To protect your account, please confirm it’s you. You will not be asked again for 10 minutes."
      onOpenChange={(open) => !open && onClose(false)}
    >
      <Loaded query={factors} loading={<Skeleton className="h-28" />}>
        {({ totp, passkeys }) => {
          const usable = [
            ...(totp ? (['totp'] as const) : []),
            ...(passkeys.length > 0 ? (['passkey'] as const) : []),
          ]
          if (usable.length > 0)
            return (
              <SecondFactorForm
                call={confirmIdentity}
                factors={usable}
                purpose="confirm"
                submitLabel="Confirm"
                onDone={() => onClose(true)}
              />
            )
          if (!user.hasPassword) return <GoogleProof onClose={onClose} />
          return <PasswordProof user={user} onClose={onClose} />
        }}
      </Loaded>
    </Dialog>
  )
}

function PasswordProof({ user, onClose }: ConfirmIdentityDialogProps & { user: CurrentUser }) {
  const form = useContractForm(confirmIdentity, {
    schema: PasswordEntry,
    values: { password: '' },
    failure: ({ userMessage }) => {
      form.setError('password', { message: userMessage ?? 'Please try again.' })
      return null
    },
    onDone: () => onClose(true),
  })
  return (
    <Form form={form} name="Confirm it is you" submitLabel="Confirm" wide>
      {/* Tells password managers which account this password belongs to. */}
      <input type="text" autoComplete="username" value={user.email} readOnly hidden />
      <PasswordField label="Password" autoComplete="current-password" {...form.field('password')} />
    </Form>
  )
}

/** Google opens in another window, so that the user's current page stays open. */
function GoogleProof({ onClose }: ConfirmIdentityDialogProps) {
  useEffect(() => listenForIdentity(() => onClose(true)), [onClose])
  return (
    <Button asChild variant="secondary" wide>
      <a
        href={startGoogleSignIn.path + buildQueryString({ confirm: 'true' })}
        target="_blank"
        rel="opener noreferrer"
      >
        <GoogleLogo />
        Continue with Google
      </a>
    </Button>
  )
}
