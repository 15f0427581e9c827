import { ConfirmIdentityDialog } from '../features/accounts/confirm-identity-dialog.tsx'
import { consentDialog } from '../lib/consent-dialog.ts'
import { identityDialog } from '../lib/identity-dialog.ts'
import { ConsentDialog } from './consent-dialog.tsx'
import { useQuestion } from './use-question.ts'

/** Ask users for a proof of identity or for their consent while a call waits for it. */
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
