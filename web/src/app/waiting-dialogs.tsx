import { ConfirmIdentityDialog } from '../features/accounts/confirm-identity-dialog.tsx'
import { consentDialog } from '../lib/consent-dialog.ts'
import { identityDialog } from '../lib/identity-dialog.ts'
import { ConsentDialog } from './consent-dialog.tsx'
import { useQuestion } from './use-question.ts'

/** Dialogs that ask for a proof of identity or for consent while a call waits. */
export default function WaitingDialogs() {
  const identity = useQuestion(identityDialog)
  const consent = useQuestion(consentDialog)
  return (
    <>
      {identity && <ConfirmIdentityDialog onClose={identity.answer} />}
      {consent && <ConsentDialog onClose={consent.answer} />}
    </>
  )
}
