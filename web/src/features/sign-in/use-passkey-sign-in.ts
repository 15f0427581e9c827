import {
  browserSupportsWebAuthn,
  browserSupportsWebAuthnAutofill,
  WebAuthnAbortService,
} from '@simplewebauthn/browser'
import type { CurrentUser } from '@sought/contract/accounts'
import { signInWithPasskey } from '@sought/contract/second-factors'
import { useEffect, useRef, useState } from 'react'
import { send } from '../../data/client.ts'
import { toastFailure } from '../../data/toasts.ts'
import { askForPasskey, explainPasskeyFailure } from '../../shared/sign-in/passkeys.ts'

/** Signs in with a passkey: chosen from the suggestions at the email field, or with the button. */
export function usePasskeySignIn(onDone: (user: CurrentUser) => void) {
  const [isPending, setIsPending] = useState(false)
  const done = useRef(onDone)
  done.current = onDone

  useEffect(() => {
    let isGone = false
    void offerPasskeys(
      (user) => !isGone && done.current(user),
      () => isGone,
    )
    return () => {
      isGone = true
      WebAuthnAbortService.cancelCeremony()
    }
  }, [])

  const ask = async () => {
    setIsPending(true)
    try {
      const passkey = await askForPasskey('sign_in')
      done.current(await send(signInWithPasskey, { body: { passkey } }))
    } catch (error) {
      toastFailure('Sign in failed', explainPasskeyFailure(error))
    }
    setIsPending(false)
  }
  return { isSupported: browserSupportsWebAuthn(), isPending, ask: () => void ask() }
}

/** Waits until a suggestion is chosen. That may never happen, so failures are silent unless one was chosen. */
async function offerPasskeys(onDone: (user: CurrentUser) => void, isGone: () => boolean): Promise<void> {
  if (!(await browserSupportsWebAuthnAutofill()) || isGone()) return
  const passkey = await askForPasskey('sign_in', { autofill: true }).catch(() => null)
  if (!passkey || isGone()) return
  try {
    onDone(await send(signInWithPasskey, { body: { passkey } }))
  } catch (error) {
    toastFailure('Sign in failed', explainPasskeyFailure(error))
  }
}
