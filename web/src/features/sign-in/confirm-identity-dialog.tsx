import { type CurrentUser, startGoogleSignIn } from '@sought/contract/accounts'
import type { InputOf } from '@sought/contract/call'
import { buildQueryString } from '@sought/contract/paths'
import { confirmIdentity, getSecondFactors } from '@sought/contract/second-factors'
import { type FormEvent, useEffect, useState } from 'react'
import { useRead } from '../../data/calls.ts'
import { CallError, send } from '../../data/client.ts'
import { useSession } from '../../data/session.ts'
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
  const { give, isPending } = useProof(onClose)
  useEffect(() => {
    if (!user) onClose(false)
  }, [user, onClose])
  if (!user) return null
  return (
    <Dialog
      open
      width="slip"
      title="Confirm it is you"
      description="To protect your account, please prove who you are. You will not be asked again for 10 minutes."
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
                factors={usable}
                purpose="confirm"
                submitLabel="Confirm"
                isPending={isPending}
                onGive={give}
              />
            )
          if (!user.hasPassword) return <GoogleProof onClose={onClose} />
          return <PasswordProof user={user} isPending={isPending} onGive={(password) => give({ password })} />
        }}
      </Loaded>
    </Dialog>
  )
}

/** `give` returns an error message, or null after success. */
function useProof(onClose: (isConfirmed: boolean) => void) {
  const [isPending, setIsPending] = useState(false)
  const give = async (body: InputOf<typeof confirmIdentity>['body']): Promise<string | null> => {
    setIsPending(true)
    try {
      await send(confirmIdentity, { body })
      onClose(true)
      return null
    } catch (error) {
      return (error instanceof CallError && error.userMessage) || 'Please try again.'
    } finally {
      setIsPending(false)
    }
  }
  return { give, isPending }
}

interface PasswordProofProps {
  user: CurrentUser
  isPending: boolean
  onGive: (password: string) => Promise<string | null>
}

function PasswordProof({ user, isPending, onGive }: PasswordProofProps) {
  const [password, setPassword] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setProblem(password === '' ? 'Password is required' : await onGive(password))
  }
  return (
    <form
      noValidate
      aria-label="Confirm it is you"
      onSubmit={(event) => void submit(event)}
      className="grid gap-5"
    >
      {/* Tells password managers which account this password belongs to. */}
      <input type="text" autoComplete="username" value={user.email} readOnly hidden />
      <PasswordField
        label="Password"
        autoComplete="current-password"
        value={password}
        error={problem ?? undefined}
        onChange={({ target }) => setPassword(target.value)}
      />
      <Button type="submit" wide busy={isPending}>
        Confirm
      </Button>
    </form>
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
