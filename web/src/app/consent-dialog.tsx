import { ConfirmDialog } from '../ui/overlays/confirm-dialog.tsx'
import { PolicyList } from './policy-list.tsx'
import { useAcceptPolicies } from './use-accept-policies.ts'

/** Asks for consent when a call was refused without it. Afterwards the call is repeated. */
export function ConsentDialog({ onClose }: { onClose: (isAccepted: boolean) => void }) {
  const { policies, accept, isBusy } = useAcceptPolicies(() => onClose(true))
  return (
    <ConfirmDialog
      open
      title="Our terms have changed"
      description={
        policies.length > 0 ? (
          <>
            Please read our <PolicyList policies={policies} newTab />. Accept to continue.
          </>
        ) : (
          'Please accept our terms to continue.'
        )
      }
      confirmLabel="Accept and Continue"
      busy={isBusy}
      onConfirm={accept}
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose(false)
      }}
    />
  )
}
