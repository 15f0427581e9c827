import { lazy, Suspense } from 'react'
import { useAskedToConfirm } from '../lib/ask-to-confirm.ts'

const ConfirmIdentityDialog = lazy(async () => ({
  default: (await import('../features/accounts/confirm-identity-dialog.tsx')).ConfirmIdentityDialog,
}))

/** Asks users for a proof of identity while a call waits for it. */
export function IdentityDialog() {
  const answer = useAskedToConfirm()
  return answer ? (
    <Suspense>
      <ConfirmIdentityDialog onClose={answer} />
    </Suspense>
  ) : null
}
